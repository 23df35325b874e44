"""Methods of strings and regular expressions, with which scripts build and split the names of events.

A regular expression is a symbolic value whose key has its text: `regex:/-updated$/i`. Python's `re` executes the
expression if it can compile it, and if the work, estimated from the quantifiers, is small enough. Otherwise the result
is symbolic. The result of `exec` on a global expression is also symbolic, because it depends on earlier calls.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from math import inf
from warnings import catch_warnings, simplefilter

from awning.check.budget import ITEMS, TEXT, TRIES
from awning.check.interpreter.builtins import Method, argument, native_method, simple_method
from awning.check.interpreter.execution import Execution, ThrownException
from awning.check.interpreter.values import (
    UNDEFINED,
    ArrayValue,
    Steps,
    Symbolic,
    Value,
    as_text,
    is_primitive,
    symbol_key,
    whole,
)
from awning.script.tree import Node

_PIECE = re.compile(
    r"\\(?:[pPuxk]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\)|\||[*+?]|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)
_COUNTED = re.compile(r"\{(\d+)(,?)(\d*)\}")
SHORTEST = 2


def tries(pattern: str, length: int) -> float:
    """Estimate how many positions a search in a string of this length tries at most. Infinite without an estimate."""
    groups: list[float] = [1]
    before = 1.0
    total = 1.0
    for piece in _PIECE.findall(pattern):
        if piece[0] == "(":
            groups.append(1)
            before = 1
        elif piece == ")":
            before = groups.pop() if len(groups) > 1 else inf
            groups[-1] *= before
        elif piece == "|":
            groups[-1] *= 2
            before = 1
        elif (most := _most(piece, length)) is None:
            before = 1
        else:
            ways = inf if before > 1 and most >= SHORTEST else most
            groups[-1] *= max(ways, 1)
            total = max(total, ways)
            before = 1
    return max(groups[0], total) * (length + 1)


def _most(piece: str, length: int) -> int | None:
    """Return at how many positions a quantifier can stop; None if the piece is not a quantifier.

    For `{n}`, which can stop at only one position, the result is the number of repetitions.
    """
    if piece in {"*", "+"}:
        return length + 1
    if piece == "?":
        return 2
    counted = _COUNTED.fullmatch(piece)
    if counted is None:
        return None
    fewest = int(counted[1][:6])
    if not counted[2]:
        return 1 if fewest < SHORTEST else min(fewest, length + 1)
    return min(int(counted[3][:6]) if counted[3] else length, length) + 1


LONGEST = 250
"""The maximum length of a regular expression that is executed. It is limited because the text is part of a key."""
_NAMED = re.compile(r"\(\?<(?![=!])")


def is_regex(value: Value) -> bool:
    return isinstance(value, Symbolic) and value.key.startswith("regex:/")


def new_regular_expression(pattern: str, flags: str = "") -> Symbolic:
    """Return the value of `new RegExp(pattern, flags)`."""
    return regular_expression(f"/{pattern}/{flags}")


def regular_expression(text: str) -> Symbolic:
    """Return the value of a regular expression with this text. An expression that is too long is not executed."""
    return Symbolic(f"regex:{text}" if len(text) <= LONGEST else f"regex-too-long:{text[:100]}")


def is_global(regex: Symbolic) -> bool:
    return "g" in regex.key.rpartition("/")[2]


def compile_regex(regex: Symbolic, text: str) -> re.Pattern[str] | None:
    """Return the pattern for Python's `re`; None if Python cannot compile it or a search may take too long."""
    pattern = regex.key.removeprefix("regex:/").rpartition("/")[0]
    return _compiled(regex.key) if tries(pattern, len(text)) <= TRIES else None


@lru_cache(maxsize=256)
def _compiled(key: str) -> re.Pattern[str] | None:
    pattern, _, flags = key.removeprefix("regex:/").rpartition("/")
    try:
        with catch_warnings():  # Python warns about nested sets, which JavaScript does not have
            simplefilter("ignore")
            return re.compile(_NAMED.sub("(?P<", pattern), re.IGNORECASE if "i" in flags else 0)
    except (re.error, OverflowError):
        return None


def can_be_read(regex: Symbolic) -> bool:
    """Return whether a regular expression may be valid. An expression with an unclosed parenthesis is not."""
    pattern = regex.key.removeprefix("regex:/").rpartition("/")[0]
    bare = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "", pattern, flags=re.DOTALL)
    return not is_regex(regex) or bare.count("(") == bare.count(")")


