#!/usr/bin/env python3
"""Coverage of the simulated RTL: adds up what devices have written, and turns it into lcov's format.

usage: coverage.py add TOTAL DIRECTORY      adds every *.dat of DIRECTORY to TOTAL and removes it
       coverage.py report TOTAL TABLE INFO  writes INFO (lcov) and says what is not reached; TABLE: what cannot be, and why

A point is a place in the source; instances and configurations of it are added up. In INFO lines are lines, the bits of signals that
toggle are branches, and `COVER points (rtl/coverage.svh) are functions. Ends with status 1 when a `COVER point is not reached and
TABLE does not say why, or when TABLE excuses one that is reached or that there is none of.
"""
import collections
import glob
import os
import re
import sys

# One line of Verilator's coverage file: C '<^Akey^Bvalue>...' count
FIELD = re.compile("\x01([^\x02]*)\x02([^\x01]*)")


def fail(message):
    sys.exit(f"coverage.py: {message}")


def read_counts(path, counts):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.startswith("C "):
                continue
            point, _, count = line.rstrip("\n").rpartition(" ")
            if not count.isdigit():
                fail(f"{path}:{number}: no count at the end of the line")
            counts[point] += int(count)


def add(total, directory):
    counts = collections.Counter()
    if os.path.exists(total):
        read_counts(total, counts)
    files = glob.glob(os.path.join(directory, "*.dat"))
    for path in files:
        read_counts(path, counts)
    with open(total + ".new", "w", encoding="utf-8") as file:
        file.writelines(f"{point} {count}\n" for point, count in counts.items())
    os.replace(total + ".new", total)
    for path in files:
        os.remove(path)
    print(f"{len(files)} devices added to {total}")


def lines_of(ranges):
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


class Source:
    """What is known of one file."""

    def __init__(self):
        self.lines = collections.Counter()
        self.toggles = collections.Counter()  # (line, signal's bit)
        self.covers = {}  # name: [line, count]


def read_sources(total):
    counts = collections.Counter()
    if not os.path.exists(total):
        fail(f"{total}: not there; run `make coverage`")
    read_counts(total, counts)
    sources = collections.defaultdict(Source)
    for point, count in counts.items():
        fields = dict(FIELD.findall(point.strip("C '")))
        source, line, kind = sources[os.path.relpath(fields["f"])], int(fields["l"]), fields["page"].split("/")[0]
        if kind == "v_toggle":
            source.toggles[line, fields["o"]] += count
        elif kind == "v_user":
            name = fields["o"].removeprefix("cover_")
            source.covers.setdefault(name, [line, 0])[1] += count
        elif "S" in fields:
            for at in lines_of(fields["S"]):
                source.lines[at] += count
    return sources


def read_table(path):
    """{(file, point): (reason, line of the table)}"""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) != 3 or not all(cells):
                fail(f"{path}:{number}: expected `file | point | reason`")
            rows[cells[0], cells[1]] = cells[2], number
    return rows


def write_info(sources, path):
    with open(path, "w", encoding="utf-8") as file:
        for name in sorted(sources):
            source = sources[name]
            file.write(f"TN:\nSF:{os.path.abspath(name)}\n")
            for cover, (line, count) in sorted(source.covers.items()):
                file.write(f"FN:{line},{cover}\nFNDA:{count},{cover}\n")
            for index, ((line, _), count) in enumerate(sorted(source.toggles.items())):
                file.write(f"BRDA:{line},0,{index},{count}\n")
            for line, count in sorted(source.lines.items()):
                file.write(f"DA:{line},{count}\n")
            file.write("end_of_record\n")


def share(counts):
    counts = list(counts)
    hit = sum(count > 0 for count in counts)
    return f"{hit} of {len(counts)} ({100 * hit / len(counts):.1f} %)" if counts else "none"


def report(total, table, info):
    sources, excused = read_sources(total), read_table(table)
    write_info(sources, info)
    print("RTL lines:         ", share(c for s in sources.values() for c in s.lines.values()))
    print("RTL bits toggled:  ", share(c for s in sources.values() for c in s.toggles.values()))
    print("RTL cover points:  ", share(c for s in sources.values() for _, c in s.covers.values()))
    wrong = 0
    for name in sorted(sources):
        for cover, (line, count) in sorted(sources[name].covers.items()):
            reason = excused.pop((name, cover), None)
            if count == 0 and reason:
                print(f"  {name}:{line}: {cover} cannot be reached: {reason[0]}")
            elif count == 0:
                print(f"  {name}:{line}: {cover} is NOT REACHED by any test, and {table} does not say why")
                wrong += 1
            elif reason:
                print(f"  {table}:{reason[1]}: {cover} of {name} is reached ({count} times): take the row away")
                wrong += 1
    for (name, cover), (_, number) in excused.items():
        print(f"  {table}:{number}: {name} has no cover point {cover}")
        wrong += 1
    return 1 if wrong else 0


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__.strip())
    elif arguments[0] == "add" and len(arguments) == 3:
        add(*arguments[1:])
    elif arguments[0] == "report" and len(arguments) == 4:
        sys.exit(report(*arguments[1:]))
    else:
        fail(f"expected `add TOTAL DIRECTORY` or `report TOTAL TABLE INFO`, not `{' '.join(arguments)}`; see --help")


if __name__ == "__main__":
    main()
