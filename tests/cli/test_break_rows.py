#!/usr/bin/env python3
"""scripts/break-rows: what it says of a break that is found, of one that is not, of one that does not build, and of wrong tables."""
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv.pop(1)
DEQUE = "unit/test_token_deque\n    cmodel/sm/token_deque.c\n"


class BreakRows(unittest.TestCase):
    def run_table(self, text, *arguments):
        with tempfile.NamedTemporaryFile("w", suffix=".tbl") as table:
            table.write(text)
            table.flush()
            done = subprocess.run(["scripts/break-rows", BUILD, *arguments, "--table", table.name, "--work", os.path.join(BUILD, "break-test")], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def refused(self, text, said, *arguments):
        status, output = self.run_table(text, *(arguments or ("--check",)))
        self.assertEqual(status, 2, output)
        self.assertIn(said, output)
        self.assertNotIn("Traceback", output)

    def test_verdicts(self):
        status, output = self.run_table(
            "TD-4 | found | " + DEQUE + "    - case KIND_RET: return TOKEN_FLAG_CALL;\n    + case KIND_RET: return TOKEN_FLAG_DIV;\n"
            "TD-1 | nothing at all | " + DEQUE + "    - // Room for one token more. Those that are popped and not shown yet are kept: an instruction pushes before it pops.\n    + // Where it stands.\n"
            "TD-11 | no C | " + DEQUE + "    - deque->tail++;\n    + deque->tail++\n")
        self.assertEqual(status, 1, output)
        self.assertIn("killed        TD-4: found", output)
        self.assertIn("SURVIVED      TD-1: nothing at all", output)
        self.assertIn("NOT BUILT     TD-11: no C", output)
        self.assertIn("1 of 3 breaks killed", output)

    def test_texts_that_are_not_there(self):
        self.refused("TD-4 | gone | " + DEQUE + "    - no such text\n    + x\n", "stands 0 times in cmodel/sm/token_deque.c")
        self.refused("TD-4 | often | " + DEQUE + "    - deque->\n    + x\n", "wanted is once: adapt the break")
        self.refused("TD-4 | no file | unit/test_token_deque\n    cmodel/none.c\n    - a\n    + b\n", "cmodel/none.c: No such file")

    def test_wrong_tables(self):
        good = "    - deque->tail++;\n    + deque->tail--;\n"
        self.refused("TD-4 | two parts\n", "not `ROWS | what is broken | SUITE[:FILTER] ..`")
        self.refused("TD-999 | no row | " + DEQUE + good, "TD-999 is no requirement")
        self.refused("TD-4 | no suite | unit/test_none\n    cmodel/sm/token_deque.c\n" + good, "there is no tests/unit/test_none.c")
        self.refused("TD-4 | no folder | thing\n    cmodel/sm/token_deque.c\n" + good, "not a suite of unit/")
        self.refused("TD-4 | nothing | " + DEQUE, "nothing is broken")
        self.refused("TD-4 | half | " + DEQUE + "    - deque->tail++;\n", "nothing is broken")
        self.refused("TD-4 | order | " + DEQUE + "    + deque->tail--;\n", "`+` comes after a `-`")
        self.refused("    cmodel/sm/token_deque.c\n", "an edit without a break before it")
        self.refused("TD-4 | rows | " + DEQUE + good, "XX-1 is no requirement and no group", "XX-1")
        self.refused("TD-4 | rows | " + DEQUE + good, "has no break of WQ", "WQ")

    def test_the_table_of_the_tree(self):
        done = subprocess.run(["scripts/break-rows", BUILD, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(__file__), "..", ".."))
    unittest.main()
