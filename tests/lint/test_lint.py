#!/usr/bin/env python3
"""What scripts/include-graph, scripts/twins and scripts/check-casts refuse: each fault in a small tree of its own gets one clear line."""
import os
import subprocess
import tempfile
import unittest

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")
ROOMS = "cmodel/low\ncmodel/high : cmodel/low\ncmodel/files : files\n"
TREE = {
    "cmodel/rooms.tbl": ROOMS,
    "cmodel/low/low.h": "int low(void);\n",
    "cmodel/low/low.c": '#include "low/low.h"\nint low(void) { return 1; }\n',
    "cmodel/high/high.h": "int high(void);\n",
    "cmodel/high/high.c": '#include "low/low.h"\nint high(void);\nint high(void) { return low(); }\n',
    "cmodel/files/a.c": "int b(void);\nint a(void);\nint a(void) { return b(); }\n",
    "cmodel/files/b.c": "int b(void);\nint b(void) { return 2; }\n",
}
LIST = "## Only in rtl\n| file | why |\n|---|---|\n| `mem/bus` | a bus |\n## Only in cmodel\n| file | why |\n|---|---|\n| `mem/text` | text |\n"
HOUSES = {"rtl/twins.md": LIST, "rtl/mem/bus.sv": "", "rtl/mem/both.sv": "", "cmodel/mem/both.c": "", "cmodel/mem/text.c": "",
          "cmodel/mem/both_internal.h": ""}


