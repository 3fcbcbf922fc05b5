#!/usr/bin/env python3
"""scripts/mutate-twins: a mutant that an opinion knows better is found, others live, are hidden, or only crash; what wrong input gets.

usage: test_mutate_twins.py [BUILD]        (in the project's top folder)
"""
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts")

from mutate_lib import tables, twins

if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
    sys.argv.pop(1)
TOOL = os.path.abspath("scripts/mutate-twins")

# A model in two files, one of them a header that a third one has in it, and its quick way.
MODEL = {
    "model/sum.h": "static inline int sum(int a, int b) {\n    return a + b;\n}\n",
    "model/unit.c": '#include "sum.h"\nint unit(int a) {\n    return sum(a, 40);\n}\n',
    "model/steps.c": "int table[4] = {1, 2, 3, 4};\nint steps(int n) {\n    int count = 0;\n    while (n != 0) n = n - 1, count++;\n    return count;\n}\n"
                     "int at(int *from) {\n    return *(from != 0 ? from : table);\n}\n"
                     "int unseen(int a) {\n    return a | 8;\n}\n"
                     "int told(int a) {\n    return a - 9;\n}\n",
    "model/quick.c": "#error it is not in the build\n",
    "opinion.c": "int unit(int), steps(int), at(int *), unseen(int);\nextern int table[4];\n#include <stdio.h>\n"
                 "int main(void) {\n    int bad = unit(2) != 42;\n    if (bad) printf(\"[FAIL] unit\\n\");\n    return bad;\n}\n",
    "second.c": "int unit(int), steps(int), at(int *), unseen(int);\n#include <stdio.h>\n"
                "int main(void) {\n    int bad = steps(3) != 3;\n    if (at(0) != 1) bad = 1;\n    unseen(1);\n    if (bad) printf(\"[FAIL] steps\\n\");\n    return bad;\n}\n",
    "link.sh": "for p in opinion second; do gcc -w $p.c b/mutate/twins/mutated.o -o b/$p; done\n",
    "twins.tbl": "model/sum.h | rtl | - | programs\nmodel/steps.c | rtl | told | device/second\nmodel/unit.c | left out | - | calls\nmodel/quick.c | quick | - | twice\n",
    "opinions.tbl": "programs | b/opinion | sums\ndevice/second | b/second {seed} | steps\n",
    "hidden.tbl": "",
}


