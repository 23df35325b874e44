"""Calls of what is not known: the browser's functions, jQuery's, other files'. By their names where those say enough.

`fetch(...).then(f)` calls f later, `list.forEach(f)` once for each element, `button.addEventListener("click", f)`
when something happens. A function that nothing is known of may call what it is given: it is followed once, and what is
seen in there is doubtful.
"""

import re

from awning.check.page.functions import ESCAPER, construct_class
from awning.check.page.joined import none_or_some
from awning.check.page.jquery import JQUERY, given_jquery, own_function
from awning.check.page.loops import at_least
from awning.check.page.named import TEXT_STAYS, escapes, look_at, told_by_text
from awning.check.page.natives import argument, later, listen
from awning.check.page.regex import executed, expression, is_regex
from awning.check.page.run import Run, Thrown, is_tainted
from awning.check.page.signals import FIRES, event, fire
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
    show,
)
from awning.check.script.tree import Node

_EACH = {
    "forEach",
    "map",
    "filter",
    "some",
    "every",
    "find",
    "findIndex",
    "flatMap",
    "each",
    "reduce",
    "sort",
}
_LATER = {"then", "done", "always", "finally", "success", "complete", "animate", "fadeIn", "fadeOut", "delay"}
_FAILING = {"catch", "fail", "error"}
_LISTENS = {
    "addEventListener", "on", "one", "once", "click", "change", "submit", "input", "hover", "bind", "live", "delegate",
    "subscribe", "addListener", "ready", "observe", "watch", "listen", "off", "removeEventListener",
}  # fmt: skip
_ANSWERS = {"ajax", "get", "post", "getJSON", "getScript", "load", "request"}
_MADE = re.compile(r"create|new |clone|random|now|next|uuid|shift|pop", re.IGNORECASE)


def method(run: Run, owner: Sym, callee: Sym, args: list[Value], node: Node) -> Steps:
    """`owner.name(...)` where the owner is not known."""
    name = callee.key.rpartition(".")[2]
    given = argument(args, 1)
    if name == "apply" and isinstance(given, Arr) and "." in owner.key:
        of = Sym(owner.key.rpartition(".")[0], taint=owner.taint)
        return (yield from method(run, of, owner, given.items, node))
    look_at(run, owner, name, args, node)
    known = own_function(owner, name, args)
    if known is not None:
        return (yield from known(run, args, node))
    if name in FIRES and (heard := fire(run, args, node)) is not None:
        yield from heard
        return owner
    if (told := told_by_text(owner, name, args)) is not None:
        return told
    return (yield from _named(run, owner, callee, name, args, node))


def _named(run: Run, owner: Sym, callee: Sym, name: str, args: list[Value], node: Node) -> Steps:
    """What a method does with the functions it is given, by its name alone."""
    if is_regex(owner) and name == "exec" and isinstance(argument(args, 0), str):
        return executed(owner, args[0])
    callback = next((one for one in args if isinstance(one, Callable_)), None)
    if name in _EACH and callback is not None:
        return (yield from _each(run, owner, args, callback, node))
    if name == "queue" and callback is not None and ".delay(" in owner.key:
        later(run, callback, [run.symbol("next")], node)
        return owner
    if name in _LATER | _FAILING and (callback is not None or name == "then"):
        return (yield from _settle(run, owner, name, args, node))
    if name in _LISTENS:
        awaited = argument(args, 0) if isinstance(argument(args, 0), str) else name
        if not name.startswith(("off", "remove")):
            for one in args:
                listen(run, awaited, given_jquery(one) if name == "ready" else one, node)
        return owner
    if name in _ANSWERS and _later_answers(run, args, node):
        return run.symbol(f"{callee.key}()")
    if owner.taint and name in TEXT_STAYS:
        return Sym(f"{callee.key}({','.join(map(show, args))})"[:300], taint=not escapes(args))
    return (yield from call(run, callee, args, node))


