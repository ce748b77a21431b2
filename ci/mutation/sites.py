"""Where a source file can be mutated, and how: found in clang's syntax tree, written as text.

A site is a stretch of the source with its alternatives. Sites nest. What is mutated: comparisons and boolean operators,
operands of these dropped, negations dropped, conditions replaced by true and false, boolean results negated, + and - (and
++ and --) swapped, whole numbers one up or down, statements dropped. What is not: declarations, constants the compiler has
to know (a local one is mutated, and made a plain const), and what the language hides.
"""
import json
import re
import subprocess
from dataclasses import dataclass, field

COMPARISONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
BOOLEAN = {"&&": "||", "||": "&&"}
ARITHMETIC = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
EXPRESSION_STATEMENTS = {"CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr", "BinaryOperator", "CompoundAssignOperator",
                         "UnaryOperator", "ExprWithCleanups"}
LOOPS = {"ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt"}
FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXConversionDecl"}


@dataclass
class Mutant:
    file: str
    line: int
    function: str
    source: str  # the line, without the space around it
    mutation: str  # "a < b => a <= b"
    text: str  # what stands there instead
    number: int = 0


@dataclass
class Site:
    start: int
    end: int
    statement: bool
    boolean: bool = False
    mutants: list = field(default_factory=list)


def one_line(text):
    """C++ on one line: comments go, white space shrinks."""
    return re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", text)).strip()


def syntax_tree(path, flags):
    """The declarations of namespace ordeal that a file sees, as clang prints them."""
    command = ["clang++-19", *flags, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang",
               "-ast-dump-filter=ordeal", "-x", "c++", path]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    decoder, at = json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        tree, at = decoder.raw_decode(text, at)
        yield tree


