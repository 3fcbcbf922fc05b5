#!/usr/bin/python3
"""Moves LUTs and registers of what nextpnr has placed on an ECP5 so that the longest paths have shorter wires.

usage: refine_placement.py [--as-placed] PLACED TARGET      both as nextpnr's --write writes them; TARGET is routed with --no-pack
  --as-placed   everything stays where it is: only what nextpnr needs to read it again

nextpnr's placers shorten all wires, and look at time too little: a path that goes across the FPGA and back stays as it is. Here each turn finds the
longest path through every wire, and moves what lies on long ones towards what it is joined to, weighted by how long they are; what stands there
changes places with it, unless that costs more. The half perimeters of all its wires count too, so that the router finds as much room as before.

Before that block RAMs change places with each other: the placer finds theirs at first, and late in the day the wires of another are shorter.

What moves: a block RAM, a LUT, or all that stands in the place of a LUT and its register. What does not: carry chains, LUT RAM, multipliers, pins, and
what nextpnr has fixed. The rules of a tile hold (class Places); the netlist is the same.
"""
import json
import os
import re
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit("refine_placement: NumPy is missing; scripts/setup installs it for /usr/bin/python3")

# ns: of a wire, as nextpnr estimates it from the distance (its tiles up to FAR count twice, and NEAR is never missing), times what routing makes of that.
UNIT, NEAR, FAR = 0.064, 6, 5
CLOCK_TO_Q, BLOCK_RAM, PRODUCT = 0.52, 5.7, 3.8
LUT, WIDE, CARRY_IN, CARRY_HOP, CARRY_OUT = 0.24, 0.17, 0.45, 0.07, 0.44
# (turns, power of a path's part of the longest one that is its weight, part from which on cells move, tiles around the best place that are looked at,
# part of the weights that is of the turn before, weight of half perimeters)
# More of it finds shorter paths, and takes room from the router: with cells from 0.75 on it found no end where it did before.
PHASES = ((10, 20, 0.82, 8, 0.8, 0.01), (14, 30, 0.87, 8, 0.9, 0.006))
ROUNDS = 12        # of block RAMs that change places, at most
MOST_PINS = 400    # wires to more places have no half perimeter here: they are everywhere
MOST_SWAPS = 30    # of each cell that are looked at
GAIN = 1e-4        # part of its cost that a move must bring
BESIDE = {"F1", "FXA", "FXB"}   # inputs of multiplexers behind LUTs, from the LUT or multiplexer beside: no wire between
LATER_INPUTS = {"WCK", "WRE", "WAD0", "WAD1", "WAD2", "WAD3", "WD", "DI0", "DI1"}  # of a LUT: no way to its output


def wire_delay(dx, dy):
    return UNIT * (NEAR + np.maximum(dx - FAR, 0) + np.maximum(dy - FAR, 0) + 2 * (np.minimum(dx, FAR) + np.minimum(dy, FAR)))


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

    def through(self):
        n = self.netlist
        wires = wire_delay(np.abs(n.x[n.driver_cell[n.driver]] - n.x[n.sink]), np.abs(n.y[n.driver_cell[n.driver]] - n.y[n.sink]))
        wires[n.joined] = 0
        before = n.driver[self.arc]
        steps = wires[self.arc] + self.delay
        arrival, rest = self.start.copy(), np.zeros(len(n.outputs))
        for level in self.levels:
            np.maximum.at(arrival, self.output[level], arrival[before[level]] + steps[level])
        ends = np.flatnonzero(self.ends)
        np.maximum.at(rest, n.driver[ends], wires[ends])
        for level in reversed(self.levels):
            np.maximum.at(rest, before[level], steps[level] + rest[self.output[level]])
        longest = np.zeros(len(n.driver))
        longest[ends] = arrival[n.driver[ends]] + wires[ends]
        np.maximum.at(longest, self.arc, arrival[before] + steps + rest[self.output])
        return longest


