"""A mutant, and how many of them stand in one text, each behind a selector."""
import dataclasses
import random


class Wrong(Exception):
    """Something that the user wrote, or that is not there, is wrong; one line."""


@dataclasses.dataclass
class Mutant:
    start: int  # of the original text in the file, in characters
    end: int
    rule: str
    new: str
    number: int = 0  # what selects it; 0 is the text as it is
    path: str = ""
    line: int = 0
    old: str = ""
    whole: str = ""  # the line

    def told(self):
        return f"{self.path}:{self.line} [{self.rule}] {' '.join(self.old.split())}  ->  {' '.join(self.new.split())}"

    def key(self):
        """What names it in a list of equivalent mutants: no line number, so that it stays when other lines come and go."""
        return f"{self.whole} @ {' '.join(self.old.split())} -> {' '.join(self.new.split())}"


def number(least, most):
    """The type of an option."""
    def parse(text):
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise Wrong(f"{text}: not a number from {least} to {most}")
        return int(text)
    return parse


def line_at(text, at):
    return text[text.rfind("\n", 0, at) + 1:].split("\n", 1)[0].strip()


def choose(mutants, count, seed):
    """`count` of them (all when there are fewer) at random, numbered from 1 in the order of the files."""
    unique = {}
    for mutant in mutants:
        if " ".join(mutant.old.split()) != " ".join(mutant.new.split()):
            unique.setdefault((mutant.path, mutant.start, mutant.end, mutant.new), mutant)
    pool = list(unique.values())
    chosen = random.Random(seed).sample(pool, count) if count < len(pool) else pool
    chosen.sort(key=lambda m: (m.path, m.start, m.end, m.new))
    for number, mutant in enumerate(chosen, 1):
        mutant.number = number
    return chosen, len(pool)


def render(text, mutants, select):
    """The text with all mutants in it: (select(k) ? mutated : original), those inside of an expression within its original."""
    def inside(start, end, rest):
        out, at, i = [], start, 0
        while i < len(rest):
            first = rest[i]
            same = [m for m in rest[i:] if (m.start, m.end) == (first.start, first.end)]
            within = [m for m in rest[i:] if first.start <= m.start and m.end <= first.end and m not in same]
            body = "(" + inside(first.start, first.end, within) + ")"
            for mutant in same:
                body = f"({select(mutant.number)} ? ({mutant.new}) : {body})"
            out += [text[at:first.start], body]
            at = first.end
            i += len(same) + len(within)
        return "".join(out) + text[at:end]

    ordered = sorted(mutants, key=lambda m: (m.start, -m.end, m.number))
    for one, two in zip(ordered, ordered[1:]):
        if one.end < two.end and two.start < one.end:
            raise Wrong(f"{two.path}:{two.line}: `{two.old}` crosses another expression")
    return inside(0, len(text), ordered)
