#!/usr/bin/python3
"""Moves what nextpnr has placed on an ECP5 so that the longest paths, and all wires, become shorter.

usage: refine_placement.py [--library FILE] [--seed N] PLACED TARGET
       refine_placement.py --as-placed PLACED TARGET
  PLACED, TARGET   both as nextpnr's --write writes them; TARGET is routed with --no-pack
  --library FILE   anneal.c, built (build/libanneal.so)
  --seed N         another seed moves otherwise (1)
  --as-placed      everything stays where it is: only what nextpnr needs to read it again

nextpnr's placers shorten all wires, and look at time too little: a path that goes across the FPGA and back stays as it is; and what they do last, when
all has its place, only ever takes what is shorter at once. Here it is annealed from there on, at a low temperature (anneal.c): what changes places costs
the half perimeters of its wires, so that the router finds room, and their times, which count the more the longer the path is that goes through them.

What moves: LUTs, registers, block RAMs; carry chains and LUT RAM as a whole, with their registers. What does not: multipliers, LUTs with a multiplexer
behind them, pins, and what nextpnr has fixed. The rules of a tile hold (anneal.c); the netlist is the same.
"""
import argparse
import ctypes
import json
import os
import re
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit("refine_placement: NumPy is missing; scripts/setup installs it for /usr/bin/python3")

# ns: of what a path goes through; a wire is anneal.c's.
CLOCK_TO_Q, BLOCK_RAM, PRODUCT = 0.52, 5.7, 3.8
LUT, WIDE, CARRY_IN, CARRY_HOP, CARRY_OUT = 0.24, 0.17, 0.45, 0.07, 0.44
# anneal.h tells of each. It begins so cold that the placer's work is kept: with ten times the changes for the worse, wires come out a third longer.
SCHEDULE = {"perimeter": 0.5, "crowd": 0.4, "first_power": 8.0, "last_power": 30.0, "smooth": 0.9, "begin": 0.015, "cooling": 0.965, "aimed": 0.1,
            "warm": 140, "cold": 40, "reach": 12, "moves": 20, "block_moves": 40}
SLOT = [(part, number) for part in "ABCD" for number in (0, 1)]  # of a tile
SLOTS = len(SLOT)
LONGEST_BLOCK = 256  # slots
MOST_PINS = 400    # wires to more places have no half perimeter here: they are everywhere
BESIDE = {"F1", "FXA", "FXB"}   # inputs of multiplexers behind LUTs, from the LUT or multiplexer beside: no wire between
LATER_INPUTS = {"WCK", "WRE", "WAD0", "WAD1", "WAD2", "WAD3", "WD", "DI0", "DI1"}  # of a LUT: no way to its output


