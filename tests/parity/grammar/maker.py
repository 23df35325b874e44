"""Makes templates from productions: a typed grammar with scopes.

A production is a text with slots: `@text` takes an expression that is usually a text; `@body{i=num}` takes a body in
which `i` is a number. Some expressions are of a wrong kind, because an error in Python must be an error in JavaScript
too.
"""

import re
from collections.abc import Collection, Mapping
from random import Random

from . import containers, numbers, statements, texts, values

HOLE = re.compile(r"@(?:@|([a-z]+\d?))(?:\{([^}{%]*)\})?")
OPENING = re.compile(r"(\{%)( (?!raw|endraw))|(?<!\{)(\{\{)( )")
NAME = re.compile(r"\$([a-z])")
NAMES = ("i", "j", "v", "item", "s", "n", "acc", "name", "x", "row", "t", "q", "u")
DEEPEST = 3
EDGES = ("\n", "\n\n", "\n\n\n", " ", "\t\n", "\n  ", "\r\n", "\r\n\r\n", "\r", "\x0b", "\xa0\n")
"""White space for the beginning or the end of a file."""
BYTE_ORDER_MARK = "\ufeff"
LINE_ENDS = ("\r\n", "\r\n", "\r")


def productions(text: str) -> tuple[str, ...]:
    return tuple(line.replace("\\n", "\n") for line in text.split("\n") if line)


GRAMMAR: Mapping[str, tuple[str, ...]] = {
    "text": productions(texts.TEXT),
    "mark": productions(texts.MARK),
    "int": productions(numbers.INT),
    "num": productions(numbers.NUM),
    "bool": productions(numbers.BOOL),
    "cond": productions(numbers.COND),
    "nums": productions(containers.NUMS),
    "texts": productions(containers.TEXTS),
    "rows": productions(containers.ROWS),
    "row": productions(containers.ROW),
    "pairs": productions(containers.PAIRS),
    "dict": productions(containers.DICT),
    "scalar": productions(containers.SCALAR),
    "any": productions(containers.ANY),
    "output": productions(statements.OUTPUT),
    "data": productions(statements.DATA),
    "statement": productions(statements.STATEMENT),
    "whole": productions(statements.WHOLE),
}

ATOMS: Mapping[str, tuple[str, ...]] = {
    "text": ("s", "t", "s", "t"),
    "mark": ("'<b>x</b> '|safe", "s|e", "'&lt;'|safe", "t|safe"),
    "int": ("n", "m", "n", "3", "10", "-2", "0"),
    "num": ("f", "price", "n", "1.5", "0.1", "2", "100"),
    "bool": ("on", "true", "false", "n > 2", "s == t"),
    "cond": ("on", "s", "n", "l", "missing"),
    "nums": ("l", "l", "[1, 2, 3]", "[3, 1.5, 2]"),
    "texts": ("w", "w", "['a', 'B', '<']", "['x']"),
    "rows": ("u",),
    "row": ("r", "r", "u[0]"),
    "pairs": ("[['a', 1], ['b', 2]]", "e|items|list"),
    "dict": ("d", "d", "e", "{'a': 1, 'b': 'x'}", "r"),
    "scalar": ("s", "n", "f", "z", "label", "on", "r.k", "missing"),
    "any": ("x", "y", "s", "n", "f", "l", "d", "z", "missing"),
    "missing": ("missing", "missing.a", "r.nope", "d.nope"),
    "null": ("none", "z"),
    "sep": values.SEPARATORS,
    "small": ("0", "1", "2", "3", "5"),
    "pos": ("1", "2", "3", "4", "7"),
    "nat": ("m", "255", "16", "7", "s|length"),
    "wide": ("4", "6", "7", "9", "12", "20"),
    "cmp": ("eq", "ne", "lt", "le", "gt", "ge"),
    "plain": (
        "label",
        "label",
        "f",
        "on",
        "label|upper",
        "label|default('x')",
        "m ~ label",
        "w|length",
        "price|round(2)",
        "z",
    ),
    "mark1": ("'…'", "''", "'<'", "'..'"),
    "dict2": ("e", "{'a': s, 'b': n}", "{'a': x}", "r.c"),
    "dict3": ("e", "{'one': f, 'two': 2}", "{'one': n, 'b': 1.5}"),
    "texts2": ("['a', s]", "[t, n]"),
    "any1": ("n", "s", "f"),
}
LOOP = {
    "loop.index": "int", "loop.index0": "int", "loop.first": "bool", "loop.last": "bool", "loop.length": "int",
    "loop.revindex": "int", "loop.revindex0": "int", "loop.depth": "int", "loop.depth0": "int",
    "loop.cycle(@text, 'b')": "text", "loop.changed(@any)": "bool",
}  # fmt: skip


