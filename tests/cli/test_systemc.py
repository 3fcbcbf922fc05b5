#!/usr/bin/env python3
"""Devices systemc: as a user meets them: the demo on each core, and what wrong names get: one clear line, the right exit code.

usage: test_systemc.py BUILD        (in the project's top folder, after make)
"""
import os
import re
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
PHOTOGRAPH = "tests/unit/photograph.pgm"
LINK = "link=300,link_rate=4000,link_errors=20000,link_credits=4,link_tags=4"
failures = 0

KERNEL = """__kernel void twice(__global const uint *in, __global uint *out) {
    out[get_global_id(0)] = 2 * in[get_global_id(0)];
}
"""


def check(what, words, code, says, lines=None):
    """Runs words; expects the exit code, `says` in the output, and at most `lines` lines on stderr. The output comes back."""
    global failures
    try:
        done = subprocess.run(words, capture_output=True, timeout=200, check=False)
        text, errors = (done.stdout + done.stderr).decode(errors="replace"), done.stderr.decode(errors="replace").strip().splitlines()
        good = done.returncode == code and says in text and (lines is None or len(errors) <= lines)
        result = f"exit status {done.returncode}, expected {code}; expected to read \"{says}\":\n{text}"
    except subprocess.TimeoutExpired:
        good, result, text = False, "no end after 200 s", ""
    print(f"{'ok  ' if good else 'FAIL'} {what}")
    if not good:
        failures += 1
        print("  " + " ".join(words) + "\n  " + result.replace("\n", "\n  "))
    return text


def main():
    global failures
    tandem, equalize, without = (os.path.join(BUILD, name) for name in ("tandem", "equalize", "quick/tandem"))
    with tempfile.TemporaryDirectory(prefix="tandem-systemc-") as folder:
        kernel = os.path.join(folder, "twice.cl")
        with open(kernel, "w", encoding="utf-8") as file:
            file.write(KERNEL)
        run = ["run", kernel, "--global", "4", "--arg", "list:1,2,3,4", "--arg", "out:-:16", "--device"]
        # Programs without the platform have no more to say.
        check("a program that is built without SystemC", [without, *run, "systemc:nano"], 1, "this program was built without SystemC", 1)
        if "without SystemC" in subprocess.run([tandem, *run, "systemc:nano"], capture_output=True, check=False).stderr.decode():
            print("skipped: built without libsystemc")
            sys.exit(failures != 0)

        expected = os.path.join(folder, "expected.pgm")
        check("the demo on model:small", [equalize, "--device", "model:small", PHOTOGRAPH, expected], 0, "PASS")
        for device in ("systemc:small", "systemc:small,quantum=1," + LINK, "systemc:nano,core=rtl", "systemc:nano,core=tandem," + LINK):
            result = os.path.join(folder, "result.pgm")
            check(f"the demo on {device}", [equalize, "--device", device, PHOTOGRAPH, result], 0, "PASS")
            check("  and its picture", ["cmp", expected, result], 0, "")
        monitor = os.path.join(BUILD, "examples/memory_monitor")
        cycles = []
        for device, options in (("systemc:nano", []), ("systemc:nano", ["--delay", "200"]), ("systemc:nano,core=tandem", ["--vcd", os.path.join(folder, "memory.vcd")])):
            text = check(f"a part of one's own in {device} {' '.join(options[:1])}", [monitor, PHOTOGRAPH, result, device, *options], 0, "PASS cycles=")
            check("  and its picture", ["cmp", expected, result], 0, "")
            found = re.search(r"cycles=(\d+)\n.*\nreads +[1-9]\d+ +\d+ .*\nwrites +[1-9]\d+ +\d+ .*\npage 0x", text)
            if found is None:
                failures += 1
                print("FAIL   it tells what came past\n  " + text)
            cycles.append(int(found[1]) if found else 0)
        if cycles[1] < 2 * cycles[0]:
            failures += 1
            print(f"FAIL   a slower memory makes it slower: {cycles}")
        check("  and its waves", ["grep", "-c", "^#", os.path.join(folder, "memory.vcd")], 0, "")
        check("wrong: a part of one's own that nothing comes past", [monitor, PHOTOGRAPH, result, "model:nano"], 1, "model:nano is no device systemc:", 1)
        check("wrong: a delay that is none", [monitor, PHOTOGRAPH, result, "systemc:nano", "--delay", "-1"], 2, "--delay -1: nanoseconds, 0 to 1000000", 1)
        check("wrong: no such picture", [monitor, "none.pgm", result], 1, "none.pgm: No such file", 1)
        for device, says in (
            ("systemc:nano,core=both", "core=both: write model, rtl or tandem"),
            ("systemc:nano,core=", "core=: write model"),
            ("systemc:nano,core=rtl,quantum=5", "quantum is the model's; core=rtl goes cycle by cycle"),
            ("systemc:nano,quantum=0", "quantum=0: not a number from 1 to 1000000"),
            ("systemc:nano,link_tags=33", "link_tags=33: not a number from 1 to 32"),
            ("systemc:nano,link_credits=0", "link_credits=0: not a number from 1 to 64"),
            ("systemc:nano,link_errors=500001", "link_errors=500001: not a number from 0 to 500000"),
            ("systemc:nano,link_errors=1,link_errors=2", "link_errors stands there twice"),
            ("systemc:huge", 'no configuration "huge"'),
            ("systemc:nano,wave=x.fst", "has no waves"),
            ("systemc:nano,core=rtl,inject_model=4", "has no model"),
            ("rtl:nano,core=rtl", "only systemc: has an option core"),
            ("model:nano,quantum=5", "only systemc: has an option quantum"),
            ("uart:/dev/null,core=rtl", "has no option core"),
            ("tandem-board:systemc:nano", "behind tandem-board:"),
        ):
            check(f"wrong: {device}", [tandem, *run, device], 1, says, 1)
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
