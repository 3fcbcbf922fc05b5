#!/usr/bin/env python3
"""Second compiles as a user of the command line and of the demo meets them: what is asked for, what is told, that results stay the same.

usage: test_again.py BUILD        (in the project's top folder, after make)
"""
import os
import re
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
failures = 0

KERNEL = """__kernel void sums(__global const uint *in, __global uint *out, uint n) {
    uint sum = 0;
    for (uint i = 0; i < n; i++) { sum += in[i]; out[i] = sum; }
}
"""
ASSEMBLY = ".kernel none\n.registers 4\n.arg global a\n.arg global b\n    EXIT\n"
NUMBERS = ",".join(str(k * k) for k in range(64))
RESULT = " ".join(str(sum(j * j for j in range(k + 1))) for k in range(64))


def run(words, log=False):
    """Exit status, standard output with white space made one, standard error."""
    done = subprocess.run(words, capture_output=True, timeout=120, check=False, env={**os.environ, "TANDEM_LOG": "other,recompile" if log else ""})
    return done.returncode, " ".join(done.stdout.decode().split()), done.stderr.decode(errors="replace")


def check(what, good, *shown):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}")
    if not good:
        failures += 1
        print("\n".join(str(part) for part in shown))


def ordered(text, *wanted):
    """Whether the wanted texts stand there one after the other."""
    at = 0
    for part in wanted:
        at = text.find(part, at)
        if at < 0:
            return False
    return True


def check_tool(folder):
    tandem = os.path.join(BUILD, "tandem")
    paths = {name: os.path.join(folder, name) for name in ("sums.cl", "sums.elf", "once.elf", "none.s")}
    for name, text in (("sums.cl", KERNEL), ("none.s", ASSEMBLY)):
        with open(paths[name], "w", encoding="utf-8") as file:
            file.write(text)
    for name, more in (("sums.elf", []), ("once.elf", ["--once"])):
        check(f"cc of {name}", run([tandem, "cc", paths["sums.cl"], "-o", paths[name], *more])[0] == 0)
    arguments = ["--arg", "list:" + NUMBERS, "--arg", "out=zero:256", "--arg", "64", "--show", "out"]
    found = "kernel sums: in, out: apart, gap"
    made = ("compiled again in ", " ms, after 0 launches", "allowed: 1 pairs apart", "done: 1 loops unrolled", "code ", "in use")
    for program in ("sums.cl", "sums.elf"):
        for device in ("model:small", "tandem:nano"):
            code, out, err = run([tandem, "run", paths[program], "--device", device, "--again", "always", "--again-log", *arguments])
            check(f"--again always, {program} on {device}", code == 0 and out.startswith(RESULT) and ordered(err, found, *made), code, out, err)
    code, out, err = run([tandem, "run", paths["sums.elf"], "--device", "model:small,again=always", *arguments], log=True)
    check("in the device's name, told because of the environment", code == 0 and out.startswith(RESULT) and ordered(err, "tandem: recompile: " + found, *made), err)
    code, out, err = run([tandem, "run", paths["sums.elf"], "--again", "always", *arguments])
    check("nothing is told unless asked for", code == 0 and err == "", err)
    code, out, err = run([tandem, "run", paths["sums.elf"], "--again", "never", "--again-log", *arguments])
    check("--again never", code == 0 and out.startswith(RESULT) and err == "", err)
    for program, why in (("once.elf", "its code object keeps nothing"), ("none.s", "its code object keeps nothing")):
        given = arguments if program != "none.s" else ["--arg", "zero:16", "--arg", "zero:16"]
        code, out, err = run([tandem, "run", paths[program], "--again", "always", "--again-log", *given])
        check(f"{program} runs its first compile", code == 0 and "never compiled again: " + why in err, code, err)
    code, out, err = run([tandem, "run", paths["sums.elf"], "--again-log", *arguments])
    check("by default a short program makes none", code == 0 and "waits: a compile costs" in err and "compiled again" not in err, err)
    code, out, err = run([tandem, "run", paths["sums.elf"], "--again", "often", *arguments])
    check("--again that is none", code == 2 and len(err.strip().splitlines()) == 1, code, err)
    code, out, err = run([tandem, "run", paths["sums.elf"], "--again", "never", "--device", "model:small,again=auto", *arguments])
    check("said twice", code == 1 and "again stands there twice" in err, code, err)
    for device in ("rtl:nano", "tandem:small"):
        words = [tandem, "run", paths["sums.elf"], "--device", device, "--seed", "5", "--repeat", "20", "--again-log", *arguments]
        code, out, err = run(words)
        verdict = re.search(r"kernel sums: kept: (\d+) cycles before, (\d+) after", err)
        check(f"by default a long one on {device}: made when it pays, tried, kept", code == 0 and out.startswith(RESULT) and
              ordered(err, found, "waits: ", "compiled again in ", "on trial", "kept: ") and int(verdict[1]) > int(verdict[2]), code, out, err)
        cycles = re.search(r"cycles=(\d+)", out)[1]
        code, out, more = run(words)
        check("and the same again, to the cycle", re.search(r"cycles=(\d+)", out)[1] == cycles and
              re.sub(r"in [\d.]+ ms", "", more) == re.sub(r"in [\d.]+ ms", "", err), err, more)
        code, out, err = run([*words, "--again", "never"])
        check("it took fewer cycles than without", int(cycles) < int(re.search(r"cycles=(\d+)", out)[1]), cycles, out)


def check_demo(folder):
    equalize = os.path.join(BUILD, "equalize")
    picture, result = os.path.join(folder, "in.pgm"), os.path.join(folder, "out.pgm")
    with open(picture, "wb") as file:
        file.write(b"P5 60 20 255\n" + bytes((k * k // 7) % 251 for k in range(1200)))
    for device in ("model:small", "tandem:nano", "tandem:full"):
        code, out, err = run([equalize, "--device", device, "--again", "always", "--repeat", "2", picture, result], log=True)
        check(f"the demo on {device}", code == 0 and "PASS" in out and
              ordered(err, "kernel compute_output: in, global_cdf: apart", "kernel compute_output: compiled again in ", "in use"), code, out, err)
    code, out, err = run([equalize, "--device", "rtl:nano", "--repeat", "8", picture, result], log=True)
    check("by default: several pictures, judged by cycles", code == 0 and "PASS" in out and
          re.search(r"kernel compute_output: (kept|dropped): \d+ cycles before, \d+ after", err) is not None, code, out, err)
    code, out, err = run([equalize, "--repeat", "0", picture, result])
    check("no picture at all", code == 2 and "1 to 1000" in err, code, err)


with tempfile.TemporaryDirectory() as scratch:
    check_tool(scratch)
    check_demo(scratch)
print("shows: AM-12 AM-15 AM-16 [model] [tandem]")
sys.exit(1 if failures else 0)