def test_regex(regex: Symbolic, text: str) -> Value:
    """Return the result of `regex.test(text)`."""
    pattern = compile_regex(regex, text)
    return (
        Symbolic(f"{regex.key}.test({symbol_key(text)})")
        if pattern is None
        else pattern.search(text) is not None
    )


def execute_regex(regex: Symbolic, text: str) -> Value:
    """Return the result of `regex.exec(text)`, and of `text.match(regex)` without the global flag."""
    pattern = compile_regex(regex, text)
    if pattern is None or is_global(regex):
        return Symbolic(f"{regex.key}.exec({symbol_key(text)})")
    match = pattern.search(text)
    return None if match is None else _groups(match)


def all_matches(regex: Symbolic, text: str) -> list[ArrayValue] | None:
    """Return all matches, as `matchAll` returns them; None if they are not known."""
    pattern = compile_regex(regex, text)
    return None if pattern is None else [_groups(match) for match in pattern.finditer(text)]


def _groups(match: re.Match[str]) -> ArrayValue:
    groups = [UNDEFINED if group is None else group for group in match.groups()]
    return ArrayValue([match[0], *groups], {"index": match.start()})


def replace_text(run: Execution, this: str, args: list[Value], node: Node) -> Steps:
    """Execute `text.replace(pattern, by)`, where `by` is a string or a function."""
    old, new = (*args, UNDEFINED, UNDEFINED)[:2]
    if isinstance(old, str) and isinstance(new, str):
        return run.known_text(this.replace(old, new, 1))
    pattern = (
        compile_regex(old, this)
        if is_regex(old)
        else re.compile(re.escape(old))
        if isinstance(old, str)
        else None
    )
    known = pattern is not None and not (isinstance(new, str) and "$" in new)
    if not known or isinstance(new, Symbolic):
        return run.symbol(f"{symbol_key(this)}.replace({symbol_key(old)},{symbol_key(new)})", *args)
    assert pattern is not None  # noqa: S101 - known says so
    pieces: list[Value] = []
    end = length = 0
    for match in pattern.finditer(this):
        arguments = [*_groups(match).items, match.start(), this]
        by = new if isinstance(new, str) else (yield from run.call(run, new, UNDEFINED, arguments, node))
        pieces += [this[end : match.start()], by]
        end = match.end()
        length += len(by) if isinstance(by, str) else 0
        if length > TEXT or len(pieces) > ITEMS:
            return run.symbol(f"long:{symbol_key(this)}.replace({symbol_key(old)})", *pieces)
        if not is_regex(old) or not is_global(old):
            break
    pieces.append(this[end:])
    if all(map(is_primitive, pieces)):
        return run.known_text("".join(map(as_text, pieces)))
    return run.symbol(f"{symbol_key(this)}.replace({symbol_key(old)}):{node.start}", *pieces)


MOST_GROWN = 10 * TEXT
"""The maximum length of a string that a method may build. A longer string is widened without being built."""


def _splitting(run: Execution, this: str, args: list[Value]) -> Value:
    glue = argument(args, 0)
    if not isinstance(glue, str):
        return run.symbol(f"{symbol_key(this)}.split")
    return run.known_list(list(this.split(glue) if glue else this))


def _match(run: Execution, this: str, args: list[Value]) -> Value:
    regex = argument(args, 0)
    if not is_regex(regex):
        return run.symbol(f"{symbol_key(this)}.match({symbol_key(regex)})")
    if not is_global(regex):
        return execute_regex(regex, this)
    matches = all_matches(regex, this)
    if matches is None:
        return run.symbol(f"{symbol_key(this)}.match({symbol_key(regex)})")
    return run.known_list([match.items[0] for match in matches]) if matches else None


def _match_all(run: Execution, this: str, args: list[Value]) -> Value:
    regex = argument(args, 0)
    matches = all_matches(regex, this) if is_regex(regex) else None
    if matches is None:
        return run.symbol(f"{symbol_key(this)}.matchAll({symbol_key(regex)})")
    return run.known_list(list(matches))


def _string_method(work: Callable[..., Value], *, grows: bool = False) -> Method:
    """Return a method of strings that computes its result with `work`.

    The result is symbolic if an argument is not a primitive, or if the result may be too long to be built. `grows` is
    whether the result may be longer than the method's string.
    """

    def method(run: Execution, this: str, args: list[Value], _node: Node) -> Steps:
        if all(is_primitive(argument) for argument in args) and not (grows and _may_be_long(this, args)):
            value = work(this, *args)
            return run.known_text(value) if isinstance(value, str) else value
        return run.symbol(f"{symbol_key(this)}({','.join(map(symbol_key, args))})", *args)
        yield

    return method


