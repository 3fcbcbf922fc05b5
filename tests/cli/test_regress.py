#!/usr/bin/env python3
"""scripts/regress: jobs of a plan, that nothing is lost or counted twice when it is killed, buckets, replays, reports, bisection, comparison, and what
wrong input gets.

usage: test_regress.py [BUILD]        (in the project's top folder)
"""
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts")

from regress_lib import bisect, job, plan, slurm, statistics, store

REGRESS = os.path.abspath("scripts/regress")
# A program that behaves like a bench: it fails from operation 40 on, of seeds that a third divides, in one of two ways.
BENCH = """#!/bin/sh
seed=$1 ops=1000
while [ $# -gt 0 ]; do [ "$1" = --ops ] && ops=$2; shift; done
echo "$seed" >> ran
echo "cycles=$((1000 + seed % 7))"
if [ $((seed % 3)) = 0 ] && [ $ops -ge 40 ]; then
    if [ $((seed % 2)) = 0 ]; then echo "bench: FAIL at operation 40: PERFORM differs in data_lo: 0x$seed" >&2
    else echo "bench: FAIL at operation 40: port $seed: byte $seed is 0x12" >&2; fi
    exit 1
fi
"""
PLAN = """name = "test"
[[test]]
name = "bench"
command = "./bench {seed}"
configs = ["one", "two"]
seeds = 12
shrink = "ops"
numbers = { cycles = 'cycles=(\\d+)' }
"""


