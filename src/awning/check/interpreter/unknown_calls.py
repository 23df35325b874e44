"""Calls of functions and methods that are not known: the browser's, jQuery's, those of other files.

A method is understood by its name where that says enough: `fetch(...).then(f)` calls f later, `list.forEach(f)` once
for each element, `button.addEventListener("click", f)` when something happens. Any other function may call the
callbacks it gets: each is called once, and what that breaks is doubtful.
"""

import re

from awning.check.interpreter import early_dom
from awning.check.interpreter.builtins import argument
from awning.check.interpreter.events import FIRES, event_object, fire_own_event, on_document, triggered
from awning.check.interpreter.exceptions import call_may_throw, error, parse_throws
from awning.check.interpreter.execution import Execution, ThrownException, is_tainted
from awning.check.interpreter.functions import ESCAPER
from awning.check.interpreter.joins import at_least, join_loop
from awning.check.interpreter.jquery import JQUERY, given_jquery, own_function
from awning.check.interpreter.strings import executed, is_regex, tested
from awning.check.interpreter.tasks import listen, schedule
from awning.check.interpreter.values import (
    CALLABLE,
    UNDEFINED,
    ArrayValue,
    BoundFunction,
    FunctionValue,
    InitHandler,
    ObjectValue,
    Steps,
    Symbolic,
    Value,
    as_text,
    show,
)
from awning.script.tree import Node

_MADE = re.compile(r"create|new |clone|random|now|next|uuid|shift|pop", re.IGNORECASE)


def call_unknown(run: Execution, callee: Symbolic, args: list[Value], node: Node) -> Steps:
    """A function of another file, or of the browser, about which nothing is known."""
    name = callee.key
    if name == "addEventListener":
        listen(run, argument(args, 0), argument(args, 1), node)
        return UNDEFINED
    if name == "dispatchEvent" and (heard := fire_own_event(run, args, node)) is not None:
        yield from heard
        return True
    if name in JQUERY and (known := _jquery(run, args, node)) is not None:
        return known
    early_dom.handed(run, name, args, node)
    for one in args:
        _check_init_argument(run, one, name, node)
    for one in args:
        if isinstance(one, (FunctionValue, BoundFunction)):
            yield from _call_by_unknown_code(run, one, name, node)
    if name == "JSON.parse" and parse_throws(argument(args, 0)):
        raise ThrownException(run.symbol("error"))
    may_throw = run.try_depth and not _harmless(name) and call_may_throw(name, args)
    if may_throw and not run.path.choose(f"throws {name}"):
        raise ThrownException(run.symbol("error"))
    unique = f"#{run.steps}" if _MADE.search(name) else ""
    taint = any(is_tainted(one) for one in args) and not ESCAPER.search(name) and _passes_text(name)
    return Symbolic(f"{name}({','.join(map(show, args))}){unique}"[:300], taint=taint)


def _jquery(run: Execution, args: list[Value], node: Node) -> Value | None:
    """What `$(...)` gives, or None where nothing is known of that."""
    given = argument(args, 0)
    if isinstance(given, CALLABLE):
        listen(run, "ready", given_jquery(given), node)
        return Symbolic("$(document)")
    if given is run.page.names["document"]:
        return Symbolic("$(document)")
    if is_tainted(given):
        run.report(
            "raw-html", node, "a value of the payload or of the address goes into $() without escaping"
        )
    return early_dom.jquery(run, args, node)


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


def _check_init_argument(run: Execution, value: Value, name: str, node: Node) -> None:
    """initContentHandler in the hands of code that is not here."""
    inside = (
        value.props.values()
        if isinstance(value, ObjectValue)
        else value.items
        if isinstance(value, ArrayValue)
        else [value]
    )
    handed = any(isinstance(one, InitHandler) for one in inside)
    if handed:
        run.side_effect()
    if handed and not name.startswith(("console.", "Boolean")):
        text = f"initContentHandler is given to {name[:40]}, which cannot be followed: it must call it once at most"
        run.report("init-once", node, text, doubtful=True)


def _call_by_unknown_code(run: Execution, callback: Value, name: str, node: Node) -> Steps:
    run.side_effect()
    before = [delivery.calls for delivery in run.deliveries]
    run.unknown_depth += 1
    try:
        yield from run.call(
            run, callback, UNDEFINED, [Symbolic(f"{name}:argument{i}") for i in range(3)], node
        )
    finally:
        run.unknown_depth -= 1
    after = [delivery.calls for delivery in run.deliveries]
    if before != after[: len(before)]:
        run.report(
            "init-once",
            node,
            f"initContentHandler is called by a function given to {name[:40]}, which cannot be followed",
            doubtful=True,
        )


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


