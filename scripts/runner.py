"""Runs suites, several at a time, the longest first; keeps their output, their results and how long they took.

A suite is one program that passes or fails: a Criterion program with many tests in it, or any other program. scripts/run-tests is the
command line to this.

Files that a run writes, in the folder of the results:
  results.txt  PASS|FAIL TEST SECONDS DESCRIPTION   for each test (Criterion programs write their own, by tests/unit/results.c)
               SUITE NAME SECONDS PROCESSOR_SECONDS for each suite; also of suites that did not run this time, as it was before
  results.xml  the same as JUnit XML
"""
import concurrent.futures
import dataclasses
import fcntl
import fnmatch
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

TELL_AFTER = 60  # seconds without a word, after which is told what is running
SHOWN_SLOWEST = 8


class Wrong(Exception):
    """Something that the user wrote is wrong; one line."""


@dataclasses.dataclass
class Suite:
    name: str  # unit/test_isa
    command: list
    criterion: bool = False  # writes results of its own, and takes --filter
    time_limit: float = 0  # seconds, 0: none; a program that hangs is a failure, not a stuck run

    @property
    def file(self):
        """The name as one of a file."""
        return re.sub(r"[^\w.,=-]", "-", self.name)


@dataclasses.dataclass
class Test:
    good: bool
    name: str
    seconds: float
    description: str

    def line(self):
        return f"{'PASS' if self.good else 'FAIL'} {self.name} {self.seconds:.2f} {self.description}".rstrip()


@dataclasses.dataclass
class Outcome:
    suite: Suite
    tests: list
    seconds: float
    processor: float
    status: object  # exit status, or in words what went wrong
    log: str

    @property
    def failed(self):
        return [t for t in self.tests if not t.good]


def lines_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


# ---- what to run ----


def read_suites(path):
    """The suites of a list that make has written: NAME | criterion or program | COMMAND, a line each."""
    if not os.path.exists(path):
        raise Wrong(f"{path}: no such list of suites; `make test` and `make quick` write theirs")
    suites = []
    for number, line in enumerate(lines_of(path), 1):
        if not line.strip():
            continue
        parts = [part.strip() for part in line.split("|", 2)]
        if len(parts) != 3 or parts[1] not in ("criterion", "program") or not parts[0] or not parts[2]:
            raise Wrong(f"{path}:{number}: not `NAME | criterion or program | COMMAND`: {line.strip()[:80]}")
        if any(s.name == parts[0] for s in suites):
            raise Wrong(f"{path}:{number}: {parts[0]} stands twice")
        try:
            command = shlex.split(parts[2])
        except ValueError as error:
            raise Wrong(f"{path}:{number}: {error}: {parts[2][:80]}") from None
        suites.append(Suite(parts[0], command, parts[1] == "criterion"))
    if not suites:
        raise Wrong(f"{path}: no suites")
    return suites


def choose(suites, patterns):
    """The suites that one of the patterns SUITE[:TEST] names. SUITE: a glob on the name, on the folder before its slash or on what follows
    it. TEST: a glob on GROUP/TEST or TEST of a Criterion program, in the place of what the suite itself chooses."""
    chosen = {}
    for pattern in patterns:
        of_suite, _, of_test = pattern.partition(":")
        of_suite = of_suite or "*"
        found = [s for s in suites if any(fnmatch.fnmatchcase(name, of_suite) for name in (s.name, *s.name.split("/", 1)))]
        if of_test:
            found = [s for s in found if s.criterion]
        if not found:
            raise Wrong(f"'{pattern}' is none of the {len(suites)} suites{' that have tests to choose from' if of_test else ''}; --show lists them")
        for suite in found:
            tests = of_test if "/" in of_test or not of_test else "*/" + of_test
            if suite.name in chosen and tests != chosen[suite.name][1]:
                raise Wrong(f"'{pattern}': {suite.name} is chosen already, with other tests; one pattern may be @(one|another)")
            chosen[suite.name] = (suite, tests)
    return [dataclasses.replace(s, command=s.command + ["--filter", tests]) if tests else s for s, tests in chosen.values()]


def seed_of_commit():
    """(seed, where it is from): from the tree of HEAD, so that a run of the same sources is the same run."""
    try:
        tree = subprocess.run(["git", "rev-parse", "--verify", "--quiet", "HEAD^{tree}"], capture_output=True, text=True, check=False)
        if tree.returncode == 0 and re.fullmatch(r"[0-9a-f]{40,64}", tree.stdout.strip()):
            return int(tree.stdout[:8], 16) & 0x7FFFFFFF or 1, "the commit's"
    except OSError:
        pass
    return 1, "not in a git repository"


# ---- how long things take ----


def read_times(path):
    """{suite: processor seconds} from SUITE lines; other lines are results of tests."""
    times = {}
    for line in lines_of(path):
        words = line.split()
        if words and words[0] == "SUITE" and len(words) == 4:
            try:
                times[words[1]] = (float(words[2]), float(words[3]))
            except ValueError:
                continue  # half a line of a run that was ended
    return times


