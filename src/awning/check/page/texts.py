"""Methods of texts: event names are put together with them."""

from collections.abc import Callable

from awning.check.page.natives import Method, argument, native, plain
from awning.check.page.regex import all_of, executed, is_global, is_regex, replaced
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


def _match(run: Run, this: str, args: list[Value]) -> Value:
    regex = argument(args, 0)
    if not is_regex(regex):
        return run.symbol(f"{this!r}.match({show(regex)})")
    if not is_global(regex):
        return executed(regex, this)
    found = all_of(regex, this)
    if found is None:
        return run.symbol(f"{this!r}.match({show(regex)})")
    return Arr([one.items[0] for one in found]) if found else None


def _match_all(run: Run, this: str, args: list[Value]) -> Value:
    regex = argument(args, 0)
    found = all_of(regex, this) if is_regex(regex) else None
    return run.symbol(f"{this!r}.matchAll({show(regex)})") if found is None else Arr(list(found))


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
    "replace": replaced,
    "match": plain(_match),
    "matchAll": plain(_match_all),
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