class Places:
    """Where LUTs and registers stand: of (x, y, slice, number) the two of them. What may stand beside what is ECP5's: the registers of a tile have one
    clock and one reset, those of a slice one enable; carries and RAM fill their slices. A register that takes its LUT's output directly stays with it."""

    def __init__(self, netlist):
        self.netlist = n = netlist
        self.at, self.where, self.registers, self.writers, self.rams = {}, {}, {}, set(), set()
        for i, bel in enumerate(n.bels):
            place = re.fullmatch(r"X(\d+)/Y(\d+)/SLICE([ABCD])\.(K|FF|RAMW)([01]?)", bel)
            if place and place[4] == "RAMW":
                self.writers.add((int(place[1]), int(place[2]), place[3]))
                self.rams.add((int(place[1]), int(place[2])))
            elif place and n.kinds[i] in ("TRELLIS_COMB", "TRELLIS_FF"):
                self.where[i] = (int(place[1]), int(place[2]), place[3], int(place[5]))
                self.at.setdefault(self.where[i], [None, None])[place[4] == "FF"] = i
        self.tiles = sorted({place[:2] for place in self.at})
        self.signs, self.movable = {}, [False] * len(n.cells)
        for i in self.where:
            free = not n.is_fixed(i)
            if n.kinds[i] == "TRELLIS_FF":
                self.movable[i] = free
                self.signs[i] = ((n.net(i, "CLK"), n.net(i, "LSR"), n.parameter(i, "CLKMUX"), n.parameter(i, "LSRMUX"), n.parameter(i, "SRMODE")),
                                 (n.net(i, "CE"), n.parameter(i, "CEMUX"), n.parameter(i, "GSR")))
            else:
                mode, used = n.parameter(i, "MODE"), n.cells[i]["connections"]
                if mode == "DPRAM":
                    self.rams.add(self.where[i][:2])
                self.movable[i] = (free and mode in ("", "LOGIC") and bool(n.outputs_of[i]) and not any(used.get(port) for port in ("OFX", "M"))
                                   and all(n.outputs[output][1] == "F" and not any(n.port[arc] in BESIDE for arc in n.fan_out[output])
                                           for output in n.outputs_of[i]))
        for tile in self.tiles:
            for part in "ABCD":
                for number in (0, 1):
                    self.at.setdefault((*tile, part, number), [None, None])
        for place, (_, register) in self.at.items():
            if register is not None:
                self.registers.setdefault(place[:2], {})[place] = register

    def takes_lut(self, place):
        """Whether a LUT may stand there, if it is free"""
        beside = self.at[(*place[:3], 1 - place[3])][0]
        return place[:3] not in self.writers and (beside is None or self.netlist.parameter(beside, "MODE") in ("", "LOGIC"))

    def takes_register(self, place, register, leaving):
        """Whether a register may stand there when those in `leaving` have gone"""
        if place[:2] in self.rams:
            return False
        for other_place, other in self.registers.get(place[:2], {}).items():
            if other_place in leaving:
                continue
            if self.signs[other][0] != self.signs[register][0] or (other_place[2] == place[2] and self.signs[other][1] != self.signs[register][1]):
                return False
        return True

    def lut_alone(self, place):
        """Whether the LUT of the place, or none, may be exchanged without its register"""
        lut, register = self.at[place]
        return (lut is None or self.movable[lut]) and not (register is not None and self.netlist.parameter(register, "SD").startswith("1"))

    def whole(self, place):
        """All that stands there, if all of it may move"""
        found = [i for i in self.at[place] if i is not None]
        return found if all(self.movable[i] for i in found) else None

    def exchange(self, place, other, with_register):
        """What is to move from `place` when it changes with `other`: (cells that go there, cells that come from there), or nothing"""
        if other == place or not self.takes_lut(other):
            return None
        if not with_register:
            come = self.at[other][0]
            return ([self.at[place][0]], [] if come is None else [come]) if self.lut_alone(other) else None
        go, come = self.whole(place), self.whole(other)
        if go is None or come is None:
            return None
        register, other_register = self.at[place][1], self.at[other][1]
        if register is not None and not self.takes_register(other, register, (place, other)):
            return None
        if other_register is not None and not self.takes_register(place, other_register, (place, other)):
            return None
        if (self.at[other][0] is not None and not self.takes_lut(place)) or (None not in (register, other_register) and place[:2] == other[:2]):
            return None
        return go, come

    def swap(self, place, other, with_register):
        mine, theirs = list(self.at[place]), list(self.at[other])
        if not with_register:
            mine[1], theirs[1] = theirs[1], mine[1]
        for at, pair in ((other, mine), (place, theirs)):
            self.at[at] = pair
            registers = self.registers.setdefault(at[:2], {})
            registers.pop(at, None)
            if pair[1] is not None:
                registers[at] = pair[1]
            for i, kind in zip(pair, ("K", "FF")):
                if i is not None:
                    self.where[i] = at
                    self.netlist.x[i], self.netlist.y[i] = at[:2]
                    self.netlist.bels[i] = f"X{at[0]}/Y{at[1]}/SLICE{at[2]}.{kind}{at[3]}"


