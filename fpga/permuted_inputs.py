"""Whether what nextpnr has routed means what the netlist says, where it could go wrong: the inputs of LUTs.

A wire may reach a LUT by another of its four inputs than the netlist says, and the LUT's table is written with its inputs in that order. In a carry only
A and B, and C and D, may change places; where a LUT is RAM, or writes one, none may. nextpnr keeps to that by what it knows of a cell when it puts it
somewhere, and has been seen not to know it (Netlist.write of refine_placement.py); nothing said so.
"""
import json
import re

PLACE = re.compile(r"X(\d+)/Y(\d+)/SLICE([ABCD])\.K([01])")
INPUT = re.compile(r"X(\d+)/Y(\d+)/0_0_([ABCD])\d->0_0_([ABCD])(\d)_SLICE")
PAIRS = {"A": "AB", "B": "AB", "C": "CD", "D": "CD"}


def find(design):
    """(inputs of carries and RAM, [what is wrong with one]) of a routed netlist, as nextpnr's --write writes it"""
    top = max(design["modules"].values(), key=lambda module: len(module.get("cells", {})))
    may = {}  # of the places of carries and RAM: by which inputs one may be reached
    for name, cell in top["cells"].items():
        place = PLACE.fullmatch(cell["attributes"].get("NEXTPNR_BEL", ""))
        mode = cell["parameters"].get("MODE", "").strip()
        if place and cell["type"] == "TRELLIS_COMB" and mode in ("CCU2", "DPRAM", "RAMW_BLOCK"):
            number = 2 * "ABCD".index(place[3]) + int(place[4])
            may[place[1], place[2], str(number)] = (name, PAIRS if mode == "CCU2" else {pin: pin for pin in "ABCD"})
    looked, wrong = 0, []
    for net in top["netnames"].values():
        for x, y, source, pin, number in INPUT.findall(net.get("attributes", {}).get("ROUTING", "")):
            name, allowed = may.get((x, y, number), ("", None))
            if allowed:
                looked += 1
                if source not in allowed[pin]:
                    wrong.append(f"input {pin} of {name} at X{x}/Y{y} comes by {source}")
    return looked, wrong


def read(path):
    with open(path, encoding="utf-8") as file:
        return find(json.load(file))
