# ruff: noqa: E501, RUF001 - lists of words, several to a line, in several alphabets
"""Values: the literals of templates, and contexts with a value for each variable that a template reads."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

TEXTS = (
    "", "a", "Ab c", "<b>", "&amp;", "it's", '"q"', "héllo wörld", "😀x", "x😀y👍🏽z", " x ", "a,b,c", "10", "-3.5", "0x1f",
    "one two three", "a\nb", "a\r\nb\n", "ßtraße", "ΑΣ ς", "The quick brown fox-trot", "1e5", "<a href='x'>l</a>", "%s", "{}",
    "constructor", "__proto__", "length", "toString", "é", "İi", "ǆx", "\u00a0z\u00a0", "tab\there", "A" * 30, "aaa bbb  ccc",
    "https://a.com/?b=1&c=2", "x_y-z", "ab" * 6, "self-contained", "null", "None", "True", "١٢", "a&b<c>d\"e'f",
)  # fmt: skip
ALPHABET = "abAB <>&'\"%,.-_\n\té😀ßσΣ0123\u00a0\u2028"
SHORT = ("a", "b", ",", " ", "<", "x", "ab", "-", "é", "😀", "A", ".", "&", "o")
SEPARATORS = ("', '", "'-'", "'<'", "''", "'&'", "' | '", "'é'", "'\\n'", "s", "'<br>'|safe")
INTEGERS = (0, 1, 2, 3, 5, 7, 10, 12, 42, 100, -1, -2, -7, 255, 999, 1000, 1024, 123456, 10**6, 10**9)
LARGE = (10**15, 10**16, 2**53, 10**21, -(10**17))
FLOATS = (
    0.5, 1.0, -2.5, 2.675, 0.1, 1e-7, 19.99, 123456.789, 1234.5, 0.125, 1.005, 9.995, 99.5, -0.5, 1e-5, 3.14159, 49.0, 1.15, 2.5,
)  # fmt: skip
ODD = (1e16, 1e21, -0.0, 1e-300, 1.7976931348623157e308, 0.30000000000000004, 123456789.12345679)
KEYS = (
    "a", "b", "k", "1", "10", "2", "items", "title", "constructor", "__proto__", "x y", "keys", "length", "01", "-1", "é", "toString",
    "hasOwnProperty", "get",
)  # fmt: skip


def text(dice: Random) -> str:
    if dice.random() < 0.75:
        return dice.choice(TEXTS)
    return "".join(dice.choice(ALPHABET) for _ in range(dice.randrange(13)))


def integer(dice: Random) -> int:
    roll = dice.random()
    if roll < 0.02:
        return dice.choice(LARGE)
    return dice.choice(INTEGERS) if roll < 0.5 else dice.randint(-9, 99)


def number(dice: Random) -> float:
    roll = dice.random()
    if roll < 0.03:
        return dice.choice(ODD)
    if roll < 0.4:
        return dice.choice(FLOATS)
    return integer(dice) if roll < 0.6 else round(dice.uniform(-50, 500), dice.randrange(4))


def flag(dice: Random) -> bool:
    return dice.random() < 0.5


def several(value: Callable[[Random], Any], most: int = 4) -> Callable[[Random], list[Any]]:
    return lambda dice: [value(dice) for _ in range(dice.randint(0, most))]


def scalar(dice: Random) -> Any:
    return dice.choice((text, text, integer, number, flag, lambda _: None))(dice)


def mapping(value: Callable[[Random], Any]) -> Callable[[Random], dict[str, Any]]:
    return lambda dice: {dice.choice(KEYS): value(dice) for _ in range(dice.randint(0, 4))}


def row(dice: Random) -> dict[str, Any]:
    out: dict[str, Any] = {
        "a": dice.randint(-3, 9),
        "b": text(dice),
        "p": number(dice),
        "on": flag(dice),
        "tags": several(text, 3)(dice),
        "c": {"x": dice.randint(0, 4), "y": number(dice)},
    }
    return {**out, "k": scalar(dice)} if dice.random() < 0.5 else out


def node(dice: Random, depth: int = 0) -> dict[str, Any]:
    out: dict[str, Any] = {"n": text(dice)}
    if depth < 2 and dice.random() < 0.6:
        out["c"] = [node(dice, depth + 1) for _ in range(dice.randrange(3))]
    return out


def anything(dice: Random) -> Any:
    kinds = (
        scalar,
        scalar,
        several(scalar, 3),
        mapping(scalar),
        row,
        several(row, 2),
        several(several(scalar, 2), 2),
    )
    return dice.choice(kinds)(dice)


VARIABLES: dict[str, Callable[[Random], Any]] = {
    "s": text,
    "t": text,
    "n": integer,
    "m": lambda dice: dice.randint(0, 9),
    "f": number,
    "price": lambda dice: round(dice.uniform(0, 2000), dice.randrange(3)),
    "on": flag,
    "z": lambda _: None,
    "l": several(number),
    "w": several(text),
    "d": mapping(scalar),
    "e": lambda dice: {"one": number(dice), "two": number(dice)},
    "u": several(row),
    "r": row,
    "x": anything,
    "y": anything,
    "nodes": lambda dice: [node(dice) for _ in range(dice.randrange(3))],
    "item": lambda dice: dice.choice((scalar, scalar, scalar, row))(dice),
    "who": text,
    "label": text,
}
"""By name of a variable, a function that makes a random value. Any other variable is missing from all contexts."""

TYPES = {
    "s": "string", "who": "string", "label": "string",
    "n": "number", "m": "number", "f": "number", "price": "number",
    "on": "boolean",
}  # fmt: skip
"""The variables that a template can declare, by type. All values of such a variable have that type."""
DECLARED = re.compile(r"(\w+): (?:string|number|boolean)")

WORD = re.compile(r"[a-z]+")


def contexts(template: str, dice: Random, count: int) -> list[dict[str, Any]]:
    """Return up to `count` different contexts for a template, with a value for nearly each of its variables."""
    words = set(WORD.findall(template))
    begins = template.lstrip("\ufeff").lstrip()
    declared = set(DECLARED.findall(begins.partition("#}")[0])) if begins.startswith("{#def") else set()
    if words & {"include", "import", "extends"}:
        words |= {"item", "who", "nodes"}
    names = [name for name in VARIABLES if name in words]
    distinct: dict[str, dict[str, Any]] = {}
    for attempt in range(20 * count):
        if attempt > 2 * count:
            names = [
                *names,
                "n",
            ]  # its variables have too few values; one that it does not read makes contexts different
        context = {name: VARIABLES[name](dice) for name in names if name in declared or dice.random() > 0.01}
        distinct.setdefault(repr(context), context)
        if len(distinct) == count:
            break
    return list(distinct.values())