class Regress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-regress-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.git("init", "--quiet", "--initial-branch=main")
        self.file("bench", BENCH, 0o755)
        self.plan = self.file("plan.toml", PLAN)
        self.commit("first")

    def git(self, *arguments):
        names = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        return subprocess.run(["git", "-C", self.folder, *arguments], env=dict(os.environ, **names), capture_output=True, text=True, check=True).stdout.strip()

    def commit(self, subject):
        self.git("add", "bench", "plan.toml")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def file(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def regress(self, *arguments):
        """(exit status, output, errors)"""
        done = subprocess.run([REGRESS, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, timeout=100)
        return done.returncode, done.stdout, done.stderr

    def rows(self, query):
        with sqlite3.connect(os.path.join(self.folder, "build/regress.db")) as db:
            return db.execute(query).fetchall()

    # ---- plans and seeds ----

    def test_seeds_differ_and_keep_apart(self):
        one = plan.Test("t", "x", ["a"], seeds=500, span=100)
        seeds = plan.seeds_of(one, "a", 7)
        self.assertEqual(seeds, plan.seeds_of(one, "a", 7))
        self.assertNotEqual(seeds, plan.seeds_of(one, "a", 8))
        self.assertNotEqual(seeds, plan.seeds_of(one, "b", 7))
        ordered = sorted(seeds)
        self.assertTrue(all(b - a >= 100 for a, b in zip(ordered, ordered[1:])))
        self.assertTrue(0 < ordered[0] and ordered[-1] + 100 <= 1 << 31)

    def test_weights(self):
        text = PLAN + '[[test]]\nname = "heavy"\ncommand = "x"\nseeds = 24\nweight = 3\n'
        order = [j.test for j in plan.jobs_of(plan.parse(text, "p"), 1)]
        self.assertEqual(order[:16].count("heavy"), 12)
        self.assertEqual(len(order), 48)

    def test_wrong_plans(self):
        for old, new, told in (('name = "test"', "", "no `name`"), ("seeds = 12", "seeds = 0", "`seeds` is 0"), ("seeds", "sedes", "nothing is called `sedes`"),
                               ("{seed}", "{sead}", "`command` has {sead}"), ('"one", "two"', '"one", "one"', "different names"), ("(\\d+)", "\\d+", "not one group"),
                               ('shrink = "ops"', 'shrink = "x"', "`shrink`"), ("[[test]]", "[[tast]]", "nothing is called `tast`"), ("= 12", "=", "Invalid value"),
                               ("seeds = 12", "seeds = true", "of another kind"), ("./bench {seed}", "./bench '", "`command`")):
            self.assertIn(old, PLAN)
            path = self.file("wrong.toml", PLAN.replace(old, new, 1))
            status, output, errors = self.regress("run", path)
            self.assertEqual((status, output, len(errors.splitlines())), (2, "", 1), errors)
            self.assertIn(told, errors)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "build")))

    def test_plans_of_the_tree(self):
        names = [name for name in os.listdir("tests/plans") if name.endswith(".toml")]
        self.assertTrue(names)
        for name in names:
            self.assertTrue(plan.jobs_of(plan.read(os.path.join("tests/plans", name)), 1))

    # ---- runs ----

    def test_buckets_and_replays(self):
        status, output, errors = self.regress("run", self.plan, "--seed", "5", "--jobs", "4")
        self.assertEqual((status, errors), (1, ""))
        states = dict(self.rows("SELECT state, count(*) FROM job GROUP BY state"))
        failed = sum(1 for seed, in self.rows("SELECT seed FROM job") if seed % 3 == 0)
        self.assertEqual(states, {"passed": 24 - failed, "failed": failed})
        self.assertEqual(dict(self.rows("SELECT bucket, count(*) > 0 FROM job WHERE state = 'failed' GROUP BY bucket")), {"event PERFORM.data_lo": 1, "port #: byte # is #": 1})
        for replay, in self.rows("SELECT replay FROM job WHERE state = 'failed'"):
            self.assertRegex(replay, r"\./bench \d+ --ops 40$")
            self.assertEqual(subprocess.run(replay, shell=True, cwd=self.folder, capture_output=True, check=False).returncode, 1)
        suites = xml.etree.ElementTree.parse(os.path.join(self.folder, "build/regress.xml")).getroot()
        self.assertEqual(sum(int(s.get("failures")) for s in suites), failed)
        page = self.read("build/regress.html")
        self.assertIn("<svg", page)
        self.assertIn("event PERFORM.data_lo", page)
        self.assertNotRegex(page, r"(src|href)=")  # nothing but the file
        self.assertRegex(output, rf"run 1 of test, seed 5: {24 - failed} passed, {failed} failed in 2 buckets, 0 open")
        self.assertEqual(self.regress("show")[0], 1)

    def killed(self, how):
        """Jobs behind the sixth hold on until the run has been killed, however slow this is; the sixth too when it sees the seventh."""
        self.file("bench", "#!/bin/sh\necho $1 >> ran\n[ $(wc -l < ran) -le 6 ] || while [ ! -e go ]; do sleep 0.05; done\n", 0o755)
        process = subprocess.Popen([REGRESS, "run", self.plan, "--jobs", "2"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 120
        while len(self.read("ran").splitlines() if os.path.exists(os.path.join(self.folder, "ran")) else []) < 7:
            self.assertLess(time.monotonic(), end, "seven jobs have not begun")
            time.sleep(0.02)
        process.send_signal(how)
        errors = process.communicate()[1]
        done = self.rows("SELECT count(*) FROM job WHERE state = 'passed'")[0][0]
        self.assertTrue(3 <= done < 24, done)
        self.file("go", "")  # those that a killed one has left end now
        time.sleep(0.3)
        before = {seed for seed, in self.rows("SELECT seed FROM job WHERE state = 'passed'")}
        os.remove(os.path.join(self.folder, "ran"))
        status, output, _ = self.regress("resume")
        self.assertEqual((status, output.splitlines()[-1].split(": ")[1]), (0, "24 passed, 0 failed in 0 buckets, 0 open"))
        self.assertEqual(len(self.read("ran").splitlines()), 24 - done)
        self.assertFalse(before & {int(s) for s in self.read("ran").split()}, "a job that had ended has run again")
        return process.returncode, errors

    def test_interrupted(self):
        self.assertEqual(self.killed(signal.SIGINT), (130, "regress: interrupted; `regress resume 1` goes on\n"))

    def test_killed(self):
        self.assertEqual(self.killed(signal.SIGKILL)[0], -signal.SIGKILL)

    def test_time_of_the_plan(self):
        self.file("bench", "#!/bin/sh\nsleep 0.3\n", 0o755)
        path = self.file("short.toml", PLAN.replace("[[test]]", "time = 0.5\n[[test]]", 1))
        status, output, _ = self.regress("run", path, "--jobs", "1")
        self.assertEqual(status, 3)
        self.assertRegex(output, r"the plan's 0\.5 s are over\n.*: 2 passed, 0 failed in 0 buckets, 22 open; regress resume 1 goes on")

    def test_a_job_without_an_end(self):
        path = self.file("hang.toml", 'name = "hang"\n[[test]]\nname = "hang"\ncommand = "sleep 1000"\nlimit = 0.3\n[[test]]\nname = "none"\ncommand = "./nothing"\n')
        self.assertEqual(self.regress("run", path)[0], 1)
        self.assertEqual([b for b, in self.rows("SELECT bucket FROM job ORDER BY test")], ["no end after 0.3 s", "cannot run ./nothing: No such file or directory"])

    # ---- results from elsewhere ----

    def test_a_result_counts_once(self):
        data = store.Store(os.path.join(self.folder, "x.db"))
        read = plan.read(self.plan)
        run = data.new_run(read, plan.jobs_of(read, 1), "c", False, 1)
        result = {"number": 3, "state": "passed", "seconds": 1, "host": "a", "bucket": None, "replay": None, "log": "l", "numbers": {"cycles": 5.0}}
        self.assertTrue(data.finish(run, result))
        self.assertFalse(data.finish(run, dict(result, state="failed", bucket="b")))
        self.assertEqual(data.counts(run), {"open": 23, "passed": 1})

    def test_tasks_of_an_array_leave_out_what_is_done(self):
        """A task that is begun again, as after its node went down, runs what has no result yet; collecting twice takes it in once."""
        self.file("sbatch", "#!/bin/sh\necho 42\n", 0o755)
        self.file("squeue", "#!/bin/sh\n", 0o755)
        path, os.environ["PATH"] = os.environ["PATH"], self.folder + ":" + os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        status, output, errors = self.regress("submit", self.plan, "--tasks", "3", "--seed", "5")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("array 42: 3 tasks", output)
        folder = os.path.join(self.folder, "build/regress/run-1")
        self.assertEqual(self.regress("task", folder, "--index", "0")[0], 0)
        results = os.listdir(folder + "/results")
        self.assertEqual(len(results), 8)
        os.remove(os.path.join(folder, "results", results[0]))  # the node went down before this one was written
        os.remove(os.path.join(self.folder, "ran"))
        self.assertEqual(self.regress("task", folder, "--index", "0")[0], 0)
        self.assertEqual(len({s for s in self.read("ran").split()}), 1)
        self.assertEqual(self.regress("collect")[0] in (1, 3), True)
        self.assertEqual(self.rows("SELECT count(*) FROM job WHERE state = 'open'")[0][0], 16)
        self.regress("submit", "--run", "1", "--tasks", "2")
        for index in ("0", "1"):
            self.assertEqual(self.regress("task", folder, "--index", index)[0], 0)
        self.regress("collect", "1", "--wait", "42")
        self.assertEqual(self.rows("SELECT count(*), count(DISTINCT config || seed) FROM job WHERE state != 'open'"), [(24, 24)])
        self.assertIn("has no open jobs", self.regress("submit", "--run", "1")[2])

    # ---- buckets ----

    def test_what_is_a_bucket(self):
        for text, status, bucket in (("x\nwhat cycle 658: TOKEN.token_lo differs: RTL 0x4, model 0x5", 1, "event TOKEN.token_lo"),
                                     ("FAIL at operation 3: PERFORM differs in data:\n", 1, "event PERFORM.data"),
                                     ("[12] %Error: token_deque.sv:290: Assertion failed in top", -6, "assertion token_deque.sv:290"), ("", -11, "signal SIGSEGV"),
                                     ("FAIL at operation 9: warp 3: inside 00ff00ff00ff00ff, model 12\nreplay: x", 1, "warp #: inside #, model #"), ("a\nlast 7\n", 2, "last #"), ("", 3, "exit status 3")):
            self.assertEqual(job.bucket_of(text, status, 5), bucket)
        self.assertEqual(job.waved(["x", "--device", "tandem:nano,seed=1"], "w"), ["x", "--device", "tandem:nano,seed=1,wave=w"])
        self.assertIsNone(job.waved(["x", "model:nano"], "w"))
        self.assertEqual(job.replay_of("replay: bench --seed 4 --ops 3\n", ["build/bench", "1"]), ["build/bench", "--seed", "4", "--ops", "3"])

    # ---- two commits ----

    def test_bisect(self):
        good = self.commit("good")
        for i in range(9):
            if i == 4:
                self.file("bench", BENCH.replace("echo", "echo bad;exit 1; echo", 1), 0o755)
                bad = self.commit("the bad one")
            elif i == 3:
                self.file("Makefile", "all:\n\tfalse\n")
                self.git("add", "Makefile")
                self.commit("does not build")
                self.git("rm", "--quiet", "-f", "Makefile")
            else:
                self.commit(f"commit {i}")
        status, output, errors = self.regress("bisect", "--good", good, "--build", "test ! -e Makefile", "./bench 4")
        self.assertEqual((status, errors), (0, ""))
        self.assertIn(f"first bad commit: {bad} the bad one", output)
        self.assertEqual(self.git("status", "--porcelain", "--untracked-files=no"), "")
        self.assertEqual(len(self.git("worktree", "list").splitlines()), 1)
        self.assertIn("should be good, and is bad", self.regress("bisect", "--good", bad, "./bench 4")[2])
        self.assertIn("does not come after", self.regress("bisect", "--good", "HEAD", "./bench 4")[2])
        self.assertEqual(bisect.search("gsssb", {"s": "skip"}.get, lambda *_: None), ("b", "sss"))

    def test_compare(self):
        self.file("bench", "#!/bin/sh\necho cycles=$((1000 + $1 % 50))\n", 0o755)
        one = self.commit("one")
        self.assertEqual(self.regress("run", self.plan, "--seed", "1")[0], 0)
        two = self.commit("as fast")
        self.assertEqual(self.regress("run", self.plan, "--seed", "2")[0], 0)
        self.file("bench", "#!/bin/sh\necho cycles=$((1100 + $1 % 50))\n", 0o755)
        three = self.commit("slower")
        self.assertEqual(self.regress("run", self.plan, "--seed", "3")[0], 0)
        status, output, _ = self.regress("compare", one, three)
        self.assertEqual(status, 1)
        self.assertEqual(len(re.findall(r"cycles of bench/(?:one|two): WORSE, \+\d", output)), 2)
        status, output, _ = self.regress("compare", two, one)
        self.assertNotIn("+10", output)
        self.assertIn("better", self.regress("compare", three, two)[1])
        self.assertIn("no run at", self.regress("compare", one, self.commit("never run"))[2])

    def test_noise(self):
        self.assertEqual(statistics.verdict([10, 11, 12, 10, 12], [12, 10, 11, 12, 10])[0], "same")
        self.assertEqual(statistics.verdict([10, 11, 12, 13, 9], [12, 10, 11, 14, 9])[0], "noise")
        self.assertEqual(statistics.verdict([100, 101, 102, 103], [90, 91, 92, 93], "more")[0], "WORSE")
        self.assertEqual(statistics.verdict([100, 101, 102, 103], [90, 91, 92, 93])[0], "better")
        self.assertEqual(statistics.verdict([100], [90])[0], "few")

    # ---- wrong input ----

    def test_wrong_input(self):
        def refused(*arguments):
            status, output, errors = self.regress(*arguments)
            self.assertEqual((status, output, len(errors.splitlines())), (2, "", 1), errors)
            return errors
        self.assertIn("no such file", refused("show"))
        self.assertIn("No such file", refused("run", "none.toml"))
        self.assertIn("not a number from 1", refused("run", self.plan, "--jobs", "0"))
        self.assertIn("invalid choice", refused("dance"))
        self.assertIn("required", refused())
        self.assertIn("not a database", refused("show", "--db", self.file("text", "this is no database, and a long one\n" * 40)))
        self.assertIn("takes a plan, or --run", refused("submit"))
        self.assertIn("array.json", refused("task", self.folder, "--index", "0"))
        data = store.Store(os.path.join(self.folder, "build/regress.db"))
        self.addCleanup(data.lock().close)
        self.assertIn("another regress runs", refused("run", self.plan))
        self.assertIn("no run", refused("show", "7"))
        self.assertTrue(slurm.MOST_TASKS <= 1000)
        self.assertIn("usage: regress run PLAN", self.regress("--help")[1])


if __name__ == "__main__":
    print("shows: RG-1 RG-2 [text]")
    unittest.main(argv=sys.argv[:1])
