#!/usr/bin/env python3
"""scripts/run-tests: what it runs, in which order, what it writes, how a failure is told, and what wrong input gets.

usage: test_run_tests.py [BUILD]        (in the project's top folder)
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

RUN_TESTS = os.path.abspath("scripts/run-tests")
# A program that behaves like one of Criterion: it knows --filter, and writes a line for each test.
CRITERION = """#!/bin/sh
filter='*/*'
while [ $# -gt 1 ]; do [ "$1" = --filter ] && filter=$2; shift; done
for test in group/good group/bad other/good; do
    case $test in $filter) ;; *) continue;; esac
    [ $test != group/bad ]; bad=$?
    echo "running $test with seed $TANDEM_SEED"
    [ $bad = 0 ] && verdict=PASS || { verdict=FAIL; status=1; }
    echo "$verdict $test 0.25 TD-1 what it shows [model]" >> "$TANDEM_RESULTS"
done
exit ${status:-0}
"""


class RunTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tandem-run-tests-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path("criterion.sh", CRITERION)
        os.chmod(self.path("criterion.sh"), 0o755)

    def path(self, name, text=None):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def read(self, name):
        with open(self.path(name), encoding="utf-8", errors="replace") as file:
            return file.read()

    def command(self, *options):
        return [RUN_TESTS, self.path("list"), "--results", self.path("results.txt"), "--logs", self.path("logs"), *options]

    def run_tests(self, suites, *options, folder=None):
        """(exit status, output, errors) of a run of these lines."""
        if suites is not None:
            self.path("list", "".join(line + "\n" for line in suites))
        done = subprocess.run(self.command(*options), capture_output=True, text=True, check=False, timeout=120, cwd=folder)
        return done.returncode, done.stdout, done.stderr

    def ran(self, output):
        return re.findall(r"^  \[\d+/\d+\] ([^:]+):", output, re.MULTILINE)

    # ---- results ----

    def test_passed_and_failed_are_counted(self):
        status, output, errors = self.run_tests(["a/one | program | true", "a/two | program | false"])
        self.assertEqual((status, errors), (1, ""))
        self.assertEqual(output.splitlines()[-1], "1 passed, 1 failed")
        self.assertRegex(output, r"a/two: 0 passed, 1 FAILED")
        status, output, _ = self.run_tests(["a/one | program | true"])
        self.assertEqual((status, output.splitlines()[-1]), (0, "1 passed, 0 failed"))

    def test_results_have_seconds_and_what_a_program_shows(self):
        self.run_tests(["a | program | echo 'shows: TD-1 TD-2 [rtl]'", f"b | criterion | {self.path('criterion.sh')}"])
        text = self.read("results.txt")
        self.assertRegex(text, r"(?m)^PASS a \d+\.\d+ TD-1 TD-2 \[rtl\]$")
        self.assertRegex(text, r"(?m)^PASS group/good 0\.25 TD-1 what it shows \[model\]$")
        self.assertRegex(text, r"(?m)^FAIL group/bad 0\.25 ")
        self.assertRegex(text, r"(?m)^SUITE a \d+\.\d+ \d+\.\d+$")

    def test_trace_reads_the_results(self):
        self.run_tests(["a | program | echo 'shows: TD-1 [rtl]'"])
        more = self.path("more.txt", "PASS b 0.10 TD-1 in another run [model]\nFAIL c 0.10 TD-2 [rtl]\n")
        done = subprocess.run([sys.executable, "scripts/trace.py", "tests/requirements/requirements.tbl", self.path("results.txt"), more], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^TD-1 model=yes rtl=yes tandem=no b a$")
        self.assertRegex(done.stdout, r"(?m)^TD-2 model=no rtl=no tandem=no c")

    def test_processor_seconds_hold_those_of_children(self):
        self.path("busy.py", "import time\nwhile time.process_time() < 0.5:\n    pass\n")
        self.run_tests([f"busy | program | sh -c '{sys.executable} {self.path('busy.py')}; true'"])
        match = re.search(r"SUITE busy \S+ (\S+)", self.read("results.txt"))
        self.assertGreaterEqual(float(match[1]), 0.5)

    def test_junit_says_the_same(self):
        self.path("odd.sh", "printf '<&\\001\\033\\377>'; exit 3\n")
        status, _, _ = self.run_tests(["a | program | true", f"b | criterion | {self.path('criterion.sh')}", f"c | program | sh {self.path('odd.sh')}"], "--seed", "5")
        self.assertEqual(status, 1)
        root = xml.etree.ElementTree.parse(self.path("results.xml")).getroot()
        self.assertEqual((root.tag, root.get("tests"), root.get("failures")), ("testsuites", "5", "2"))
        failures = {case.get("classname") + " " + case.get("name"): case.find("failure").get("message") for case in root.iter("testcase") if case.find("failure") is not None}
        self.assertEqual(set(failures), {"b group/bad", "c c"})
        self.assertIn("TANDEM_SEED=5", failures["b group/bad"])
        self.assertIn("exit status 3", failures["c c"])

    def test_a_run_of_some_keeps_the_times_of_the_others(self):
        suites = ["a | program | true", "b | program | true"]
        self.run_tests(suites)
        self.run_tests(suites, "--only", "b")
        text = self.read("results.txt")
        self.assertRegex(text, r"(?m)^SUITE a ")
        self.assertNotRegex(text, r"(?m)^PASS a ")

    # ---- order ----

    def test_longest_first(self):
        suites = [f"{name} | program | true" for name in "abcd"]
        self.path("times", "# how long\nSUITE a 1 1\nSUITE b 1 3\nSUITE c 1 2\nSUITE d 1 9\n")
        self.assertEqual(self.ran(self.run_tests(suites, "--jobs", "1", "--times", self.path("times"))[1]), ["d", "b", "c", "a"])
        # What the last run has measured counts more than what is written there; a suite of which nothing is known may be long.
        self.path("results.txt", "SUITE d 1 0.5\nSUITE x 1 1\nSUITE a 7\n")
        self.path("times", "SUITE a 1 1\nSUITE b 1 3\nSUITE d 1 9\n")
        self.assertEqual(self.ran(self.run_tests(suites, "--jobs", "1", "--times", self.path("times"))[1]), ["c", "b", "a", "d"])

    def test_times_are_saved_for_others(self):
        self.run_tests(["a | program | true", "b | program | true"], "--save-times", self.path("times"))
        self.assertEqual(len(re.findall(r"(?m)^SUITE [ab] \d+\.\d \d+\.\d$", self.read("times"))), 2)

    def test_jobs_at_a_time(self):
        for jobs in (1, 2):
            marks = self.path(f"marks{jobs}")
            self.run_tests([f"s{k} | program | sh -c 'echo + >> {marks}; sleep 0.2; echo - >> {marks}'" for k in range(5)], "--jobs", str(jobs))
            running = most = 0
            for mark in self.read(f"marks{jobs}").split():
                running += 1 if mark == "+" else -1
                most = max(most, running)
            self.assertEqual(most, jobs)

    def test_show_only_shows(self):
        status, output, _ = self.run_tests([f"a | program | touch {self.path('ran')}"], "--show", "--seed", "3")
        self.assertEqual((status, output), (0, f"a: touch {self.path('ran')}\n"))
        self.assertFalse(os.path.exists(self.path("ran")))

    # ---- choosing ----

    def test_suites_are_chosen_by_name_and_glob(self):
        suites = [f"{name} | program | true" for name in ("unit/one", "unit/two", "rtl/one-nano", "rtl/one-full")]
        for pattern, chosen in (("unit/one", ["unit/one"]), ("two", ["unit/two"]), ("unit", ["unit/one", "unit/two"]), ("rtl/*", ["rtl/one-nano", "rtl/one-full"]), ("*-nano two", ["rtl/one-nano", "unit/two"])):
            self.assertEqual(sorted(self.ran(self.run_tests(suites, "--only", pattern)[1])), sorted(chosen), pattern)
        self.assertEqual(len(self.ran(self.run_tests(suites, "--only", "two", "--only", "rtl/*")[1])), 3)

    def test_tests_are_chosen(self):
        suites = ["a | program | true", f"b | criterion | {self.path('criterion.sh')} --filter nothing"]
        for pattern, tests in (("b:good", 2), ("b:group/good", 1), (":*/good", 2), (":bad", 0)):
            status, output, _ = self.run_tests(suites, "--only", pattern)
            self.assertEqual((status, output.splitlines()[-1]), (0 if tests else 1, f"{tests} passed, {0 if tests else 1} failed"), pattern)
            self.assertEqual(self.ran(output), ["b"])

    def test_nothing_chosen_is_no_success(self):
        status, output, errors = self.run_tests([f"b | criterion | {self.path('criterion.sh')}"], "--only", "b:nonesuch")
        self.assertEqual(status, 2)
        self.assertIn("no test of it is chosen", output)
        self.assertEqual(errors.splitlines(), ["run-tests: no test is chosen: the pattern names none"])

    # ---- seeds and replay ----

    def test_seed_reaches_the_programs(self):
        suites = ["a | program | echo --seed {seed}", f"b | criterion | {self.path('criterion.sh')}"]
        output = self.run_tests(suites, "--seed", "77")[1]
        self.assertIn("seed 77 (given), SEED=77 repeats it", output)
        self.assertIn("--seed 77", self.read("logs/a.log"))
        self.assertIn("with seed 77", self.read("logs/b.log"))
        self.assertIn("SEED 77\n", self.read("results.txt"))

    def test_seed_of_the_commit(self):
        def seed(*options, folder=None):
            return re.search(r"seed (\d+) \((.*?)\)", self.run_tests(["a | program | true"], *options, folder=folder)[1]).groups()
        def git(*words):
            subprocess.run(["git", "-C", self.folder, "-c", "user.name=x", "-c", "user.email=x@example.org", *words], check=True, capture_output=True)
        self.assertEqual(seed(folder=self.folder), ("1", "not in a git repository"))
        git("init")
        git("commit", "--allow-empty", "-m", "nothing")
        first = seed(folder=self.folder)
        self.assertEqual(first, (str(0x4b825dc6 & 0x7FFFFFFF), "the commit's"))  # the empty tree is the same everywhere
        self.assertEqual(seed(folder=self.folder), first)
        self.path("file", "something")
        git("add", "file")
        git("commit", "-m", "something")
        self.assertNotEqual(seed(folder=self.folder), first)
        self.assertNotEqual(seed("--seed", "fresh"), seed("--seed", "fresh"))

    def test_a_failure_says_how_to_replay_it(self):
        output = self.run_tests([f"b | criterion | {self.path('criterion.sh')}", "c | program | sh -c 'echo cause; test {seed} = 8'"], "--seed", "9")[1]
        replays = re.findall(r"(?m)^    replay: (.*)$", output)
        self.assertEqual(len(replays), 2)
        for replay in replays:
            self.assertEqual(subprocess.run(replay, shell=True, capture_output=True, check=False, env=dict(os.environ, TANDEM_RESULTS=self.path("again"))).returncode, 1, replay)
        self.assertTrue(any(replay.startswith("TANDEM_SEED=9 ") and replay.endswith(" --filter group/bad") for replay in replays), replays)
        self.assertIn("    cause\n", output)

    # ---- programs that break down ----

    def test_crash(self):
        output = self.run_tests(["a | program | sh -c 'kill -SEGV $$'"])[1]
        self.assertIn("ended by signal 11 (SIGSEGV)", output)
        self.assertEqual(output.splitlines()[-1], "0 passed, 1 failed")

    def test_crash_of_a_program_whose_tests_have_passed(self):
        self.path("crash.sh", "#!/bin/sh\necho 'PASS a/b 0.10 TD-1' >> $TANDEM_RESULTS\nkill -ABRT $$\n")
        os.chmod(self.path("crash.sh"), 0o755)
        self.assertEqual(self.run_tests([f"x | criterion | {self.path('crash.sh')}"])[1].splitlines()[-1], "1 passed, 1 failed")

    def test_no_such_program(self):
        status, output, _ = self.run_tests(["a | program | ./nonesuch --option"])
        self.assertEqual(status, 1)
        self.assertIn("cannot run ./nonesuch: No such file or directory", output)

    def test_criterion_program_without_tests(self):
        self.assertEqual(self.run_tests(["a | criterion | true"])[0], 1)

    def test_hanging_program_is_ended_with_its_children(self):
        status, output, _ = self.run_tests([f"a | program | sh -c 'sleep 1000 & echo $! > {self.path('pid')}; wait'"], "--time-limit", "1")
        self.assertEqual(status, 1)
        self.assertIn("no end after 1 s", output)
        self.assertTrue(self.ends(int(self.read("pid"))))

    def ends(self, pid):
        for _ in range(200):
            try:
                with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                    if file.read().rpartition(")")[2].split()[0] == "Z":
                        return True
            except FileNotFoundError:
                return True
            time.sleep(0.05)
        return False

    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.path("list", f"b | program | sh -c 'echo $$ > {self.path('pid')}.part; mv {self.path('pid')}.part {self.path('pid')}; exec sleep 1000'\na | program | true\nz | program | true\n")
            if os.path.exists(self.path("pid")):
                os.remove(self.path("pid"))
            self.path("times", "SUITE a 1 9\nSUITE b 1 8\nSUITE z 1 1\n")
            process = subprocess.Popen(self.command("--jobs", "1", "--times", self.path("times")), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while not os.path.exists(self.path("pid")):
                time.sleep(0.05)
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            self.assertRegex(errors, r"^  ended while running: b \d+ s\nrun-tests: interrupted\n$")
            self.assertEqual(self.ran(output), ["a"])
            self.assertRegex(self.read("results.txt"), r"(?m)^PASS a ")
            self.assertTrue(self.ends(int(self.read("pid"))))
            os.remove(self.path("pid"))
            os.remove(self.path("results.txt"))

    def test_two_runs_in_one_folder(self):
        self.path("list", f"a | program | sh -c 'echo > {self.path('begun')}; while [ ! -e {self.path('end')} ]; do sleep 0.05; done'\n")
        first = subprocess.Popen(self.command(), stdout=subprocess.PIPE, text=True)
        while not os.path.exists(self.path("begun")):
            time.sleep(0.05)
        status, _, errors = self.run_tests(None)
        self.assertEqual((status, len(errors.splitlines())), (2, 1))
        self.assertIn("another run writes there now", errors)
        self.path("end", "")
        self.assertEqual(first.communicate(timeout=60)[0].splitlines()[-1], "1 passed, 0 failed")
        self.assertEqual(self.run_tests(None)[0], 0)

    # ---- wrong input ----

    def test_wrong_options(self):
        for options, words in ((["--jobs", "0"], "--jobs 0: not a number from 1"), (["--jobs", "two"], "--jobs two"), (["--jobs", ""], "--jobs"), (["--seed", "-1"], "--seed"),
                               (["--seed", "0x10"], "--seed 0x10"), (["--seed", "2147483648"], "not a number from 0 to 2147483647"), (["--time-limit", "1.5"], "--time-limit 1.5"), (["--only"], "--only"),
                               (["--only", "nonesuch"], "'nonesuch' is none of the 2 suites; --show lists them"), (["--only", "a:test"], "suites that have tests to choose from"),
                               (["--only", "b:x b:y"], "b is chosen already"), (["--nonesuch"], "--nonesuch"), (["more"], "more"), (["--job", "2"], "--job")):
            status, output, errors = self.run_tests(["a | program | true", "b | criterion | true"], *options)
            self.assertEqual((status, output), (2, ""), options)
            self.assertRegex(errors, r"^run-tests: [^\n]+\n$", options)
            self.assertIn(words, errors)

    def test_wrong_lists(self):
        for text, words in (("a program true\n", ":1: not `NAME | criterion or program | COMMAND`: a program true"), ("\na | program | true\nb | shell | true\n", ":3: not"),
                            ("a | program | true\na | program | true\n", ":2: a stands twice"), ("a | program | 'true\n", ":1: No closing quotation"), ("a | program |\n", ":1: not"), ("\n", "no suites")):
            self.path("list", text)
            status, output, errors = self.run_tests(None)
            self.assertEqual((status, output), (2, ""), text)
            self.assertRegex(errors, r"^run-tests: [^\n]+\n$", text)
            self.assertIn(words, errors)
        os.remove(self.path("list"))
        self.assertRegex(self.run_tests(None)[2], r"^run-tests: .*/list: no such list of suites; .*\n$")
        done = subprocess.run([RUN_TESTS], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^run-tests: [^\n]+\n$")

    def test_help(self):
        done = subprocess.run([RUN_TESTS, "--help"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("--only", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
