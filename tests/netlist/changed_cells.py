#!/usr/bin/env python3
"""Netlists of nano with one cell changed each: the tandem check finds most of them, and none where no cell is changed. BU-2.

usage: changed_cells.py BUILD [--seed N] [--cells N] [--programs N]

A changed cell (scripts/ecp5_netlist.py) gives the opposite for half of its inputs' values. What no program here needs is not found: a cell of
a counter's upper bits, of faults, of priorities. So a share of LEAST must be found, and each line says which cell was and which was not.
Runs in the project's top folder; random programs on BUILD/netlist/random-programs, the same programs for each cell.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

LEAST = 0.6


def options():
    parser = argparse.ArgumentParser(prog="changed_cells.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--seed", type=int, default=1, help="which cells, which programs (1)")
    parser.add_argument("--cells", type=int, default=20, help="how many netlists (20)")
    parser.add_argument("--programs", type=int, default=12, help="that each of them may run before it counts as not found (12)")
    return parser.parse_args()


def found(build, cell, chosen, folder):
    """What the check says of random programs on the netlist with this cell changed; nothing when it says nothing."""
    command = [os.path.join(build, "netlist", "random-programs"), "--device", f"tandem:nano,inject={cell}", "--count", str(chosen.programs),
               "--seed", str(chosen.seed), "--tries", "0", "--out", folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=dict(os.environ, TANDEM_REPORTS=folder))
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.strip()] or [f"exit status {done.returncode}"]
    return lines[0]


def main():
    chosen = options()
    with open(os.path.join(chosen.build, "rtl", "nano_netlist", "netlist.v.changed"), encoding="utf-8") as file:
        cells = [line.split(maxsplit=1) for line in file]
    if len(cells) < chosen.cells:
        sys.exit(f"changed_cells: {chosen.cells} cells are more than the {len(cells)} that can be changed")
    failures, count = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        if said := found(chosen.build, 0, chosen, folder):
            print(f"FAIL unchanged: {said}")
            failures += 1
        for number, what in sorted(random.Random(chosen.seed).sample(cells, chosen.cells), key=lambda c: int(c[0])):
            said = found(chosen.build, number, chosen, folder)
            count += said != ""
            print(f"{'found' if said else 'not found'}: cell {number} {what.strip()}{': ' + said[:160] if said else ''}", flush=True)
    print(f"{count} of {chosen.cells} netlists with a changed cell found")
    if count < LEAST * chosen.cells:
        print(f"FAIL: less than {LEAST:.0%}")
        failures += 1
    sys.exit(failures != 0)


main()