class Costs:
    """What it costs that cells stand somewhere: times of their wires, weighted, and half perimeters."""

    def __init__(self, netlist):
        self.netlist = n = netlist
        self.weights, self.perimeter = None, 0.0
        self.arcs = [None] * len(n.cells)
        pins = {}
        for i, cell in enumerate(n.cells):
            for port, bits in cell["connections"].items():
                for bit in bits if n.bels[i] and not n.is_clock(port) else []:
                    pins.setdefault(bit, set()).add(i)
        self.pins, self.nets = {}, [[] for _ in n.cells]
        for bit, cells in pins.items():
            if isinstance(bit, int) and 2 <= len(cells) <= MOST_PINS and not any(n.is_constant(i) for i in cells):
                self.pins[bit] = np.array(sorted(cells))
                for i in cells:
                    self.nets[i].append(bit)

    def around(self, cells):
        """(x, y, weight) of the other ends of their arcs"""
        n = self.netlist
        for i in cells:
            if self.arcs[i] is None:
                sources = [arc for arc in n.fan_in[i] if not n.joined[arc]]
                sinks = [arc for output in n.outputs_of[i] for arc in n.fan_out[output] if not n.joined[arc]]
                self.arcs[i] = (np.array(sources + sinks, int), np.concatenate([n.driver_cell[n.driver[np.array(sources, int)]], n.sink[np.array(sinks, int)]]))
        arcs, ends = (np.concatenate(part) for part in zip(*(self.arcs[i] for i in cells)))
        return n.x[ends], n.y[ends], self.weights[arcs]

    def at(self, cells, xs, ys):
        """The cost of each place when cells that stand together stand there"""
        n = self.netlist
        x, y, weight = self.around(cells)
        total = (weight[:, None] * wire_delay(np.abs(x[:, None] - xs), np.abs(y[:, None] - ys))).sum(0)
        for bit in {bit for i in cells for bit in self.nets[i]}:
            others = self.pins[bit]
            others = others[~np.isin(others, cells)]
            if len(others):
                px, py = n.x[others], n.y[others]
                total += self.perimeter * sum(np.maximum(pins.min() - to, 0) + np.maximum(to - pins.max(), 0) for pins, to in ((px, xs), (py, ys)))
        return total

    def best(self, cells):
        """Where their wires would be shortest"""
        x, y, weight = self.around(cells)
        weight = weight + self.perimeter / 2

        def median(values):
            order = np.argsort(values, kind="stable")
            total = np.cumsum(weight[order])
            return int(values[order[np.searchsorted(total, total[-1] / 2)]])
        return (median(x), median(y)) if len(x) else None


def move(places, costs, cell, part, reach):
    """Moves a cell to the best place around where its wires would be shortest, if it finds a better one. part: of each cell, its part of the longest path."""
    n = places.netlist
    place = places.where[cell]
    with_register = n.kinds[cell] == "TRELLIS_FF" or not places.lut_alone(place)
    cells = places.whole(place) if with_register else [cell]
    aim = costs.best(cells) if cells and places.movable[cell] else None
    if aim is None:
        return False
    xs, ys = (axis.ravel() for axis in np.meshgrid(np.arange(aim[0] - reach, aim[0] + reach + 1), np.arange(aim[1] - reach, aim[1] + reach + 1)))
    now = costs.at(cells, np.array([place[0]]), np.array([place[1]]))[0]
    gains = costs.at(cells, xs, ys) - now
    best, to, looked = -GAIN * now, None, 0
    for t in np.argsort(gains, kind="stable"):
        if gains[t] >= best or looked > MOST_SWAPS:
            break
        for slot in (((int(xs[t]), int(ys[t]), part_of_tile, number)) for part_of_tile in "ABCD" for number in (0, 1)):
            found = places.exchange(place, slot, with_register) if slot in places.at else None
            if found is None or any(part[i] > 0.95 * part[cell] for i in found[1]):
                continue
            total = gains[t]
            if found[1]:
                looked += 1
                stays, comes = costs.at(found[1], np.array([slot[0], place[0]]), np.array([slot[1], place[1]]))
                total += comes - stays
            if total < best:
                best, to = total, slot
    if to is not None:
        places.swap(place, to, with_register)
    return to is not None