class Netlist:
    """Cells, where they stand, and arcs: from what drives a wire to each that it goes to."""

    def __init__(self, design):
        self.design = design
        self.top = max(design["modules"].values(), key=lambda module: len(module.get("cells", {})))
        self.names = list(self.top["cells"])
        self.cells = list(self.top["cells"].values())
        self.kinds = [cell["type"] for cell in self.cells]
        self.bels = [cell["attributes"].get("NEXTPNR_BEL", "") for cell in self.cells]
        self.x, self.y = np.zeros(len(self.cells), int), np.zeros(len(self.cells), int)
        for i, bel in enumerate(self.bels):
            place = re.match(r"X(\d+)/Y(\d+)/", bel)
            if place:
                self.x[i], self.y[i] = int(place[1]), int(place[2])
        drivers = {bit: (i, port) for i, cell in enumerate(self.cells) for port, direction in cell["port_directions"].items() if direction == "output"
                   for bit in cell["connections"].get(port, [])}
        self.outputs = []                                # of each output that drives something: (cell, port)
        self.outputs_of = [[] for _ in self.cells]
        self.fan_in = [[] for _ in self.cells]           # of each cell: arcs
        self.fan_out = []                                # of each output: arcs
        number, driver, sink, self.port, joined = {}, [], [], [], []
        for i, cell in enumerate(self.cells):
            for port, direction in cell["port_directions"].items():
                for bit in cell["connections"].get(port, []) if direction == "input" and not self.is_clock(port) else []:
                    source = drivers.get(bit)
                    if source is None or self.is_constant(source[0]):
                        continue
                    if source not in number:
                        number[source] = len(self.outputs)
                        self.outputs_of[source[0]].append(len(self.outputs))
                        self.outputs.append(source)
                        self.fan_out.append([])
                    self.fan_in[i].append(len(driver))
                    self.fan_out[number[source]].append(len(driver))
                    driver.append(number[source])
                    sink.append(i)
                    self.port.append(port)
                    joined.append((source[1], port) in (("FCO", "FCI"), ("F", "DI")) or port in BESIDE)
        self.driver, self.sink, self.joined = np.array(driver, int), np.array(sink, int), np.array(joined, bool)  # joined: no wire between
        self.driver_cell = np.array([cell for cell, _ in self.outputs], int)

    def is_fixed(self, cell):
        return int(self.cells[cell]["attributes"].get("BEL_STRENGTH", "0"), 2) > 2

    @staticmethod
    def is_clock(port):
        return port.startswith("CLK") or port == "WCK"

    def is_constant(self, cell):
        return self.names[cell].startswith("$PACKER")

    def parameter(self, cell, name):
        return self.cells[cell]["parameters"].get(name, "").strip()

    def net(self, cell, port):
        bits = self.cells[cell]["connections"].get(port, [])
        return bits[0] if bits else None

    def write(self, path, bels):
        """As nextpnr routes it, when it need not pack: each cell has its place as if somebody had locked it there, and nextpnr puts it there as it places
        the rest, which is nothing. What is written as placed already (NEXTPNR_BEL) it puts there before it knows which cells are carries or LUT RAM, and
        would exchange their inputs (permuted_inputs.py). A port that nothing is joined to has to be there all the same. Settings would go before words."""
        for cell, bel in zip(self.cells, bels):
            if bel:
                cell["attributes"]["BEL"] = bel
            for of_before in ("NEXTPNR_BEL", "BEL_STRENGTH"):
                cell["attributes"].pop(of_before, None)
            for port, bits in cell["connections"].items():
                cell["connections"][port] = bits or ["x"]
        for net in self.top["netnames"].values():
            net.get("attributes", {}).pop("ROUTING", None)
        if "settings" in self.top:
            self.top["settings"] = {name: value for name, value in self.top["settings"].items() if name.startswith("arch.") or name in ("pack", "synth")}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.design, file)


class Timing:
    """The longest path through each arc, from register to register."""

    def __init__(self, netlist):
        self.netlist = n = netlist
        steps = []  # (arc, output, ns): through a cell
        self.ends = np.zeros(len(n.driver), bool)
        for arc, cell in enumerate(n.sink):
            ways = list(self.ways(n, arc, cell))
            self.ends[arc] = not ways and not (n.kinds[cell] == "TRELLIS_COMB" and n.port[arc] in LATER_INPUTS - {"WRE", "WD"})
            steps += [(arc, output, delay) for output, delay in ways]
        self.start = np.array([{"TRELLIS_FF": CLOCK_TO_Q, "DP16KD": BLOCK_RAM}.get(n.kinds[cell], 0.0) for cell, _ in n.outputs])
        self.sort(steps)

    @staticmethod
    def ways(n, arc, cell):
        """(output, ns) that an arc reaches through the cell that it goes to"""
        port, kind = n.port[arc], n.kinds[cell]
        if kind == "MULT18X18D" and not port.startswith(("CE", "RST")):
            yield from ((output, PRODUCT) for output in n.outputs_of[cell])
        if kind != "TRELLIS_COMB" or port in LATER_INPUTS:
            return
        carries, plain = n.parameter(cell, "MODE") == "CCU2", port in ("A", "B", "C", "D")
        for output in n.outputs_of[cell]:
            to = n.outputs[output][1]
            if carries:
                yield output, CARRY_IN if port != "FCI" else CARRY_HOP if to == "FCO" else CARRY_OUT
            elif plain or to == "OFX":
                yield output, LUT * plain + WIDE * (to == "OFX")

    def sort(self, steps):
        """Steps in the order of the paths; one that closes a loop is left out."""
        n = self.netlist
        into = [[] for _ in n.outputs]
        for k, (_, output, _) in enumerate(steps):
            into[output].append(k)
        depth, state, loops = np.zeros(len(n.outputs), int), np.zeros(len(n.outputs), np.int8), set()
        for root in range(len(n.outputs)):
            stack = [(root, iter(into[root]))] if state[root] == 0 else []
            state[root] = max(state[root], 1)
            while stack:
                output, rest = stack[-1]
                for k in rest:
                    before = n.driver[steps[k][0]]
                    if state[before] == 1:
                        loops.add(k)
                    elif state[before] == 0:
                        state[before] = 1
                        stack.append((before, iter(into[before])))
                        break
                else:
                    state[output] = 2
                    stack.pop()
                    depth[output] = max((depth[n.driver[steps[k][0]]] + 1 for k in into[output] if k not in loops), default=0)
        kept = sorted((k for k in range(len(steps)) if k not in loops), key=lambda k: depth[steps[k][1]])
        self.arc = np.array([steps[k][0] for k in kept], int)
        self.output = np.array([steps[k][1] for k in kept], int)
        self.delay = np.array([steps[k][2] for k in kept])
        levels = depth[self.output]
        bounds = np.searchsorted(levels, np.arange((levels.max() if len(levels) else 0) + 2))
        self.levels = [slice(a, b) for a, b in zip(bounds, bounds[1:]) if a != b]