class MutateTwins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-mutate-twins-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(os.path.join(self.folder, "b"))
        for name, text in MODEL.items():
            self.file(name, text)

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_tool(self, *arguments):
        command = [TOOL, "b", "--twins", "twins.tbl", "--opinions", "opinions.tbl", "--not-visible", "hidden.tbl", "--link", "sh link.sh", "--seed", "5", "--grace", "1", "--jobs", "4"]
        return subprocess.run(command + list(arguments), cwd=self.folder, capture_output=True, text=True, check=False)

    def verdicts(self, text):
        """(`old -> new`, the first word of its line) of each mutant"""
        return [(line.split("] ", 1)[1].replace("  ->  ", " -> "), line[:6].strip()) for line in text.splitlines() if line[:5] in ("FOUND", "ALIVE", "CRASH", "HIDDE")]

    def test_what_an_opinion_knows_is_found(self):
        done = self.run_tool("--count", "1000", "--save", "rates.tbl")
        self.assertEqual(done.returncode, 1, done.stderr)
        verdicts = self.verdicts(done.stdout)
        found = dict(verdicts)
        self.assertEqual(found["a + b -> a - b"], "FOUND", "in a header, by the file that has it in it")
        self.assertEqual(found["n - 1 -> n"], "FOUND")
        self.assertIn("by device/second: no end", done.stdout)
        self.assertEqual(found["from != 0 -> from == 0"], "CRASH")
        self.assertEqual(found["a | 8 -> a & 8"], "ALIVE", "nobody looks at its result")
        self.assertNotIn("a - 9 -> a + 9", found)  # its function is left out
        with open(os.path.join(self.folder, "rates.tbl"), encoding="utf-8") as file:
            row = [line for line in file if line[0] != "#"][0].split(" | ")
        self.assertEqual((int(row[0]), int(row[2])), (5, len(verdicts)))
        self.assertEqual(int(row[3]) + int(row[4]), sum(verdict == "FOUND" for _, verdict in verdicts))
        self.assertEqual((int(row[7]), int(row[9])), tuple(sum(verdict == word for _, verdict in verdicts) for word in ("CRASH", "ALIVE")))

    def test_a_hidden_one_is_not_counted_and_a_found_one_is_not_hidden(self):
        lines = "model/steps.c\n    @ return a | 8;\n    - a | 8\n    + a & 8\n    = nobody looks\nmodel/sum.h\n    @ return a + b;\n    - a + b\n    + a - b\n    = a lie\n"
        self.file("hidden.tbl", lines)
        listed = self.run_tool("--count", "1000", "--list").stdout.splitlines()
        numbers = [line.split()[0] for line in listed if "a | 8  ->  a & 8" in line or "a + b  ->  a - b" in line]
        self.assertEqual(len(numbers), 2, listed)
        done = self.run_tool("--count", "1000", "--only", ",".join(numbers))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(dict(self.verdicts(done.stdout)), {"a | 8 -> a & 8": "HIDDEN", "a + b -> a - b": "FOUND"})
        self.assertIn("hidden.tbl: found, but said to be not visible: model/sum.h:2", done.stderr)
        self.assertIn("1 not visible, 0 alive: 100.0 %", done.stdout)

    def test_how_many_must_be_found(self):
        listed = self.run_tool("--count", "1000", "--list").stdout.splitlines()
        numbers = ",".join(line.split()[0] for line in listed if "a | 8  ->  a & 8" in line or "a + b  ->  a - b" in line)
        for least, status in (("50", 0), ("51", 1)):
            self.assertEqual(self.run_tool("--count", "1000", "--only", numbers, "--least", least).returncode, status)

    def test_a_failure_without_a_mutant_is_no_verdict(self):
        self.file("opinion.c", MODEL["opinion.c"].replace("!= 42", "!= 43"))
        done = self.run_tool("--count", "1000")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
        self.assertIn("b/opinion: fails without a mutant: difference: [FAIL] unit", done.stderr)

    def test_every_file_of_the_units_is_in_the_table(self):
        table = twins.read_twins(twins.TWINS, twins.read_opinions(twins.OPINIONS, "p", 1))
        files = [f"cmodel/{unit}/{name}" for unit in ("sm", "mem", "task", "host") for name in os.listdir(f"cmodel/{unit}") if name.endswith(".c")]
        self.assertEqual([name for name in files if not any(name in rows for rows in (table.twins, table.left_out, table.quick))], [])
        self.assertEqual({name for name in table.quick if "/native" in name}, {name for name in files if "/native" in name})
        for path in table.twins:
            tables.read_equivalent(twins.NOT_VISIBLE, path)

    # ---- wrong input ----

    def refused(self, *arguments):
        done = self.run_tool(*arguments)
        self.assertEqual((done.returncode, done.stdout, len(done.stderr.splitlines())), (2, "", 1), done.stderr)
        return done.stderr

    def test_wrong_input(self):
        self.assertIn("not a number", self.refused("--count", "0"))
        self.assertIn("No such file", self.refused("--twins", "none"))
        self.assertIn("t.tbl:1: not 4 columns", self.refused("--twins", self.file("t.tbl", "x | y\n")))
        self.assertIn("t.tbl:1: model/none.c: no such file", self.refused("--twins", self.file("t.tbl", "model/none.c | rtl | - | programs\n")))
        self.assertIn("t.tbl:1: no opinion is called nobody", self.refused("--twins", self.file("t.tbl", "model/sum.h | rtl | - | nobody\n")))
        self.assertIn("t.tbl:2: model/sum.h stands twice", self.refused("--twins", self.file("t.tbl", "model/sum.h | left out | - | x\nmodel/sum.h | quick | - | x\n")))
        self.assertIn("t.tbl: no file to mutate", self.refused("--twins", self.file("t.tbl", "model/sum.h | left out | - | x\n")))
        self.assertIn("o.tbl:2: programs stands twice", self.refused("--opinions", self.file("o.tbl", "programs | a | b\nprograms | a | b\n")))
        self.assertIn("o.tbl: no opinion", self.refused("--opinions", self.file("o.tbl", "# none\n")))
        self.file("model/steps.c", "int steps(int a { return a; }\n")
        self.assertIn("cannot read it", self.refused())

    def test_what_does_not_build_or_link_is_told(self):
        self.file("link.sh", "exit 3\n")
        done = self.run_tool()
        self.assertEqual(done.returncode, 2)
        self.assertIn("do not link with the mutants", done.stderr.splitlines()[-1])

    def test_only_a_chosen_number(self):
        done = self.run_tool("--only", "77")
        self.assertEqual(done.returncode, 2)
        self.assertIn("77: not a number from 1 to", done.stderr.splitlines()[-1])


if __name__ == "__main__":
    unittest.main(verbosity=1)
