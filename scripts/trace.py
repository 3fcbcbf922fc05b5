#!/usr/bin/env python3
"""Prints one line for each requirement: which sides the last test run has shown it on, and by which tests.

usage: trace.py REQUIREMENTS RESULTS .. [--missing]

RESULTS (of `make test`, and of `make long` where it ran) has a line for each test that ran: PASS|FAIL NAME SECONDS DESCRIPTION. A description names requirement IDs and, in brackets, the
sides they are shown on: [model] (also when there is no bracket), [rtl], [tandem] (which shows the RTL too); several may stand there; [text]: the
test only reads what a tool wrote, and shows nothing on any side. A row counts as shown
on a side when at least one test that names it passed there and none failed, and the row has no `open:` part: what is built only in
part is not shown.
--missing: only the rows that are shown nowhere.
"""
import re
import sys

SIDES = ("model", "rtl", "tandem")


def read_requirements(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line[0] in "#[":
                continue
            match = re.fullmatch(r"([A-Z]{2}-\d+)\s*\|\s*([^|]+?)\s*(?:\|\s*open:\s*(.+))?", line)
            if not match:
                sys.exit(f"{path}:{number}: not `ID | text` or `ID | text | open: what is missing`")
            rows.append(match.groups())
    return rows


def read_results(path, shown):
    """Adds to {(ID, side): {"PASS": [names], "FAIL": [names]}}."""
    try:
        file = open(path, encoding="utf-8")
    except FileNotFoundError:
        sys.exit(f"trace: {path} is not there; run `make test` first")
    with file:
        for number, line in enumerate(file, 1):
            if line.startswith(("SUITE ", "SEED ")):
                continue
            match = re.match(r"(PASS|FAIL) (\S+) \d+\.\d+ ?(.*)", line)
            if not match:
                sys.exit(f"{path}:{number}: not a test's result: {line.strip()}")
            verdict, name, description = match.groups()
            sides = [s for s in SIDES if re.search(rf"\[[^\]]*\b{s}\b[^\]]*\]", description)]
            if not sides and "[text]" not in description:
                sides = ["model"]
            if "tandem" in sides and "rtl" not in sides:
                sides.append("rtl")  # the RTL led that run and its result was checked
            for identifier in re.findall(r"\b[A-Z]{2}-\d+\b", description):
                for side in sides:
                    shown.setdefault((identifier, side), {"PASS": [], "FAIL": []})[verdict].append(name)


def main():
    if len(sys.argv) < 3 or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__)
    rows = read_requirements(sys.argv[1])
    shown = {}
    for path in sys.argv[2:]:
        if path != "--missing":
            read_results(path, shown)
    missing_only = "--missing" in sys.argv[2:]
    counts = dict.fromkeys(SIDES, 0)
    for identifier, text, missing in rows:
        verdicts, tests = [], []
        for side in SIDES:
            found = shown.get((identifier, side), {"PASS": [], "FAIL": []})
            good = bool(found["PASS"]) and not found["FAIL"] and not missing
            counts[side] += good
            verdicts.append(f"{side}={'yes' if good else 'no'}")
            tests += [name for name in found["PASS"] + found["FAIL"] if name not in tests]
        nowhere = all(v.endswith("no") for v in verdicts)
        if missing_only and not nowhere:
            continue
        few = tests[:3] + ([f"(+{len(tests) - 3})"] if len(tests) > 3 else [])
        part = f" (partly; open: {missing})" if missing and tests else ""
        print(f"{identifier} {' '.join(verdicts)} {' '.join(few) if tests else '- ' + text}{part}")
    known = {identifier for identifier, _, _ in rows}
    for identifier in sorted({i for i, _ in shown} - known):
        print(f"trace: a test names {identifier}, which is no requirement", file=sys.stderr)
    print(f"{len(rows)} requirements: " + ", ".join(f"{counts[s]} shown on {s}" for s in SIDES))


if __name__ == "__main__":
    main()
