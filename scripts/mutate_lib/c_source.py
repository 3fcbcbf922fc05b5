"""Where a C file can be mutated, by clang's syntax tree."""
import fnmatch
import json
import re
import subprocess

from . import mutant
from .mutant import Mutant, Wrong

CLANG = "clang-19"
COMPARE = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OTHER = {"&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|", "+": "-", "-": "+", "<<": ">>", ">>": "<<"}


class Reader:
    def __init__(self, path, includes, left_out):
        self.left_out = left_out
        with open(path, encoding="latin-1") as file:  # a character is a byte, as in the places that the parser tells
            self.text = file.read()
        self.path, self.found = path, []
        try:
            done = subprocess.run([CLANG, "-std=gnu17", "-fsyntax-only", "-Xclang", "-ast-dump=json", *includes, "-x", "c", path], capture_output=True, text=True, check=False)
        except OSError as error:
            raise Wrong(f"{CLANG}: {error.strerror}") from None
        if done.returncode != 0:
            raise Wrong(f"{path}: {CLANG} cannot read it: {(done.stderr.splitlines() or ['?'])[0]}")
        self.tree = json.loads(done.stdout)

    def range_of(self, node):
        """(start, end) in the file; None: of another file or inside of a macro."""
        ends = []
        for name in ("begin", "end"):
            place = node.get("range", {}).get(name, {})
            macro = "expansionLoc" in place
            place = place.get("expansionLoc", place)
            if "offset" not in place or "includedFrom" in place:
                return None
            ends.append((place["offset"], place["tokLen"], macro))
        (start, _, first_macro), (last, length, last_macro) = ends
        if first_macro and last_macro and start == last:
            return None
        end = last + length
        if last_macro and self.text[end:end + 1] == "(":
            depth = 0
            for end in range(end, len(self.text)):
                depth += {"(": 1, ")": -1}.get(self.text[end], 0)
                if depth == 0:
                    break
            end += 1
        return (start, end) if start < end <= len(self.text) else None

    def text_of(self, node):
        place = self.range_of(node)
        return self.text[place[0]:place[1]] if place else self.macro_of(node)

    def macro_of(self, node):
        """The text of a macro that is the whole of an expression."""
        place = node.get("range", {}).get("begin", {}).get("expansionLoc")
        if not place or "includedFrom" in place:
            return None
        match = re.match(r"\w+", self.text[place["offset"]:])
        return match[0] if match and self.text[place["offset"] + match.end():][:1] != "(" else None

    def add(self, node, rule, new):
        place = self.range_of(node)
        if place is None or not new:
            return
        start, end = place
        if re.search(r"\binject", mutant.line_at(self.text, start)):  # a defect on purpose is no part of the meaning
            return
        self.found.append(Mutant(start, end, rule, new, path=self.path, line=self.text.count("\n", 0, start) + 1, old=self.text[start:end], whole=mutant.line_at(self.text, start)))

    def functions(self):
        for node in self.tree.get("inner", []):
            place = node.get("loc", {})
            here = "includedFrom" not in place and "offset" in place.get("expansionLoc", place)
            if node.get("kind") == "FunctionDecl" and here and not any(fnmatch.fnmatchcase(node["name"], name) for name in self.left_out):
                for child in node.get("inner", []):
                    if child.get("kind") == "CompoundStmt":
                        self.walk(child)

    def walk(self, node):
        kind = node.get("kind")
        if kind in ("ConstantExpr", "StaticAssertDecl", "UnaryExprOrTypeTraitExpr", "RecordDecl", "EnumDecl") or (kind == "VarDecl" and node.get("storageClass") == "static"):
            return
        self.statement(node, kind)
        for child in node.get("inner", []):
            if child:
                self.walk(child)

    def statement(self, node, kind):
        inner = [child for child in node.get("inner", []) if child]
        if kind == "BinaryOperator":
            operator, left, right = node["opcode"], self.text_of(inner[0]), self.text_of(inner[1])
            if operator == "=" and left:
                self.add(inner[1], "enable", left)
            elif left and right and (operator in COMPARE or operator in OTHER):
                other = COMPARE.get(operator) or OTHER[operator]
                if "*" not in inner[0]["type"]["qualType"] or operator not in OTHER:
                    self.add(node, "compare" if operator in COMPARE else "operator", f"{left} {other} {right}")
                    if operator in OTHER:
                        self.add(node, "operand", left)
                        if operator not in ("<<", ">>"):
                            self.add(node, "operand", right)
        elif kind == "IfStmt" and inner:
            text = self.text_of(inner[0])
            self.add(inner[0], "condition", f"!({text})" if text else None)
        elif kind == "UnaryOperator" and node["opcode"] in ("!", "~"):
            self.add(node, "operand", self.text_of(inner[0]))
        elif kind == "ConditionalOperator" and "*" not in node["type"]["qualType"]:
            self.add(node, "condition", self.text_of(inner[1]))
            self.add(node, "condition", self.text_of(inner[2]))
        elif kind == "IntegerLiteral":
            match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", self.text_of(node) or "")
            if match:
                value = int(match[1], 0 if match[1][:2] in ("0x", "0X") else 10)
                for other in {value + 1, max(value - 1, 0)}:
                    self.add(node, "constant", f"{other}{match[2]}")


def select(number):
    return f"mutant_selected == {number}"


SELECTOR = """#include <stdlib.h>
static int mutant_selected;
__attribute__((constructor)) static void mutant_select(void) {
    const char *text = getenv("TANDEM_MUTANT");
    mutant_selected = text != NULL ? atoi(text) : 0;
}
"""


def places(path, includes, left_out=()):
    """All mutants of the file but those in functions of such names (globs), and its text."""
    reader = Reader(path, includes, left_out)
    reader.functions()
    return reader.found, reader.text


def finish(text, path):
    del path
    return SELECTOR + text


# When mutants stand in several files: each of them says SHARED, one object more is SHARED_SELECTOR.
SHARED = "extern int mutant_selected;\n"
SHARED_SELECTOR = SELECTOR.replace("static int", "int")
