"""Where SystemVerilog can be mutated, by its syntax tree (pyslang: a parser that reads what the standard says, macros and all, and tells
where each expression stands in the file)."""
import re

from . import mutant
from .mutant import Mutant, Wrong

try:
    import pyslang
    from pyslang import parsing, syntax
except ImportError:  # told when it is needed
    pyslang = None

INCLUDES = ("rtl", "rtl/host", "rtl/task", "rtl/mem", "rtl/sm")
# A constant is wanted there, or nothing that the unit does.
CLOSED = {"VariableDimension", "RangeDimensionSpecifier", "SimpleRangeSelect", "ParameterDeclaration", "ParameterDeclarationStatement", "HierarchyInstantiation", "InitialBlock",
          "ImmediateAssertStatement", "ConcurrentAssertionStatement", "EventControlWithExpression", "TypedefDeclaration", "ImplicitAnsiPort", "ParameterPortList"}
COMPARE = {"EqualityExpression": "!=", "InequalityExpression": "==", "LessThanExpression": "<=", "LessThanEqualExpression": "<", "GreaterThanExpression": ">=",
           "GreaterThanEqualExpression": ">"}
OTHER = {"LogicalAndExpression": "||", "LogicalOrExpression": "&&", "BinaryAndExpression": "|", "BinaryOrExpression": "&", "BinaryXorExpression": "|", "AddExpression": "-",
         "SubtractExpression": "+", "LogicalShiftLeftExpression": ">>", "LogicalShiftRightExpression": "<<"}
NARROWED = set(COMPARE) | {"AddExpression", "SubtractExpression", "MultiplyExpression"}