class Places:
    """Where LUTs and registers stand: of (x, y, slice, number) the two of them; and what may move."""

    def __init__(self, netlist):
        self.netlist = n = netlist
        self.at, self.where, self.rams = {}, {}, set()
        for i, bel in enumerate(n.bels):
            place = re.fullmatch(r"X(\d+)/Y(\d+)/SLICE([ABCD])\.(K|FF|RAMW)([01]?)", bel)
            if place and place[4] == "RAMW":
                self.rams.add((int(place[1]), int(place[2])))
            elif place and n.kinds[i] in ("TRELLIS_COMB", "TRELLIS_FF"):
                self.where[i] = (int(place[1]), int(place[2]), place[3], int(place[5]))
                self.at.setdefault(self.where[i], [None, None])[place[4] == "FF"] = i
        self.tiles = sorted({place[:2] for place in self.at} | self.rams)
        self.signs, self.movable = {}, [False] * len(n.cells)
        for i in self.where:
            free = not n.is_fixed(i)
            if n.kinds[i] == "TRELLIS_FF":
                self.movable[i] = free
                self.signs[i] = ((n.net(i, "CLK"), n.net(i, "LSR"), n.parameter(i, "CLKMUX"), n.parameter(i, "LSRMUX"), n.parameter(i, "SRMODE")),
                                 (n.net(i, "CE"), n.parameter(i, "CEMUX"), n.parameter(i, "GSR")))
            else:
                used = n.cells[i]["connections"]
                self.movable[i] = (free and self.mode(i) in ("", "LOGIC") and bool(n.outputs_of[i]) and not any(used.get(port) for port in ("OFX", "M"))
                                   and all(n.outputs[output][1] == "F" and not any(n.port[arc] in BESIDE for arc in n.fan_out[output])
                                           for output in n.outputs_of[i]))
        for tile in self.tiles:
            for slot in SLOT:
                self.at.setdefault((*tile, *slot), [None, None])

    def blocks(self):
        """(place of the first cell, how many slots from there on, tile by tile to the right) of each carry chain and LUT RAM that may move as a whole"""
        n = self.netlist
        found = [((*tile, "A", 0), SLOTS) for tile in sorted(self.rams) if not any(n.is_fixed(i) for i in self.cells_of(tile))]
        carries = [i for i in self.where if self.mode(i) == "CCU2"]
        behind = {n.net(i, "FCI"): i for i in carries if n.net(i, "FCI") is not None}
        for first in (i for i in carries if n.net(i, "FCI") is None):
            chain = [first]
            while n.net(chain[-1], "FCO") in behind:
                chain.append(behind[n.net(chain[-1], "FCO")])
            x, y = self.where[first][:2]
            places = [(x + k // SLOTS, y, *SLOT[k % SLOTS]) for k in range(len(chain))]
            if [self.where[i] for i in chain] == places and len(chain) <= LONGEST_BLOCK and not any(n.is_fixed(i) for i in chain):
                found.append((places[0], len(chain)))
        return found

    def mode(self, cell):
        return self.netlist.parameter(cell, "MODE") if self.netlist.kinds[cell] == "TRELLIS_COMB" else ""

    def cells_of(self, tile):
        return [i for slot in SLOT for i in self.at[(*tile, *slot)] if i is not None]


def nets_of(netlist):
    """Of each net whose half perimeter counts, its cells"""
    n, pins = netlist, {}
    for i, cell in enumerate(n.cells):
        for port, bits in cell["connections"].items():
            for bit in bits if n.bels[i] and not n.is_clock(port) else []:
                pins.setdefault(bit, set()).add(i)
    return [sorted(cells) for bit, cells in pins.items()
            if isinstance(bit, int) and 2 <= len(cells) <= MOST_PINS and not any(n.is_constant(i) for i in cells)]


class Annealing:
    """The arrays that anneal.c works on (anneal.h tells of each)."""

    NUMBERS = ("tiles", "cells", "arcs", "outputs", "steps", "nets", "blocks", "rams")
    ARRAYS = ("tile_x", "tile_y", "lut", "reg", "ram_writer", "x", "y", "kind", "movable", "takes_lut", "takes_m", "tile_sign", "slice_sign", "driver", "driver_cell",
              "sink", "joined", "ends", "start", "step_arc", "step_output", "step_delay", "net_begin", "pin", "block_tile", "block_slots", "ram_x", "ram_y", "ram")
    BYTES, DOUBLES = ("movable", "takes_lut", "takes_m", "joined", "ends"), ("start", "step_delay")

    class Design(ctypes.Structure):
        pass

    class Schedule(ctypes.Structure):
        _fields_ = [(name, ctypes.c_double) for name in SCHEDULE if isinstance(SCHEDULE[name], float)]
        _fields_ += [(name, ctypes.c_int32) for name in SCHEDULE if isinstance(SCHEDULE[name], int)] + [("seed", ctypes.c_uint64)]

    def __init__(self, netlist, timing, places, library):
        self.netlist, self.places = n, p = netlist, places
        number = {tile: k for k, tile in enumerate(p.tiles)}
        standing = np.array([[-1 if i is None else i for i in p.at[(*tile, *slot)]] for tile in p.tiles for slot in SLOT]).reshape(-1, 2)
        writers = {(n.x[i], n.y[i]): i for i, kind in enumerate(n.kinds) if kind == "TRELLIS_RAMW"}
        signs, registers = [{}, {}], [i for i in p.where if n.kinds[i] == "TRELLIS_FF"]
        nets, blocks = nets_of(n), p.blocks()
        self.rams = [i for i, kind in enumerate(n.kinds) if kind == "DP16KD" and n.bels[i] and not n.is_fixed(i)]
        self.ram_bels = [n.bels[i] for i in self.rams]

        def of_cells(values):
            array = np.zeros(len(n.cells), int)
            for i, value in values:
                array[i] = value
            return array
        values = {
            "tile_x": [x for x, _ in p.tiles], "tile_y": [y for _, y in p.tiles], "lut": standing[:, 0], "reg": standing[:, 1],
            "ram_writer": [writers.get(tile, -1) for tile in p.tiles], "x": n.x, "y": n.y,
            "kind": of_cells((i, 2 if n.kinds[i] == "TRELLIS_FF" else 1) for i in p.where), "movable": p.movable,
            "takes_lut": of_cells((i, n.parameter(i, "SD").startswith("1")) for i in registers),
            "takes_m": of_cells((i, n.net(i, "M") is not None) for i in p.where if n.kinds[i] == "TRELLIS_COMB"),
            "tile_sign": of_cells((i, signs[0].setdefault(p.signs[i][0], len(signs[0]))) for i in registers),
            "slice_sign": of_cells((i, signs[1].setdefault(p.signs[i][1], len(signs[1]))) for i in registers),
            "driver": n.driver, "driver_cell": n.driver_cell[n.driver], "sink": n.sink, "joined": n.joined, "ends": timing.ends, "start": timing.start,
            "step_arc": timing.arc, "step_output": timing.output, "step_delay": timing.delay,
            "net_begin": np.cumsum([0] + [len(cells) for cells in nets]), "pin": [i for cells in nets for i in cells],
            "block_tile": [number[place[:2]] for place, _ in blocks], "block_slots": [slots for _, slots in blocks],
            "ram_x": n.x[self.rams], "ram_y": n.y[self.rams], "ram": self.rams}
        self.arrays = {name: np.ascontiguousarray(values[name], dtype=np.uint8 if name in self.BYTES else np.float64 if name in self.DOUBLES else np.int32)
                       for name in self.ARRAYS}
        self.design = self.Design(len(p.tiles), len(n.cells), len(n.driver), len(n.outputs), len(timing.arc), len(nets), len(blocks), len(self.rams),
                                  *(self.arrays[name].ctypes.data for name in self.ARRAYS))
        try:
            self.library = ctypes.CDLL(library)
        except OSError as error:
            sys.exit(f"refine_placement: {error}; `make {library}` builds it")
        self.library.anneal_run.restype = self.library.anneal_longest.restype = ctypes.c_double

    def longest(self):
        return self.library.anneal_longest(ctypes.byref(self.design))

    def run(self, schedule, seed, say):
        """The longest path, ns; netlist.bels are where all stands then"""
        told = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda line: say(line.decode()))
        longest = self.library.anneal_run(ctypes.byref(self.design), ctypes.byref(self.Schedule(**schedule, seed=seed)), told)
        if longest < 0:
            sys.exit("refine_placement: there is no memory")
        n = self.netlist
        n.x[:], n.y[:] = self.arrays["x"], self.arrays["y"]
        for k, (x, y) in enumerate(self.places.tiles):
            for slot, (part, number) in enumerate(SLOT):
                for name, bel in (("lut", "K"), ("reg", "FF")):
                    i = self.arrays[name][k * SLOTS + slot]
                    if i >= 0 and not n.is_fixed(i):
                        n.bels[i] = f"X{x}/Y{y}/SLICE{part}.{bel}{number}"
            if self.arrays["ram_writer"][k] >= 0:
                n.bels[self.arrays["ram_writer"][k]] = f"X{x}/Y{y}/SLICEC.RAMW"
        for i, bel in zip(self.arrays["ram"], self.ram_bels):
            n.bels[i] = bel
        return longest


Annealing.Design._fields_ = [(name, ctypes.c_int32) for name in Annealing.NUMBERS] + [(name, ctypes.c_void_p) for name in Annealing.ARRAYS]


def refine(netlist, library, say=lambda words: None, schedule=None, seed=1):
    """(ns before, ns after, the places of all cells)"""
    annealing = Annealing(netlist, Timing(netlist), Places(netlist), library)
    before = annealing.longest()
    return before, annealing.run(schedule or SCHEDULE, seed, say), netlist.bels


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"refine_placement: {message}; --help tells more\n")


