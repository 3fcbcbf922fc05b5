"""Longest paths of a device on ECP5, from the netlists of its units mapped one by one.

The units' netlists are joined at their ports, so a path is followed through as many units as it takes. Times are estimates: a cell takes
what place and route's data say for speed grade 6, and every net between cells the same time (WIRE), about what placing gives; carries go
from cell to cell in none. So the clock that comes of it is a measure to compare with, not a promise.
"""
import json
import re

WIRE = 0.95  # ns
LUT = 0.24
CLOCK_TO_Q = 0.52
CARRY_IN, CARRY_HOP, CARRY_OUT = 0.45, 0.07, 0.44
PRODUCT = 3.8    # of a multiplier without registers
BLOCK_RAM = 5.7  # from the clock to what has been read


def base_of(name):
    """`\\slot_q[3]` and `slot_q` -> `slot_q`"""
    return re.sub(r"\[\d+\]$", "", name.lstrip("\\"))


class Device:
    """Nets by number, cells that take time, where paths begin and end."""

    def __init__(self, unit_of):
        self.unit_of = unit_of
        self.names = []   # of each net: (instance, name), or nothing
        self.cells = []   # (unit, kind, inputs, outputs); of a carry both are lists of groups
        self.starts = []  # (net, ns)
        self.ends = []    # (net, unit, the register's net or what takes it)

    def net(self):
        self.names.append(None)
        return len(self.names) - 1

    def add(self, modules, module, instance, ports):
        """One instance of a module; ports: {name of a port: nets}."""
        netlist, unit = modules[module], self.unit_of(module)
        local, buffers = {}, []
        for direction in ("input", "output"):
            for name, port in netlist["ports"].items():
                if port["direction"] == direction:
                    for bit, net in zip(port["bits"], ports.get(name, [])):
                        if isinstance(bit, int) and net is not None and local.setdefault(bit, net) != net and direction == "output":
                            buffers.append((local[bit], net))

        def nets(bits):
            for bit in bits:
                if isinstance(bit, int) and bit not in local:
                    local[bit] = self.net()
            return [local[bit] if isinstance(bit, int) else None for bit in bits]

        for name, cell in netlist["cells"].items():
            pins = {pin: nets(bits) for pin, bits in cell["connections"].items()}
            if cell["type"] in modules:
                self.add(modules, cell["type"], name, pins)
            else:
                self.primitive(cell["type"], unit, pins)
        for name, made in sorted(netlist["netnames"].items()):
            for bit in made["bits"] if not made["hide_name"] else []:
                if bit in local and (self.names[local[bit]] is None or name.endswith("_q")):
                    self.names[local[bit]] = (instance, name)
        self.cells += [(unit, "join", [source], [target]) for source, target in buffers]

    def primitive(self, kind, unit, pins):
        def these(*names):
            return [net for pin in names for net in pins.get(pin, []) if net is not None]
        if kind in ("$lut", "LUT4"):
            self.cells.append((unit, "lut", these("A", "B", "C", "D"), these("Y", "Z")))
        elif kind == "CCU2C":
            self.cells.append((unit, "carry", [these("A0", "B0", "C0", "D0"), these("A1", "B1", "C1", "D1"), these("CIN")],
                               [these("S0"), these("S1"), these("COUT")]))
        elif kind == "TRELLIS_DPR16X4":
            self.cells.append((unit, "lut", these("RAD"), these("DO")))
            self.ends += [(net, unit, "LUT RAM") for net in these("DI", "WAD", "WRE")]
        elif kind == "MULT18X18D":
            self.cells.append((unit, "product", these(*(f"{s}{i}" for s in "AB" for i in range(18))), these(*(f"P{i}" for i in range(36)))))
        elif kind in ("DP16KD", "PDPW16KD"):
            for pin, found in pins.items():
                if pin.startswith("DO"):
                    self.starts += [(net, BLOCK_RAM) for net in found if net is not None]
                elif not pin.startswith("CLK"):
                    self.ends += [(net, unit, "block RAM") for net in found if net is not None]
        elif kind == "TRELLIS_FF":
            self.starts += [(net, CLOCK_TO_Q) for net in these("Q")]
            self.ends += [(net, unit, pins["Q"][0]) for net in these("DI", "CE", "LSR")]

    def solve(self):
        """Of each net: when it is there, and the net and the cell that it comes from."""
        arrival, origin = [0.0] * len(self.names), [None] * len(self.names)
        users, driven, waiting, ready = [[] for _ in self.names], set(), [], []

        def flat(kind, pins):
            return [net for group in pins for net in group] if kind == "carry" else pins

        for index, (_, kind, inputs, outputs) in enumerate(self.cells):
            waiting.append(len(flat(kind, inputs)))
            for net in flat(kind, inputs):
                users[net].append(index)
            driven.update(flat(kind, outputs))
            if not waiting[-1]:
                ready += flat(kind, outputs)
        for net, when in self.starts:
            arrival[net] = when
        ready += [net for net in range(len(self.names)) if net not in driven]

        def latest(nets, more):
            """When the last one is there, and which; nothing in particular without nets."""
            last = max(nets, key=lambda n: arrival[n], default=None)
            return (0.0, None) if last is None else (arrival[last] + more, last)

        while ready:
            net = ready.pop()
            for index in users[net]:
                waiting[index] -= 1
                if waiting[index]:
                    continue
                _, kind, inputs, outputs = self.cells[index]
                if kind == "carry":
                    low, high = latest(inputs[0], WIRE), latest(inputs[1], WIRE)
                    carry = latest(inputs[2], 0.0)
                    middle = max((low[0] + CARRY_IN, low[1]), carry, key=lambda p: p[0])
                    found = [max((low[0] + LUT, low[1]), (carry[0] + CARRY_OUT, carry[1]), key=lambda p: p[0]),
                             max((high[0] + LUT, high[1]), (middle[0] + CARRY_OUT, middle[1]), key=lambda p: p[0]),
                             max((high[0] + CARRY_IN, high[1]), (middle[0] + CARRY_HOP, middle[1]), key=lambda p: p[0])]
                    made = list(zip(outputs, found))
                else:
                    made = [(outputs, latest(inputs, {"join": 0.0, "lut": WIRE + LUT, "product": WIRE + PRODUCT}[kind]))]
                for group, (when, source) in made:
                    for out in group:
                        arrival[out], origin[out] = when, (source, index)
                        ready.append(out)
        return arrival, origin


