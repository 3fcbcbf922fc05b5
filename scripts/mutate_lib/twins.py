"""Defects that RTL and model share: the files of the model whose meaning both have, and the opinions that know results from elsewhere."""
import dataclasses
import fnmatch
import glob
import os
import re

from . import c_source, mutant, tables
from .mutant import Wrong

TWINS = "tests/mutants/twins.tbl"
OPINIONS = "tests/mutants/opinions.tbl"
NOT_VISIBLE = "tests/mutants/not_visible.tbl"
RATES = "tests/mutants/twin_rates.tbl"


@dataclasses.dataclass
class Twin:
    path: str
    functions: list  # left out
    nearest: list  # opinions, as globs
    alone: bool  # nobody else is asked


@dataclasses.dataclass
class Opinion:
    name: str
    command: list


@dataclasses.dataclass
class Table:
    twins: dict  # {path: Twin}
    left_out: dict  # {path: why}
    quick: dict  # {path: why}, not in the build at all


def read_twins(path, opinions):
    """Rows `FILE | RTL | FUNCTIONS left out or - | NEAREST opinions .. [alone]`, `FILE | left out | - | why`, `FILE | quick | - | why`."""
    table = Table({}, {}, {})
    for number, (name, rtl, functions, rest) in tables.rows(path, 4):
        if any(name in known for known in (table.twins, table.left_out, table.quick)):
            raise Wrong(f"{path}:{number}: {name} stands twice")
        if not os.path.exists(name):
            raise Wrong(f"{path}:{number}: {name}: no such file")
        if rtl in ("left out", "quick"):
            (table.quick if rtl == "quick" else table.left_out)[name] = rest
            continue
        words = rest.split()
        alone = words[-1] == "alone"
        nearest = words[:-1] if alone else words
        for word in nearest:
            if not any(fnmatch.fnmatchcase(opinion, word) for opinion in opinions):
                raise Wrong(f"{path}:{number}: no opinion is called {word}")
        table.twins[name] = Twin(name, [] if functions == "-" else functions.split(), nearest, alone)
    if not table.twins:
        raise Wrong(f"{path}: no file to mutate")
    return table


def read_opinions(path, programs, seed):
    """{name: Opinion} of rows `NAME | COMMAND | what it knows`, the nearest first; {programs} and {seed} are filled in,
    and a word with `*` that names files becomes these."""
    opinions = {}
    for number, (name, command, _) in tables.rows(path, 3):
        if name in opinions:
            raise Wrong(f"{path}:{number}: {name} stands twice")
        words = [word.replace("{programs}", programs).replace("{seed}", str(seed)) for word in command.split()]
        opinions[name] = Opinion(name, [file for word in words for file in sorted(glob.glob(word)) or [word]])
    if not opinions:
        raise Wrong(f"{path}: no opinion")
    return opinions


def order(twin, opinions):
    """The opinions that are asked: those that the file names, as it names them, then all others (unless it says `alone`)."""
    near = []
    for word in twin.nearest:
        near += [name for name in opinions if fnmatch.fnmatchcase(name, word) and name not in near]
    return near if twin.alone else near + [name for name in opinions if name not in near]


def find(table, includes, count, seed):
    """(chosen mutants of all files, all that the rules give, {path: text})."""
    found, texts = [], {}
    for path, twin in table.twins.items():
        here, texts[path] = c_source.places(path, includes, twin.functions)
        found += here
    chosen, all_of_them = mutant.choose(found, count, seed)
    return chosen, all_of_them, texts


def includers(top, paths, left_out):
    """The .c files under the folder that are compiled with one of the paths in them, left_out not among them."""
    direct = {}
    for folder, _, names in os.walk(top):
        for name in names:
            if name.endswith((".c", ".h")):
                path = os.path.join(folder, name)
                with open(path, encoding="latin-1") as file:
                    said = re.findall(r'^#include "([^"]+)"', file.read(), re.M)
                direct[path] = {p for word in said for p in (os.path.normpath(os.path.join(base, word)) for base in (folder, top)) if os.path.exists(p)}
    hit, grown = set(paths), True
    while grown:
        more = {path for path, names in direct.items() if path not in hit and path not in left_out and names & hit}
        hit |= more
        grown = bool(more)
    return sorted(path for path in hit if path.endswith(".c"))


# ---- what runs have shown ----
GROUPS = ("programs", "device", "compiler", "opinion")
HEAD = """# How many defects that RTL and model share opinions from elsewhere find, as `make mutate-twins SAVE=1` has written it: a row a seed.
# Crash: the model breaks down and no opinion contradicts; hardware would not, so this is no answer. Found: of those that a program can see.
# seed | mutants that the rules give | run | found by programs | device tests | compiler tests | other implementation | crash | not visible | alive | found
"""


def rate(counts):
    visible = counts["run"] - counts["not visible"]
    return 100 * sum(counts[group] for group in GROUPS) / visible if visible else 100.0


def save(path, seed, all_of_them, counts):
    known = {}
    if os.path.exists(path):
        known = {int(parts[0]): " | ".join(parts) for _, parts in tables.rows(path, 11)}
    columns = [seed, all_of_them, counts["run"], *(counts[group] for group in GROUPS), counts["crash"], counts["not visible"], counts["alive"], f"{rate(counts):.1f} %"]
    known[seed] = " | ".join(str(column) for column in columns)
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(known[name] + "\n" for name in sorted(known)))
    os.replace(path + ".part", path)
