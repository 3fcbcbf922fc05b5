"""Rows of an ECP5 that stay without logic, so that wires have room: nextpnr's placer `static` fills every place where it puts anything, however many
are free elsewhere, and then the router finds no end. A row is closed to logic by cells that stand in all its places and are joined to nothing;
carry chains lie in rows, so none is cut. Of a part the tools' own list of tiles says where its logic is.
"""
import glob
import json
import os
import re

EVERY = 3  # of so many rows one stays open, as long as what is left is not too full:
FULL = 0.95
LEAST = 12  # fewer than one row of so many helps nobody
SLICES = [f"SLICE{s}.K{k}" for s in "ABCD" for k in (0, 1)]
# Places of logic that a cell takes; LUT RAM has two slices of cells and a third that writes.
PLACES = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}
PARTS = {"12k": "LFE5U-12F", "25k": "LFE5U-25F", "45k": "LFE5U-45F", "85k": "LFE5U-85F", "um-25k": "LFE5UM-25F", "um-45k": "LFE5UM-45F", "um-85k": "LFE5UM-85F",
         "um5g-25k": "LFE5UM5G-25F", "um5g-45k": "LFE5UM5G-45F", "um5g-85k": "LFE5UM5G-85F"}


def logic_tiles(tools, part):
    """{row: [column]} of the tiles with logic of nextpnr's --`part`; None: the tools do not say."""
    found = glob.glob(os.path.join(tools, "lib", "python*", "site-packages", "*", "share", "trellis", "database", "ECP5", PARTS.get(part, "?"), "tilegrid.json"))
    if not found:
        return None
    with open(found[0], encoding="utf-8") as file:
        names = json.load(file)
    rows = {}
    for name in names:
        place = re.fullmatch(r"R(\d+)C(\d+):PLC2", name)
        if place:
            rows.setdefault(int(place.group(1)), []).append(int(place.group(2)))
    return rows


def choose(rows, every):
    """The rows that stay open, if one of `every` does."""
    return [row for i, row in enumerate(sorted(rows)) if every and i % every == every // 2]


def fitting(rows, needed):
    """One row of how many stays open when `needed` places are taken; 0: there is no room for that."""
    for every in range(EVERY, LEAST + 1):
        opened = set(choose(rows, every))
        if needed <= FULL * sum(len(SLICES) * len(columns) for row, columns in rows.items() if row not in opened):
            return every
    return 0


def top_of(netlist):
    """The cells of the top module of what Yosys' write_json has written."""
    return next(module for module in netlist["modules"].values() if int(module.get("attributes", {}).get("top", "0"), 2))["cells"]


def write(source, target, rows, every=None):
    """Writes netlist `source` with the cells that keep rows open to `target`. every: one row of so many (0: none); without it as the design has room.
    (every, the number of those cells)"""
    with open(source, encoding="utf-8") as file:
        netlist = json.load(file)
    cells = top_of(netlist)
    if every is None:
        every = fitting(rows, sum(PLACES.get(cell["type"], 0) for cell in cells.values()))
    count = 0
    for row in choose(rows, every):
        for column in rows[row]:
            for site in SLICES:
                cells[f"$open$X{column}Y{row}{site}"] = {
                    "hide_name": 1, "type": "LUT4", "parameters": {"INIT": "0" * 16}, "attributes": {"BEL": f"X{column}/Y{row}/{site}"},
                    "port_directions": {"Z": "output"}, "connections": {"Z": []}}
                count += 1
    with open(target, "w", encoding="utf-8") as file:
        json.dump(netlist, file)
    return every, count
