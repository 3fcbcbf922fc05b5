#!/usr/bin/env python3
"""`tandem resume`: runs that were recorded, killed in the middle, or ended in a mismatch are gone over again; wrong inputs are refused in one line.

usage: test_resume.py BUILD        shows: GM-3 [model] [rtl] [tandem]
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
TANDEM = os.path.abspath(os.path.join(BUILD, "tandem"))
LOOP = os.path.abspath("tests/programs/loop_exits.s")
PROGRAM = [LOOP, "--arg", "zero:512", "--global", "96", "--local", "48"]
# All threads go round for ever.
ENDLESS = """.kernel endless
.arg global out
loop:
    IADD R0, R0, 1
    BRA loop
"""
DONE = re.compile(r"^\S+: (\S+) from cycle (\d+) to (\d+), (\d+) calls of the CPU(; its program ended without closing it)?\n$")
failures = 0


def check(what, good, detail=""):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}", flush=True)
    if not good:
        failures += 1
        print("  " + str(detail).replace("\n", "\n  "))


def run(*words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, "TANDEM_REPORTS": folder})
    return done.returncode, done.stdout, done.stderr


def one_line(what, result, code, *wanted):
    got, out, err = result
    first = err.splitlines()[0] if err else ""
    check(what, got == code and out == "" and first.startswith("tandem resume: ") and all(part in first for part in wanted) and (code == 2 or err.count("\n") == 1),
          f"{got} {out}{err}")


def whole_runs(folder):
    for device in ("model:small", "rtl:nano", "tandem:nano"):
        record = os.path.join(folder, "record")
        code, out, err = run(TANDEM, "run", *PROGRAM, "--device", f"{device},mem=4,checkpoint={record},checkpoint_every=1000", folder=folder)
        check(f"{device} records", code == 0 and err == "", f"{code} {out}{err}")
        code, out, err = run(TANDEM, "resume", record, folder=folder)
        said = DONE.match(out)
        check(f"{device} is gone over again", code == 0 and err == "" and said and said[1].startswith(device) and int(said[3]) > int(said[2]) and not said[5],
              f"{code} {out}{err}")
    # The last one: waves and a timeline of a part, the RTL alone.
    wave, timeline = os.path.join(folder, "part.fst"), os.path.join(folder, "part.json")
    code, out, err = run(TANDEM, "resume", record, "--wave", wave, "--timeline", timeline, "--rtl", "--beyond", "50", folder=folder)
    check("waves of it", code == 0 and os.path.getsize(wave) > 1000 and os.path.getsize(timeline) > 100, f"{code} {out}{err}")
    first, last = DONE.match(out).group(2, 3)
    code, out, err = run(TANDEM, "resume", record, "--until", str((int(first) + int(last)) // 2), folder=folder)
    check("it stops where it is told to", code == 0 and int(DONE.match(out)[3]) < int(last), f"{code} {out}{err}")
    return record


def killed(folder):
    """A program that is killed while the device works: what it did so far is there."""
    source, record = os.path.join(folder, "endless.s"), os.path.join(folder, "killed")
    with open(source, "w", encoding="utf-8") as file:
        file.write(ENDLESS)
    program = subprocess.Popen([TANDEM, "run", source, "--arg", "zero:512", "--global", "64", "--device", f"rtl:nano,mem=4,checkpoint={record},checkpoint_every=20000"],
                               cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    stamp = None
    changes = 0
    while time.monotonic() < deadline and program.poll() is None and changes < 4:
        if os.path.exists(record) and os.stat(record).st_ino != stamp:
            stamp = os.stat(record).st_ino
            changes += 1
        time.sleep(0.02)
    ended = program.poll()
    program.send_signal(signal.SIGKILL)
    check("several checkpoints are written while it runs", changes == 4 and ended is None, f"{changes} {ended} {program.communicate()[1]}")
    program.wait()
    code, out, err = run(TANDEM, "resume", record, folder=folder)
    said = DONE.match(out)
    check("what was killed is gone over", code == 0 and said and said[5] and int(said[2]) >= 20000, f"{code} {out}{err}")


def mismatch(folder):
    record = os.path.join(folder, "differs")
    code, out, err = run(TANDEM, "run", *PROGRAM, "--device", f"tandem:nano,mem=4,inject_model=107,checkpoint={record}", folder=folder)
    check("a mismatch says how to go over it", code == 1 and f"tandem resume {record} --wave" in err, f"{code} {out}{err}")
    what = re.search(r"cycle \d+: \S+ differs: RTL \S+, model \S+", err)
    code, out, again = run(TANDEM, "resume", record, folder=folder)
    report = re.search(r"\S*tandem-mismatch-\S*\.txt", again)
    check("it comes back", code == 1 and what and what[0].rstrip(",") in again and report, f"{code} {out}{again}")
    if report:
        with open(report[0].strip("(),;"), encoding="utf-8") as file:
            check("its report has the command", f"replay     tandem resume {record}" in file.read())


def wrong(folder, record):
    one_line("no file", run(TANDEM, "resume", "none", folder=folder), 1, "none: No such file")
    with open(os.path.join(folder, "text"), "w", encoding="utf-8") as file:
        file.write("something else, long enough to have a head of its own\n" * 20)
    one_line("no record", run(TANDEM, "resume", "text", folder=folder), 1, "it is no recorded run")
    with open(record, "rb") as file:
        content = bytearray(file.read())
    content[700] ^= 1
    with open(os.path.join(folder, "damaged"), "wb") as file:
        file.write(content)
    one_line("a damaged record", run(TANDEM, "resume", "damaged", folder=folder), 1, "its state is damaged")
    one_line("waves to nowhere", run(TANDEM, "resume", record, "--wave", "/no/folder/x.fst", folder=folder), 2, "wave=/no/folder/x.fst")
    run(TANDEM, "run", *PROGRAM, "--device", f"model:nano,mem=4,checkpoint={folder}/model", folder=folder)
    one_line("waves of the model", run(TANDEM, "resume", "model", "--wave", "x.fst", folder=folder), 2, "has no waves")
    one_line("RTL of the model", run(TANDEM, "resume", "model", "--rtl", folder=folder), 2, "only one of tandem:")
    for words in ([], ["a", "b"], ["--none"], ["a", "--until", "x"], ["a", "--until"], ["a", "--beyond", "0"]):
        one_line(f"words {words}", run(TANDEM, "resume", *words, folder=folder), 2)
    code, out, err = run(TANDEM, "resume", "--help", folder=folder)
    check("--help", code == 0 and "checkpoint=FILE" in out and err == "")


def main():
    with tempfile.TemporaryDirectory() as folder:
        record = whole_runs(folder)
        killed(folder)
        mismatch(folder)
        wrong(folder, record)
    print(f"{failures} failures")
    return failures != 0


sys.exit(main())
