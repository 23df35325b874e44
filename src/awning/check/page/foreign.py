"""Calls of what is not known: the browser's functions, jQuery's, other files'.

A function that nothing is known of may call what it is given: it is followed once, and what is seen there is doubtful.
"""

import re

from awning.check.page import early
from awning.check.page.functions import ESCAPER, construct_class
from awning.check.page.jquery import JQUERY, given_jquery
from awning.check.page.natives import argument, listen
from awning.check.page.regex import can_be_read, expression
from awning.check.page.run import Run, Thrown, is_tainted
from awning.check.page.signals import event, fire
from awning.check.page.throwing import call_may_throw, error
from awning.check.page.values import (
    UNDEFINED,
    Arr,
    Bound,
    Callable_,
    Func,
    Init,
    Native,
    Obj,
    Steps,
    Sym,
    Value,
    is_primitive,
    show,
)
from awning.check.script.tree import Node

_MADE = re.compile(r"create|new |clone|random|now|next|uuid|shift|pop", re.IGNORECASE)


def call(run: Run, callee: Sym, args: list[Value], node: Node) -> Steps:
    """A function of another file, or of the browser, about which nothing is known."""
    name = callee.key
    if name == "addEventListener":
        listen(run, argument(args, 0), argument(args, 1), node)
        return UNDEFINED
    if name == "dispatchEvent" and (heard := fire(run, args, node)) is not None:
        yield from heard
        return True
    if name in JQUERY and (known := _jquery(run, args, node)) is not None:
        return known
    early.handed(run, name, args, node)
    for one in args:
        _hand_over(run, one, name, node)
    for one in args:
        if isinstance(one, (Func, Bound)):
            yield from _run_by_others(run, one, name, node)
    may_throw = run.guarded and not _harmless(name) and call_may_throw(name, args)
    if may_throw and not run.choices.choose(f"throws {name}"):
        raise Thrown(run.symbol("error"))
    unique = f"#{run.steps}" if _MADE.search(name) else ""
    taint = any(is_tainted(one) for one in args) and not ESCAPER.search(name) and _passes_text(name)
    return Sym(f"{name}({','.join(map(show, args))}){unique}"[:300], taint=taint)


def _jquery(run: Run, args: list[Value], node: Node) -> Value | None:
    """What `$(...)` gives, or None where nothing is known of that."""
    given = argument(args, 0)
    if isinstance(given, Callable_):
        listen(run, "ready", given_jquery(given), node)
        return Sym("$(document)")
    if given is run.page.names["document"]:
        return Sym("$(document)")
    if is_tainted(given):
        run.report(
            "raw-html", node, "a value of the payload or of the address goes into $() without escaping"
        )
    return early.jquery(run, args, node)


def _passes_text(name: str) -> bool:
    return name.endswith(".parseFromString") or name in {
        "String",
        "Object",
        "decodeURIComponent",
        "unescape",
        "new URLSearchParams",
        "text.concat",
        "JSON.stringify",
    }


def _harmless(name: str) -> bool:
    return name.startswith(
        ("document.", "console.", "Math.", "String", "Number", "text.", "array.", "Intl", "$")
    )


def _hand_over(run: Run, value: Value, name: str, node: Node) -> None:
    """initContentHandler in the hands of code that is not here."""
    inside = (
        value.props.values() if isinstance(value, Obj) else value.items if isinstance(value, Arr) else [value]
    )
    handed = any(isinstance(one, Init) for one in inside)
    if handed:
        run.matters()
    if handed and not name.startswith(("console.", "Boolean")):
        text = f"initContentHandler is given to {name[:40]}, which cannot be followed: it must call it once at most"
        run.report("init-once", node, text, doubtful=True)


def _run_by_others(run: Run, callback: Value, name: str, node: Node) -> Steps:
    run.matters()
    before = [delivery.calls for delivery in run.delivering]
    run.doubt += 1
    try:
        yield from run.call(run, callback, UNDEFINED, [Sym(f"{name}:argument{i}") for i in range(3)], node)
    finally:
        run.doubt -= 1
    after = [delivery.calls for delivery in run.delivering]
    if before != after[: len(before)]:
        run.report(
            "init-once",
            node,
            f"initContentHandler is called by a function given to {name[:40]}, which cannot be followed",
            doubtful=True,
        )


def construct(run: Run, callee: Value, args: list[Value], node: Node, this: Obj | None = None) -> Steps:
    """`new callee(...)`."""
    if isinstance(callee, Func) and callee.is_class:
        made = this or Obj(proto=callee.props["prototype"])
        return (yield from construct_class(run, callee, made, args, node))
    if is_primitive(callee) or (isinstance(callee, Func) and callee.arrow):
        raise error(run)
    if isinstance(callee, Func):
        proto = callee.props.setdefault("prototype", Obj())
        made = this or Obj(proto=proto if isinstance(proto, Obj) else None)
        given = yield from run.call(run, callee, made, args, node)
        return given if isinstance(given, (Obj, Func)) else made
    if isinstance(callee, (Native, Init, Bound)):
        return (yield from run.call(run, callee, this or Obj(), args, node))
    name = callee.key if isinstance(callee, Sym) else "function"
    if name in {"CustomEvent", "Event"}:
        return event(args)
    if name == "RegExp" and all(isinstance(one, str) for one in args):
        regex = expression(*args[:2])
        if not can_be_read(regex):
            raise error(run)
        return regex
    if name.endswith("Observer"):
        listen(run, "observed", argument(args, 0), node)
        return Sym(f"new {name}#{run.steps}")
    return (yield from call(run, Sym(f"new {name}"), args, node))