def longest_first(suites, times):
    """Suites of which nothing is known come first: they may be long."""
    return sorted(suites, key=lambda s: -times.get(s.name, (0, float("inf")))[1])


# ---- running ----


def lock(logs):
    """Keeps another run from the same folder until this process ends: each would overwrite the other's logs. The file to keep open."""
    os.makedirs(logs, exist_ok=True)
    file = open(os.path.join(logs, "lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Wrong(f"{logs}: another run writes there now; wait for it, or give this one another BUILD") from None
    return file


class Running:
    """The processes that run now, so that all can be ended."""

    def __init__(self):
        self.lock = threading.Lock()
        self.groups = {}  # pid: (suite, started)
        self.ended = False

    def add(self, pid, suite):
        with self.lock:
            self.groups[pid] = (suite, time.monotonic())
            if self.ended:
                kill_group(pid)

    def remove(self, pid):
        with self.lock:
            self.groups.pop(pid, None)

    def kill(self):
        with self.lock:
            self.ended = True
            for pid in self.groups:
                kill_group(pid)

    def told(self, logs=None):
        """What runs and for how long; with the folder of the logs, a line each, with the last words of it."""
        with self.lock:
            now = time.monotonic()
            told = [(suite, f"{suite.name} {now - started:.0f} s") for suite, started in self.groups.values()]
        if logs is None:
            return ", ".join(text for _, text in told)
        return "\n".join(f"  ... {text}: {last_words(os.path.join(logs, suite.file + '.log'))}".rstrip(": ") for suite, text in told)


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def environment_of(suite, logs, seed):
    environment = dict(os.environ, TANDEM_RESULTS=os.path.abspath(os.path.join(logs, suite.file + ".results")), TANDEM_REPORTS=os.path.abspath(logs),
                       TANDEM_REPLAY=replay(suite, seed), CRITERION_JOBS="1")
    if seed is not None:
        environment["TANDEM_SEED"] = str(seed)
    return environment


def replay(suite, seed, test=""):
    """The command that does it again."""
    words = suite.command + (["--filter", test] if test else [])
    return (f"TANDEM_SEED={seed} " if suite.criterion and seed is not None else "") + shlex.join(words)


def execute(suite, logs, seed, running):
    """(exit status or what went wrong, seconds, processor seconds) of the program and all that it started and waited for."""
    started = time.monotonic()
    with open(os.path.join(logs, suite.file + ".log"), "wb") as out:
        try:
            process = subprocess.Popen(suite.command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment_of(suite, logs, seed), start_new_session=True)
        except OSError as error:
            return f"cannot run {suite.command[0]}: {error.strerror}", 0.0, 0.0
        running.add(process.pid, suite)
        late = threading.Event()

        def limit():
            late.set()
            kill_group(process.pid)

        timer = threading.Timer(suite.time_limit, limit) if suite.time_limit else None
        if timer:
            timer.start()
        _, status, used = os.wait4(process.pid, 0)
        running.remove(process.pid)
        if timer:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)  # Popen must not wait for it too
    seconds = time.monotonic() - started
    if late.is_set():
        return f"no end after {suite.time_limit:g} s", seconds, used.ru_utime + used.ru_stime
    if process.returncode < 0:
        return f"ended by signal {-process.returncode} ({signal.Signals(-process.returncode).name})", seconds, used.ru_utime + used.ru_stime
    return process.returncode, seconds, used.ru_utime + used.ru_stime


def tests_of(suite, logs, status, seconds):
    """What a run has shown. A Criterion program tells its own tests; of another the line `shows: IDs [sides]` is the description."""
    tests = []
    for line in lines_of(os.path.join(logs, suite.file + ".results")):
        match = re.match(r"(PASS|FAIL) (\S+) (\d+\.\d+) ?(.*)", line)
        if match:
            tests.append(Test(match[1] == "PASS", match[2], float(match[3]), match[4]))
    if not suite.criterion:
        shows = " ".join(line[len("shows: "):] for line in lines_of(os.path.join(logs, suite.file + ".log")) if line.startswith("shows: "))
        tests = tests or [Test(status == 0, suite.name, seconds, shows)]
    if status != 0 and all(t.good for t in tests):
        tests.append(Test(False, suite.name, seconds, ""))  # a crash, which tells no verdict of its own
    if not tests and "--filter" not in suite.command:
        tests.append(Test(False, suite.name, seconds, ""))  # a Criterion program without a test is a mistake
    return tests


def run_suite(suite, logs, seed, running):
    results = os.path.join(logs, suite.file + ".results")
    if os.path.exists(results):
        os.remove(results)
    status, seconds, processor = execute(suite, logs, seed, running)
    return Outcome(suite, tests_of(suite, logs, status, seconds), seconds, processor, status, os.path.join(logs, suite.file + ".log"))


def run_all(suites, logs, seed, jobs, tell):
    """Runs the suites in their order, `jobs` at a time; tell(outcome, number) after each. The outcomes; when it is interrupted, KeyboardInterrupt
    after everything has been ended."""
    running, outcomes = Running(), []
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    order = {pool.submit(run_suite, suite, logs, seed, running): place for place, suite in enumerate(suites)}
    waiting = set(order)
    try:
        while waiting:
            done, waiting = concurrent.futures.wait(waiting, TELL_AFTER, concurrent.futures.FIRST_COMPLETED)
            for future in sorted(done, key=order.get):  # several, when this thread had to wait
                outcomes.append(future.result())
                tell(outcomes[-1], len(outcomes))
            if not done:
                print(running.told(logs), flush=True)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        told = running.told()
        running.kill()
        if told:
            print(f"  ended while running: {told}", file=sys.stderr, flush=True)
        raise
    finally:
        pool.shutdown()
    return outcomes


# ---- what is told ----


def last_words(path):
    try:
        with open(path, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 1000))
            lines = file.read().decode("utf-8", "replace").replace("\r", "\n").split("\n")
    except FileNotFoundError:
        return ""
    return next((line.strip()[:120] for line in reversed(lines) if line.strip()), "")