class Maker:
    """The state of one template: the random numbers, the names in scope, the share of wrong kinds."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.wrong = 0.04 if dice.random() < 0.15 else 0.0015
        self.scope: list[tuple[str, str]] = []
        self.blocks = 0
        self.pieces = 12

    def whole(self) -> str:
        template = self.filled(self.dice.choice(GRAMMAR["whole"]), 0)
        if not {"s", "n", "t", "f"} & set(values.WORD.findall(template)):
            template += "{{ s }}" if "extends" not in template else ""
        return self.as_file(self.declaration() + self.trimmed(template))

    def as_file(self, template: str) -> str:
        """Return the template as an editor may save it: with other white space or line ends, with a BOM, or empty."""
        if self.dice.random() < 0.01:
            template = ""
        if self.dice.random() < 0.2:
            template = self.dice.choice(EDGES) + template
        if self.dice.random() < 0.5:
            template += self.dice.choice(EDGES)
        if self.dice.random() < 0.1:
            template = template.replace("\r\n", "\n").replace("\n", self.dice.choice(LINE_ENDS))
        return BYTE_ORDER_MARK + template if self.dice.random() < 0.03 else template

    def declaration(self) -> str:
        """Return a random declaration, also of variables that the template does not read; often an empty text."""
        if self.dice.random() < 0.7:
            return ""
        names = [name for name in values.TYPES if self.dice.random() < 0.5]
        listed = ", ".join(f"{name}: {values.TYPES[name]}" for name in names)
        return f"{{#def {listed} {self.dice.choice(('', '-'))}#}}" if names else ""

    def trimmed(self, template: str) -> str:
        """Return the template with white space control at random tags; often the template itself."""
        if self.dice.random() < 0.7:
            return template

        return OPENING.sub(self.opened, template)

    def opened(self, match: re.Match[str]) -> str:
        block = match[1] is not None
        sign = self.dice.choice(("", "", "-", "+") if block else ("", "", "-"))
        return (match[1] or match[3]) + sign + " "

    def filled(self, production: str, depth: int) -> str:
        names: dict[str, str] = {}
        for letter in dict.fromkeys(NAME.findall(production)):
            names[letter] = self.name(letter, names.values())
        named = NAME.sub(lambda match: names[match[1]], production)
        return HOLE.sub(lambda match: self.hole(match[1], match[2] or "", depth), named)

    def name(self, letter: str, taken: Collection[str]) -> str:
        """Return a name for `$letter`. Blocks, macros and modules have names of their own."""
        if letter == "b":
            self.blocks += 1
            return f"part{self.blocks}"
        names = [f"{name}{letter}" for name in ("m", "card", "line", "f")] if letter in "mwf" else NAMES
        return self.dice.choice([name for name in names if name not in taken])

    def hole(self, kind: str | None, bindings: str, depth: int) -> str:
        if kind is None:
            return "@"
        if kind == "let":
            self.scope.extend(self.bound(bindings))
            return ""
        before = len(self.scope)
        self.scope.extend(self.bound(bindings))
        try:
            if kind in {"body", "piece"}:
                return self.body(depth + 1) if kind == "body" else self.piece(depth)
            return self.expression(kind, depth + 1)
        finally:
            if (
                bindings and self.dice.random() < 0.97
            ):  # otherwise later code can use names that are out of scope
                del self.scope[before:]

    def bound(self, bindings: str) -> list[tuple[str, str]]:
        out: list[tuple[str, str]] = []
        for name, _, kind in (binding.rpartition("=") for binding in split(bindings)):
            if name == "loop":
                out += [*LOOP.items(), ("loop.previtem", kind), ("loop.nextitem", kind)]
            else:
                out += [(name, kind)] * 4
        return out

    def body(self, depth: int) -> str:
        return "".join(self.piece(depth) for _ in range(self.dice.choice((1, 1, 2, 2, 3))))

    def piece(self, depth: int) -> str:
        self.pieces -= 1
        roll = self.dice.random()
        if depth >= DEEPEST or self.pieces < 0:
            roll *= 0.5
        kind = "output" if roll < 0.4 else "data" if roll < 0.5 else "statement"
        production = self.dice.choice(GRAMMAR[kind])
        if self.pieces < 0 and "@body" in production:
            production = GRAMMAR["output"][0]
        return self.filled(production, depth if kind == "statement" else DEEPEST - 2)

    def expression(self, kind: str, depth: int) -> str:
        if kind == "short":
            return quoted(self.dice.choice(values.SHORT))
        if kind in GRAMMAR and self.dice.random() < self.wrong:
            kind = self.dice.choice(("text", "int", "nums", "dict", "any", "row", "bool", "missing", "null"))
        if kind in GRAMMAR and self.dice.random() < (0.95, 0.85, 0.6, 0.35, 0.15, 0)[min(depth, 5)]:
            return f"({self.filled(self.dice.choice(GRAMMAR[kind]), depth)})"
        return self.atom(kind, depth)

    def atom(self, kind: str, depth: int) -> str:
        here = [name for name, held in self.scope if held == kind or (held == "int" and kind == "num")]
        if here and self.dice.random() < 0.5:
            return self.filled(self.dice.choice(here), 5)
        if kind == "text" and self.dice.random() < 0.35:
            return quoted(values.text(self.dice))
        atom = self.dice.choice(ATOMS[kind])
        return f"({atom})" if "|" in atom or " " in atom else atom


def split(bindings: str) -> list[str]:
    """Split at the commas outside of parentheses."""
    return re.findall(r"[^,(]+(?:\([^)]*\))?[^,(]*", bindings)


def quoted(text: str) -> str:
    escaped = (
        text.replace("\\", "\\\\")
        .replace("'", "\\'")
        .replace("\n", "\\n")
        .replace("\t", "\\t")
        .replace("\r", "\\r")
    )
    return f"'{escaped}'"


def template(dice: Random) -> str:
    """Return a random template."""
    return Maker(dice).whole()
