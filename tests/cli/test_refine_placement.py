#!/usr/bin/python3
"""fpga/refine_placement.py: long paths become shorter, the netlist stays what it was, and all stands where an ECP5 lets it stand.

usage: test_refine_placement.py [--seed N] [BUILD]        (in the project's top folder)
"""
import copy
import ctypes
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401
except ImportError:  # another Python than Debian's is the first one here
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

sys.dont_write_bytecode = True  # the source tree stays clean
sys.path.insert(0, os.path.abspath("fpga"))
import refine_placement  # noqa: E402

SEED = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv[:-1] else 1
SIDE = 10  # tiles
BUILD = next((word for word in reversed(sys.argv[1:]) if not word.startswith("-") and not word.isdigit()), "build")
LIBRARY = os.path.abspath(os.path.join(BUILD, "libanneal.so"))
SCHEDULE = {**refine_placement.SCHEDULE, "begin": 0.1, "cooling": 0.8, "warm": 12, "cold": 8, "reach": 5, "moves": 10}  # short, and more moves


def cell(kind, place, inputs, outputs, strength=1, **parameters):
    return {"type": kind, "parameters": parameters, "attributes": {"NEXTPNR_BEL": place, "BEL_STRENGTH": f"{strength:032b}"},
            "port_directions": dict([(port, "input") for port in inputs] + [(port, "output") for port in outputs]),
            "connections": {port: [bit] if bit else [] for port, bit in {**inputs, **outputs}.items()}}


def design(cells):
    return {"modules": {"top": {"cells": cells, "netnames": {"net": {"bits": [9], "attributes": {"ROUTING": "X1/Y1/A;;1"}}}}}}


def across():
    """Eight LUTs in a row, in two corners by turns, between registers that are near each other"""
    cells = {"first": cell("TRELLIS_FF", "X0/Y0/SLICEA.FF0", {"CLK": 2, "LSR": 0, "CE": 0, "M": 0}, {"Q": 10}, 5, SD="0"),
             "last": cell("TRELLIS_FF", "X3/Y0/SLICEA.FF0", {"CLK": 2, "LSR": 0, "CE": 0, "M": 18}, {"Q": 19}, 5, SD="0")}
    for i in range(8):
        cells[f"lut{i}"] = cell("TRELLIS_COMB", f"X{(i % 2) * 40}/Y{(i % 2) * 40}/SLICE{'ABCD'[i // 2]}.K1", {"A": 10 + i}, {"F": 11 + i}, MODE="LOGIC")
    for x in range(0, 41, 4):  # tiles that there are
        cells[f"r{x}"] = cell("TRELLIS_FF", f"X{x}/Y1/SLICED.FF1", {"CLK": 2, "LSR": 0, "CE": 0, "M": 0}, {"Q": 200 + x}, 5, SD="0")
    return cells


def as_read(after):
    """What nextpnr reads, as nextpnr would have written it before: places that are locked as found, ports that are joined to nothing."""
    after = copy.deepcopy(after)
    for c in after["modules"]["top"]["cells"].values():
        c["attributes"]["NEXTPNR_BEL"] = c["attributes"].pop("BEL")
        c["connections"] = {port: [] if bits == ["x"] else bits for port, bits in c["connections"].items()}
    return after