class Finder:
    """Collects the sites of one file. `source` is read as latin-1, so that offsets count bytes."""

    def __init__(self, file, source):
        self.file, self.source, self.sites = file, source, {}

    def visit(self, node, function="", inside=None):
        if not node or node.get("isImplicit") or self.is_elsewhere(node):
            return
        kind = node.get("kind", "")
        if kind in FUNCTIONS:
            if node.get("constexpr") or node.get("consteval"):
                return
            function, inside = node.get("name", ""), None
        if kind == "StaticAssertDecl" or (kind == "VarDecl" and node.get("constexpr") and not self.unfreeze(node, inside)):
            return
        if inside is not None:
            self.consider(node, kind, function, inside)
        if kind == "CompoundStmt" and inside is None:
            inside = "function"
        elif kind in LOOPS or kind == "SwitchStmt":
            inside = kind
        for child in node.get("inner", []):
            self.visit(child, function, inside)

    # --- where things are ---------------------------------------------------------------------------------------------

    def is_elsewhere(self, node):
        begin = node.get("range", {}).get("begin", {})
        return "includedFrom" in begin or "expansionLoc" in begin or "includedFrom" in node.get("loc", {})

    def span(self, node):
        """Start and end in the source; None for what no text stands for."""
        begin, end = node.get("range", {}).get("begin", {}), node.get("range", {}).get("end", {})
        if "offset" not in begin or "offset" not in end or "includedFrom" in end:
            return None
        return begin["offset"], end["offset"] + end["tokLen"]

    def text(self, span):
        return one_line(self.source[span[0]:span[1]])

    def children(self, node):
        return [child for child in node.get("inner", []) if child and self.span(child)]

    # --- what can be wrong --------------------------------------------------------------------------------------------

    def consider(self, node, kind, function, inside):
        if self.span(node) is None:
            return
        if kind in ("BinaryOperator", "CompoundAssignOperator", "CXXOperatorCallExpr"):
            self.consider_operator(node, kind, function)
        elif kind == "UnaryOperator":
            self.consider_unary(node, function)
        elif kind in ("IfStmt", "ConditionalOperator"):
            self.consider_condition(node, kind, function)
        elif kind == "ReturnStmt":
            self.consider_result(node, function)
        elif kind == "IntegerLiteral":
            self.consider_number(node, function)
        elif kind == "CXXBoolLiteralExpr":
            self.add(node, function, "false" if node.get("value") else "true", boolean=True)
        self.consider_statements(node, kind, function, inside)

    def consider_operator(self, node, kind, function):
        operands = self.children(node)[1 if kind == "CXXOperatorCallExpr" else 0:]
        if len(operands) != 2:
            return
        left, right = sorted(self.span(operand) for operand in operands)
        whole = self.span(node)
        operator = one_line(self.source[left[1]:right[0]])
        a, b = self.text((whole[0], left[1])), self.text((right[0], whole[1]))
        for other in COMPARISONS.get(operator, []):
            self.add(node, function, f"{a} {other} {b}", boolean=True)
        if operator in BOOLEAN:
            for text in (f"{a} {BOOLEAN[operator]} {b}", a, b):
                self.add(node, function, text, boolean=True)
        if operator in ARITHMETIC and self.is_number(node) and all(self.is_number(operand) for operand in operands):
            self.add(node, function, f"{a} {ARITHMETIC[operator]} {b}")

    def is_number(self, node):
        kind = node.get("type", {}).get("desugaredQualType", node.get("type", {}).get("qualType", ""))
        return re.fullmatch(r"(const )?(unsigned |signed |long |int|short|char|ordeal::Time|Time|std::\w+)+[ &]*", kind) is not None

    def consider_unary(self, node, function):
        text = self.text(self.span(node))
        if node.get("opcode") == "!" and re.match(r"![^=]", text):
            self.add(node, function, text[1:], boolean=True)
        elif node.get("opcode") in ("++", "--"):
            swapped = text.replace("++", "--") if "++" in text else text.replace("--", "++")
            self.add(node, function, swapped)

    def consider_condition(self, node, kind, function):
        if node.get("isConstexpr") or node.get("hasVar"):
            return
        inner = node.get("inner", [])
        condition = inner[1 if kind == "IfStmt" and node.get("hasInit") else 0]
        if self.span(condition) is None or self.is_elsewhere(condition):
            return
        for value in ("true", "false"):
            self.add(condition, function, value, boolean=True)

    def consider_result(self, node, function):
        inner = self.children(node)
        if len(inner) != 1 or inner[0].get("type", {}).get("qualType") != "bool":
            return
        text = self.text(self.span(inner[0]))
        if inner[0].get("kind") not in ("BinaryOperator", "CXXOperatorCallExpr", "UnaryOperator", "CXXBoolLiteralExpr"):
            self.add(inner[0], function, f"!({text})", boolean=True)

    def consider_number(self, node, function):
        text = self.text(self.span(node))
        if not re.fullmatch(r"[0-9']+", text):
            return
        value = int(text.replace("'", ""))
        for other in {value + 1, max(value - 1, 0)} - {value}:
            self.add(node, function, str(other))

    def consider_statements(self, node, kind, function, inside):
        """Statements of a block, and single ones under an if or a loop."""
        if kind == "CompoundStmt":
            statements = node.get("inner", [])
        elif kind == "IfStmt":
            statements = node.get("inner", [])[1:]
        elif kind in LOOPS:
            statements = node.get("inner", [])[-1:]
        else:
            return
        for statement in statements:
            self.consider_statement(statement, function, inside if kind not in LOOPS else kind)

    def consider_statement(self, node, function, inside):
        kind, span = node.get("kind", ""), self.span(node) if node else None
        if span is None:
            return
        jump = kind == "ContinueStmt" or (kind == "BreakStmt" and inside in LOOPS)
        leave = kind == "ReturnStmt" and not self.children(node)
        end = re.match(r"\s*;", self.source[span[1]:])
        if (jump or leave or kind in EXPRESSION_STATEMENTS) and end:
            self.add_at((span[0], span[1] + end.end()), function, "", statement=True)

    def unfreeze(self, node, inside):
        """A local constant becomes a plain const one, so that its value may be mutated."""
        span = self.span(node)
        if inside is None or span is None or not self.source.startswith("constexpr ", span[0]):
            return False
        self.sites[(span[0], span[0] + 10, False)] = Site(span[0], span[0] + 10, statement=False)
        return True

    # --- sites --------------------------------------------------------------------------------------------------------

    def add(self, node, function, text, boolean=False):
        self.add_at(self.span(node), function, text, boolean=boolean)

    def add_at(self, span, function, text, statement=False, boolean=False):
        site = self.sites.setdefault((*span, statement), Site(*span, statement))
        site.boolean |= boolean
        was = self.text(span)
        mutation = f"{was} => {text or '(nothing)'}"
        if was == text or any(mutant.mutation == mutation for mutant in site.mutants):
            return
        start = self.source.rfind("\n", 0, span[0]) + 1
        stop = self.source.find("\n", span[0])
        line = self.source.count("\n", 0, span[0]) + 1
        site.mutants.append(Mutant(self.file, line, function, self.source[start:stop].strip(), mutation, text))


def find_sites(file, path, flags):
    """The sites of a file, outer ones first."""
    with open(path, encoding="latin-1") as opened:
        finder = Finder(file, opened.read())
    for tree in syntax_tree(path, flags):
        finder.visit(tree)
    sites = sorted(finder.sites.values(), key=lambda site: (site.start, -site.end, not site.statement))
    return finder.source, sites


def with_switches(source, sites):
    """The source with every mutant in it, each behind its number. It has the lines of the original."""

    def part(start, end, inner):
        text, at = [], start
        while inner:
            site = inner.pop(0)
            own = []
            while inner and inner[0].start < site.end:
                own.append(inner.pop(0))
            text += [source[at:site.start], switched(site, own)]
            at = site.end
        return "".join(text) + source[at:end]

    def switched(site, inner):
        original = part(site.start, site.end, inner)
        if not site.mutants:
            return "const " if original == "constexpr " else original
        if site.statement:
            return "{ if (!ORDEAL_MUTANT(%d)) { %s } }" % (site.mutants[0].number, original)
        cast = "bool" if site.boolean else ""
        choices = "".join(f"ORDEAL_MUTANT({m.number}) ? {cast}({m.text}) : " for m in site.mutants)
        return f"({choices}{cast}({original}))"

    return part(0, len(source), list(sites))
