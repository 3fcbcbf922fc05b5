#!/usr/bin/env python3
"""`tandem check`: traces of every kind of device are right, changed ones are found, broken ones refused in one line.

usage: test_check.py BUILD        shows: GM-1 [model] [rtl]
"""
import os
import random
import re
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
TANDEM = os.path.abspath(os.path.join(BUILD, "tandem"))
SEED = int(os.environ.get("TANDEM_SEED", "1"), 0)
PROGRAMS = [("loop_exits", ["--arg", "zero:512", "--global", "96", "--local", "48"]),
            ("atomics", ["--arg", "zero:4096", "--global", "64"]),
            ("fault_memory_bounds", ["--arg", "zero:512"])]
CHOICES = re.compile(r"\b(?:warp|cta|portion|slot|row|shared|threads|port|channel|from|after|sm|killed)=")
failures = 0


def check(what, good, detail=""):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}", flush=True)
    if not good:
        failures += 1
        print("  " + str(detail).replace("\n", "\n  "))


def run(*words, folder, **environment):
    done = subprocess.run(words, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def record(folder, device, program, arguments, suffix):
    path = os.path.join(folder, f"{program}-{device.replace(':', '-')}{suffix}")
    source = os.path.abspath(f"tests/programs/{program}.s")
    run(TANDEM, "run", source, *arguments, "--device", f"{device},mem=4,trace={path}", folder=folder)
    return path


def one_line(what, result, *wanted):
    code, out, err = result
    good = code == 1 and out == "" and err.count("\n") == 1 and err.startswith("tandem check: ") and all(part in err for part in wanted)
    check(what, good, f"{code} {out}{err}")


def agrees(folder):
    traces = {}
    for device in ("model:nano", "model:full", "rtl:nano", "rtl:small", "tandem:full"):
        for program, arguments in PROGRAMS:
            for suffix in (".trace", ".events"):
                path = traces[device, program, suffix] = record(folder, device, program, arguments, suffix)
                code, out, err = run(TANDEM, "check", path, folder=folder)
                counted = re.search(r": PASS events=(\d+) memory=(\d+) cycle=\d+\n$", out)
                check(f"{device} {program}{suffix} is right", code == 0 and counted and int(counted[1]) > 30 and err == "", f"{code} {out}{err}")
    return traces


def lies(folder, path):
    """One bit of a compared field of any event: found there, with a report that replays."""
    generator = random.Random(SEED)
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    candidates = [i for i, line in enumerate(lines) if re.match(r"cycle \d+ (sm \d+ )?(INSTR|WB|TOKEN|METHOD|SEMAPHORE|GP_ENTRY|WARP_END|TASK_END|SWB|PWB|GP_GET|TASK_START)", line)]
    for i in generator.sample(candidates, 25):
        fields = [match for match in re.finditer(r"(\w+)=0x([0-9a-f]+)", lines[i]) if not CHOICES.match(match[0])]
        if not fields:
            continue
        field = generator.choice(fields)
        bit = 1
        kind = re.search(r"[A-Z_]+", lines[i])[0]
        if (kind, field[1]) == ("PWB", "data"):  # what lanes outside of the mask have is not compared
            mask = int(re.search(r"mask=0x([0-9a-f]+)", lines[i])[1], 16)
            bit = mask & -mask
        if bit == 0:
            continue
        changed = lines[i][:field.start(2)] + f"{int(field[2], 16) ^ bit:x}" + lines[i][field.end(2):]
        lie = os.path.join(folder, "lie.trace")
        with open(lie, "w", encoding="utf-8") as file:
            file.writelines(lines[:i] + [changed] + lines[i + 1:])
        result = run(TANDEM, "check", lie, folder=folder, TANDEM_REPORTS=folder)
        cycle = changed.split()[1]
        told = re.search(r"MISMATCH: cycle (\d+)", result[2])
        if (kind, field[1]) == ("WB", "rd") and told and int(told[1]) > int(cycle):
            cycle = told[1]  # another result that is due has that register: the write that then comes is the wrong one
        one_line(f"line {i + 1}, {kind}.{field[1]}: found", result, "MISMATCH", f"cycle {cycle}: {kind}", "report: ")
        place = re.search(r"report: (\S+)", result[2])
        report = ""
        if place:
            with open(place[1], encoding="utf-8") as file:
                report = file.read()
            os.unlink(place[1])
        check("  its report has both sides and the command", f"replay     tandem check {lie}\n" in report and "the last events" in report and re.search(r"(?m)^> .*RTL .*\n +model ", report) or "the model's reason" in report, report[:600])


def left_out(folder, path):
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    for kind in ("SEMAPHORE", "WB", "WARP_END", "TASK_END", "METHOD"):
        at = next(i for i, line in enumerate(lines) if f" {kind} " in line)
        lie = os.path.join(folder, "less.trace")
        kept = [line for i, line in enumerate(lines) if i != at]
        events = sum(line.startswith("cycle ") for line in kept)
        kept[-1] = re.sub(r"events=\d+", f"events={events}", kept[-1])
        with open(lie, "w", encoding="utf-8") as file:
            file.writelines(kept)
        one_line(f"without its first {kind}: found", run(TANDEM, "check", lie, folder=folder, TANDEM_REPORTS=folder), "MISMATCH")


def broken(folder, text, binary):
    with open(text, encoding="utf-8") as file:
        lines = file.readlines()
    with open(binary, "rb") as file:
        data = file.read()
    place = os.path.join(folder, "broken")

    def with_content(content):
        with open(place, "wb") as file:
            file.write(content if isinstance(content, bytes) else "".join(content).encode())
        return run(TANDEM, "check", place, folder=folder, TANDEM_REPORTS=folder)

    one_line("no such file", run(TANDEM, "check", "/no/such/file", folder=folder), "No such file")
    one_line("a folder", run(TANDEM, "check", folder, folder=folder), "directory")
    one_line("an empty file", with_content(""), "empty")
    one_line("text cut off", with_content(lines[:-5]), "without its last line")
    one_line("binary cut off", with_content(data[:-3]), "ends within its last record")
    one_line("binary of another version", with_content(data[:8] + b"\x09" + data[9:]), "version 9")
    one_line("text of another version", with_content([lines[0].replace("trace 1", "trace 7")] + lines[1:]), "version 7")
    one_line("events of another table", with_content([re.sub("events=.*", "events=deadbeef", lines[0])] + lines[1:]), "another version")
    one_line("binary with a flipped bit in its last byte of data", with_content(data[:-30] + bytes([data[-30] ^ 1]) + data[-29:]))
    one_line("an event that nobody knows", with_content([lines[0], "cycle 5 NOTHING\n"]), "line 2", "NOTHING")
    one_line("time that goes back", with_content([lines[0], "cycle 5 REG_WRITE addr=0x80 data=0x1\n", "cycle 4 REG_WRITE addr=0x80 data=0x1\n", "# end: cycle=5 events=2\n"]), "cycle 4")
    one_line("memory outside", with_content([lines[0], "memory write 0x400000 00\n", "cycle 5 REG_WRITE addr=0x80 data=0x1\n", "# end: cycle=5 events=1\n"]), "outside")
    one_line("another configuration", run(TANDEM, "check", text, "--config", "full", folder=folder), "of configuration nano, not of full")
    one_line("no configuration", with_content(["cycle 5 REG_WRITE addr=0x80 data=0x1\n"]), "does not say which configuration")
    code, out, err = run(TANDEM, "check", place, "--config", "nano", folder=folder)
    check("text without a head is checked as what --config says", code == 0 and "PASS events=1 " in out, out + err)
    middle = next(i for i, line in enumerate(lines) if " WARP_END " in line)
    without_head = [line for line in lines[1:middle]]
    one_line("a run that stops in its middle", run_text(folder, place, without_head, "--config", "nano"), "has not shown what the model computed")
    code, out, err = run_text(folder, place, without_head, "--config", "nano", "--running")
    check("  and with --running", code == 0 and "PASS" in out, out + err)
    for words in ([], ["a", "b"], ["a", "--nothing"], ["a", "--memory", "0"], ["a", "--memory", "x"], ["a", "--config"]):
        code, out, err = run(TANDEM, "check", *words, folder=folder)
        check(f"usage: {words}", code == 2 and out == "" and err != "", out + err)


def run_text(folder, place, lines, *options):
    with open(place, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return run(TANDEM, "check", place, *options, folder=folder, TANDEM_REPORTS=folder)


def main():
    print(f"seed {SEED}: TANDEM_SEED={SEED} repeats")
    with tempfile.TemporaryDirectory() as folder:
        traces = agrees(folder)
        lies(folder, traces["rtl:nano", "loop_exits", ".trace"])
        left_out(folder, traces["rtl:nano", "loop_exits", ".trace"])
        broken(folder, traces["rtl:nano", "loop_exits", ".trace"], traces["rtl:nano", "loop_exits", ".events"])
    print(f"{failures} failed")
    sys.exit(1 if failures else 0)


main()