def random_design(choose):
    """Registers of several clocks, resets and enables, LUTs (some of them in front of a register, some two to a multiplexer), carries, RAM, cells that are
    fixed; all where they may be."""
    cells, bits, waiting, carried = {}, [], [], {}

    def bit():
        bits.append(len(bits) + 100)
        return bits[-1]
    for x in range(SIDE):
        for y in range(SIDE):
            if choose.random() < 0.2:
                continue
            clock, reset, ram = choose.choice((2, 3)), choose.choice((4, 5, 0)), choose.random() < 0.1
            carry = carried.get((x - 1, y), 0) if not ram and choose.random() < 0.7 else 0  # of a chain that comes from the tile to the left
            chain = "ABCD"[:choose.choice((1, 2, 4)) if carry or choose.random() < 0.3 else 0]
            for part in "ABCD":
                enable, base, carries = choose.choice((6, 7, 0)), f"X{x}/Y{y}/SLICE{part}.", not ram and part in chain
                if ram and part == "C":
                    cells[f"w{x},{y}"] = cell("TRELLIS_RAMW", base + "RAMW", {"A0": 0}, {"WDO0": bit()})
                    continue
                if not ram and not carries and choose.random() < 0.2:
                    name, beside = f"m{x},{y},{part}", bit()
                    cells[name + "1"] = cell("TRELLIS_COMB", base + "K1", {port: 0 for port in "ABCD"}, {"F": beside}, MODE="LOGIC")
                    cells[name + "0"] = cell("TRELLIS_COMB", base + "K0", {**{port: 0 for port in "ABCDM"}, "F1": beside}, {"F": 0, "OFX": bit()}, MODE="LOGIC")
                    waiting.extend([(name + "1", ["A", "B"]), (name + "0", ["C", "M"])])
                    continue
                for k in (0, 1):
                    strength = choose.choice((1, 1, 1, 1, 5))
                    mode = "DPRAM" if ram and part in "AB" else "CCU2" if carries else "LOGIC"
                    output = 0
                    if mode != "LOGIC" or choose.random() < 0.6:
                        output = bit()
                        name = f"l{x},{y},{part}{k}"
                        chained = ({"FCI": carry}, {"FCO": bit()}) if mode == "CCU2" else ({}, {})
                        carry = chained[1].get("FCO", carry)
                        if mode == "CCU2" and part == "D" and k:
                            carried[x, y] = carry
                        strength = 1 if mode != "LOGIC" and choose.random() < 0.9 else strength
                        cells[name] = cell("TRELLIS_COMB", f"{base}K{k}", {**{port: 0 for port in "ABCD"}, **chained[0]}, {"F": output, **chained[1]}, strength, MODE=mode)
                        waiting.append((name, [port for port in "ABCD" if choose.random() < 0.6]))
                    if not ram and choose.random() < 0.5:
                        direct = output != 0 and choose.random() < 0.6
                        name = f"r{x},{y},{part}{k}"
                        cells[name] = cell("TRELLIS_FF", f"{base}FF{k}", {"DI" if direct else "M": output if direct else 0, "CLK": clock, "LSR": reset, "CE": enable},
                                           {"Q": bit()}, choose.choice((1, 1, 1, 5)), SD="1" if direct else "0", CLKMUX="CLK", LSRMUX="LSR", SRMODE="LSR_OVER_CE", CEMUX="CE", GSR="DISABLED")
                        if not direct:
                            waiting.append((name, ["M"]))
    for number in range(6):
        name = f"ram{number}"
        cells[name] = cell("DP16KD", f"X{number}/Y{SIDE}/EBR0", {"CLKA": 2, "ADA0": 0, "DIA0": 0}, {"DOA0": bit()}, choose.choice((1, 1, 1, 5)))
        waiting.append((name, ["ADA0", "DIA0"]))
    for name, ports in waiting:  # from registers, and from LUTs in front of it, so that nothing closes a loop
        order = list(cells).index(name)
        sources = [c["connections"]["Q"][0] for c in cells.values() if c["type"] == "TRELLIS_FF"]
        sources += [c["connections"]["DOA0"][0] for c in cells.values() if c["type"] == "DP16KD"]
        sources += [c["connections"][port][0] for c in list(cells.values())[:order] if c["type"] == "TRELLIS_COMB" for port in ("F", "OFX")
                    if c["connections"].get(port)]
        for port in ports:
            cells[name]["connections"][port] = [choose.choice(sources)]
    return design(cells)


