#!/usr/bin/env python3
"""fpga/load: a bitstream goes to openFPGALoader with the board's name; what is missing or fails is one line.

usage: test_load.py [BUILD]        (in the project's top folder); the tool is a stand-in.
"""
import os
import subprocess
import sys
import tempfile
import unittest

LOAD = os.path.abspath("fpga/load")
TOOL = """#!/bin/sh
echo "$@" > "$(dirname "$0")/words"
[ -f "$(dirname "$0")/absent" ] && { echo "unable to open ftdi device: -3 (device not found)"; echo "JTAG init failed" >&2; exit 1; }
[ -f "$(dirname "$0")/silent" ] && exit 3
[ -f "$(dirname "$0")/slow" ] && exec sleep 600
exit 0
"""


class Load(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-load-")
        self.addCleanup(folder.cleanup)
        self.out = folder.name
        with open(self.path("openFPGALoader"), "w", encoding="utf-8") as file:
            file.write(TOOL)
        os.chmod(self.path("openFPGALoader"), 0o755)
        for board in ("ulx3s", "colorlight_i9"):
            self.write(board + ".bit")

    def path(self, name):
        return os.path.join(self.out, name)

    def write(self, name):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write("bits")

    def load(self, board, *more):
        environment = dict(os.environ, PATH=self.out + os.pathsep + os.environ["PATH"])
        return subprocess.run([LOAD, board, self.out, *more], capture_output=True, text=True, check=False, env=environment)

    def fails(self, done, said, code=1):
        self.assertEqual(done.returncode, code, done.stdout)
        self.assertIn(said, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_boards(self):
        for board, name, line in (("ulx3s", "ulx3s", "ttyUSB0"), ("colorlight_i9", "colorlight-i9", "ttyACM0")):
            done = self.load(board)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"tandem probe uart:/dev/{line}`", done.stdout)
            with open(self.path("words"), encoding="utf-8") as file:
                self.assertEqual(file.read(), f"-b {name} {self.path(board + '.bit')}\n")

    def test_no_bitstream(self):
        os.remove(self.path("ulx3s.bit"))
        self.fails(self.load("ulx3s"), "ulx3s.bit; `make fpga BOARD=ulx3s` makes it")

    def test_empty_bitstream(self):
        os.truncate(self.path("ulx3s.bit"), 0)
        self.fails(self.load("ulx3s"), "there is no")
        self.assertFalse(os.path.exists(self.path("words")))

    def test_unknown_board(self):
        done = self.load("ulx4s")
        self.assertEqual(done.returncode, 2)
        self.assertIn("invalid choice: 'ulx4s' (choose from 'colorlight_i9', 'ulx3s')", done.stderr)

    def test_no_board(self):
        """BU-7: a cable that is not there is one sentence"""
        self.write("absent")
        self.fails(self.load("ulx3s"), "is it plugged in, and may you use its USB device? openFPGALoader: JTAG init failed")

    def test_tool_says_nothing(self):
        self.write("silent")
        self.fails(self.load("ulx3s"), "it says nothing")

    def test_tool_does_not_end(self):
        self.write("slow")
        self.fails(self.load("ulx3s", "--seconds", "0.5"), "has not been loaded in 0.5 seconds")

    def test_no_tool(self):
        os.remove(self.path("openFPGALoader"))
        only = self.path("only")
        os.mkdir(only)
        os.symlink(sys.executable, os.path.join(only, "python3"))
        done = subprocess.run([LOAD, "ulx3s", self.out], capture_output=True, text=True, check=False, executable=LOAD, env={"PATH": only})
        self.fails(done, "openFPGALoader is missing; scripts/setup installs it")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