def excerpt(path):
    text = lines_of(path)
    return text[:40] + ["[...]"] + text[-15:] if len(text) > 60 else text  # the cause stands at the top, the summary at the bottom


def tell_failure(outcome, seed):
    for line in excerpt(outcome.log):
        print("    " + line)
    status = outcome.status if isinstance(outcome.status, str) else f"exit status {outcome.status}"
    print(f"    {status}; whole output: {outcome.log}")
    for test in outcome.failed:
        own = outcome.suite.criterion and test.name != outcome.suite.name
        print(f"    FAIL {test.name}\n    replay: {replay(outcome.suite, seed, test.name if own else '')}", flush=True)


def tell_slowest(outcomes, seconds, jobs):
    slowest = sorted(outcomes, key=lambda o: -o.processor)[:SHOWN_SLOWEST]
    processor = sum(o.processor for o in outcomes)
    if len(outcomes) > 1:
        print("slowest, in processor seconds: " + ", ".join(f"{o.suite.name} {o.processor:.0f}" for o in slowest))
    print(f"{len(outcomes)} suites in {seconds:.0f} s, {processor:.0f} processor seconds, {jobs} at a time")


def write_results(path, outcomes, before, seed):
    """results.txt, whole or not at all. before: times of suites that did not run now."""
    times = dict(before) | {o.suite.name: (o.seconds, o.processor) for o in outcomes}
    with open(path + ".part", "w", encoding="utf-8") as file:
        for outcome in outcomes:
            file.writelines(test.line() + "\n" for test in outcome.tests)
        if seed is not None:
            file.write(f"SEED {seed}\n")
        file.writelines(f"SUITE {name} {seconds:.2f} {processor:.2f}\n" for name, (seconds, processor) in sorted(times.items()))
    os.replace(path + ".part", path)


def write_times(path, outcomes):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# How long each suite takes, for the order in which a clone runs them that has not run them yet: SUITE NAME SECONDS PROCESSOR_SECONDS.\n"
                   "# Written by `run-tests --save-times`; nothing but the order depends on it.\n")
        file.writelines(f"SUITE {o.suite.name} {o.seconds:.1f} {o.processor:.1f}\n" for o in sorted(outcomes, key=lambda o: -o.processor))


def printable(text):
    return re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)  # what XML 1.0 allows


def write_junit(path, outcomes, seed):
    root = xml.etree.ElementTree.Element("testsuites")
    for outcome in outcomes:
        suite = xml.etree.ElementTree.SubElement(root, "testsuite", name=outcome.suite.name, tests=str(len(outcome.tests)), failures=str(len(outcome.failed)), errors="0",
                                                 time=f"{outcome.seconds:.2f}")
        for test in outcome.tests:
            case = xml.etree.ElementTree.SubElement(suite, "testcase", classname=outcome.suite.name, name=test.name, time=f"{test.seconds:.2f}")
            if not test.good:
                status = outcome.status if isinstance(outcome.status, str) else f"exit status {outcome.status}"
                own = outcome.suite.criterion and test.name != outcome.suite.name
                failure = xml.etree.ElementTree.SubElement(case, "failure", message=printable(f"{status}; replay: {replay(outcome.suite, seed, test.name if own else '')}"))
                failure.text = printable("\n".join(excerpt(outcome.log)))
    root.set("tests", str(sum(len(o.tests) for o in outcomes)))
    root.set("failures", str(sum(len(o.failed) for o in outcomes)))
    root.set("time", f"{sum(o.seconds for o in outcomes):.2f}")
    xml.etree.ElementTree.indent(root)
    xml.etree.ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
