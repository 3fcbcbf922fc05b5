#!/usr/bin/env python3
"""Regressions as an array of Slurm, on a real slurmctld with three nodes on this machine, of which one goes down in the middle: nothing is lost, nothing
counts twice. Without Slurm it says so and is skipped.

usage: test_slurm.py [BUILD]        (in the project's top folder)
"""
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True

import cluster

REGRESS = os.path.abspath("scripts/regress")
BENCH = """#!/bin/sh
echo "$SLURMD_NODENAME $1" >> ran
sleep 0.5
echo "$1" >> ended
[ $(($1 % 3)) != 0 ]
"""
PLAN = """name = "array"
[[test]]
name = "bench"
command = "./bench {seed}"
configs = ["one", "two"]
seeds = 15
"""


@unittest.skipIf(cluster.missing(), f"Slurm is not installed ({', '.join(cluster.missing())} missing): scripts/setup --slurm installs it")
class Slurm(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-slurm-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.work = os.path.join(self.folder, "work")
        os.makedirs(self.work)
        for name, text in (("bench", BENCH), ("plan.toml", PLAN)):
            with open(os.path.join(self.work, name), "w", encoding="utf-8") as file:
                file.write(text)
        os.chmod(os.path.join(self.work, "bench"), 0o755)
        for command in (("init", "--quiet"), ("add", "bench", "plan.toml"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first")):
            subprocess.run(["git", "-C", self.work, *command], check=True)
        os.makedirs(os.path.join(self.folder, "slurm"))
        self.cluster = cluster.Cluster(os.path.join(self.folder, "slurm"), 3)
        os.chmod(self.folder, 0o755)
        self.addCleanup(self.cluster.end)
        self.cluster.begin()

    def regress(self, *arguments):
        done = subprocess.run([REGRESS, *arguments], cwd=self.work, env=self.cluster.environment, capture_output=True, text=True, check=False, timeout=150)
        return done.returncode, done.stdout, done.stderr

    def lines(self, name):
        try:
            with open(os.path.join(self.work, name), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def rows(self, query):
        with sqlite3.connect(os.path.join(self.work, "build/regress.db")) as db:
            return db.execute(query).fetchall()

    def test_a_node_goes_down(self):
        status, output, errors = self.regress("submit", "plan.toml", "--seed", "5", "--tasks", "10")
        self.assertEqual((status, errors), (0, ""))
        array = re.search(r"array (\d+): 10 tasks", output)[1]
        self.cluster.wait(lambda: len([line for line in self.lines("ran") if line.startswith("n1 ")]) >= 2, "a task on n1", 60)
        self.assertGreaterEqual(self.cluster.take_down("n1"), 3)  # the daemon, the step, the task at least
        begun = {line.split()[1] for line in self.lines("ran")}
        cut = begun - set(self.lines("ended"))
        self.assertTrue(cut, "nothing was under way when the node went down")
        time.sleep(0.7)  # what the others had begun has ended
        self.assertTrue(cut - set(self.lines("ended")), "the node's job has ended all the same")
        self.assertLess(len(set(self.lines("ended"))), 30)
        status, output, errors = self.regress("collect", "1", "--wait", array)
        if status == 3:  # Slurm has given a task up
            array = re.search(r"array (\d+)", self.regress("submit", "--run", "1")[1])[1]
            status, output, errors = self.regress("collect", "1", "--wait", array)
        failed = sum(1 for seed, in self.rows("SELECT seed FROM job") if seed % 3 == 0)
        self.assertEqual((status, errors), (1 if failed else 0, ""))
        # Each job has one result, and it is the right one; what had ended has run once.
        self.assertEqual(dict(self.rows("SELECT state, count(*) FROM job GROUP BY state")), {"passed": 30 - failed, "failed": failed})
        self.assertEqual(self.rows("SELECT count(*) FROM job WHERE (state = 'failed') != (seed % 3 = 0)"), [(0,)])
        ended = self.lines("ended")
        self.assertEqual(len(set(ended)), 30)
        self.assertGreater(len(self.lines("ran")), len(set(ended)))  # something was begun again
        self.assertLessEqual(len(ended), 31)  # a job may end just before its result is written
        self.assertIn("down", " ".join(self.cluster.states()))
        self.regress("collect", "1")
        self.assertEqual(self.rows("SELECT count(*) FROM job"), [(30,)])


if __name__ == "__main__":
    print("shows: RG-1 [text]" if not cluster.missing() else f"skipped: Slurm is not installed ({', '.join(cluster.missing())} missing); scripts/setup --slurm installs it", flush=True)
    done = unittest.main(argv=sys.argv[:1], exit=False).result
    print(f"{done.testsRun - len(done.skipped)} run, {len(done.skipped)} skipped")
    sys.exit(0 if done.wasSuccessful() else 1)
