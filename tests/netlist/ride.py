#!/usr/bin/env python3
"""Netlists for ECP5 in place of the RTL, of units and of nano: they pass what the RTL passes, and netlists with one cell changed do not (BU-2).

usage: ride.py BUILD [--programs N] [--seeds N] [--ops N] [--defects N] [--defect-programs N] [--least PERCENT]
               [--only units,demo,random,device,defects] [--seed N]

Units: the benches of units on their netlists (BUILD/tests/rtl/*-netlist), with --seeds seeds (3) --ops operations (50000) each, then each with --defects
(24) netlists in which one bit of one LUT is changed, 20000 operations at most.
The device: `make netlist` makes the programs, all of them with the netlist as tandem:nano (BUILD/netlist). --programs random programs (60), tests of the
device API; then --defects (24) of the netlists with a bit changed: --defect-programs random programs (64), then the demo, until one of them fails.
Fewer than --least of the defects of a unit or of the device found (40 %) is a failure. One that is not found may be one that no state reaches: a table
says more than its inputs ever ask.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import time

PICTURE = "tests/unit/photograph.pgm"


def told_defects(path):
    """{number: where it is}, from the head of what scripts/netlist-verilog has written"""
    told = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("//"):
                break
            if match := re.match(r"// defect (\d+): (.*)", line):
                told[int(match.group(1))] = match.group(2)
    return told


class Ride:
    def __init__(self, options):
        self.options, self.folder, self.failed = options, os.path.join(options.build, "netlist"), 0
        self.out = os.path.join(self.folder, "out")
        os.makedirs(self.out, exist_ok=True)

    def run(self, words, limit):
        """(exit status or None when it has no end, output)"""
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            return None, ""
        return done.returncode, done.stdout

    def step(self, name, words, figures):
        begin = time.monotonic()
        status, output = self.run(words, 3600)
        found = re.search(figures, output)
        good = status == 0 and found is not None
        self.failed += not good
        print(f"{name}: {'passed' if good else 'FAILED'}: {found.group(0) if found else ''} ({time.monotonic() - begin:.0f} s)", flush=True)
        if not good:
            print(f"  {' '.join(words)}: {'no end' if status is None else f'exit status {status}'}\n" + "\n".join("  " + line for line in output.splitlines()[-15:]))

    def equalize(self, device, picture):
        return [os.path.join(self.folder, "equalize"), "--device", device, "--seed", str(self.options.seed), PICTURE, os.path.join(self.out, picture)]

    def random(self, device, count, more=()):
        return [os.path.join(self.folder, "random-programs"), "--device", device, "--count", str(count), "--seed", str(self.options.seed), "--out", self.out, *more]

    def demo(self):
        self.step("demo", self.equalize("tandem:nano", "equalized.pgm"), r"tandem: PASS.*")

    def programs(self):
        self.step("random", self.random("tandem:nano", self.options.programs), r"\d+ random programs agree, 0 failed.*")

    def device(self):
        for program in sorted(glob.glob(os.path.join(self.folder, "device", "test_*"))):
            self.step("device/" + os.path.basename(program), [program, "--filter", "*/*_tandem", "--timeout", "3000"], r"Tested: [1-9]\d* \| Passing: \d+ \| Failing: 0 \| Crashing: 0")

    def units(self):
        programs = sorted(glob.glob(os.path.join(self.options.build, "tests", "rtl", "*-netlist")))
        if not programs:
            self.failed += 1
            print(f"units: FAILED: no {self.options.build}/tests/rtl/*-netlist")
        for program in programs:
            name = os.path.basename(program)
            for k in range(self.options.seeds):
                self.step(f"units/{name}", [program, "--seed", str(self.options.seed + k), "--ops", str(self.options.ops)], r"\d+ operations agree")
            self.unit_defects(name, program)

    def unit_defects(self, name, program):
        begin = time.monotonic()
        told = told_defects(os.path.join(self.options.build, "synth", name[:-len("-netlist")] + ".v"))
        chosen = sorted(told)[:self.options.defects]
        left = []
        for defect in chosen:
            words = [program, "--seed", str(self.options.seed), "--ops", str(min(self.options.ops, 20000)), "--defect", str(defect)]
            status, output = self.run(words, 600)
            if status == 0:
                left.append(f"defect {defect}: {told[defect]}")
            elif status is not None and "FAIL at operation" not in output:
                print(f"  {' '.join(words)}: exit status {status}:\n{output[-500:]}")
                self.failed += 1
        for place in left:
            print(f"units/{name}: NOT FOUND: {place}")
        self.share(f"units/{name}", len(chosen) - len(left), len(chosen), time.monotonic() - begin)

    def share(self, what, found, count, seconds):
        share = 100 * found / max(count, 1)
        print(f"{what}: {found} of {count} netlists with one bit of a LUT changed are found, {share:.0f} % ({seconds:.0f} s)", flush=True)
        if count == 0 or share < self.options.least:
            self.failed += 1
            print(f"{what}: FAILED: at least {self.options.least} % must be")

    def defects(self):
        begin_all = time.monotonic()
        told = told_defects(os.path.join(self.folder, "nano", "ppu.v"))
        chosen = sorted(told)[:self.options.defects]
        found = 0
        for defect in chosen:
            device = f"tandem:nano,inject={defect}"
            begin = time.monotonic()
            by = None
            for name, words in (("random programs", self.random(device, self.options.defect_programs, ("--tries", "0"))), ("demo", self.equalize(device, "defect.pgm"))):
                status, output = self.run(words, 1800)
                if status != 0:
                    by = name + ("" if status is not None else ", no end")
                    if not re.search("mismatch|MISMATCH|differ|FAIL|failed|answer", output) and status is not None:
                        print(f"  {' '.join(words)}: exit status {status}:\n{output[-500:]}")
                        self.failed += 1
                    break
            found += by is not None
            print(f"defect {defect} of {len(chosen)}: {'found by ' + by if by else 'NOT FOUND'}: {told[defect]} ({time.monotonic() - begin:.0f} s)", flush=True)
        self.share("defects", found, len(chosen), time.monotonic() - begin_all)


def main():
    parser = argparse.ArgumentParser(prog="ride.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("build")
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--ops", type=int, default=50000)
    parser.add_argument("--defects", type=int, default=24)
    parser.add_argument("--defect-programs", type=int, default=64)
    parser.add_argument("--least", type=int, default=40)
    parser.add_argument("--only", default="units,demo,random,device,defects")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "little"))
    options = parser.parse_args()
    ride = Ride(options)
    parts = {"units": ride.units, "demo": ride.demo, "random": ride.programs, "device": ride.device, "defects": ride.defects}
    unknown = [name for name in options.only.split(",") if name not in parts]
    if unknown:
        parser.error(f"--only {unknown[0]}: {', '.join(parts)} are there")
    if options.only != "units" and not os.path.exists(os.path.join(ride.folder, "equalize")):
        sys.exit(f"ride.py: no {ride.folder}/equalize; `make netlist` makes it")
    print(f"ride.py {options.build} --seed {options.seed}\nshows: BU-2 [netlist]", flush=True)
    for name in options.only.split(","):
        parts[name]()
    sys.exit(1 if ride.failed else 0)


main()
