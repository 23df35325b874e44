"""The query that an app's address brings along, in the form in which a verifier written in PHP encodes it anew.

Observed: the reference verifier signs what PHP made of the query. It writes `a[]` with numbers, spaces and dots in
names as `_`, and a repeated name once, at its first place and with its last value. An address that is sent in this
form is the same to a verifier that takes the raw text.
"""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl

Tree = dict[str, "str | Tree"]
DEEPEST = 64
"""Names that nest deeper are left out, as PHP leaves them out (max_input_nesting_level)."""
_STEP = re.compile(r"\[([^\]]*)\]")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")


def own_parameters(query: str) -> list[tuple[str, str]]:
    """Names and values of a raw query, as they are to be signed and sent."""
    tree: Tree = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        base, steps = _read(name)
        if base and len(steps) <= DEEPEST:
            _put(tree, [base, *steps], value)
    return list(_written(tree, ""))


def _read(name: str) -> tuple[str, list[str]]:
    """`a.b[k][]` as `a_b` and [`k`, ``]; `[ ]` is `[]`. A bracket that never closes is part of the name, which ends
    at a NUL.
    """
    name = name.partition("\0")[0].lstrip(" ")
    base, bracket, rest = name.partition("[")
    if bracket and "]" not in rest:
        return re.sub(r"[ .\[]", "_", name), []
    steps, at = [], len(base)
    while step := _STEP.match(name, at):
        steps.append("" if step[1] == " " else step[1])
        at = step.end()
    return re.sub(r"[ .]", "_", base), steps


def _put(tree: Tree, path: list[str], value: str) -> None:
    for step in path[:-1]:
        key = step or _next(tree)
        inner = tree.get(key)
        if not isinstance(inner, dict):
            inner = tree[key] = {}
        tree = inner
    tree[path[-1] or _next(tree)] = value


def _next(tree: Tree) -> str:
    return str(max((int(key) for key in tree if _NUMBER.fullmatch(key)), default=-1) + 1)


def _written(tree: Tree, prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        name = f"{prefix}[{key}]" if prefix else key
        if isinstance(value, dict):
            yield from _written(value, name)
        else:
            yield name, value