def slot_behind(place):
    """Where a carry chain goes on"""
    x, y, part, k = re.fullmatch(r"X(\d+)/Y(\d+)/SLICE([ABCD])\.K([01])", place).groups()
    number = 2 * "ABCD".index(part) + int(k) + 1
    return f"X{int(x) + number // 8}/Y{y}/SLICE{'ABCD'[number % 8 // 2]}.K{number % 2}"


def annealing(design_):
    netlist = refine_placement.Netlist(copy.deepcopy(design_))
    return refine_placement.Annealing(netlist, refine_placement.Timing(netlist), refine_placement.Places(netlist), LIBRARY)


def faults(before, after):
    """What of a design is otherwise than it was, or stands where it may not."""
    found = []
    old, new = (d["modules"]["top"]["cells"] for d in (before, after))
    place = {name: c["attributes"]["NEXTPNR_BEL"] for name, c in new.items()}
    for name, was in old.items():
        now = copy.deepcopy(new[name])
        moved = place[name] != was["attributes"]["NEXTPNR_BEL"]
        now["attributes"]["NEXTPNR_BEL"] = was["attributes"]["NEXTPNR_BEL"]
        now["attributes"]["BEL_STRENGTH"] = was["attributes"]["BEL_STRENGTH"]
        if now != was:
            found.append(f"{name} is another cell")
        if moved and was["attributes"]["BEL_STRENGTH"].endswith("101"):
            found.append(f"{name} has moved")
        if was["type"] == "TRELLIS_RAMW":
            tile, corner = (p.split("/SLICE")[0] for p in (place[name], was["attributes"]["NEXTPNR_BEL"]))
            parts = {n: p.replace(corner + "/", tile + "/") for n, p in ((n, c["attributes"]["NEXTPNR_BEL"]) for n, c in old.items())
                     if p.startswith(corner + "/") and old[n]["parameters"].get("MODE") == "DPRAM"}
            found += [f"{n} has left its RAM" for n, p in parts.items() if place[n] != p]
    if old.keys() != new.keys() or len(set(place.values())) != len(place):
        found.append("two cells have one place")
    tiles, slices, modes, writers = {}, {}, {}, {p.rsplit(".", 1)[0] for p in place.values() if p.endswith("RAMW")}
    rams = {p.split("/SLICE")[0] for p in writers}
    carry_of = {c["connections"]["FCO"][0]: name for name, c in new.items() if c["connections"].get("FCO")}
    for name, c in new.items():
        before_it = carry_of.get((c["connections"].get("FCI") or [0])[0])
        if before_it is not None and place[name] != slot_behind(place[before_it]):
            found.append(f"{name} is not behind {before_it}")
    before_places = {c["attributes"]["NEXTPNR_BEL"] for c in old.values()}
    lut_of = {c["connections"]["F"][0]: name for name, c in new.items() if c["type"] == "TRELLIS_COMB" and c["connections"]["F"]}
    for name, c in new.items():
        slice_, what = re.fullmatch(r"(.*)[./]([A-Z]+\d?)", place[name]).groups()
        tile, sign = slice_.split("/SLICE")[0], {port: tuple(bits) for port, bits in c["connections"].items()}
        if not what.startswith({"TRELLIS_FF": "FF", "TRELLIS_COMB": "K", "DP16KD": "EBR", "TRELLIS_RAMW": "RAMW"}[c["type"]]):
            found.append(f"{name} is at {place[name]}")
        if c["type"] == "TRELLIS_FF":
            if tiles.setdefault(tile, (sign["CLK"], sign["LSR"])) != (sign["CLK"], sign["LSR"]):
                found.append(f"clocks or resets of {tile}")
            if slices.setdefault(slice_, sign["CE"]) != sign["CE"]:
                found.append(f"enables of {slice_}")
            if tile in rams:
                found.append(f"{name} stands beside a RAM")
            if c["parameters"]["SD"] == "1" and place[lut_of[sign["DI"][0]]] != place[name].replace(".FF", ".K"):
                found.append(f"{name} is not at its LUT")
        if c["type"] == "TRELLIS_COMB" and modes.setdefault(slice_, c["parameters"]["MODE"]) != c["parameters"]["MODE"]:
            found.append(f"a LUT and a carry or a RAM in {slice_}")
        if "F1" in sign and place[lut_of[sign["F1"][0]]] != slice_ + ".K1":
            found.append(f"{name} is not beside its other half")
        beside = place[name].replace(".K", ".FF")
        if c["type"] == "TRELLIS_COMB" and any(sign.get("M", ())) and beside in place.values() and beside not in before_places:
            found.append(f"a register stands beside {name}, which takes M")
        if c["type"] == "TRELLIS_COMB" and slice_ in writers:
            found.append(f"{name} is where a RAM is written")
    return found


