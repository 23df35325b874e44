"""Regular expressions of a script, read as Python's: names of events are taken apart with them.

A regular expression is a symbol whose key is its text, `regex:/-updated$/i`. One that Python reads otherwise gives a
symbol, as does a global one that `exec` goes on with.
"""

import re
from functools import lru_cache
from warnings import catch_warnings, simplefilter

from awning.check.budget import ITEMS, TEXT, TRIES
from awning.check.page.backtracking import tries
from awning.check.page.run import Run
from awning.check.page.values import UNDEFINED, Arr, Steps, Sym, Value, as_text, is_primitive, show
from awning.check.script.tree import Node

LONGEST = 250
"""Characters of a regular expression that is read: it is part of a symbol's key."""
_NAMED = re.compile(r"\(\?<(?![=!])")


def is_regex(value: Value) -> bool:
    return isinstance(value, Sym) and value.key.startswith("regex:/")


def expression(pattern: str, flags: str = "") -> Sym:
    """`new RegExp(pattern, flags)`."""
    return regular_expression(f"/{pattern}/{flags}")


def regular_expression(text: str) -> Sym:
    """Of a literal, or of one put together. One that is long is not read."""
    return Sym(f"regex:{text}" if len(text) <= LONGEST else f"regex-too-long:{text[:100]}")


def is_global(regex: Sym) -> bool:
    return "g" in regex.key.rpartition("/")[2]


def compiled(regex: Sym, text: str) -> re.Pattern[str] | None:
    """None where Python reads it otherwise, or may take too long with the text."""
    pattern = regex.key.removeprefix("regex:/").rpartition("/")[0]
    return _compiled(regex.key) if tries(pattern, len(text)) <= TRIES else None


@lru_cache(maxsize=256)
def _compiled(key: str) -> re.Pattern[str] | None:
    pattern, _, flags = key.removeprefix("regex:/").rpartition("/")
    try:
        with catch_warnings():  # of a set in a set, which JavaScript does not have
            simplefilter("ignore")
            return re.compile(_NAMED.sub("(?P<", pattern), re.IGNORECASE if "i" in flags else 0)
    except (re.error, OverflowError):
        return None


def can_be_read(regex: Sym) -> bool:
    """False of one that no language reads: its brackets do not close."""
    pattern = regex.key.removeprefix("regex:/").rpartition("/")[0]
    bare = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", pattern, flags=re.DOTALL)
    return not is_regex(regex) or bare.count("(") == bare.count(")")


def tested(regex: Sym, text: str) -> Value:
    """`regex.test(text)`."""
    pattern = compiled(regex, text)
    return Sym(f"{regex.key}.test({show(text)})") if pattern is None else pattern.search(text) is not None


def executed(regex: Sym, text: str) -> Value:
    """`regex.exec(text)`, and `text.match(regex)` of one that is not global."""
    pattern = compiled(regex, text)
    if pattern is None or is_global(regex):
        return Sym(f"{regex.key}.exec({show(text)})")
    found = pattern.search(text)
    return None if found is None else _groups(found)


def all_of(regex: Sym, text: str) -> list[Arr] | None:
    """Every match, as `matchAll` gives them; None where they are not known."""
    pattern = compiled(regex, text)
    return None if pattern is None else [_groups(found) for found in pattern.finditer(text)]


def _groups(found: re.Match[str]) -> Arr:
    groups = [UNDEFINED if one is None else one for one in found.groups()]
    return Arr([found[0], *groups], {"index": found.start()})


def replaced(run: Run, this: str, args: list[Value], node: Node) -> Steps:
    """`text.replace(pattern, by)`: by a text, or by what a function gives for each match."""
    old, new = (*args, UNDEFINED, UNDEFINED)[:2]
    if isinstance(old, str) and isinstance(new, str):
        return run.known_text(this.replace(old, new, 1))
    pattern = (
        compiled(old, this) if is_regex(old) else re.compile(re.escape(old)) if isinstance(old, str) else None
    )
    known = pattern is not None and not (isinstance(new, str) and "$" in new)
    if not known or isinstance(new, Sym):
        return run.symbol(f"{show(this)}.replace({show(old)},{show(new)})", *args)
    assert pattern is not None  # noqa: S101 - known says so
    pieces: list[Value] = []
    end = length = 0
    for found in pattern.finditer(this):
        given = [*_groups(found).items, found.start(), this]
        by = new if isinstance(new, str) else (yield from run.call(run, new, UNDEFINED, given, node))
        pieces += [this[end : found.start()], by]
        end = found.end()
        length += len(by) if isinstance(by, str) else 0
        if length > TEXT or len(pieces) > ITEMS:
            return run.symbol(f"long:{show(this)}.replace({show(old)})", *pieces)
        if not is_regex(old) or not is_global(old):
            break
    pieces.append(this[end:])
    if all(map(is_primitive, pieces)):
        return run.known_text("".join(map(as_text, pieces)))
    return run.symbol(f"{show(this)}.replace({show(old)}):{node.start}", *pieces)
