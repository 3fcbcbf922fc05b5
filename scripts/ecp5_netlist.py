"""The netlist of a device mapped to ECP5, as a simulator takes it in place of the RTL, and as a tester changes it.

A lookup table is an expression of the netlist, `assign net = 16'h.. >> { .. };`. CHANGED of them are made another where the input inject_i has their
number, so that one simulation can be of many netlists with one cell changed each; with 0 it is the netlist as mapped.
"""
import random
import re

CHANGED = 250  # cells, of numbers 1 and on
TABLE = re.compile(r"^(  assign (.+?) = )(\d+)'h([0-9a-f]+)( >> \{.*;)$", re.M)


def change(text, seed=1):
    """The text with CHANGED of its cells changeable, and a line for each: its number, its net, its table as it was and changed.

    A changed cell gives the opposite of what it gave for one half of its inputs' values: what it has for the other half stays.
    """
    tables = list(TABLE.finditer(text))
    chosen = sorted(random.Random(seed).sample(range(len(tables)), min(CHANGED, len(tables))))
    parts, lines, end = [], [], 0
    for number, index in enumerate(chosen, 1):
        found = tables[index]
        begin, net, width, table, rest = found.groups()
        bits = int(width)
        half = random.Random(seed * 1000 + number).choice([h for h in halves(bits)])
        other = int(table, 16) ^ half
        parts += [text[end:found.start()], f"{begin}(inject_i == 8'd{number} ? {width}'h{other:x} : {width}'h{table}){rest}"]
        lines.append(f"{number} {net} {width}'h{table} {width}'h{other:x}")
        end = found.end()
    return "".join(parts) + text[end:], lines


def halves(bits):
    """For a table of so many bits: the half in which an input is 0, the half in which it is 1, for each input."""
    for step in (1 << k for k in range(bits.bit_length() - 1)):
        low = sum(1 << i for i in range(bits) if not i & step)
        yield low
        yield ((1 << bits) - 1) ^ low