class Refine(unittest.TestCase):
    def refine(self, before):
        """(ns before, ns after, the design after)"""
        netlist = refine_placement.Netlist(copy.deepcopy(before))
        was, now, bels = refine_placement.refine(netlist, LIBRARY, schedule=SCHEDULE)
        with tempfile.TemporaryDirectory(prefix="tandem-refine-") as folder:
            netlist.write(os.path.join(folder, "after.json"), bels)
            with open(os.path.join(folder, "after.json"), encoding="utf-8") as file:
                after = as_read(json.load(file))
        self.assertAlmostEqual(annealing(after).longest(), now)
        return was, now, after

    def run_it(self, before, *words):
        """What the program writes of a design"""
        with tempfile.TemporaryDirectory(prefix="tandem-refine-") as folder:
            with open(os.path.join(folder, "placed.json"), "w", encoding="utf-8") as file:
                json.dump(before, file)
            done = subprocess.run([os.path.abspath("fpga/refine_placement.py"), "--library", LIBRARY, *words, "placed.json", "target.json"], capture_output=True, text=True,
                                  check=False, cwd=folder)
            self.assertEqual((0, ""), (done.returncode, done.stderr))
            with open(os.path.join(folder, "target.json"), encoding="utf-8") as file:
                return json.load(file), done.stdout

    def test_random_designs(self):
        """BU-3: nothing but places is changed, all of them are allowed, and the longest path is no longer than it was"""
        shorter = moved = 0
        for number in range(10):
            seed = SEED * 100 + number
            before = random_design(random.Random(seed))
            self.assertEqual([], faults(before, before), f"seed {seed}")
            was, now, after = self.refine(before)
            self.assertEqual([], faults(before, after), f"--seed {SEED} ({seed})")
            self.assertLessEqual(now, was)
            shorter += now < 0.97 * was
            moved += any(c["attributes"]["NEXTPNR_BEL"] != after["modules"]["top"]["cells"][name]["attributes"]["NEXTPNR_BEL"]
                         for name, c in before["modules"]["top"]["cells"].items())
        self.assertGreater(moved, 2)
        self.assertGreater(shorter, 1)

    def test_each_rule_is_needed(self):
        """BU-3: told less of what stands in a tile, something stands where it may not"""
        for told, value, fault in (("tile_sign", 0, "clocks or resets"), ("slice_sign", 0, "enables"), ("takes_lut", 0, "not at its LUT"), ("movable", 1, "have one place|beside its other half"),
                                   ("ram_writer", -1, "is where a RAM is written|stands beside a RAM"), ("block_slots", 2, "is not behind|has left its RAM")):
            found = []
            for number in range(8):
                lied_to = annealing(random_design(random.Random(SEED * 100 + number)))
                before = copy.deepcopy(lied_to.netlist.design)
                lied_to.arrays[told][:] = value
                lied_to.run(SCHEDULE, 1, lambda line: None)
                for c, bel in zip(lied_to.netlist.cells, lied_to.netlist.bels):
                    c["attributes"]["NEXTPNR_BEL"] = bel
                found += [f for f in faults(before, lied_to.netlist.design) if re.search(fault, f)]
            self.assertNotEqual([], found, told)

    def test_chains_and_rams_move(self):
        """BU-3: a carry chain and a LUT RAM go where their wires end, and stay whole"""
        cells = {"first": cell("TRELLIS_FF", "X6/Y6/SLICEA.FF0", {"CLK": 2, "LSR": 0, "CE": 0, "M": 0}, {"Q": 10}, 5, SD="0"),
                 "writer": cell("TRELLIS_RAMW", "X9/Y0/SLICEC.RAMW", {"A0": 10}, {"WDO0": 90})}
        for k in range(12):
            cells[f"carry{k}"] = cell("TRELLIS_COMB", f"X{k // 8}/Y0/SLICE{'ABCD'[k % 8 // 2]}.K{k % 2}", {"A": 10, "FCI": 30 + k if k else 0}, {"F": 0, "FCO": 31 + k}, MODE="CCU2")
        for k in range(4):
            cells[f"ram{k}"] = cell("TRELLIS_COMB", f"X9/Y0/SLICE{'AB'[k // 2]}.K{k % 2}", {"A": 10}, {"F": 50 + k}, MODE="DPRAM")
        for x in range(10):  # tiles that there are
            for y in range(10):
                if (x, y) != (9, 0):
                    cells[f"t{x},{y}"] = cell("TRELLIS_FF", f"X{x}/Y{y}/SLICED.FF1", {"CLK": 2, "LSR": 0, "CE": 0, "M": 0}, {"Q": 0}, SD="0")
        before = design(cells)
        for fixed, moves in ((False, True), (True, False)):
            for name in ("carry5", "ram2"):
                cells[name]["attributes"]["BEL_STRENGTH"] = f"{5 if fixed else 1:032b}"
            after = self.refine(before)[2]
            self.assertEqual([], faults(before, after))
            for name in ("carry0", "ram0"):
                x, y = map(int, re.match(r"X(\d+)/Y(\d+)", after["modules"]["top"]["cells"][name]["attributes"]["NEXTPNR_BEL"]).groups())
                self.assertEqual(moves, abs(x - 6) + abs(y - 6) < 6, name)

    def test_a_path_that_goes_across(self):
        """BU-3: its LUTs come together"""
        cells = across()
        was, now, after = self.refine(design(cells))
        self.assertEqual([], faults(design(cells), after))
        self.assertLess(now, was / 2)

    def test_multiplexers_behind_luts(self):
        """BU-3: the path through two LUTs and the multiplexer that joins them counts, and they stay beside each other"""
        cells = {"first": cell("TRELLIS_FF", "X0/Y0/SLICEA.FF0", {"CLK": 2, "LSR": 0, "CE": 0, "M": 0}, {"Q": 10}, 5, SD="0"),
                 "half": cell("TRELLIS_COMB", "X30/Y0/SLICEB.K1", {"A": 10}, {"F": 11}, MODE="LOGIC"),
                 "whole": cell("TRELLIS_COMB", "X30/Y0/SLICEB.K0", {"F1": 11, "M": 0}, {"F": 0, "OFX": 12}, MODE="LOGIC"),
                 "last": cell("TRELLIS_FF", "X60/Y0/SLICEA.FF0", {"CLK": 2, "LSR": 0, "CE": 0, "M": 12}, {"Q": 13}, 5, SD="0")}
        anneal_wire = ctypes.CDLL(LIBRARY).anneal_wire
        anneal_wire.restype = ctypes.c_double
        wires = 2 * anneal_wire(30, 0)
        expected = refine_placement.CLOCK_TO_Q + wires + refine_placement.LUT + refine_placement.WIDE
        self.assertAlmostEqual(expected, annealing(design(cells)).longest())
        self.assertEqual([], faults(design(cells), self.refine(design(cells))[2]))

    def test_block_rams_change_places(self):
        """BU-3: two whose wires cross stand where the wires are short; not when one of them is fixed"""
        for strength, crossed in ((1, False), (5, True)):
            cells = {f"lut{i}": cell("TRELLIS_COMB", f"X{40 * i}/Y0/SLICEA.K0", {"A": 20 + i}, {"F": 30 + i}, 5, MODE="LOGIC") for i in (0, 1)}
            cells |= {f"ram{i}": cell("DP16KD", f"X{40 * (1 - i)}/Y5/EBR0", {"CLKA": 2, "ADA0": 30 + i}, {"DOA0": 20 + i}, strength if i else 1) for i in (0, 1)}
            after = self.refine(design(cells))[2]["modules"]["top"]["cells"]
            self.assertEqual([f"X{40 * (i ^ crossed)}/Y5/EBR0" for i in (0, 1)], [after[f"ram{i}"]["attributes"]["NEXTPNR_BEL"] for i in (0, 1)])

    def test_as_nextpnr_reads_it(self):
        """BU-3: every place locked, none as bound before nextpnr knows what stands there; ports that are joined to nothing are there; no routing of before,
        no settings that would go before words; and with --as-placed that alone is changed"""
        before = design(across())
        before["modules"]["top"]["settings"] = {"arch.speed": "6", "pack": "1", "router": "router1", "target_freq": "12000000", "place": "1"}
        for words in ([], ["--as-placed"]):
            after, said = self.run_it(before, *words)
            top = after["modules"]["top"]
            self.assertEqual({"arch.speed": "6", "pack": "1"}, top["settings"])
            self.assertEqual({}, top["netnames"]["net"]["attributes"])
            for name, c in top["cells"].items():
                self.assertEqual({"BEL"}, set(c["attributes"]))
                self.assertEqual(set(before["modules"]["top"]["cells"][name]["connections"]), set(c["connections"]))
                self.assertTrue(all(c["connections"].values()))
            stays = all(top["cells"][name]["attributes"]["BEL"] == c["attributes"]["NEXTPNR_BEL"] for name, c in before["modules"]["top"]["cells"].items())
            self.assertEqual(words != [], stays)
            if not words:
                self.assertRegex(said, r"the longest path is estimated at [0-9.]+ ns, [0-9.]+ as placed")
        self.assertEqual([], faults(before, as_read(after)))

    def test_wrong_input(self):
        """BU-3: a line that says what is wrong, and no netlist"""
        with tempfile.TemporaryDirectory(prefix="tandem-refine-") as folder:
            def run(text, *words):
                with open(os.path.join(folder, "placed.json"), "w", encoding="utf-8") as file:
                    file.write(text)
                done = subprocess.run([os.path.abspath("fpga/refine_placement.py"), *(words or ("placed.json", "target.json"))],
                                      capture_output=True, text=True, check=False, cwd=folder)
                self.assertFalse(os.path.exists(os.path.join(folder, "target.json")))
                return done
            unplaced = random_design(random.Random(SEED))
            for c in unplaced["modules"]["top"]["cells"].values():
                del c["attributes"]["NEXTPNR_BEL"]
            for text, said in (("no JSON", "is no netlist"), ("{}", "is no netlist"), ('{"modules": {}}', "is no netlist"), (json.dumps(unplaced), "--no-route --write")):
                done = run(text)
                self.assertEqual(1, done.returncode)
                self.assertIn(said, done.stderr)
                self.assertEqual(1, done.stderr.count("\n"), done.stderr)
            done = run("{}", os.path.join(folder, "none.json"), os.path.join(folder, "target.json"))
            self.assertEqual((1, 1), (done.returncode, done.stderr.count("\n")))
            self.assertEqual(2, run("{}", "one").returncode)
            self.assertEqual(0, run("{}", "--help").returncode)


if __name__ == "__main__":
    print(f"refine_placement: --seed {SEED}", file=sys.stderr)
    unittest.main(argv=sys.argv[:1])
