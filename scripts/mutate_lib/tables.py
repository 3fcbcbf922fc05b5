"""The tables of tests/mutants: blocks, mutants that are equivalent, and what the last runs have shown."""
import dataclasses
import os

from .mutant import Wrong

BLOCKS = "tests/mutants/blocks.tbl"
EQUIVALENT = "tests/mutants/equivalent.tbl"


@dataclasses.dataclass
class Block:
    name: str
    rtl: str
    model: str
    benches: list


@dataclasses.dataclass
class Outcome:
    path: str
    count: int
    all: int
    killed: int
    equivalent: int
    alive: int
    seed: int

    def line(self):
        rate = 100 * (self.killed + self.equivalent) / max(self.count, 1)
        return f"{self.path} | {self.all} | {self.count} | {self.killed} | {self.equivalent} | {self.alive} | {rate:.1f} % | {self.seed}"


def rows(path, columns):
    """(line number, columns) of a table's rows; the last column may have bars of its own."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != columns or not all(parts):
            raise Wrong(f"{path}:{number}: not {columns} columns with ` | ` between")
        yield number, parts


def read_blocks(path):
    """{name: Block} of rows `BLOCK | RTL | MODEL | BENCH ..`"""
    blocks = {}
    for number, (name, rtl, model, benches) in rows(path, 4):
        if name in blocks:
            raise Wrong(f"{path}:{number}: {name} stands twice")
        blocks[name] = Block(name, rtl, model, benches.split())
    return blocks


def equivalents(path):
    """Rows of equivalent mutants, (number, file, line, original, mutated): a file's name, then indented `@ line` and behind it `- original`, `+ mutated`, `= why` as often as wanted."""
    where, seen = None, {}
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            if not text or text[0] == "#":
                continue
            if line[0] not in " \t":
                where, seen = text, {}
                continue
            wanted = {"@": "", "-": "@", "+": "-", "=": "+"}.get(text[0])
            if wanted is None or (wanted and wanted not in seen) or not text[1:].strip():
                raise Wrong(f"{path}:{number}: not `@ line`, `- original`, `+ mutated`, `= why`, in this order")
            seen = {sign: seen[sign] for sign in "@-+"[:"@-+=".index(text[0])]} | {text[0]: text[1:].strip()}
            if text[0] == "=":
                yield number, where, seen["@"], seen["-"], seen["+"]
                seen = {"@": seen["@"]}


def read_equivalent(path, of):
    """What names the equivalent mutants of a file."""
    return {f"{line} @ {original} -> {mutated}" for _, where, line, original, mutated in equivalents(path) if where == of}


def without_line(path):
    """What is wrong with rows of equivalent mutants: their line stands in their file no more."""
    lines, wrong = {}, []
    for number, where, line, _, _ in equivalents(path):
        if where not in lines:
            if os.path.exists(where):
                with open(where, encoding="utf-8") as file:
                    lines[where] = {text.strip() for text in file}
            else:
                lines[where] = set()
        if line not in lines[where]:
            wrong.append(f"{path}:{number}: {where} has no line `{line}`; take the row out, or tell it of the line that stands there now")
    return wrong


HEAD = """# What mutation has shown, as `make mutate BLOCK=name SAVE=1` has written it: a row a file.
# file | mutants that the rules give | run | killed | equivalent | alive | killed or equivalent | seed
"""


def save(path, outcome):
    """Puts the outcome into the row of its file."""
    known = {}
    if os.path.exists(path):
        known = {parts[0]: " | ".join(parts) for _, parts in rows(path, 8)}
    known[outcome.path] = outcome.line()
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(known[name] + "\n" for name in sorted(known)))
    os.replace(path + ".part", path)
