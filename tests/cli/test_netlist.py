#!/usr/bin/env python3
"""scripts/netlist-verilog: what it writes of a netlist for ECP5 does what the Verilog did that the netlist was made of, and what it cannot is told (BU-2).

usage: test_netlist.py [BUILD]        (in the project's top folder)

Yosys maps a small module with each kind of cell in it; Verilator runs module and netlist side by side under random inputs and counts the cycles in which
they differ.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, "scripts")
import ecp5_mapping  # noqa: E402
from lut_expression import expression  # noqa: E402

# LUT RAM, block RAM of two widths and with ports of different widths, a multiplier, carries, registers with reset, with enable, with neither, and one at the other edge.
MODULE = """module NAME(input wire clk_i, input wire rst_i, input wire [7:0] inject_i, input wire [63:0] in_i, output reg [63:0] out_o, output reg late_o);
  reg [3:0] small_q[16];
  reg [35:0] wide_q[512];
  reg [17:0] word_q[1024];
  (* ram_style = "block" *) reg [7:0] part_q[256];
  reg [35:0] wide_read_q;
  reg [17:0] word_read_q;
  reg [7:0] part_read_q;
  reg [15:0] count_q;
  reg [35:0] product_q;
  wire [8:0] at = in_i[8:0], read_at = in_i[9] ? in_i[8:0] : in_i[18:10];
  always @(posedge clk_i) begin
    if (in_i[20]) small_q[in_i[24:21]] <= in_i[28:25];
    if (in_i[30] && !rst_i) wide_q[{7'd0, at[1:0]}] <= {in_i[3:0], in_i[63:32]};
    wide_read_q <= wide_q[{7'd0, read_at[1:0]}];
    if (in_i[31]) word_q[{8'd0, in_i[41:40]}] <= in_i[59:42];
    if (in_i[60]) word_read_q <= word_q[{8'd0, in_i[33:32]}];
    for (int k = 0; k < 4; k++) if (in_i[62]) part_q[{4'd0, in_i[44:43], k[1:0]}] <= in_i[8*k +: 8];
    if (in_i[63]) part_read_q <= part_q[{4'd0, in_i[51:48]}];
    product_q <= $signed(in_i[17:0]) * $signed({1'b0, in_i[40:24]});
    if (rst_i) count_q <= 16'h1234;
    else if (in_i[61]) count_q <= count_q + in_i[15:0] - {8'd0, in_i[23:16]};
    out_o <= {small_q[in_i[35:32]], product_q[35:8], wide_read_q[31:0]} ^ {28'd0, wide_read_q[35:32], count_q, word_read_q[17:2]} ^ {54'd0, part_read_q, word_read_q[1:0]};
  end
  always @(negedge clk_i) late_o <= ^count_q;
endmodule
"""
# Contents at the beginning differ (each is random), so all is written once before anything is compared.
BENCH = """module bench(input wire clk_i, input wire rst_i, input wire [7:0] inject_i, input wire [63:0] in_i, output wire differ_o);
  wire [63:0] a, b;
  wire late_a, late_b;
  source u_source(.clk_i, .rst_i, .inject_i(8'd0), .in_i, .out_o(a), .late_o(late_a));
  netlist u_netlist(.clk_i, .rst_i, .inject_i, .in_i, .out_o(b), .late_o(late_b));
  assign differ_o = a != b || late_a != late_b;
endmodule
"""
MAIN = """#include <cstdio>
#include <cstdlib>
#include <verilated.h>
#include "Vbench.h"
int main(int, char **arguments) {
    VerilatedContext context;
    context.randReset(2);
    Vbench top(&context);
    uint64_t state = 88172645463325252u, differ = 0;
    top.inject_i = static_cast<unsigned char>(atoi(arguments[1]));
    for (int cycle = 0; cycle < 60000; cycle++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        top.rst_i = cycle < 4 || state % 97 == 0;
        top.in_i = state * 2685821657736338717u;
        top.clk_i = 0;
        top.eval();
        differ += cycle > 4000 && top.differ_o;
        top.clk_i = 1;
        top.eval();
    }
    printf("%llu\\n", static_cast<unsigned long long>(differ));
    return 0;
}
"""
ODD = "module odd(input wire clk_i, input wire rst_i, input wire d_i, output reg q_o); always @(posedge clk_i or posedge rst_i) if (rst_i) q_o <= 0; else q_o <= d_i; endmodule\n"


class Netlist(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-netlist-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def map(self, text, top, more=""):
        """The netlist of a module; `more`: commands that spoil it."""
        source, netlist = self.file(top + "-source.v", text), self.path(top + ".json")
        script = f"read_verilog -sv {source}; hierarchy -top {top}; proc; {ecp5_mapping.command(20000, top, 'check')}; {more} blackbox =A:whitebox; write_json {netlist}"
        subprocess.run(["yosys", "-q", "-p", script], check=True)
        return netlist

    def write(self, *words):
        return subprocess.run(["scripts/netlist-verilog", *words], capture_output=True, text=True, check=False)

    def refused(self, told, *words):
        done = self.write(*words)
        self.assertEqual(1, done.returncode, done.stderr)
        self.assertEqual(1, done.stderr.count("\n"), done.stderr)
        self.assertIn(told, done.stderr)

    def simulation(self, netlist, *words, bench=BENCH, main=MAIN):
        out = self.path("netlist.v")
        done = self.write(netlist, out, *words)
        self.assertEqual(0, done.returncode, done.stderr)
        sources = [self.file("source.v", MODULE.replace("NAME", "source")), self.file("bench.v", bench), out]
        subprocess.run(["verilator", "--cc", "--exe", "--build", "-O3", "--x-initial", "unique", "-Wno-lint", "-Wno-fatal", "--Mdir", self.path("sim"), "--top-module", "bench",
                        *sources, os.path.abspath("tb/ecp5_cells.sv"), self.file("main.cpp", main)], check=True, stdout=subprocess.DEVNULL)
        return lambda defect: int(subprocess.run([self.path("sim/Vbench"), str(defect)], capture_output=True, text=True, check=True).stdout)

    def test_it_does_what_the_source_does_and_defects_show(self):
        """BU-2: every kind of cell, with RAM that is read and written in one place at once; of ten defects most show"""
        netlist = self.map(MODULE.replace("NAME", "netlist"), "netlist")
        with open(netlist, encoding="utf-8") as file:
            cells = json.load(file)["modules"]["netlist"]["cells"].values()
        kinds = {cell["type"] for cell in cells}
        widths = {tuple(int(cell["parameters"]["DATA_WIDTH_" + side], 2) for side in "AB") for cell in cells if cell["type"] == "DP16KD"}
        self.assertTrue(any(a != b for a, b in widths), widths)
        self.assertEqual({"LUT4", "CCU2C", "TRELLIS_FF", "TRELLIS_DPR16X4", "DP16KD", "MULT18X18D"}, kinds)
        differ = self.simulation(netlist, "--defects", "10")
        self.assertEqual(0, differ(0))
        found = sum(differ(defect) > 0 for defect in range(1, 11))
        self.assertGreaterEqual(found, 7)

    def test_a_function_switches_defects_on(self):
        """BU-2: without a port for them; a number that is none is refused"""
        netlist = self.map(MODULE.replace("NAME", "netlist").replace("input wire [7:0] inject_i, ", ""), "netlist")
        bench = BENCH.replace(".inject_i, .in_i", ".in_i")
        main = MAIN.replace("int main", "static int number;\nextern \"C\" int which() { return number; }\nint main").replace("top.inject_i =", "number =")
        differ = self.simulation(netlist, "--defects", "5", "--switch", "which", bench=bench, main=main)
        self.assertEqual(0, differ(0))
        self.assertGreaterEqual(sum(differ(defect) > 0 for defect in range(1, 6)), 2)
        with self.assertRaises(subprocess.CalledProcessError) as refused:
            differ(6)
        self.assertIn("there are 5 defects", refused.exception.stdout + refused.exception.stderr)

    def test_what_is_less_is_less(self):
        """BU-2: comparisons mapped to a carry chain say what they said, whatever the widths and signs; a chain that begins otherwise is caught"""
        ports, lines = [], []
        for number, (a, b) in enumerate(((5, 5), (6, 6), (8, 5), (3, 9), (13, 13), (20, 20))):
            ports += [f"input [{a - 1}:0] a{number}", f"input [{b - 1}:0] b{number}", f"output [11:0] y{number}"]
            signs = (("{}", "{}"), ("$signed({})", "$signed({})"), ("$signed({})", "{}"))
            lines += [f"assign y{number}[{4 * s + o}] = {sign_a.format('a%d' % number)} {op} {sign_b.format('b%d' % number)};"
                      for s, (sign_a, sign_b) in enumerate(signs) for o, op in enumerate(("<", "<=", ">", ">="))]
        source = self.file("compare.v", f"module compare({', '.join(ports)});\n" + "\n".join(lines) + "\nendmodule\n")
        with open(ecp5_mapping.LESS, encoding="utf-8") as file:
            right = file.read()
        wrong = right.replace(".CI(1'b1)", ".CI(1'b0)")
        self.assertNotEqual(right, wrong)
        for name, text, agrees in (("right", right, True), ("wrong", wrong, False)):
            script = (f"read_verilog -sv {source}; proc; copy compare mapped; cd mapped; techmap -map {self.file(name + '.v', text)}; "
                      "select -assert-none t:$lt t:$le t:$gt t:$ge; cd; miter -equiv -flatten -make_outputs compare mapped both; "
                      "sat -verify -prove trigger 0 -show-inputs both")
            done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True, check=False)
            self.assertEqual(agrees, done.returncode == 0, done.stdout[-500:] + done.stderr[-500:])

    def test_block_ram_promises_nothing_where_both_ports_meet(self):
        """BU-2: a netlist that takes what block RAM does not promise is caught"""
        # Without what Yosys adds to RAM for the case: `no_rw_check` says that nobody cares.
        for memory in ("reg [35:0] wide_q", "reg [7:0] part_q"):
            careless = MODULE.replace("NAME", "netlist").replace(memory, "(* no_rw_check *) " + memory)
            self.assertGreater(self.simulation(self.map(careless, "netlist"))(0), 100, memory)

    def test_what_it_has_no_model_for_is_named(self):
        """BU-2: registers that are reset beside the clock, kinds of cells that it does not know"""
        self.refused("SRMODE ASYNC, of which there is no model", self.map(ODD, "odd"), self.path("out.v"))
        self.assertFalse(os.path.exists(self.path("out.v")))
        strange = self.file("strange.json", json.dumps({"modules": {"a": {"attributes": {"top": "1"}, "ports": {}, "netnames": {}, "cells": {"x": {
            "type": "EHXPLLL", "parameters": {}, "connections": {}}}}}}))
        self.refused("x is a EHXPLLL, of which there is no model", strange, self.path("out.v"))

    def test_wrong_files(self):
        """BU-2: no netlist, half a netlist, none at the top, defects without a switch"""
        self.refused("No such file", self.path("none.json"), self.path("out.v"))
        self.refused("half.json", self.file("half.json", '{"modules": {'), self.path("out.v"))
        self.refused("0 modules at the top", self.file("none_at_top.json", '{"modules": {}}'), self.path("out.v"))
        plain = self.file("plain.json", json.dumps({"modules": {"a": {"attributes": {"top": "1"}, "ports": {}, "netnames": {}, "cells": {}}}}))
        self.refused("a has no inject_i", plain, self.path("out.v"), "--defects", "3")
        self.assertEqual(2, self.write(plain, self.path("out.v"), "--defects", "256").returncode)

    def test_expressions_are_the_tables(self):
        """BU-2: LUTs as expressions, constants among their inputs"""
        import random
        chosen = random.Random(7)
        lines, names = [], ["a", "b", "c", "d"]
        for number in range(400):
            inputs = [chosen.choice([name, name, name, "1'b0", "1'b1"]) for name in names]
            table = chosen.choice([chosen.getrandbits(16), 1 << chosen.randrange(16), 0xFFFF ^ 1 << chosen.randrange(16), 0x6996, 0xCACA])
            lines.append(f"if (({expression(table, inputs)}) !== table_{number}[{{{', '.join(reversed(inputs))}}}]) $display(\"wrong {number} %b\", at);")
            lines.insert(0, f"reg [15:0] table_{number} = 16'd{table};")
        declared = [line for line in lines if line.startswith("reg")]
        text = "module t; reg [4:0] at; wire a = at[0], b = at[1], c = at[2], d = at[3];\n" + "\n".join(declared) + "\ninitial begin for (at = 0; at < 16; at = at + 1) begin #1;\n" + \
            "\n".join(line for line in lines if line.startswith("if")) + '\nend $display("done"); end endmodule\n'
        subprocess.run(["iverilog", "-g2012", "-o", self.path("t"), self.file("t.v", text)], check=True)
        done = subprocess.run([self.path("t")], capture_output=True, text=True, check=True)
        self.assertEqual("done\n", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