def _each(run: Run, owner: Sym, args: list[Value], callback: Value, node: Node) -> Steps:
    """For each of a list that is not known: none, one or two."""
    source = argument(args, 0) if argument(args, 0) is not callback else owner
    made: list[Value] = []
    known = source.items if isinstance(source, Arr) else None
    symbol = source if isinstance(source, Sym) else Sym(f"{owner.key}.each:{node.start}")
    items = (
        known
        if known is not None
        else [Sym(f"{symbol.key}[{index}]"[:300], taint=symbol.taint) for index in range(2)]
    )
    jquery = (source is not owner and owner.key in JQUERY) or owner.key.startswith("$(")

    def some(asks: bool) -> Steps:
        for index, item in enumerate(items):
            if asks and not at_least(run, symbol, index + 1):
                break
            given = [index, item] if jquery else [item, index]
            made.append((yield from run.call(run, callback, item, given, node)))

    if known is not None or not none_or_some(run, node, symbol, lambda: some(False)):
        made.clear()
        yield from some(known is None)
    taint = any(is_tainted(one) for one in made) or (
        owner.taint and node.fields["function"].text.endswith("filter")
    )
    return Sym(f"{owner.key}.each({node.start})"[:300], taint=taint)


def _settle(run: Run, owner: Sym, name: str, args: list[Value], node: Node) -> Steps:
    """`then`, `catch` and their like on a promise that is not known: it is kept or broken, never both."""
    made = Sym(f"{owner.key}.{name}:{node.start}"[:300])
    key = owner.key.split(".then:")[0].split(".done:")[0]
    both = name in _FAILING or (name == "then" and isinstance(argument(args, 1), Callable_))
    kept = run.choices.holds(Sym(f"kept {key}"[:300])) if both else True
    callbacks = [one for one in args if isinstance(one, Callable_)]
    if name in _FAILING:
        callbacks = [] if kept else callbacks
    elif name == "then":
        callbacks = [argument(args, 0 if kept else 1)]
    for one in callbacks:
        later(run, one, [Sym(f"{owner.key}:answer"[:300], taint=owner.taint)], node)
    return made
    yield


def _later_answers(run: Run, args: list[Value], node: Node) -> bool:
    callbacks = [one for one in args if isinstance(one, Callable_)]
    for settings in (one for one in args if isinstance(one, Obj)):
        callbacks += [settings.props[name] for name in ("success", "complete") if name in settings.props]
        if "error" in settings.props and not run.choices.choose(f"answer {node.start}"):
            callbacks = [settings.props["error"]]
    for one in callbacks:
        later(run, one, [Sym(f"answer:{node.start}")], node)
    return bool(callbacks)


def call(run: Run, callee: Sym, args: list[Value], node: Node) -> Steps:
    """A function of another file, or of the browser, about which nothing is known."""
    name = callee.key
    if name == "addEventListener":
        listen(run, argument(args, 0), argument(args, 1), node)
        return UNDEFINED
    if name == "dispatchEvent" and (heard := fire(run, args, node)) is not None:
        yield from heard
        return True
    if name in {"$", "jQuery"} and isinstance(argument(args, 0), Callable_):
        listen(run, "ready", given_jquery(args[0]), node)
        return Sym("$(document)")
    if is_tainted(argument(args, 0)) and name in {"$", "jQuery"}:
        run.report("raw-html", node, "a value of the payload goes into $() without escaping")
    for one in args:
        _hand_over(run, one, name, node)
    for one in args:
        if isinstance(one, (Func, Bound)):
            yield from _run_by_others(run, one, name, node)
    if (
        run.guarded
        and node.type == "call_expression"
        and not _harmless(name)
        and not run.choices.choose(f"throws {name}")
    ):
        raise Thrown(run.symbol("error"))
    unique = f"#{run.steps}" if _MADE.search(name) else ""
    taint = any(is_tainted(one) for one in args) and not ESCAPER.search(name) and _passes_text(name)
    return Sym(f"{name}({','.join(map(show, args))}){unique}"[:300], taint=taint)


def _passes_text(name: str) -> bool:
    return name in {
        "String",
        "Object",
        "decodeURIComponent",
        "unescape",
        "String.raw",
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
        return expression(*args[:2])
    if name.endswith("Observer"):
        listen(run, "observed", argument(args, 0), node)
        return Sym(f"new {name}#{run.steps}")
    return (yield from call(run, Sym(f"new {name}"), args, node))
