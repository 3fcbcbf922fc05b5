#!/usr/bin/env python3
"""The test-bench kit, installed: a foreign token deque is checked against the model by DPI, its defects are found.

usage: test_kit.py BUILD        (in the project's top folder, after `make install-built`)        shows: GM-1 [rtl]
"""
import os
import subprocess
import sys
import tempfile

BUILD = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
SEED = str(int(os.environ.get("TANDEM_SEED", "1"), 0) % 2**31)
DEFECTS = {0: None, 1: "flags", 2: "merge", 3: "bound", 4: "mask"}
failures = 0


def check(what, good, detail=""):
    global failures
    print(f"{'ok  ' if good else 'FAIL'} {what}", flush=True)
    if not good:
        failures += 1
        print("  " + str(detail)[-2000:].replace("\n", "\n  "))


def run(*words, **environment):
    done = subprocess.run(words, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout + done.stderr


def version(part):
    with open("cmodel/model/tandem_model.h", encoding="utf-8") as file:
        return next(line.split()[-1] for line in file if f"define TANDEM_MODEL_{part} " in line)


def main():
    print(f"seed {SEED}: TANDEM_SEED={SEED} repeats")
    with tempfile.TemporaryDirectory() as folder:
        prefix, major = os.path.join(folder, "usr"), version("MAJOR")
        status, text = run("scripts/install-files", BUILD, "", prefix, "0.1.0", "libtandem.so.0.1", f"{major}.{version('MINOR')}", f"libtandem-model.so.{major}")
        check("install", status == 0, text)
        kit = os.path.join(prefix, "share/tandem/kit")
        sources = [os.path.join(kit, name) for name in ("tandem_trace_pkg.sv", "tandem_kit_pkg.sv")]
        shim = os.path.join(folder, "tandem_kit.o")
        status, text = run("gcc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{prefix}/include", "-c", os.path.join(kit, "tandem_kit.c"), "-o", shim)
        check("the shim compiles", status == 0, text)
        place = os.path.join(folder, "bench")
        status, text = run("verilator", "--binary", "-Wno-fatal", "-O0", "--Mdir", place, "-o", "bench", "--top-module", "kit_bench", f"-I{BUILD}",
                           "-LDFLAGS", f"-Wl,--no-as-needed -L{prefix}/lib -ltandem-model -Wl,-rpath,{prefix}/lib", *sources, os.path.abspath("tests/kit/other_deque.sv"),
                           os.path.abspath("tests/kit/kit_bench.sv"), shim)
        check("a foreign test bench builds on the installed kit", status == 0, text)
        for defect, found in DEFECTS.items():
            status, text = run(os.path.join(place, "bench"), f"+seed={SEED}", f"+defect={defect}")
            if found is None:
                check("the foreign deque agrees with the model", status == 0 and "PASS 20000 operations" in text, text)
                check("the device refuses an event out of nothing", "SEMAPHORE" in text, text)
            else:
                check(f"defect {defect} is found: {found}", status != 0 and "FAIL operation" in text and "PASS" not in text, text)
                print("  " + next((line for line in text.splitlines() if "FAIL" in line), ""))
    print(f"{failures} failed")
    sys.exit(1 if failures else 0)


main()
