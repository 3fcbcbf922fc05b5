#!/usr/bin/env python3
"""scripts/mutate: where a source can be mutated, that each selector brings the mutant that is told and no other, and what wrong input gets.

usage: test_mutate.py [BUILD]        (in the project's top folder)
"""
import argparse
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts")

from mutate_lib import c_source, mutant, tables, tree

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else os.path.abspath("build")
C_TEXT = """#include <stdio.h>
#include <stdlib.h>
#define TWICE(x) ((x) * 2)
enum { SIZE = 4 };
static int limit = 9;
static int f(int a, int b) {
    int c[SIZE] = {1, 2, 3, 4};
    if (a < b && b != limit) return c[a & 3] + TWICE(b);
    switch (a) { case 7: return 70; default: break; }
    limit = a > 5 ? limit : 1;
    return a - b;
}
int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]);
    printf("%d %d\\n", f(a, b), limit);
    return argc == 9;
}
"""
SV_TEXT = """module little (
    input wire clk_i,
    input wire [3:0] a_i,
    output logic [3:0] b_o,
    output logic [7:0] c_o
);
    localparam int W = 4;
    localparam int INJECT = 0;
    always_ff @(posedge clk_i) begin
        if (a_i != 4'd3 && !clk_i) b_o <= a_i + 4'd1;
        if (INJECT != 0 && a_i == 4'd12) b_o <= 4'd13;
        else if (a_i == 4'd6 && !(INJECT != 0 && a_i == 4'd12)) b_o <= (INJECT != 0) ? 4'd11 : 4'd5;
        for (int i = 0; i < 4; i++) if (i < 3) b_o[i] <= 1'b0;
        c_o <= $signed(a_i) * $signed(b_o);
    end
    for (genvar k = 0; k < 2; k++) begin : g_part
        logic part_q;
        always_ff @(posedge clk_i) part_q <= k < 1 && a_i[k] == part_q;
    end
    wire unused = &{1'b0, 4'd10 == a_i};
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) assert (a_i < 4'd9);
`endif
endmodule
"""


