"""A plan (TOML): which tests, in which configurations, with how many seeds; and the jobs that it makes.

    name = "nightly"
    time = 3600                      # seconds after which no job begins; 0 or absent: none

    [[test]]
    name = "token_deque"
    command = "build/tests/rtl/token_deque-{config} --seed {seed} --ops {ops}"
    configs = ["nano", "small"]      # absent: one job without a configuration
    seeds = 20                       # jobs for each configuration, each with another seed
    span = 1                         # a job uses the seeds from {seed} to {seed} + span - 1: jobs keep apart by so much
    weight = 3                       # this test's share of the time, beside that of others (1)
    limit = 600                      # seconds for one job (1500)
    with = { ops = "100000" }        # further words in braces; {folder} is the job's own
    shrink = "ops"                   # a failing bench is run again with as many operations as it needed
    waves = true                     # a failing job is run again with waves, when its command names a device rtl: or tandem:
    numbers = { speed = 'cycles/s=(\\d+)' }     # what is measured: the last match in the output
    better = { speed = "more" }      # of such a number: more or less (less)
    coverage = true                  # Verilator's coverage files of the jobs (TANDEM_COVERAGE) are merged
"""
import dataclasses
import hashlib
import random
import re
import shlex
import tomllib

KEYS = {"name": str, "command": str, "configs": list, "seeds": int, "span": int, "weight": (int, float), "limit": (int, float), "with": dict, "shrink": str, "waves": bool,
        "numbers": dict, "better": dict, "coverage": bool}
SEEDS = 1 << 31


class Wrong(Exception):
    """Something that the user wrote, or that is not there, is wrong; one line."""


@dataclasses.dataclass
class Test:
    name: str
    command: str
    configs: list
    seeds: int = 1
    span: int = 1
    weight: float = 1
    limit: float = 1500
    words: dict = dataclasses.field(default_factory=dict)
    shrink: str = ""
    waves: bool = False
    numbers: dict = dataclasses.field(default_factory=dict)
    better: dict = dataclasses.field(default_factory=dict)
    coverage: bool = False


@dataclasses.dataclass
class Plan:
    name: str
    time: float
    tests: list
    text: str

    def test(self, name):
        return next((t for t in self.tests if t.name == name), None)


@dataclasses.dataclass
class Job:
    number: int
    test: str
    config: str
    seed: int

    @property
    def name(self):
        return f"{self.test}{'/' + self.config if self.config else ''} seed {self.seed}"


def words_of(test, config, seed, folder):
    """The command of a job, as words."""
    known = dict(test.words, config=config, seed=str(seed), folder=folder)
    return [re.sub(r"\{(\w+)\}", lambda m: str(known[m[1]]), word) for word in shlex.split(test.command)]


def read_test(path, table, index):
    at = f"{path}: test {index}"
    if not isinstance(table, dict):
        raise Wrong(f"{at}: not a table")
    name = table.get("name")
    if isinstance(name, str):
        at = f"{path}: test {name}"
    for key, value in table.items():
        if key not in KEYS:
            raise Wrong(f"{at}: nothing is called `{key}` (known: {', '.join(KEYS)})")
        if not isinstance(value, KEYS[key]) or (isinstance(value, bool) and KEYS[key] is not bool):
            raise Wrong(f"{at}: `{key}` is of another kind: {value!r:.60}")
    for key in ("name", "command"):
        if not table.get(key):
            raise Wrong(f"{at}: no `{key}`")
    if not re.fullmatch(r"[\w.-]+", name):
        raise Wrong(f"{at}: a name has letters, digits, `_`, `-`, `.` only")
    test = Test(name, table["command"], table.get("configs", [""]))
    for key in ("seeds", "span", "weight", "limit", "shrink", "waves", "numbers", "better", "coverage"):
        setattr(test, key, table.get(key, getattr(test, key)))
    test.words = table.get("with", {})
    for key, least, most in (("seeds", 1, 1000000), ("span", 1, 100000000), ("weight", 0.001, 1e6), ("limit", 0.1, 1e7)):
        if not least <= getattr(test, key) <= most:
            raise Wrong(f"{at}: `{key}` is {getattr(test, key)}, not from {least:g} to {most:g}")
    if not test.configs or not all(isinstance(c, str) and re.fullmatch(r"[\w.,=:-]*", c) for c in test.configs) or len(set(test.configs)) != len(test.configs):
        raise Wrong(f"{at}: `configs` is not a list of different names")
    if test.shrink not in ("", "ops"):
        raise Wrong(f"{at}: `shrink` is \"ops\" or nothing")
    if test.seeds * test.span > SEEDS // 4:
        raise Wrong(f"{at}: {test.seeds} seeds that keep {test.span} apart are too many")
    for key, pattern in test.numbers.items():
        try:
            if re.compile(pattern).groups != 1:
                raise Wrong(f"{at}: `numbers.{key}` has not one group in parentheses: {pattern}")
        except (re.error, TypeError) as error:
            raise Wrong(f"{at}: `numbers.{key}`: {error}: {pattern!r}") from None
    for key, value in test.better.items():
        if key not in test.numbers or value not in ("more", "less"):
            raise Wrong(f"{at}: `better.{key}` is \"more\" or \"less\" of one of the numbers")
    try:
        words_of(test, "c", 1, "f")
    except KeyError as error:
        raise Wrong(f"{at}: `command` has {{{error.args[0]}}}, which `with` does not say") from None
    except ValueError as error:
        raise Wrong(f"{at}: `command`: {error}") from None
    return test


def parse(text, path):
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Wrong(f"{path}: {error}") from None
    for key in table:
        if key not in ("name", "time", "test"):
            raise Wrong(f"{path}: nothing is called `{key}` (known: name, time, test)")
    name, time = table.get("name"), table.get("time", 0)
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]+", name):
        raise Wrong(f"{path}: no `name` of letters, digits, `_`, `-`, `.`")
    if isinstance(time, bool) or not isinstance(time, (int, float)) or not 0 <= time <= 1e9:
        raise Wrong(f"{path}: `time` is no number of seconds")
    if not isinstance(table.get("test"), list) or not table["test"]:
        raise Wrong(f"{path}: no [[test]]")
    tests = [read_test(path, t, i) for i, t in enumerate(table["test"], 1)]
    for index, test in enumerate(tests):
        if test.name in [t.name for t in tests[:index]]:
            raise Wrong(f"{path}: test {test.name} stands twice")
    return Plan(name, float(time), tests, text)


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return parse(file.read(), path)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Wrong(f"{path}: not UTF-8") from None


def seeds_of(test, config, seed):
    """Seeds of a test in a configuration: the same ones for the same `seed`, and none that another job of it uses."""
    start = int.from_bytes(hashlib.sha256(f"{seed}/{test.name}/{config}".encode()).digest()[:8], "little")
    source, places = random.Random(start), (SEEDS - 1) // test.span
    return [1 + test.span * place for place in source.sample(range(places), test.seeds)]


def jobs_of(plan, seed):
    """All jobs, in the order in which they are begun: tests by their weights, configurations of a test in turn."""
    queue = []
    for index, test in enumerate(plan.tests):
        of_config = {config: seeds_of(test, config, seed) for config in test.configs}
        turn = 0
        for i in range(test.seeds):
            for config in test.configs:
                queue.append(((turn + 1) / test.weight, index, test.name, config, of_config[config][i]))
                turn += 1
    queue.sort(key=lambda q: q[:2])
    return [Job(number, name, config, s) for number, (_, _, name, config, s) in enumerate(queue)]
