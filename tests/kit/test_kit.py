#!/usr/bin/env python3
"""The test-bench kit, installed: a foreign token deque and a foreign host unit are checked against the model by DPI, their defects are found.

usage: test_kit.py BUILD [--seeds N] [--cycles N] [--configurations NAME,NAME]      (in the project's top folder)        shows: GM-1 [rtl]
       --seeds   so many runs of the host unit (1) on each configuration (small), each with the next seed      --cycles   of each of them (100000)
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SEED = int(os.environ.get("TANDEM_SEED", "1"), 0) % 2**31
DEQUE_DEFECTS = {1: "flags", 2: "merge", 3: "bound", 4: "mask", 5: "merge in the middle"}
CHANNELS = {"nano": 2, "small": 4, "full": 8}
HOST = ["other_channel.sv", "other_host.sv", "host_world.sv", "host_tasks.sv", "host_programs.sv", "host_bench.sv"]
# What the random programs must have had in them; less, and they have lost it.
LEAST = {"methods": 4000, "semaphore operations": 300, "waits": 300, "launches": 150, "ends": 80, "faults": 200, "bus errors": 3, "resets": 200}
DEFECT_CYCLES = 400000
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


def host_defects():
    """{number: what}, as the foreign host unit lists them."""
    with open("tests/kit/other_host.sv", encoding="utf-8") as file:
        text = " ".join(line.lstrip("/ ").strip() for line in file.read().split("// defect_i:")[1].split("`include")[0].splitlines())
    return {int(number): what for number, what in re.findall(r"(\d+) ([^,]+?)[,.](?= \d|$)", text) if number != "0"}


def install(build, prefix):
    major = version("MAJOR")
    return run("scripts/install-files", build, "", prefix, "0.1.0", "libtandem.so.0.1", f"{major}.{version('MINOR')}", f"libtandem-model.so.{major}")


def bench(build, folder, prefix, top, files, *options):
    """Builds a bench of `files` on the installed kit: its path."""
    kit = os.path.join(prefix, "share/tandem/kit")
    sources = [os.path.join(kit, name) for name in ("tandem_trace_pkg.sv", "tandem_kit_pkg.sv")] + [os.path.abspath(f"tests/kit/{name}") for name in files]
    place = tempfile.mkdtemp(dir=folder)
    status, text = run("verilator", "--binary", "-Wno-fatal", *options, "--Mdir", place, "-o", top, "--top-module", top, f"-I{build}", "-LDFLAGS",
                       f"-Wl,--no-as-needed -L{prefix}/lib -ltandem-model -Wl,-rpath,{prefix}/lib", *sources, os.path.join(folder, "tandem_kit.o"))
    check(f"a foreign test bench builds on the installed kit: {top} {' '.join(options)}", status == 0, text)
    return os.path.join(place, top)


def finds(program, defect, what, *more):
    status, text = run(*program, f"+seed={SEED}", f"+defect={defect}", *more)
    check(f"defect {defect} is found: {what}", status != 0 and "FAIL" in text and "PASS" not in text, text)
    print("  " + next((line for line in text.splitlines() if "FAIL" in line), ""))


def deque(program):
    status, text = run(program, f"+seed={SEED}")
    check("the foreign deque agrees with the model", status == 0 and "PASS 20000 operations" in text, text)
    check("the device refuses an event out of nothing", "SEMAPHORE" in text, text)
    for defect, what in DEQUE_DEFECTS.items():
        finds([program], defect, what)


def host(program, configuration, seeds, cycles):
    program = [program, f"+configuration={configuration}"]
    for seed in range(SEED, SEED + seeds):
        status, text = run(*program, f"+seed={seed}", f"+cycles={cycles}")
        check(f"the foreign host unit agrees with the model, {configuration}, seed {seed}", status == 0 and f"PASS {cycles} cycles" in text, text)
        done = {name: int(number) for number, name in re.findall(r"(\d+) ([a-z ]+)", text.split("PASS")[-1].splitlines()[0])}
        print("  " + ", ".join(f"{number} {name}" for name, number in done.items()))
        least = {name: number * min(cycles, 100000) // 100000 for name, number in LEAST.items()}
        check("its programs had all kinds of work in them", all(done.get(name, 0) >= number for name, number in least.items()), (done, least))
    status, text = run(*program, f"+seed={SEED}", "+cycles=3000", "+spoil")
    check("a word of memory that differs is found", status != 0 and "memory differs" in text and "PASS" not in text, text)
    defects = host_defects()
    check("the list of defects is read whole", list(defects) == list(range(1, 24)), defects)
    for defect, what in defects.items():
        finds(program, defect, what, f"+cycles={DEFECT_CYCLES}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--cycles", type=int, default=100000)
    parser.add_argument("--configurations", default="small")
    options = parser.parse_args()
    print(f"seed {SEED}: TANDEM_SEED={SEED} repeats")
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "usr")
        status, text = install(options.build, prefix)
        check("install", status == 0, text)
        status, text = run("gcc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-O1", f"-I{prefix}/include", "-c",
                           os.path.join(prefix, "share/tandem/kit/tandem_kit.c"), "-o", os.path.join(folder, "tandem_kit.o"))
        check("the shim compiles", status == 0, text)
        if failures == 0:
            deque(bench(options.build, folder, prefix, "kit_bench", ["other_deque.sv", "kit_bench.sv"], "-O0"))
            for name in options.configurations.split(","):
                host(bench(options.build, folder, prefix, "host_bench", HOST, "-O1", f"-DHOST_CHANNELS={CHANNELS[name]}"), name, options.seeds, options.cycles)
    print(f"{failures} failed")
    sys.exit(1 if failures else 0)


main()
