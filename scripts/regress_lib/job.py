"""One job: its process, what it measured, and, when it failed, its bucket, a smaller case and waves."""
import os
import re
import shlex
import signal
import socket
import subprocess
import threading
import time

from . import plan as plans

WAVE_LIMIT = 600  # seconds for the run that writes waves
SHRINK_RUNS = 4


class Processes:
    """Those that run now, so that all of them can be ended."""

    def __init__(self):
        self.lock, self.groups, self.ended = threading.Lock(), set(), False

    def run(self, command, log, limit, environment=None):
        """(exit status; None: no end within the limit; or in words why it did not begin; seconds)"""
        started = time.monotonic()
        with open(log, "wb") as out:
            with self.lock:
                if self.ended:
                    raise KeyboardInterrupt
                try:
                    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=dict(os.environ, **(environment or {})), start_new_session=True)
                except OSError as error:
                    return f"cannot run {command[0]}: {error.strerror}", 0.0
                self.groups.add(process.pid)
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                status = None
                kill_group(process.pid)
                process.wait()
            with self.lock:
                self.groups.discard(process.pid)
                if self.ended:
                    raise KeyboardInterrupt
        return status, time.monotonic() - started

    def kill(self):
        with self.lock:
            self.ended = True
            for pid in self.groups:
                kill_group(pid)


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def read(log):
    with open(log, encoding="utf-8", errors="replace") as file:
        return re.sub(r"\x1b\[[0-9;]*m", "", file.read())


def plain(text):
    """A line without what differs from seed to seed: numbers, and where it ran."""
    text = re.sub(r"0x[0-9a-fA-F_]+|\b[0-9a-f]{8,}(_[0-9a-f]+)*\b|\d+", "#", text)
    return " ".join(text.split())[:160]


def bucket_of(text, status, limit):
    """What failed first: an event and its field where the two sides are compared, else the first words of the failure."""
    found = re.search(r"\b([A-Z][A-Z_]+\.\w+) differs", text)
    if found:
        return f"event {found[1]}"
    found = re.search(r"\b(?:PERFORM|event|[A-Z_]{3,}) differs in (\w+)", text)
    if found:
        return "event " + found[0].replace(" differs in ", ".")
    found = re.search(r"([\w./-]+\.sv):(\d+): Assertion failed", text)
    if found:
        return f"assertion {os.path.basename(found[1])}:{found[2]}"
    if isinstance(status, str):
        return status
    if status is None:
        return f"no end after {limit:g} s"
    if status < 0:
        return f"signal {signal.Signals(-status).name}"
    found = re.search(r"FAIL at operation \d+: (.*)", text) or re.search(r"^.*(?:runtime error|AddressSanitizer|ThreadSanitizer): (.*)$", text, re.M)
    if found:
        return plain(found[1])
    found = re.search(r"^(.*(?:FAIL|mismatch|differs|Assertion).*)$", text, re.M)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("replay:")]
    return plain(found[1]) if found else plain(lines[-1]) if lines else f"exit status {status}"


def smaller(test, command, text, log, processes):
    """The command with as many operations as the failure needed, if it fails there too."""
    found = re.search(r"FAIL at operation (\d+):", text)
    if test.shrink != "ops" or found is None or int(found[1]) == 0:
        return None
    shorter = command[:]
    if "--ops" in shorter[:-1]:
        shorter[shorter.index("--ops") + 1] = found[1]
    else:
        shorter += ["--ops", found[1]]
    status, _ = processes.run(shorter, log + ".small", test.limit)
    return shorter if status not in (0, None) and bucket_of(read(log + ".small"), status, test.limit) == bucket_of(text, 1, test.limit) else None


def waved(command, path):
    """The command with waves, when it names a device of which there are any."""
    for index, word in enumerate(command):
        if re.match(r"(rtl|tandem):", word) and "wave=" not in word:
            return command[:index] + [f"{word},wave={path}"] + command[index + 1:]
    return None


def replay_of(text, command):
    """The command by which the program itself says that it can be repeated, else its own."""
    found = re.findall(r"^\s*replay: (.+)$", text, re.M)
    if not found:
        return command
    try:
        words = shlex.split(found[-1])
    except ValueError:
        return command
    # Programs tell their name as the user may have it on the path; here it stands where the plan says.
    if words and "/" not in words[0] and os.path.basename(command[0]) == words[0]:
        words[0] = command[0]
    return words or command


def run(plan, job, folder, processes):
    """Runs a job; its result, as it goes into the database."""
    test = plan.test(job.test)
    os.makedirs(folder, exist_ok=True)
    log = os.path.join(folder, "log")
    command = plans.words_of(test, job.config, job.seed, folder)
    environment = {"TANDEM_SEED": str(job.seed), "TANDEM_REPORTS": os.path.abspath(folder)}
    if test.coverage:
        environment["TANDEM_COVERAGE"] = os.path.abspath(folder)
    status, seconds = processes.run(command, log, test.limit, environment)
    text = read(log)
    result = {"number": job.number, "state": "passed" if status == 0 else "failed", "seconds": seconds, "host": socket.gethostname(), "bucket": None, "replay": None, "log": log, "numbers": {}}
    for name, pattern in test.numbers.items():
        found = re.findall(pattern, text)
        try:
            if found and status == 0:
                result["numbers"][name] = float(found[-1])
        except ValueError:
            pass  # the expression matches something else there: nothing was measured
    if status != 0:
        result["bucket"] = bucket_of(text, status, test.limit)
        again = smaller(test, command, text, log, processes) or replay_of(text, command)
        seeded = f"TANDEM_SEED={job.seed} " if str(job.seed) not in again else ""
        result["replay"] = seeded + shlex.join(again)
        waves = waved(again, os.path.join(folder, "waves.fst")) if test.waves else None
        if waves:
            processes.run(waves, log + ".waves", min(test.limit * 10, WAVE_LIMIT), environment)
    return result