def exchange_block_rams(netlist, costs):
    """(half perimeters of their wires before, and after) block RAMs have changed places"""
    n = netlist
    rams = [i for i, kind in enumerate(n.kinds) if kind == "DP16KD" and n.bels[i] and not n.is_fixed(i)]
    xs, ys, bels, at = n.x[rams], n.y[rams], [n.bels[i] for i in rams], list(range(len(rams)))  # of each place; and the RAM that stands there
    wires = sorted({bit for i in rams for bit in costs.nets[i]})
    costs.weights, costs.perimeter = np.zeros(len(n.driver)), 1.0

    def total():
        return int(sum(np.ptp(n.x[costs.pins[bit]]) + np.ptp(n.y[costs.pins[bit]]) for bit in wires))

    def stand(ram, place):
        at[place] = ram
        n.x[rams[ram]], n.y[rams[ram]], n.bels[rams[ram]] = xs[place], ys[place], bels[place]
    before = best = total()
    for _ in range(ROUNDS):
        for ram, cell in enumerate(rams):
            mine = at.index(ram)
            gains = costs.at([cell], xs, ys)
            gains -= gains[mine]
            most, to = 0.0, None
            for place in np.argsort(gains, kind="stable"):
                if gains[place] >= most:
                    break
                theirs = costs.at([rams[at[place]]], xs[[place, mine]], ys[[place, mine]])
                if gains[place] + theirs[1] - theirs[0] < most:
                    most, to = gains[place] + theirs[1] - theirs[0], int(place)
            if to is not None:
                other = at[to]
                stand(ram, to)
                stand(other, mine)
        now = total()
        if now >= best:
            break
        best = now
    costs.weights = None
    return before, best


def refine(netlist, say=lambda words: None, phases=PHASES):
    """(ns before, ns after, the places of all cells)"""
    timing, places, costs = Timing(netlist), Places(netlist), Costs(netlist)
    before = best = timing.through().max(initial=0.0)
    bels = list(netlist.bels)
    say("wires of block RAMs: half perimeters of {1} tiles, {0} before".format(*exchange_block_rams(netlist, costs)))
    for turns, power, least, reach, smooth, perimeter in phases:
        costs.perimeter = perimeter
        moved = 0
        for _ in range(turns):
            longest = timing.through()
            share = longest / max(longest.max(initial=0.0), 1e-9)
            weights = np.where(netlist.joined, 0.0, share ** power)
            costs.weights = weights if costs.weights is None else smooth * costs.weights + (1 - smooth) * weights
            part = np.zeros(len(netlist.cells))
            np.maximum.at(part, netlist.sink, share)
            np.maximum.at(part, netlist.driver_cell[netlist.driver], share)
            moved += sum(move(places, costs, int(i), part, reach) for i in np.argsort(-part, kind="stable") if part[i] > least and int(i) in places.where)
            now = timing.through().max(initial=0.0)
            if now < best:
                best, bels = now, list(netlist.bels)
        say(f"{moved} moves, the longest path {best:.1f} ns of {before:.1f}")
    return before, best, bels


def main():
    words = [word for word in sys.argv[1:] if word != "--as-placed"]
    if len(words) != 2 or words[0] in ("-h", "--help"):
        sys.stdout.write(__doc__)
        sys.exit(0 if words in (["-h"], ["--help"]) else 2)
    source, target = words
    begin = time.monotonic()
    try:
        with open(source, encoding="utf-8") as file:
            netlist = Netlist(json.load(file))
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"refine_placement: {source} is no netlist as nextpnr's --write writes it: {error!r}")
    if not any(netlist.bels):
        sys.exit(f"refine_placement: nothing in {source} has a place; nextpnr writes places after placing, with --no-route --write")
    if "--as-placed" in sys.argv:
        before = after = Timing(netlist).through().max(initial=0.0)
        bels = netlist.bels
    else:
        before, after, bels = refine(netlist, lambda words: print(f"refine_placement: {words}, {time.monotonic() - begin:.0f} s", flush=True))
    netlist.write(target + ".part", bels)
    os.replace(target + ".part", target)
    print(f"refine_placement: the longest path is estimated at {after:.1f} ns, {before:.1f} as placed")


if __name__ == "__main__":
    main()