def main():
    parser = Parser(prog="refine_placement.py", add_help=False)
    parser.add_argument("--library", default="build/libanneal.so")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--as-placed", action="store_true")
    parser.add_argument("--help", "-h", action="store_true")
    parser.add_argument("files", nargs="*")
    chosen = parser.parse_args()
    if chosen.help or len(chosen.files) != 2:
        sys.stdout.write(__doc__)
        sys.exit(0 if chosen.help else 2)
    source, target = chosen.files
    begin = time.monotonic()
    try:
        with open(source, encoding="utf-8") as file:
            netlist = Netlist(json.load(file))
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"refine_placement: {source} is no netlist as nextpnr's --write writes it: {error!r}")
    if not any(netlist.bels):
        sys.exit(f"refine_placement: nothing in {source} has a place; nextpnr writes places after placing, with --no-route --write")
    if chosen.as_placed:
        netlist.write(target + ".part", netlist.bels)
    else:
        before, after, bels = refine(netlist, chosen.library, lambda words: print(f"refine_placement: {words}, {time.monotonic() - begin:.0f} s", flush=True),
                                     seed=chosen.seed)
        netlist.write(target + ".part", bels)
        print(f"refine_placement: the longest path is estimated at {after:.1f} ns, {before:.1f} as placed")
    os.replace(target + ".part", target)


if __name__ == "__main__":
    main()
