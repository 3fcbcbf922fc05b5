#!/usr/bin/env python3
"""Files and streams of a run: what stands where a file is to go stays, what cannot be written whole is told, and a signal leaves whole files.

usage: test_files.py BUILD        (in the project's top folder, after make)
"""
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
TANDEM, EQUALIZE = os.path.join(BUILD, "tandem"), os.path.join(BUILD, "equalize")
PICTURE = "tests/unit/photograph.pgm"
ENDS = ".kernel ends\n.registers 4\n    S2R R0, SR_TID_X\n    EXIT\n"
HANGS = ".kernel hangs\n.registers 4\nagain:\n    BRA again\n    EXIT\n"
LONGEST = 1 << 30  # bytes; a trace of what hangs, when nobody is left to end it
failures = 0


def tell(good, what, result=""):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}")
    if not good:
        failures += 1
        print("  " + str(result).replace("\n", "\n  "))


def limit(file_bytes):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))


def run(words, file_bytes=LONGEST, **streams):
    """Exit status and what standard error says; no file gets longer than file_bytes."""
    streams = {"stdout": subprocess.PIPE, **streams}
    done = subprocess.run(words, stderr=subprocess.PIPE, timeout=120, check=False, preexec_fn=lambda: limit(file_bytes), restore_signals=False, **streams)
    return done.returncode, done.stderr.decode(errors="replace").strip()


def refused(what, answer, says, code=1):
    status, text = answer
    tell(status == code and says in text and text.count("\n") == 0, what, f"exit status {status}, expected {code}; expected one line with \"{says}\":\n{text}")


def blocks_of(path):
    """Kinds of an FST file's blocks; None: it is not whole."""
    with open(path, "rb") as file:
        data = file.read()
    at, kinds = 0, []
    while at < len(data):
        kinds.append(data[at])
        at += 1 + int.from_bytes(data[at + 1:at + 9], "big")
    return kinds if at == len(data) and 255 not in kinds else None


def waves(folder, program):
    def wave(name, **limits):
        return run([TANDEM, "run", program, "--device", "rtl:nano,wave=" + os.path.join(folder, name)], **limits)
    os.mkfifo(os.path.join(folder, "pipe"))
    refused("waves do not take the place of a device", wave("pipe"), "pipe is there and is no file")
    tell(stat.S_ISFIFO(os.stat(os.path.join(folder, "pipe")).st_mode), "  it is still there")
    os.mkfifo(os.path.join(folder, "side.hier"))
    refused("nor does their side file", wave("side"), "side.hier is there and is no file")
    tell(stat.S_ISFIFO(os.stat(os.path.join(folder, "side.hier")).st_mode), "  it is still there")
    refused("a folder", wave(""), "is no file")
    refused("a folder that is not there", wave("none/x"), "No such file")
    with open(os.path.join(folder, "target"), "wb") as file:
        file.write(b"old")
    os.symlink("target", os.path.join(folder, "link"))
    answer = wave("link")
    tell(answer[0] == 0 and os.path.islink(os.path.join(folder, "link")) and blocks_of(os.path.join(folder, "target")), "a symbolic link is followed", answer)
    whole = os.path.getsize(os.path.join(folder, "target"))
    for limit in (0, 300, 4096, 20000):
        refused(f"waves of which {limit} bytes can be written", wave("short", file_bytes=limit), "wave=")
        tell(not os.path.exists(os.path.join(folder, "short.hier")), "  nothing is left beside them")
    # The side file is larger than the waves of a short run, so the run is made long enough.
    code, text = run([TANDEM, "run", hanging(folder), "--deadline", "200000", "--device", "rtl:nano,wave=" + os.path.join(folder, "long")], file_bytes=8 * whole)
    tell(code == 1 and "not all of the file could be written" in text, "waves that come to the end of the disk later", f"exit status {code}\n{text}")


def hanging(folder):
    path = os.path.join(folder, "hangs.s")
    with open(path, "w", encoding="ascii") as file:
        file.write(HANGS)
    return path


def other_files(folder, program):
    for device in ("model:nano", "rtl:nano", "tandem:nano"):
        for kind in ("trace", "timeline"):
            path = os.path.join(folder, f"short.{kind}")
            code, text = run([TANDEM, "run", hanging(folder), "--deadline", "20000", "--device", f"{device},{kind}={path}"], file_bytes=1200)
            tell(code == 1 and kind in text, f"{kind} of {device} of which 1200 bytes can be written", f"exit status {code}\n{text}")
    code, text = run([TANDEM, "run", program, "--device", "model:nano,trace=/dev/null"])
    tell(code == 0 and os.path.exists("/dev/null"), "a trace to /dev/null", text)


def outputs(folder, program):
    programs = {"help": [TANDEM, "--help"], "run": [TANDEM, "run", program, "--device", "model:nano"], "info": [TANDEM, "info", "model:nano"],
                "equalize": [EQUALIZE, "--device", "model:nano", PICTURE, os.path.join(folder, "out.pgm")]}
    for name, words in programs.items():
        with open("/dev/full", "wb") as full:
            code, text = run(words, stdout=full)
        tell(code == 1 and "standard output could not be written: No space left" in text, f"{name} to a full output", f"exit status {code}\n{text}")
        shell = ["sh", "-c", "exec \"$@\" >&-", "sh", *words]
        code, text = run(shell)
        tell(code == 1 and "standard output could not be written" in text, f"{name} to a closed output", f"exit status {code}\n{text}")
    trace = os.path.join(folder, "closed.trace")
    run(["sh", "-c", "exec \"$@\" >&-", "sh", TANDEM, "run", program, "--device", "model:nano,trace=" + trace])
    with open(trace, encoding="utf-8") as file:
        tell("PASS" not in file.read(), "a closed output does not become the trace file")


def signals(folder):
    program = hanging(folder)
    for device, number in (("model:nano", signal.SIGTERM), ("model:nano", signal.SIGINT), ("rtl:nano", signal.SIGTERM), ("tandem:nano", signal.SIGINT)):
        timeline, wave, trace = (os.path.join(folder, "ended." + kind) for kind in ("json", "fst", "trace"))
        files = f",timeline={timeline},trace={trace}" + (f",wave={wave}" if device != "model:nano" else "")
        with subprocess.Popen([TANDEM, "run", program, "--device", device + files], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=lambda: limit(LONGEST), restore_signals=False) as process:
            time.sleep(2)
            process.send_signal(number)
            errors = process.communicate(timeout=60)[1].decode(errors="replace")
        what = f"{device} ended by {number.name}"
        tell(process.returncode == 128 + number and "interrupted" in errors, what, f"exit status {process.returncode}\n{errors}")
        with open(timeline, encoding="utf-8") as text:
            try:
                tell(len(json.load(text)["traceEvents"]) > 20, "  its timeline is whole")
            except ValueError as error:
                tell(False, "  its timeline is whole", error)
        with open(trace, encoding="utf-8") as text:
            tell(text.read().endswith("\n"), "  its trace ends with a line")
        if device != "model:nano":
            tell(blocks_of(wave) and not os.path.exists(wave + ".hier"), "  its waves are whole, and nothing is beside them", os.listdir(folder))
    with subprocess.Popen([TANDEM, "run", program, "--device", "model:nano"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN), restore_signals=False) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        ignored = process.poll() is None
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        tell(ignored and process.returncode == 143, "a signal that is to be ignored is ignored", process.returncode)


def main():
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "ends.s")
        with open(program, "w", encoding="ascii") as file:
            file.write(ENDS)
        waves(folder, program)
        other_files(folder, program)
        outputs(folder, program)
        signals(folder)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
