#!/usr/bin/env python3
"""scripts/verilate: instances of a module share their code, and still are what they are; messages name the one that they are of.

usage: test_verilate.py BUILD        (in the project's top folder, after make: it takes Verilator's own objects from there)
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
sys.path.insert(0, "scripts")
import shared_code  # noqa: E402

# Each instance counts by a step of its own, and says when it comes to its limit.
UNIT = """
module unit (input wire clk_i, input wire [7:0] step_i, input wire [7:0] limit_i, output reg [7:0] count_o);
    function automatic [7:0] reversed(input [7:0] bits);
        for (int i = 0; i < 8; i++) reversed[i] = bits[7 - i];
    endfunction
    function automatic [7:0] sum(input [7:0] x, input [7:0] y);
        reg [7:0] other;
        begin
            other = reversed(reversed(y));
            sum = x + other;
        end
    endfunction
    initial count_o = 0;
    always @(posedge clk_i) begin
        count_o <= sum(count_o, step_i);
        assert (count_o < limit_i);
    end
endmodule
"""
TOP = """
module top (input wire clk_i, input wire [23:0] steps_i, input wire [23:0] limits_i, output wire [23:0] counts_o);
    for (genvar i = 0; i < 3; i++) begin : g_unit
        unit u_unit (.clk_i, .step_i(steps_i[8*i +: 8]), .limit_i(limits_i[8*i +: 8]), .count_o(counts_o[8*i +: 8]));
    end
endmodule
"""
WHOLE = '`verilator_config\nno_inline -module "unit"\npublic_flat_rd -module "unit" -var "????*_i"\n'
MAIN = """
#include "Vtop.h"
#include <cstdio>
int main()
{
    VerilatedContext context;
    context.fatalOnError(false);
    Vtop top{&context};
    top.steps_i = 0x030201;
    top.limits_i = 0xFF04FF;  // the second one's
    for (int cycle = 0; cycle < 3; cycle++) {
        top.clk_i = 0, top.eval();
        top.clk_i = 1, top.eval();
    }
    std::printf("counts %06x\\n", top.counts_o);
    top.clk_i = 0, top.eval();
    top.final();
    return 0;
}
"""


class Verilate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tandem-verilate-")
        cls.addClassCleanup(folder.cleanup)
        cls.out = folder.name
        for name, text in (("unit.v", UNIT), ("top.v", TOP), ("whole.vlt", WHOLE), ("main.cpp", MAIN)):
            with open(cls.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        cls.verilate()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.out, name)

    @classmethod
    def verilate(cls):
        words = ["scripts/verilate", cls.path("cpp"), "Vtop", "--assert", "-sv", "-Wno-fatal", "--top-module", "top"]
        subprocess.run(words + [cls.path(name) for name in ("whole.vlt", "top.v", "unit.v")], check=True, capture_output=True)

    def texts(self):
        found = {}
        for name in os.listdir(self.path("cpp")):
            if name.endswith((".cpp", ".h")):
                with open(self.path("cpp/" + name), encoding="utf-8") as file:
                    found[name] = file.read()
        return found

    def test_code_is_there_once(self):
        self.assertEqual(sum(len(re.findall(r"count_o = vlSelf->count_o;", text)) for text in self.texts().values()), 1)
        calls = [re.findall(r"\{\n    (Vtop_unit___nba_\w+)\(vlSelf\);\n\}", text) for text in self.texts().values()]
        self.assertEqual(len(sum(calls, [])), 2, calls)

    def test_again_changes_nothing(self):
        before = self.texts(), os.stat(self.path("cpp/Vtop.cpp")).st_mtime_ns
        self.verilate()
        self.assertEqual(before, (self.texts(), os.stat(self.path("cpp/Vtop.cpp")).st_mtime_ns))

    def test_each_does_its_own(self):
        root = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True, check=True).stdout.strip()
        sources = [self.path("cpp/" + name) for name in self.texts() if name.endswith(".cpp")]
        objects = [f"{BUILD}/rtl/{name}.o" for name in ("verilated", "verilated_threads")]
        subprocess.run(["g++", "-std=gnu++17", "-O0", "-w", f"-isystem{root}/include", f"-isystem{root}/include/vltstd", "-I" + self.path("cpp"),
                        self.path("main.cpp"), *sources, *objects, "-lpthread", "-o", self.path("main")], check=True)
        done = subprocess.run([self.path("main")], capture_output=True, text=True, check=False)
        self.assertIn("counts 090603", done.stdout)
        self.assertRegex(done.stdout, r"Assertion failed in \S*g_unit\[1\]\.u_unit: ")
        self.assertNotRegex(done.stdout, r"g_unit\[[02]\]")


class Share(unittest.TestCase):
    """What is shared and what is not, by texts as Verilator writes them."""
    LINES = "\n".join(f"    vlSelf->m{n} = vlSelf->n{n};" for n in range(shared_code.LEAST))

    def function(self, name, body, kind="Vtop_unit"):
        return f"VL_INLINE_OPT void {kind}___{name}({kind}* vlSelf) {{\n{self.LINES}\n{body}\n}}"

    def shares(self, *functions):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "Vtop.cpp")
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n\n".join(functions) + "\n")
            return shared_code.share([path])

    def test_names_of_its_own(self):
        a = self.function("nba_a", "    CData/*7:0*/ __Vtemp_1;\n    __Vtemp_1 = vlSelf->x;\n    vlSelf->y = __Vtemp_1;")
        b = self.function("nba_b", "    CData/*7:0*/ __Vtemp_2;\n    __Vtemp_2 = vlSelf->x;\n    vlSelf->y = __Vtemp_2;")
        self.assertEqual(self.shares(a, b), 1)

    def test_order_of_names(self):
        both = "    CData/*7:0*/ p;\n    CData/*7:0*/ q;\n    p = vlSelf->x;\n    q = vlSelf->y;\n"
        self.assertEqual(self.shares(self.function("nba_a", both + "    vlSelf->z = p;"), self.function("nba_b", both + "    vlSelf->z = q;")), 0)

    def test_members_differ(self):
        self.assertEqual(self.shares(self.function("nba_a", "    vlSelf->y = vlSelf->x;"), self.function("nba_b", "    vlSelf->z = vlSelf->x;")), 0)
        self.assertEqual(self.shares(self.function("nba_a", "    vlSelf->y = 1U;"), self.function("nba_b", "    vlSelf->y = 2U;")), 0)

    def test_classes_differ(self):
        self.assertEqual(self.shares(self.function("nba_a", ""), self.function("nba_b", "", kind="Vtop_other")), 0)

    def test_members_of_calls(self):
        a = self.function("nba_a", "    vlSelf->__Vfunc_f__1__x = vlSelf->x;\n    vlSelf->y = vlSelf->__Vfunc_f__1__x;")
        b = self.function("nba_b", "    vlSelf->__Vfunc_f__2__x = vlSelf->x;\n    vlSelf->y = vlSelf->__Vfunc_f__2__x;")
        settles = self.function("stl_a", "    vlSelf->__Vfunc_f__1__x = vlSelf->x;\n    vlSelf->w = vlSelf->__Vfunc_f__1__x;")
        self.assertEqual(self.shares(a, b, settles), 1)
        reader = self.function("nba_c", "    vlSelf->z = vlSelf->__Vfunc_f__1__x;")
        self.assertEqual(self.shares(a, b, reader), 0)

    def test_short_ones_stay(self):
        short = "void Vtop_unit___nba_{}(Vtop_unit* vlSelf) {{\n    vlSelf->x = 1U;\n}}"
        self.assertEqual(self.shares(short.format("a"), short.format("b")), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