def call_unknown_method(
    run: Execution, owner: Symbolic, callee: Symbolic, args: list[Value], node: Node
) -> Steps:
    """`owner.name(...)` where the owner is not known."""
    name = callee.key.rpartition(".")[2]
    given = argument(args, 1)
    if name == "apply" and isinstance(given, ArrayValue) and "." in owner.key:
        of = Symbolic(owner.key.rpartition(".")[0], taint=owner.taint)
        return (yield from call_unknown_method(run, of, owner, given.items, node))
    check_call(run, owner, name, args, node)
    if (unfound := _early_lookup(run, owner, name, args, node)) is not None:
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
        if (heard := own or fire_own_event(run, args, node)) is not None:
            yield from heard
            return owner
    if (told := result_from_text(owner, name, args)) is not None:
        return told
    return (yield from _call_by_name(run, owner, callee, name, args, node))


def _early_lookup(run: Execution, owner: Symbolic, name: str, args: list[Value], node: Node) -> Value | None:
    """What a look-up gives that is made before the page has a body, and what is done with that."""
    early_dom.handed(run, name, args, node)
    if name == "setAttribute":
        early_dom.names(run, as_text(argument(args, 0)), argument(args, 1))
    if owner.key in run.missing_elements:
        return early_dom.called(run, owner, name, args, node)
    return early_dom.looked_up(run, owner.key, name, args, node)


def _call_by_name(
    run: Execution, owner: Symbolic, callee: Symbolic, name: str, args: list[Value], node: Node
) -> Steps:
    """What a method does with the functions it is given, by its name alone."""
    if is_regex(owner) and name == "exec" and isinstance(argument(args, 0), str):
        return executed(owner, args[0])
    callback = next((one for one in args if isinstance(one, CALLABLE)), None)
    if name in _EACH and callback is not None:
        return (yield from _each_element(run, owner, name, args, callback, node))
    if name == "queue" and callback is not None and ".delay(" in owner.key:
        schedule(run, callback, [run.symbol("next")], node)
        return owner
    if name in _LATER | _FAILING and (callback is not None or name == "then"):
        return (yield from _settle_promise(run, owner, name, args, node))
    if name in _LISTENS:
        awaited = argument(args, 0) if isinstance(argument(args, 0), str) else name
        if not name.startswith(("off", "remove")):
            for one in args:
                listen(run, awaited, given_jquery(one) if name == "ready" else one, node)
        return owner
    if name in _ANSWERS and _later_answers(run, args, node):
        return run.symbol(f"{callee.key}()")
    if owner.taint and name in TEXT_STAYS:
        return Symbolic(f"{callee.key}({','.join(map(show, args))})"[:300], taint=not escapes(args))
    return (yield from call_unknown(run, callee, args, node))


def _each_element(
    run: Execution, owner: Symbolic, name: str, args: list[Value], callback: Value, node: Node
) -> Steps:
    """For each of a list that is not known: none, one or two."""
    source = argument(args, 0) if argument(args, 0) is not callback else owner
    made: list[Value] = []
    known = source.items if isinstance(source, ArrayValue) else None
    symbol = source if isinstance(source, Symbolic) else Symbolic(f"{owner.key}.each:{node.start}")
    items = (
        known
        if known is not None
        else [Symbolic(f"{symbol.key}[{index}]"[:300], taint=symbol.taint) for index in range(2)]
    )
    jquery = (source is not owner and owner.key in JQUERY) or owner.key.startswith("$(")

    if (
        name == "reduce"
        and len(args) < 2
        and run.try_depth
        and known is None
        and not at_least(run, symbol, 1)
    ):
        raise error(run)

    def call_each(count: int, *, asks: bool) -> Steps:
        made.clear()
        for index, item in enumerate(items[:count]):
            if asks and not at_least(run, symbol, index + 1):
                break
            given = [index, item] if jquery else [item, index]
            made.append((yield from run.call(run, callback, item, given, node)))

    if known is not None or not join_loop(run, node, symbol, lambda count: call_each(count, asks=False)):
        yield from call_each(len(items), asks=known is None)
    taint = any(is_tainted(one) for one in made) or (
        owner.taint and node.fields["function"].text.endswith("filter")
    )
    return Symbolic(f"{owner.key}.{'find' if name == 'find' else 'each'}({node.start})"[:300], taint=taint)


def _settle_promise(run: Execution, owner: Symbolic, name: str, args: list[Value], node: Node) -> Steps:
    """`then`, `catch` and their like on a promise that is not known: it is kept or broken, never both."""
    made = Symbolic(f"{owner.key}.{name}:{node.start}"[:300])
    key = owner.key.split(".then:")[0].split(".done:")[0]
    both = name in _FAILING or (name == "then" and isinstance(argument(args, 1), CALLABLE))
    kept = run.path.holds(Symbolic(f"kept {key}"[:300])) if both else True
    callbacks = [one for one in args if isinstance(one, CALLABLE)]
    if name in _FAILING:
        callbacks = [] if kept else callbacks
    elif name == "then":
        callbacks = [argument(args, 0 if kept else 1)]
    for one in callbacks:
        schedule(run, one, [Symbolic(f"{owner.key}:answer"[:300], taint=owner.taint)], node)
    return made
    yield