class Mutate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-mutate-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def built(self, name, text):
        program = os.path.join(self.folder, name)
        subprocess.run(["gcc", "-std=gnu17", "-w", self.file(name + ".c", text), "-o", program], check=True)
        return program

    def answers(self, program, number=0):
        environment = dict(os.environ, TANDEM_MUTANT=str(number))
        return [subprocess.run([program, str(a), str(b)], env=environment, capture_output=True, text=True, check=False).stdout for a, b in ((1, 2), (2, 2), (7, 3), (3, 9), (8, 1))]

    def test_a_selector_brings_the_mutant_that_is_told(self):
        """Each one in the common build answers as the text in which it alone stands."""
        path = self.file("f.c", C_TEXT)
        found, text = c_source.places(path, [])
        chosen, count = mutant.choose([m for m in found if m.line <= 12], 1000, 1)
        self.assertEqual(len(chosen), count)
        self.assertGreater(count, 25)
        self.assertEqual({m.rule for m in chosen}, {"compare", "operator", "operand", "condition", "constant", "enable"})
        self.assertFalse([m.told() for m in chosen if "SIZE" in m.old or m.old == "7"], "a constant expression is mutated")
        together = self.built("together", c_source.finish(mutant.render(text, chosen, c_source.select), path))
        plain = self.answers(self.built("plain", C_TEXT))
        self.assertEqual(self.answers(together), plain)
        changed = 0
        for one in chosen[::4]:
            alone = self.answers(self.built("alone", text[:one.start] + "(" + one.new + ")" + text[one.end:]))
            self.assertEqual(self.answers(together, one.number), alone, one.told())
            changed += alone != plain
        self.assertGreater(changed, 3)

    def test_the_choice_repeats_itself_and_seeds_differ(self):
        found, _ = c_source.places(self.file("f.c", C_TEXT), [])
        first = [m.told() for m in mutant.choose(found, 10, 3)[0]]
        self.assertEqual(first, [m.told() for m in mutant.choose(found, 10, 3)[0]])
        self.assertNotEqual(first, [m.told() for m in mutant.choose(found, 10, 4)[0]])

    def test_verilog(self):
        python = os.path.join(BUILD, "venv-mutate/bin/python3")
        if not os.path.exists(python):
            self.skipTest("pyslang is not there: `make mutate` installs it")
        program = ("import sys; sys.path.insert(0, 'scripts'); sys.dont_write_bytecode = True\n"
                   "from mutate_lib import mutant, verilog\n"
                   "found, text = verilog.places(sys.argv[1], 'build')\n"
                   "chosen, _ = mutant.choose(found, 1000, 1)\n"
                   "print('\\n'.join(m.told() for m in chosen))\n"
                   "print(verilog.finish(mutant.render(text, chosen, verilog.select), 'little.sv'))\n")
        done = subprocess.run([python, "-c", program, self.file("little.sv", SV_TEXT)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for told in ("[compare] a_i != 4'd3  ->  a_i == 4'd3", "[operand] !clk_i  ->  clk_i", "[constant] 4'd1  ->  4'd2", "[enable] a_i + 4'd1  ->  b_o", "[width] a_i  ->",
                     "[enable] $signed(a_i) * $signed(b_o)  ->  $signed(c_o)"):  # beside an unsigned name the product would have no sign
            self.assertIn(told, done.stdout)
        self.assertIn("[compare] a_i[k] == part_q  ->  a_i[k] != part_q", done.stdout)  # what a generate loop repeats
        self.assertIn("[constant] 4'd5  ->  4'd6", done.stdout)  # what is there without a defect on purpose
        for told in ("4'd9  ->", "4'd10  ->", "4'd11  ->", "4'd12  ->", "4'd13  ->", "[operand] a_i == 4'd6", "[condition] (INJECT", "[width] i ", "[width] k ", "[compare] k < 2"):
            self.assertNotIn(told, done.stdout)  # an assertion, a defect on purpose, what is named unused: no part of the unit; a counter has bits to spare
        path = self.file("little.sv", done.stdout[done.stdout.index("module little"):])
        done = subprocess.run(["verilator", "--lint-only", "-Wno-lint", "-Wno-style", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    # ---- rounds ----

    def test_a_brief_round_comes_before_the_long_one(self):
        loader = importlib.machinery.SourceFileLoader("mutate_program", "scripts/mutate")
        program = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(program)
        options = argparse.Namespace(house="rtl", configs="nano,full", first=None, ops=None)
        self.assertEqual(program.rounds(options, ["a", "b", "unit/c"]), [("a", "nano", None), ("a", "full", None), ("b", "nano", None), ("b", "full", None)])
        self.assertEqual(program.rounds(options, ["rtl/a", "model/b"]), [("a", "nano", None), ("a", "full", None)])
        options = argparse.Namespace(house="model", configs="nano,full", first=100, ops=5000)
        self.assertEqual(program.rounds(options, ["rtl/b", "model/a", "unit/c"]), [("unit/c", None, None), ("a", "nano", 100), ("a", "full", 100), ("a", "nano", 5000), ("a", "full", 5000)])

    def test_what_is_verilated_of_the_same_texts_stays(self):
        folder, build = os.path.join(self.folder, "kept"), os.path.join(self.folder, "build")
        os.makedirs(os.path.join(build, "gen"))
        self.file("build/gen/config.mk", "CONFIG_nano_FLAGS := -GWIDTH=4\n")
        copy = tree.Tree(folder, build, "rtl")
        copy.write("rtl/sm/barrier.sv", "module barrier;\nendmodule\n")
        first = copy.texts("barrier", "nano")
        for name in ("stamped", "other"):
            os.makedirs(os.path.join(folder, "build", name))
        self.file("kept/build/stamped/texts", first)
        self.file("kept/build/program", "")
        copy = tree.Tree(folder, build, "rtl")
        self.assertEqual(sorted(os.listdir(os.path.join(folder, "build"))), ["gen", "stamped"])
        self.assertNotEqual(copy.texts("barrier", "nano"), first)
        copy.write("rtl/sm/barrier.sv", "module barrier;\nendmodule\n")
        self.assertEqual(copy.texts("barrier", "nano"), first)
        self.file("build/gen/config.mk", "CONFIG_nano_FLAGS := -GWIDTH=5\n")
        self.assertNotEqual(copy.texts("barrier", "nano"), first)

    # ---- tables ----

    def test_an_outcome_goes_into_its_row(self):
        path = os.path.join(self.folder, "rates.tbl")
        tables.save(path, tables.Outcome("rtl/a.sv", 10, 20, 9, 0, 1, 7))
        tables.save(path, tables.Outcome("rtl/b.sv", 10, 20, 9, 1, 0, 7))
        tables.save(path, tables.Outcome("rtl/a.sv", 10, 20, 10, 0, 0, 8))
        with open(path, encoding="utf-8") as file:
            rows = [line for line in file.read().splitlines() if line[0] != "#"]
        self.assertEqual(rows, ["rtl/a.sv | 20 | 10 | 10 | 0 | 0 | 100.0 % | 8", "rtl/b.sv | 20 | 10 | 9 | 1 | 0 | 100.0 % | 7"])

    def test_every_block_is_there(self):
        for block in tables.read_blocks(tables.BLOCKS).values():
            files = [path for path in (block.rtl, block.model) if path != "-"]
            self.assertTrue(files, block.name)
            for path in files + [f"tests/{bench}.c" if bench.startswith("unit/") else f"tests/rtl/{bench.removeprefix('model/').removeprefix('rtl/')}_bench.cpp" for bench in block.benches]:
                self.assertTrue(os.path.exists(path), f"{block.name}: {path}")
            for path in files:
                tables.read_equivalent(tables.EQUIVALENT, path)

    # ---- wrong input ----

    def refused(self, *arguments):
        done = subprocess.run(["scripts/mutate", *arguments], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
        return done.stderr

    def test_wrong_input(self):
        self.assertIn("no block of", self.refused(BUILD, "nothing"))
        self.assertIn("no block; --blocks", self.refused(BUILD))
        self.assertIn("not a number", self.refused(BUILD, "token_deque", "--count", "0"))
        self.assertIn("--house", self.refused(BUILD, "token_deque", "--house", "barn"))
        self.assertIn("no file of its own in the model", self.refused(BUILD, "arbiter", "--house", "model"))
        self.assertIn("No such file", self.refused(BUILD, "token_deque", "--table", self.folder + "/none"))
        self.assertIn("table.tbl:1: not 4 columns", self.refused(BUILD, "x", "--table", self.file("table.tbl", "x | y\n")))
        equivalent = self.file("equivalent.tbl", "rtl/x.sv\n    + b\n")
        with self.assertRaisesRegex(mutant.Wrong, "equivalent.tbl:2: not `@ line`"):
            tables.read_equivalent(equivalent, "rtl/x.sv")

    def test_line_that_is_gone(self):
        source = self.file("x.sv", "    assign a = b;\n")
        rows = f"{source}\n    @ assign a = b;\n    - b\n    + c\n    = they are alike\n    @ assign a = d;\n    - d\n    + c\n    = they were alike\n"
        self.assertEqual([line.split("; ")[0] for line in tables.without_line(self.file("equivalent.tbl", rows))],
                         [f"{self.file('equivalent.tbl', rows)}:9: {source} has no line `assign a = d;`"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
