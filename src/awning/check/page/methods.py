"""Methods of what is not known, by their names where those say enough.

`fetch(...).then(f)` calls f later, `list.forEach(f)` once for each element, `button.addEventListener("click", f)`
when something happens. All others are calls of what is not known (`foreign`).
"""

from awning.check.page import early
from awning.check.page.delivery import on_document, triggered
from awning.check.page.foreign import call
from awning.check.page.joined import none_or_some
from awning.check.page.jquery import JQUERY, given_jquery, own_function
from awning.check.page.loops import at_least
from awning.check.page.named import TEXT_STAYS, escapes, look_at, told_by_text
from awning.check.page.natives import argument, later, listen
from awning.check.page.regex import executed, is_regex
from awning.check.page.run import Run, is_tainted
from awning.check.page.signals import FIRES, fire
from awning.check.page.throwing import error
from awning.check.page.values import (
    Arr,
    Callable_,
    Obj,
    Steps,
    Sym,
    Value,
    as_text,
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


def method(run: Run, owner: Sym, callee: Sym, args: list[Value], node: Node) -> Steps:
    """`owner.name(...)` where the owner is not known."""
    name = callee.key.rpartition(".")[2]
    given = argument(args, 1)
    if name == "apply" and isinstance(given, Arr) and "." in owner.key:
        of = Sym(owner.key.rpartition(".")[0], taint=owner.taint)
        return (yield from method(run, of, owner, given.items, node))
    look_at(run, owner, name, args, node)
    if (unfound := _unfound(run, owner, name, args, node)) is not None:
        return unfound
    if (
        owner.key == "$(document)"
        and name in {"on", "one", "bind", "off"}
        and on_document(run, name, args, node)
    ):
        return owner
    known = own_function(owner, name, args)
    if known is not None:
        return (yield from known(run, args, node))
    if name in FIRES:
        own = triggered(run, args, node) if owner.key == "$(document)" else None
        if (heard := own or fire(run, args, node)) is not None:
            yield from heard
            return owner
    if (told := told_by_text(owner, name, args)) is not None:
        return told
    return (yield from _named(run, owner, callee, name, args, node))


def _unfound(run: Run, owner: Sym, name: str, args: list[Value], node: Node) -> Value | None:
    """What a look-up gives that is made before the page has a body, and what is done with that."""
    early.handed(run, name, args, node)
    if name == "setAttribute":
        early.names(run, as_text(argument(args, 0)), argument(args, 1))
    if owner.key in run.nothing:
        return early.called(run, owner, name, args, node)
    return early.looked_up(run, owner.key, name, args, node)


def _named(run: Run, owner: Sym, callee: Sym, name: str, args: list[Value], node: Node) -> Steps:
    """What a method does with the functions it is given, by its name alone."""
    if is_regex(owner) and name == "exec" and isinstance(argument(args, 0), str):
        return executed(owner, args[0])
    callback = next((one for one in args if isinstance(one, Callable_)), None)
    if name in _EACH and callback is not None:
        return (yield from _each(run, owner, name, args, callback, node))
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


def _each(run: Run, owner: Sym, name: str, args: list[Value], callback: Value, node: Node) -> Steps:
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

    if name == "reduce" and len(args) < 2 and run.guarded and known is None and not at_least(run, symbol, 1):
        raise error(run)

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
    return Sym(f"{owner.key}.{'find' if name == 'find' else 'each'}({node.start})"[:300], taint=taint)


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