def _later_answers(run: Execution, args: list[Value], node: Node) -> bool:
    callbacks = [one for one in args if isinstance(one, CALLABLE)]
    for settings in (one for one in args if isinstance(one, ObjectValue)):
        callbacks += [settings.props[name] for name in ("success", "complete") if name in settings.props]
        if "error" in settings.props and not run.path.choose(f"answer {node.start}"):
            callbacks = [settings.props["error"]]
    for one in callbacks:
        schedule(run, one, [Symbolic(f"answer:{node.start}")], node)
    return bool(callbacks)


TEXT_STAYS = {
    "trim", "toUpperCase", "toLowerCase", "slice", "substring", "substr", "padStart", "padEnd", "concat", "split",
    "join", "toString", "repeat", "normalize", "replace", "replaceAll", "charAt", "at", "trimStart", "trimEnd",
    "reverse", "sort", "filter", "find", "valueOf", "map", "flatMap", "reduce", "get",
}  # fmt: skip
_JQUERY_MARKUP = {"html", "append", "prepend", "before", "after", "replaceWith", "wrap", "appendTo"}
_MARKUP = {"setContent": 0, "insertAdjacentHTML": 1, "createContextualFragment": 0, "write": 0, "writeln": 0}
_INSERTS = {
    "append", "prepend", "appendChild", "insertBefore", "replaceChild", "replaceChildren", "replaceWith", "before",
    "after",
}  # fmt: skip
_TEXT_OF = (".textContent", ".innerText", ".nodeValue")
_VERB = re.compile("get|post|put|delete|patch|head|options", re.IGNORECASE)
_ENDS = {"endsWith": "tail", "startsWith": "head"}


def result_from_text(owner: Symbolic, name: str, args: list[Value]) -> Value:
    """What a text that is known says, or None. `$.Event("name")` is one as well."""
    if name == "Event" and owner.key in JQUERY:
        return event_object(args)
    if name in _ENDS:
        return _ends(owner, name, args)
    if is_regex(owner) and name == "test" and isinstance(argument(args, 0), str):
        return tested(owner, args[0])
    return None


def _ends(owner: Symbolic, name: str, args: list[Value]) -> bool | None:
    """`name.endsWith("-updated")` where the end of the text is known."""
    known = owner.tail if name == "endsWith" else owner.head
    asked = argument(args, 0)
    if not known or not isinstance(asked, str) or len(known) < len(asked):
        return None
    return known.endswith(asked) if name == "endsWith" else known.startswith(asked)


def escapes(args: list[Value]) -> bool:
    """`replace(/</g, "&lt;")`, `join("&lt;")`, `replace(/[&<>]/g, ...)`."""
    return any(isinstance(one, str) and "&" in one for one in args) or any(
        isinstance(one, Symbolic)
        and one.key.startswith("regex:")
        and re.search(r"[<&]|\\W|\^(?:\\w|\\d|a-z|A-Z|0-9)", one.key)
        for one in args
    )


def _opens_request(owner: Symbolic, verb: Value) -> bool:
    """Whether `owner.open(verb, ...)` opens a request, not a window, a database or a dialog."""
    return "Request" in owner.key or (isinstance(verb, str) and _VERB.fullmatch(verb) is not None)


def _is_parsed(value: Value) -> bool:
    """Elements that DOMParser made of text: inserted, their event handlers run."""
    return is_tainted(value) and ".parseFromString(" in value.key and not value.key.endswith(_TEXT_OF)


def check_call(run: Execution, owner: Symbolic, name: str, args: list[Value], node: Node) -> None:
    """What rules say about a method by its name alone."""
    given = argument(args, _MARKUP.get(name, 0))
    jquery = name in _JQUERY_MARKUP and owner.key.startswith(("$(", "jQuery("))
    if (name in _MARKUP or jquery) and is_tainted(given):
        run.report(
            "raw-html", node, f"a value of the payload or of the address goes into {name}() without escaping"
        )
    if name in _INSERTS and any(_is_parsed(one) for one in args):
        run.report(
            "raw-html",
            node,
            f"a value of the payload or of the address goes into {name}() as elements, without escaping",
        )
    if name == "open" and argument(args, 2) is False and _opens_request(owner, argument(args, 0)):
        run.report("sync-xhr", node, "a synchronous request stops the whole page until it is answered")
    if name in {"ajax", "ajaxSetup"}:
        settings = next((one for one in args if isinstance(one, ObjectValue)), ObjectValue())
        if settings.props.get("async") is False:
            run.report("sync-xhr", node, "a synchronous request stops the whole page until it is answered")