def join(files, unit_of):
    """The device of its units' netlists; files: {module: path}."""
    modules = {}
    for module, path in files.items():
        with open(path, encoding="utf-8") as file:
            modules[module.lstrip("\\")] = json.load(file)["modules"][module.lstrip("\\")]
    device = Device(lambda m: m.split("\\")[1] if "\\" in m else m)
    device.add(modules, next(m.lstrip("\\") for m in files if unit_of(m) == "ppu"), "ppu", {})
    return device


def flat(path):
    """The device of its netlist in one piece. Its cells belong to the units that the names of nets tell; most have none."""
    with open(path, encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    top = max(modules, key=lambda m: len(modules[m]["cells"]))  # the others are the chip's own cells
    device = Device(lambda _: None)
    device.add({top: modules[top]}, top, top, {})
    return device


def inside(name):
    """`u_sm.u_issue.hazard` -> `issue`; what is in no unit: `ppu`"""
    units = re.findall(r"\bu_(\w+)\.", name)
    return units[-1] if units else "ppu"


def steps_to(device, arrival, origin, net, flat_unit=None):
    """[[unit, ns, cells, names]] of the path to a net, one for each stretch inside a unit; flat_unit: of a device in one piece, the unit where it ends."""
    steps = []
    while net is not None:
        cell = origin[net]
        name = device.names[net]
        unit = device.cells[cell[1]][0] if cell else (re.sub(r"^u_", "", name[0]) if name else "?")
        if unit is None or (flat_unit and name):
            # In one piece: a gate without a name goes with what is behind it.
            unit = flat_unit = inside(name[1]) if name else flat_unit or "?"
        steps.append((unit, arrival[net], base_of(name[1]).split(".")[-1] if name else ""))
        net = cell[0] if cell else None
    stretches, before = [], 0.0
    for unit, when, name in reversed(steps):
        if not stretches or stretches[-1][0] != unit:
            stretches.append([unit, 0.0, 0, []])
        stretches[-1][1] += when - before
        stretches[-1][2] += 1
        before = when
        if name and name not in stretches[-1][3]:
            stretches[-1][3].append(name)
    return stretches


def show(device, count):
    """The longest paths: one for each way through the units to a register."""
    arrival, origin = device.solve()
    best, in_one_piece = {}, False
    for net, unit, target in device.ends:
        name = target if isinstance(target, str) else base_of(device.names[target][1]) if device.names[target] else "(a register)"
        if unit is None:
            unit, name, in_one_piece = inside(name), name.split(".")[-1], True
        if arrival[net] > arrival[best.setdefault((unit, name), net)]:
            best[unit, name] = net
    order = sorted(best, key=lambda k: -arrival[best[k]])
    slowest = arrival[best[order[0]]] + WIRE
    print(f"estimated: {slowest:.1f} ns, {1000 / slowest:.1f} MHz; longest paths, one for each way through the units:")
    seen = set()
    for unit, name in order:
        path = steps_to(device, arrival, origin, best[unit, name], unit if in_one_piece else None)
        way = tuple((s[0], s[2]) for s in path[:-1]) + (path[-1][0], unit)
        if way in seen or len(seen) == count:
            continue
        seen.add(way)
        print(f"{arrival[best[unit, name]] + WIRE:6.1f} ns to {unit}.{name}")
        for stretch, ns, cells, names in path:
            print(f"    {stretch:18} {ns:5.1f} ns {cells:3} cells  {' '.join(names)}"[:150])