class Tree(unittest.TestCase):
    def write(self, files):
        for name, text in files.items():
            path = os.path.join(self.root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name

    def run_script(self, name, *arguments):
        done = subprocess.run([os.path.join(SCRIPTS, name), "--root", self.root, *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr


class Casts(Tree):
    """check-casts runs with the Python that has its parser; what it says is so is asked of Yosys."""
    MODULE = "module t #(parameter int P = 3) (input wire c, input wire [4:0] a, input wire [2:0] b, input wire w, output wire [3:0] y);\n{}\nendmodule\n"

    def check(self, line, wanted):
        self.write({"t.sv": self.MODULE.format(line)})
        python = os.path.join(os.environ.get("BUILD", "build"), "venv-mutate", "bin", "python3")
        done = subprocess.run([python, os.path.join(SCRIPTS, "check-casts"), "build", "nano", "t", os.path.join(self.root, "t.sv")], capture_output=True, text=True, check=False)
        self.assertEqual(1 if wanted else 0, done.returncode, done.stderr)
        self.assertEqual(1 if wanted else 0, done.stderr.count("\n"), done.stderr)
        self.assertIn(wanted, done.stderr)

    def yosys_agrees(self, line, other):
        """Whether Yosys takes two lines for the same."""
        self.write({"t.sv": self.MODULE.format(line), "u.sv": self.MODULE.format(other).replace("module t", "module u")})
        script = f"read_verilog -sv {self.root}/t.sv {self.root}/u.sv; proc; miter -equiv -flatten t u m; hierarchy -top m; sat -verify -prove trigger 0 m"
        return subprocess.run(["yosys", "-q", "-p", script], capture_output=True, check=False).returncode == 0

    def test_in_a_concatenation(self):
        line = "assign y = {w, c ? P'(a) : b};"
        self.check(line, "t.sv:2: 3 bits in a concatenation, Yosys takes 5: c ? P'(a) : b")
        apart = "wire [2:0] s = c ? P'(a) : b; assign y = {w, s};"
        self.check(apart, "")
        self.assertFalse(self.yosys_agrees(line, apart))

    def test_compared(self):
        self.check("assign y = 4'(P'(a) - b == 3'd7);", "compared with 3 bits, Yosys takes 5")
        self.check("assign y = 4'(P'(a) == b);", "")

    def test_cast_of_a_sum(self):
        line = "assign y = 4'(b - 3'd1);"
        self.check(line, "computed with 3 bits, Yosys takes 4")
        self.assertFalse(self.yosys_agrees(line, "wire [2:0] s = b - 3'd1; assign y = {1'b0, s};"))

    def test_constants(self):
        self.check("wire [2:0] s = b - P'(1); assign y = {w, s == P'(P + 1), 2'(b)};", "")


class Rooms(Tree):
    def check(self, changes, *wanted, objects=True):
        """The tree with these changes is refused with these texts; without any it is good."""
        self.write({**TREE, **changes})
        arguments = []
        if objects:
            for folder, _, names in os.walk(self.root):
                for name in names:
                    if name.endswith(".c"):
                        source = os.path.join(folder, name)
                        subprocess.run(["cc", "-I", os.path.join(self.root, "cmodel"), "-c", source, "-o", source[:-2] + ".o"], check=True)
            arguments = ["--objects", self.root]
        code, text = self.run_script("include-graph", *arguments)
        self.assertEqual(code != 0, bool(wanted), text)
        for part in wanted:
            self.assertIn(part, text)

    def test_good(self):
        self.check({})

    def test_without_objects(self):
        self.check({}, objects=False)

    def test_include_upwards(self):
        self.check({"cmodel/low/low.c": '#include "../high/high.h"\nint low(void) { return 1; }\n'},
                   "cmodel/low/low.c includes ../high/high.h: cmodel/high/high.h is of room cmodel/high", objects=False)

    def test_call_upwards(self):
        self.check({"cmodel/low/low.c": "int high(void);\nint low(void);\nint low(void) { return high(); }\n"},
                   "cmodel/low/low.c uses high of it: cmodel/high/high.c is of room cmodel/high, on which room cmodel/low does not stand")

    def test_variable_upwards(self):
        self.check({"cmodel/low/low.c": "extern int shown;\nint low(void);\nint low(void) { return shown; }\n",
                    "cmodel/high/shown.c": "int shown = 1;\n"}, "uses shown of it")

    def test_circle_of_files(self):
        self.check({"cmodel/files/b.c": "int a(void);\nint b(void);\nint b(void) { return a(); }\n"},
                   "files of room cmodel/files form a circle", "cmodel/files/a.c uses b of it", "cmodel/files/b.c uses a of it")

    def test_circle_in_the_table(self):
        self.check({"cmodel/rooms.tbl": "cmodel/low : cmodel/high\ncmodel/high : cmodel/low\n"},
                   "rooms.tbl:1: cmodel/low stands on cmodel/high, which is not said above it")

    def test_room_twice(self):
        self.check({"cmodel/rooms.tbl": ROOMS + "cmodel/low\n"}, "rooms.tbl:4: room cmodel/low stands here twice, first in line 1")

    def test_line_without_colon(self):
        self.check({"cmodel/rooms.tbl": "cmodel/low\ncmodel/high cmodel/low\n"}, "where : must stand")

    def test_more_than_is_used(self):
        self.check({"cmodel/high/high.c": "int high(void);\nint high(void) { return 3; }\n"},
                   "line 2 of the table: cmodel/high stands on cmodel/low, but no file of it uses that")

    def test_no_room(self):
        self.check({"cmodel/lost/lost.c": "int lost(void);\nint lost(void) { return 0; }\n"}, "cmodel/lost/lost.c lies in no room")

    def test_no_table(self):
        code, text = self.run_script("include-graph")
        self.assertEqual((code, text.count("\n")), (1, 1))
        self.assertIn("rooms.tbl", text)


class Picture(Tree):
    def test_current(self):
        self.write(TREE)
        picture = os.path.join(self.root, "rooms.dot")
        self.assertEqual(self.run_script("include-graph", "--dot", picture), (0, ""))
        self.assertEqual(self.run_script("include-graph", "--picture", "rooms.dot"), (0, ""))
        self.write({"cmodel/rooms.tbl": ROOMS + "cmodel/top : cmodel/high cmodel/low\n"})
        code, text = self.run_script("include-graph", "--picture", "rooms.dot")
        self.assertEqual(code, 1)
        self.assertIn("rooms.dot is not the picture of the table", text)

    def test_implied_arrows_are_left_out(self):
        self.write({**TREE, "cmodel/rooms.tbl": ROOMS + "cmodel/top : cmodel/high cmodel/low\n"})
        picture = os.path.join(self.root, "rooms.dot")
        self.run_script("include-graph", "--dot", picture)
        with open(picture, encoding="utf-8") as file:
            text = file.read()
        self.assertIn('"cmodel/top" -> "cmodel/high"', text)
        self.assertNotIn('"cmodel/top" -> "cmodel/low"', text)


class Twins(Tree):
    def check(self, changes, *wanted):
        self.write({**HOUSES, **changes})
        code, text = self.run_script("twins")
        self.assertEqual(code != 0, bool(wanted), text)
        for part in wanted:
            self.assertIn(part, text)

    def test_good(self):
        self.check({})

    def test_new_in_rtl(self):
        self.check({"rtl/mem/extra.sv": ""}, "rtl/mem/extra has no twin in cmodel and no row")

    def test_new_in_cmodel(self):
        self.check({"cmodel/mem/extra.h": ""}, "cmodel/mem/extra has no twin in rtl and no row")

    def test_file_gone(self):
        self.check({"rtl/twins.md": LIST + "| `mem/gone` | was here |\n"}, "twins.md:9: there is no file mem/gone in cmodel")

    def test_twin_came(self):
        self.check({"cmodel/mem/bus.c": ""}, "mem/bus has a twin in cmodel")

    def test_no_reason(self):
        self.check({"rtl/twins.md": LIST.replace("a bus", "")}, "mem/bus has no reason")

    def test_twice(self):
        self.check({"rtl/twins.md": LIST + "| `mem/text` | again |\n"}, "mem/text stands here twice")


if __name__ == "__main__":
    unittest.main()
