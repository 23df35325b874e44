"""Methods of texts, and regular expressions: event names are put together with them."""

import re
from collections.abc import Callable

from awning.check.page.natives import Method, argument, native, plain
from awning.check.page.run import Run
from awning.check.page.values import (
    Arr,
    Steps,
    Sym,
    Value,
    as_text,
    is_primitive,
    show,
)
from awning.check.script.tree import Node


def _splitting(_run: Run, this: str, args: list[Value]) -> Value:
    glue = argument(args, 0)
    if glue == "":
        return Arr(list(this))
    return Arr(list(this.split(glue))) if isinstance(glue, str) else Sym(f"{this!r}.split")


def matched(regex: Value, text: str) -> Value:
    """Whether a regular expression of the script is found in a text; a symbol where Python reads it otherwise."""
    pattern, _, flags = regex.key.removeprefix("regex:/").rpartition("/")
    try:
        return re.search(pattern, text, re.IGNORECASE if "i" in flags else 0) is not None
    except re.error:
        return Sym(f"{regex.key}.test({text!r})")


def _match(run: Run, this: str, args: list[Value]) -> Value:
    regex = argument(args, 0)
    if not isinstance(regex, Sym) or not regex.key.startswith("regex:"):
        return run.symbol(f"{this!r}.match({show(regex)})")
    found = matched(regex, this)
    return Arr([run.symbol(f"{this!r}.match")]) if found is True else None if found is False else found


def _replace(run: Run, this: str, args: list[Value]) -> Value:
    old, new = argument(args, 0), argument(args, 1)
    if isinstance(old, str) and isinstance(new, str):
        return this.replace(old, new, 1)
    if isinstance(old, Sym) and old.key.startswith("regex:") and isinstance(new, str) and "$" not in new:
        pattern, _, flags = old.key.removeprefix("regex:/").rpartition("/")
        try:
            return re.sub(pattern, new.replace("\\", r"\\"), this, count=0 if "g" in flags else 1)
        except re.error:
            pass
    return run.symbol(f"{this!r}.replace({show(old)},{show(new)})", *args)


def _text(work: Callable[..., Value]) -> Method:
    """A method of texts whose arguments are all known, else a symbol."""

    def method(run: Run, this: str, args: list[Value], _node: Node) -> Steps:
        if all(is_primitive(one) for one in args):
            try:
                return work(this, *args)
            except (TypeError, ValueError, AttributeError, IndexError):
                pass
        return run.symbol(f"{this!r}({','.join(map(show, args))})", *args)
        yield

    return method


_TEXT: dict[str, Method] = {
    "endsWith": _text(lambda s, end: s.endswith(end)),
    "startsWith": _text(lambda s, start: s.startswith(start)),
    "includes": _text(lambda s, part: part in s),
    "indexOf": _text(lambda s, part: s.find(part)),
    "lastIndexOf": _text(lambda s, part: s.rfind(part)),
    "replace": plain(_replace),
    "match": plain(_match),
    "search": plain(lambda run, this, args: -1 if _match(run, this, args) is None else run.symbol("found")),
    "replaceAll": _text(lambda s, old, new: s.replace(old, new)),
    "slice": _text(lambda s, start=None, end=None: s[start:end]),
    "substring": _text(lambda s, start=0, end=None: s[start:end]),
    "substr": _text(lambda s, start=0, n=None: s[start:] if n is None else s[start:][:n]),
    "charAt": _text(lambda s, index=0: s[index]),
    "trim": _text(lambda s: s.strip()),
    "toLowerCase": _text(lambda s: s.lower()),
    "toUpperCase": _text(lambda s: s.upper()),
    "toString": _text(lambda s: s),
    "repeat": _text(lambda s, n: s * min(int(n), 100)),
    "concat": _text(lambda s, *more: s + "".join(map(as_text, more))),
    "split": plain(_splitting),
}


def text_method(key: str) -> Value:
    return native(_TEXT, key, "text")