class Reader:
    def __init__(self, path, build):
        if pyslang is None:
            raise Wrong("pyslang is not installed: `make mutate` puts it into build/venv-mutate")
        with open(path, encoding="latin-1") as file:  # a character is a byte, as in the places that the parser tells
            self.text = file.read()
        self.path, self.found = path, []
        self.manager = pyslang.SourceManager()
        for folder in (build, *INCLUDES):
            self.manager.addUserDirectories(folder)
        preprocessor = parsing.PreprocessorOptions()  # as Verilator reads it, with which the benches are built
        preprocessor.predefines = ["VERILATOR"]
        self.tree = syntax.SyntaxTree.fromFile(path, self.manager, pyslang.Bag([preprocessor]))
        if any(d.isError() for d in self.tree.diagnostics):
            raise Wrong(f"{path}: pyslang cannot read it")
        # Checks of the source itself are no part of the unit.
        self.left_out = [(m.start(), m.end()) for m in re.finditer(r"`ifndef SYNTHESIS.*?`endif", self.text, re.S)]
        self.counters = set(re.findall(r"for \((?:int|genvar) (\w+)", self.text))
        self.constant_functions = set(re.findall(r"(?:parameter|localparam)[^;,]*?\b([a-z]\w*)\s*\(", self.text))

    def range_of(self, node):
        """(start, end) in the file; None: inside of a macro or of another file."""
        first, last = node.sourceRange.start, node.sourceRange.end
        if self.manager.isMacroLoc(first) and self.manager.isMacroLoc(last):
            one, two = self.expansion(first), self.expansion(last)
            if one.start.offset == two.start.offset:
                return None
        if self.manager.isMacroLoc(first):
            first = self.expansion(first).start
        if self.manager.isMacroLoc(last):
            last = self.expansion(last).end
        if not self.manager.isFileLoc(first) or self.manager.isIncludedFileLoc(first) or last.offset <= first.offset:
            return None
        return first.offset, last.offset

    def expansion(self, location):
        found = self.manager.getExpansionRange(location)
        while self.manager.isMacroLoc(found.start):
            found = self.manager.getExpansionRange(found.start)
        return found

    def text_of(self, node):
        place = self.range_of(node)
        return self.text[place[0]:place[1]] if place else None

    def on_purpose(self, node):
        """Is it about a defect that is built on purpose? In the unit that is verilated there is none."""
        text = self.text_of(node) or ""
        return re.match(r"[!( ]*(INJECT\b|inject_)", text) is not None and "?" not in text

    def walk_beside_defects(self, node, kind, opened):
        """What is no defect on purpose of an expression or a statement that is of one, or one's operand; False: it has nothing to do with them."""
        if kind in ("ConditionalExpression", "ConditionalStatement") and self.on_purpose(node.predicate):
            rest = node.right if kind == "ConditionalExpression" else node.elseClause
        elif kind in ("LogicalAndExpression", "LogicalOrExpression") and self.on_purpose(node.right):
            rest = node.left
        elif kind.endswith("Expression") and self.on_purpose(node):
            rest = None
        else:
            return False
        if rest is not None:
            self.walk(rest, opened)
        return True

    def add(self, node, rule, new):
        place = self.range_of(node)
        if place is None or new is None or any(a <= place[0] < b for a, b in self.left_out):
            return
        start, end = place
        self.found.append(Mutant(start, end, rule, new, path=self.path, line=self.text.count("\n", 0, start) + 1, old=self.text[start:end], whole=mutant.line_at(self.text, start)))

    def walk(self, node, opened):
        kind = str(node.kind).rpartition(".")[2]
        if kind in CLOSED or self.walk_beside_defects(node, kind, opened):
            return
        if kind == "IfGenerate":
            self.walk(node.block, opened)
            if node.elseClause:
                self.walk(node.elseClause, opened)
        elif kind == "CaseGenerate":
            return
        elif kind == "LoopGenerate":
            self.walk(node.block, opened)
        elif kind == "FunctionDeclaration":
            if str(node.prototype.name).strip() not in self.constant_functions:
                for item in node.items:
                    self.walk(item, True)
        elif kind in ("AssignmentExpression", "NonblockingAssignmentExpression"):
            if (self.text_of(node.left) or "").startswith("unused"):
                return
            if kind[0] == "N":
                self.enable(node)
            self.walk(node.right, True)
        elif kind.endswith("AssignmentExpression"):
            self.walk(node.right, True)
        elif kind == "ForLoopStatement":
            self.walk(node.statement, opened)
        elif kind == "StandardCaseItem":
            self.walk(node.clause, opened)
        elif kind in ("AscendingRangeSelect", "DescendingRangeSelect"):
            self.walk(node.left, opened)
        elif kind == "CastExpression":
            self.walk(node.right, opened)
        elif kind == "MultipleConcatenationExpression":
            self.walk(node.concatenation, opened)
        elif kind == "InvocationExpression" and str(node.left).strip().startswith("$") and str(node.left).strip() not in ("$signed", "$unsigned"):
            return
        elif kind == "Declarator":
            if node.initializer and str(node.parent.kind).endswith("NetDeclaration") and not re.match("unused|(.*_)?inject(_|$)", str(node.name).strip()):
                self.walk(node.initializer.expr, True)
        else:
            if opened or kind == "ConditionalPredicate":
                self.expression(node, kind)
            for child in node:
                if isinstance(child, syntax.SyntaxNode):
                    self.walk(child, opened or kind == "ConditionalPredicate" or kind == "CaseStatement")

    def enable(self, node):
        if str(node.left.kind).rpartition(".")[2] in ("IdentifierName", "IdentifierSelectName"):
            # Beside an unsigned name the operands of a signed product would not be signed any more.
            kept, given = self.text_of(node.left), self.text_of(node.right) or ""
            self.add(node.right, "enable", f"$signed({kept})" if "$signed" in given else kept)

    def expression(self, node, kind):
        if kind in COMPARE or kind in OTHER:
            left, right = self.text_of(node.left), self.text_of(node.right)
            # An operand that is a macro has no range of its own; its text stands beside the operator.
            place, token = self.range_of(node), node.operatorToken
            if place and self.manager.isFileLoc(token.location):
                at = token.location.offset
                left, right = self.text[place[0]:at].strip(), self.text[at + len(token.rawText):place[1]].strip()
                operator = COMPARE.get(kind) or OTHER[kind]
                self.add(node, "compare" if kind in COMPARE else "operator", f"{left} {operator} {right}")
                if kind in OTHER:
                    self.add(node, "operand", left)
                    if "Shift" not in kind:
                        self.add(node, "operand", right)
                for one, this, form in ((node.left, left, "{0} {1} {2}"), (node.right, right, "{2} {1} {0}")):
                    if kind in NARROWED and str(one.kind).rpartition(".")[2] in ("IdentifierName", "IdentifierSelectName") and self.range_of(one) and not this[:1].isupper() and this not in self.counters:  # those have bits to spare
                        self.add(one, "width", f"{this} & ~(($bits({this}))'(1) << ($bits({this}) - 1))")
        elif kind == "UnaryLogicalNotExpression" or kind == "UnaryBitwiseNotExpression":
            self.add(node, "operand", self.text_of(node.operand))
        elif kind == "ConditionalExpression":
            self.add(node, "condition", self.text_of(node.left))
            self.add(node, "condition", self.text_of(node.right))
        elif kind == "ConditionalPredicate" and str(node.parent.kind).endswith("ConditionalStatement"):
            self.add(node, "condition", f"!({self.text_of(node)})" if self.text_of(node) else None)
        elif kind == "IntegerVectorExpression":
            self.constant(node)
        elif kind == "UnbasedUnsizedLiteralExpression":
            self.add(node, "constant", {"'0": "'1", "'1": "'0"}.get(self.text_of(node)))

    def constant(self, node):
        match = re.fullmatch(r"(\d+)'([dhb])([0-9a-fA-F_]+)", self.text_of(node) or "")
        if match is None:
            return
        size, base = int(match[1]), {"d": 10, "h": 16, "b": 2}[match[2]]
        value = int(match[3].replace("_", ""), base)
        for other in sorted({(value + 1) % (1 << size), (value - 1) % (1 << size)}):
            self.add(node, "constant", f"{size}'d{other}")


# What a mutant needs in the module. The variable is read once, before the first cycle.
def select(number):
    return f"mutant_selected == 32'd{number}"


SELECTOR = """
    int unsigned mutant_selected;
    initial mutant_selected = $c32("(std::getenv(\\"TANDEM_MUTANT\\") ? std::atoi(std::getenv(\\"TANDEM_MUTANT\\")) : 0)");
"""


def places(path, build):
    """All mutants of the file, and its text."""
    reader = Reader(path, build)
    reader.walk(reader.tree.root, False)
    return reader.found, reader.text


def finish(text, path):
    """The rendered text with the selector in it: behind the module's head."""
    match = re.search(r"^\);\n", text, re.M)
    if match is None or len(re.findall(r"^module\b", text, re.M)) != 1:
        raise Wrong(f"{path}: not one module whose head ends with a line `);`")
    return text[:match.end()] + SELECTOR + text[match.end():]