def _may_be_long(this: str, args: list[Value]) -> bool:
    """Return whether the longest string that a method can return is too long to be built."""
    added = sum(len(argument_) for argument_ in args if isinstance(argument_, str))
    times = max([1, *(argument_ for argument_ in args if isinstance(argument_, (int, float)))])
    return (len(this) + 1) * (added + 1) > MOST_GROWN or (len(this) + added) * times > MOST_GROWN


def _position(value: Value, default: int, length: int) -> int:
    """Return an argument of `slice` or `substr` as a position from 0. A negative argument counts from the end."""
    if value is UNDEFINED:
        return default
    number = whole(value)
    return max(length + number, 0) if number < 0 else min(number, length)


def _slice(this: str, start: Value = UNDEFINED, end: Value = UNDEFINED) -> str:
    return this[_position(start, 0, len(this)) : _position(end, len(this), len(this))]


def _substring(this: str, start: Value = UNDEFINED, end: Value = UNDEFINED) -> str:
    ends = [
        min(max(whole(start), 0), len(this)),
        len(this) if end is UNDEFINED else min(max(whole(end), 0), len(this)),
    ]
    return this[min(ends) : max(ends)]


def _substr(this: str, start: Value = UNDEFINED, length: Value = UNDEFINED) -> str:
    begin = _position(start, 0, len(this))
    return this[begin:] if length is UNDEFINED else this[begin : begin + max(whole(length), 0)]


def _char_at(this: str, index: Value = UNDEFINED) -> str:
    at = whole(index)
    return this[at] if 0 <= at < len(this) else ""


def _repeated(this: str, count: Value = UNDEFINED) -> str:
    if whole(count) < 0:
        raise ThrownException(Symbolic("error"))
    return this * whole(count)


def _ends_with(this: str, end: Value = UNDEFINED, length: Value = UNDEFINED) -> bool:
    return (this if length is UNDEFINED else this[: max(whole(length), 0)]).endswith(as_text(end))


def _starts_with(this: str, start: Value = UNDEFINED, at: Value = UNDEFINED) -> bool:
    return this[max(whole(at), 0) :].startswith(as_text(start))


def _index_of(this: str, part: Value = UNDEFINED, at: Value = UNDEFINED) -> int:
    return this.find(as_text(part), max(whole(at), 0))


def _replaced_everywhere(this: str, old: Value = UNDEFINED, new: Value = UNDEFINED) -> str:
    return this.replace(as_text(old), as_text(new))


def _replace_all(run: Execution, this: str, args: list[Value], node: Node) -> Steps:
    if is_regex(argument(args, 0)):
        return (yield from replace_text(run, this, args, node))
    return (yield from _replaced_text(run, this, args, node))


_replaced_text = _string_method(_replaced_everywhere, grows=True)

_TEXT: dict[str, Method] = {
    "endsWith": _string_method(_ends_with),
    "startsWith": _string_method(_starts_with),
    "includes": _string_method(lambda s, part=UNDEFINED, at=UNDEFINED: _index_of(s, part, at) >= 0),
    "indexOf": _string_method(_index_of),
    "lastIndexOf": _string_method(lambda s, part=UNDEFINED, *_: s.rfind(as_text(part))),
    "replace": replace_text,
    "match": simple_method(_match),
    "matchAll": simple_method(_match_all),
    "search": simple_method(
        lambda run, this, args: -1 if _match(run, this, args) is None else run.symbol("found")
    ),
    "replaceAll": _replace_all,
    "slice": _string_method(_slice),
    "substring": _string_method(_substring),
    "substr": _string_method(_substr),
    "charAt": _string_method(_char_at),
    "trim": _string_method(lambda s, *_: s.strip()),
    "toLowerCase": _string_method(lambda s, *_: s.lower()),
    "toUpperCase": _string_method(lambda s, *_: s.upper()),
    "toString": _string_method(lambda s, *_: s),
    "valueOf": _string_method(lambda s, *_: s),
    "repeat": _string_method(_repeated, grows=True),
    "concat": _string_method(lambda s, *more: s + "".join(map(as_text, more))),
    "split": simple_method(_splitting),
}


def text_method(key: str) -> Value:
    return native_method(_TEXT, key, "text", _own_text)


def _own_text(this: Value) -> str | None:
    nothing = this is None or this is UNDEFINED
    return as_text(this) if is_primitive(this) and not nothing else None
