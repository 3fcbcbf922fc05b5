#!/usr/bin/env python3
"""scripts/synth-ecp5 flat: the longest path of a netlist in one piece is told in nanoseconds and by units, and what is missing is named.

usage: test_ecp5_paths.py [BUILD]        (in the project's top folder)
"""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts")

import ecp5_paths

SYNTH = os.path.abspath("scripts/synth-ecp5")
REGISTER, WIRE, LUT = ecp5_paths.CLOCK_TO_Q, ecp5_paths.WIRE, ecp5_paths.LUT


def lut(inputs, output):
    pins = {pin: [net] for pin, net in zip("ABCD", inputs)}
    return {"type": "LUT4", "connections": {**pins, "Z": [output]}}


def register(given, kept):
    return {"type": "TRELLIS_FF", "connections": {"CLK": [2], "DI": [given], "Q": [kept]}}


def name(bits):
    return {"hide_name": 0, "bits": bits}


# From issue's register through two LUTs, the second behind a name of the scoreboard, and past a shorter way; a carry chain of two cells to another register.
NETLIST = {"modules": {
    "LUT4": {"ports": {}, "cells": {}, "netnames": {}},
    "board": {
        "ports": {"clk_i": {"direction": "input", "bits": [2]}},
        "cells": {
            "a": register(9, 3), "first": lut([3], 4), "second": lut([4, 3], 5), "b": register(5, 6),
            "low": {"type": "CCU2C", "connections": {"A0": [3], "A1": [3], "CIN": ["0"], "S0": [20], "S1": [21], "COUT": [22]}},
            "high": {"type": "CCU2C", "connections": {"A0": [3], "A1": [3], "CIN": [22], "S0": [23], "S1": [24], "COUT": [25]}},
            "c": register(24, 26),
        },
        "netnames": {
            "u_sm.u_issue.place_q": name([3]), "u_sm.u_scoreboard.wait": name([4]), "u_sm.u_scoreboard.left_q": name([6]), "u_sm.total_q": name([26]),
        }}}}


class Flat(unittest.TestCase):
    def told(self, netlist, count=10):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "whole.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(netlist, file)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                ecp5_paths.show(ecp5_paths.flat(path), count)
            return out.getvalue().splitlines()

    def test_longest_path(self):
        lines = self.told(NETLIST)
        longest = REGISTER + 2 * (WIRE + LUT) + WIRE
        self.assertIn(f"estimated: {longest:.1f} ns", lines[0])
        self.assertEqual(lines[1], f"{longest:6.1f} ns to scoreboard.left_q")
        self.assertRegex(lines[2], r"^ +issue +0\.5 ns +1 cells  place_q$")
        self.assertRegex(lines[3], r"^ +scoreboard +2\.4 ns +2 cells  wait$")

    def test_carries(self):
        carried = REGISTER + WIRE + ecp5_paths.CARRY_IN + ecp5_paths.CARRY_HOP + ecp5_paths.CARRY_OUT + WIRE
        self.assertTrue(any(line == f"{carried:6.1f} ns to sm.total_q" for line in self.told(NETLIST)), self.told(NETLIST))

    def test_count(self):
        self.assertEqual(sum(" ns to " in line for line in self.told(NETLIST, 1)), 1)

    def test_a_longer_chain_is_told_longer(self):
        board = json.loads(json.dumps(NETLIST))
        cells = board["modules"]["board"]["cells"]
        cells["third"], cells["b"] = lut([5], 7), register(7, 6)
        longest = REGISTER + 3 * (WIRE + LUT) + WIRE
        self.assertIn(f"estimated: {longest:.1f} ns", self.told(board)[0])

    def run_synth(self, *words):
        done = subprocess.run([SYNTH, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stderr

    def test_nothing_mapped(self):
        with tempfile.TemporaryDirectory() as folder:
            code, said = self.run_synth("flat", "nano", folder)
        self.assertEqual(code, 1)
        self.assertRegex(said, r"^synth-ecp5: no .*whole\.json; make synth-ecp5 CONFIG=nano WHOLE=1 makes it$")

    def test_unknown_word(self):
        code, said = self.run_synth("flatter", "nano", "build")
        self.assertEqual(code, 1)
        self.assertIn("usage: synth-ecp5", said)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        sys.argv.pop(1)
    unittest.main()
