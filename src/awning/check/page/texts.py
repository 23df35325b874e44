"""Methods of texts: event names are put together with them."""

from collections.abc import Callable

from awning.check.budget import TEXT
from awning.check.page.natives import Method, argument, native, plain
from awning.check.page.regex import all_of, executed, is_global, is_regex, replaced
from awning.check.page.run import Run, Thrown
from awning.check.page.values import (
    UNDEFINED,
    Steps,
    Sym,
    Value,
    as_text,
    is_primitive,
    show,
    whole,
)
from awning.check.script.tree import Node

MOST_GROWN = 10 * TEXT
"""Characters that are put together before the text is found to be too long to be kept."""


def _splitting(run: Run, this: str, args: list[Value]) -> Value:
    glue = argument(args, 0)
    if not isinstance(glue, str):
        return run.symbol(f"{show(this)}.split")
    return run.known_list(list(this.split(glue) if glue else this))


def _match(run: Run, this: str, args: list[Value]) -> Value:
    regex = argument(args, 0)
    if not is_regex(regex):
        return run.symbol(f"{show(this)}.match({show(regex)})")
    if not is_global(regex):
        return executed(regex, this)
    found = all_of(regex, this)
    if found is None:
        return run.symbol(f"{show(this)}.match({show(regex)})")
    return run.known_list([one.items[0] for one in found]) if found else None


def _match_all(run: Run, this: str, args: list[Value]) -> Value:
    regex = argument(args, 0)
    found = all_of(regex, this) if is_regex(regex) else None
    if found is None:
        return run.symbol(f"{show(this)}.matchAll({show(regex)})")
    return run.known_list(list(found))


def _text(work: Callable[..., Value], *, grows: bool = False) -> Method:
    """A method of texts whose arguments are all known, else a symbol. `grows` if the result may be the longer text."""

    def method(run: Run, this: str, args: list[Value], _node: Node) -> Steps:
        if all(is_primitive(one) for one in args) and not (grows and _may_be_long(this, args)):
            value = work(this, *args)
            return run.known_text(value) if isinstance(value, str) else value
        return run.symbol(f"{show(this)}({','.join(map(show, args))})", *args)
        yield

    return method


def _may_be_long(this: str, args: list[Value]) -> bool:
    """Whether the largest text that the method can give is too long to be put together."""
    added = sum(len(one) for one in args if isinstance(one, str))
    times = max([1, *(one for one in args if isinstance(one, (int, float)))])
    return (len(this) + 1) * (added + 1) > MOST_GROWN or (len(this) + added) * times > MOST_GROWN


def _position(value: Value, default: int, length: int) -> int:
    """An argument of `slice`: from the end where it is negative."""
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
        raise Thrown(Sym("error"))
    return this * whole(count)


def _ends_with(this: str, end: Value = UNDEFINED, length: Value = UNDEFINED) -> bool:
    return (this if length is UNDEFINED else this[: max(whole(length), 0)]).endswith(as_text(end))


def _starts_with(this: str, start: Value = UNDEFINED, at: Value = UNDEFINED) -> bool:
    return this[max(whole(at), 0) :].startswith(as_text(start))


def _index_of(this: str, part: Value = UNDEFINED, at: Value = UNDEFINED) -> int:
    return this.find(as_text(part), max(whole(at), 0))


def _replaced_everywhere(this: str, old: Value = UNDEFINED, new: Value = UNDEFINED) -> str:
    return this.replace(as_text(old), as_text(new))


def _replace_all(run: Run, this: str, args: list[Value], node: Node) -> Steps:
    if is_regex(argument(args, 0)):
        return (yield from replaced(run, this, args, node))
    return (yield from _replaced_text(run, this, args, node))


_replaced_text = _text(_replaced_everywhere, grows=True)

_TEXT: dict[str, Method] = {
    "endsWith": _text(_ends_with),
    "startsWith": _text(_starts_with),
    "includes": _text(lambda s, part=UNDEFINED, at=UNDEFINED: _index_of(s, part, at) >= 0),
    "indexOf": _text(_index_of),
    "lastIndexOf": _text(lambda s, part=UNDEFINED, *_: s.rfind(as_text(part))),
    "replace": replaced,
    "match": plain(_match),
    "matchAll": plain(_match_all),
    "search": plain(lambda run, this, args: -1 if _match(run, this, args) is None else run.symbol("found")),
    "replaceAll": _replace_all,
    "slice": _text(_slice),
    "substring": _text(_substring),
    "substr": _text(_substr),
    "charAt": _text(_char_at),
    "trim": _text(lambda s, *_: s.strip()),
    "toLowerCase": _text(lambda s, *_: s.lower()),
    "toUpperCase": _text(lambda s, *_: s.upper()),
    "toString": _text(lambda s, *_: s),
    "valueOf": _text(lambda s, *_: s),
    "repeat": _text(_repeated, grows=True),
    "concat": _text(lambda s, *more: s + "".join(map(as_text, more))),
    "split": plain(_splitting),
}


def text_method(key: str) -> Value:
    return native(_TEXT, key, "text", _own_text)


def _own_text(this: Value) -> str | None:
    nothing = this is None or this is UNDEFINED
    return as_text(this) if is_primitive(this) and not nothing else None
