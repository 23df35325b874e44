"""Executes calls of unknown functions and methods: of the browser, of jQuery, of other files.

Some methods are recognised by their name: `fetch(...).then(f)` calls f later, `list.forEach(f)` calls f for each
element, `button.addEventListener("click", f)` calls f for an event. Any other function may call its callbacks: each is
called once, and the observations are doubtful.
"""

import re

from awning.check.interpreter import early_dom
from awning.check.interpreter.builtins import argument
from awning.check.interpreter.events import (
    FIRES,
    event_object,
    fire_own_event,
    subscribe_on_document,
    trigger,
)
from awning.check.interpreter.exceptions import call_may_throw, parse_throws, thrown_error
from awning.check.interpreter.execution import (
    Execution,
    ThrownException,
    is_tainted,
    part_of,
    taint_of,
    unescaped,
)
from awning.check.interpreter.functions import ESCAPER
from awning.check.interpreter.joins import at_least, join_loop
from awning.check.interpreter.jquery import JQUERY, given_jquery, own_function
from awning.check.interpreter.strings import execute_regex, is_regex, test_regex
from awning.check.interpreter.tasks import add_listener, schedule
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
    symbol_key,
)
from awning.script.tree import Node

_MADE = re.compile(r"create|new |clone|random|now|next|uuid|shift|pop", re.IGNORECASE)


def call_unknown(run: Execution, callee: Symbolic, args: list[Value], node: Node) -> Steps:
    """Call an unknown function of another file or of the browser.

    Raises ThrownException on a path where the function throws.
    """
    name = callee.key
    if name == "addEventListener":
        add_listener(run, argument(args, 0), argument(args, 1), node)
        return UNDEFINED
    if name == "dispatchEvent" and (calls := fire_own_event(run, args, node)) is not None:
        yield from calls
        return True
    if name in JQUERY and (known := _jquery(run, args, node)) is not None:
        return known
    early_dom.check_arguments(run, name, args, node)
    for argument_ in args:
        _check_init_argument(run, argument_, name, node)
    for argument_ in args:
        if isinstance(argument_, (FunctionValue, BoundFunction)):
            yield from _call_by_unknown_code(run, argument_, name, node)
    if name == "JSON.parse" and parse_throws(argument(args, 0)):
        raise ThrownException(run.symbol("error"))
    may_throw = run.try_depth and not _harmless(name) and call_may_throw(name, args)
    if may_throw and not run.path.choose(f"throws {name}"):
        raise ThrownException(run.symbol("error"))
    unique = f"#{run.steps}@{node.start}" if _MADE.search(name) else ""
    taint = "" if ESCAPER.search(name) or not _passes_text(name) else taint_of(*args)
    return Symbolic(f"{name}({','.join(map(symbol_key, args))}){unique}"[:300], taint=taint)


def _jquery(run: Execution, args: list[Value], node: Node) -> Value | None:
    """Return the result of `$(...)`; None if it is not known."""
    selector = argument(args, 0)
    if isinstance(selector, CALLABLE):
        add_listener(run, "ready", given_jquery(selector), node)
        return Symbolic("$(document)")
    if selector is run.page.names["document"]:
        return Symbolic("$(document)")
    if is_tainted(selector):
        run.report("raw-html", node, unescaped(selector, "$()"))
    return early_dom.look_up_with_jquery(run, args, node)


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
    """Report an initContentHandler that is passed to unknown code."""
    inside = (
        value.props.values()
        if isinstance(value, ObjectValue)
        else value.items
        if isinstance(value, ArrayValue)
        else [value]
    )
    is_given = any(isinstance(item, InitHandler) for item in inside)
    if is_given:
        run.side_effect()
    if is_given and not name.startswith(("console.", "Boolean")):
        text = f"initContentHandler is passed to {name[:40]}, which cannot be followed: it must be called once at most"
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
            f"initContentHandler is called by a function that is passed to {name[:40]}, which the check cannot follow",
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
    """Call `owner.name(...)` of a symbolic value."""
    name = callee.key.rpartition(".")[2]
    listed = argument(args, 1)
    if name == "apply" and isinstance(listed, ArrayValue) and "." in owner.key:
        of = Symbolic(owner.key.rpartition(".")[0], taint=owner.taint)
        return (yield from call_unknown_method(run, of, owner, listed.items, node))
    check_call(run, owner, name, args, node)
    if (unfound := _early_lookup(run, owner, name, args, node)) is not None:
        return unfound
    if (
        owner.key == "$(document)"
        and name in {"on", "one", "bind", "off"}
        and subscribe_on_document(run, name, args, node)
    ):
        return owner
    known = own_function(owner, name, args)
    if known is not None:
        return (yield from known(run, args, node))
    if name in FIRES:
        own = trigger(run, args, node) if owner.key == "$(document)" else None
        if (calls := own or fire_own_event(run, args, node)) is not None:
            yield from calls
            return owner
    if (result := result_from_text(owner, name, args)) is not None:
        return result
    return (yield from _call_by_name(run, owner, callee, name, args, node))


def _early_lookup(run: Execution, owner: Symbolic, name: str, args: list[Value], node: Node) -> Value | None:
    """Return the result of a look-up before the page has a body, or of a method of such a result.

    Returns None if the result is not known.
    """
    early_dom.check_arguments(run, name, args, node)
    if name == "setAttribute":
        early_dom.remember_names(run, as_text(argument(args, 0)), argument(args, 1))
    if owner.key in run.missing_elements:
        return early_dom.call_method(run, owner, name, args, node)
    return early_dom.look_up(run, owner.key, name, args, node)


def _call_by_name(
    run: Execution, owner: Symbolic, callee: Symbolic, name: str, args: list[Value], node: Node
) -> Steps:
    """Call or schedule the callbacks of a method, as its name suggests, and return the method's result."""
    if is_regex(owner) and name == "exec" and isinstance(argument(args, 0), str):
        return execute_regex(owner, args[0])
    callback = next((argument_ for argument_ in args if isinstance(argument_, CALLABLE)), None)
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
            for argument_ in args:
                add_listener(run, awaited, given_jquery(argument_) if name == "ready" else argument_, node)
        return owner
    if name in _ANSWERS and _schedule_answers(run, args, node):
        return run.symbol(f"{callee.key}()")
    if owner.taint and name in TEXT_STAYS:
        taint = "" if is_escaping(args) else owner.taint
        return Symbolic(f"{callee.key}({','.join(map(symbol_key, args))})"[:300], taint=taint)
    return (yield from call_unknown(run, callee, args, node))


def _each_element(
    run: Execution, owner: Symbolic, name: str, args: list[Value], callback: Value, node: Node
) -> Steps:
    """Call a callback for each element of a list. A symbolic list has none, one or two elements.

    Inside `try`, raises ThrownException on a path where `reduce` has neither an element nor an initial value.
    """
    source = argument(args, 0) if argument(args, 0) is not callback else owner
    results: list[Value] = []
    known = source.items if isinstance(source, ArrayValue) else None
    symbol = source if isinstance(source, Symbolic) else Symbolic(f"{owner.key}.each:{node.start}")
    items = known if known is not None else [part_of(symbol, f"{symbol.key}[{index}]") for index in range(2)]
    jquery = (source is not owner and owner.key in JQUERY) or owner.key.startswith("$(")

    if (
        name == "reduce"
        and len(args) < 2
        and run.try_depth
        and known is None
        and not at_least(run, symbol, 1)
    ):
        raise thrown_error(run)

    def call_each(count: int, *, asks: bool) -> Steps:
        results.clear()
        for index, item in enumerate(items[:count]):
            if asks and not at_least(run, symbol, index + 1):
                break
            arguments = [index, item] if jquery else [item, index]
            results.append((yield from run.call(run, callback, item, arguments, node)))

    if known is not None or not join_loop(run, node, symbol, lambda count: call_each(count, asks=False)):
        yield from call_each(len(items), asks=known is None)
    filtered = node.fields["function"].text.endswith("filter")
    taint = taint_of(*results, *([owner] if filtered else []))
    return Symbolic(f"{owner.key}.{'find' if name == 'find' else 'each'}({node.start})"[:300], taint=taint)


def _settle_promise(run: Execution, owner: Symbolic, name: str, args: list[Value], node: Node) -> Steps:
    """Execute `then`, `catch` or a similar method of an unknown promise.

    If the call has a callback for a rejection, a decision of the path fulfils or rejects the promise.
    """
    next_promise = Symbolic(f"{owner.key}.{name}:{node.start}"[:300])
    key = owner.key.split(".then:")[0].split(".done:")[0]
    both = name in _FAILING or (name == "then" and isinstance(argument(args, 1), CALLABLE))
    is_fulfilled = run.path.holds(Symbolic(f"kept {key}"[:300])) if both else True
    callbacks = [callback for callback in args if isinstance(callback, CALLABLE)]
    if name in _FAILING:
        callbacks = [] if is_fulfilled else callbacks
    elif name == "then":
        callbacks = [argument(args, 0 if is_fulfilled else 1)]
    for callback in callbacks:
        schedule(run, callback, [Symbolic(f"{owner.key}:answer"[:300], taint=owner.taint)], node)
    return next_promise
    yield


def _schedule_answers(run: Execution, args: list[Value], node: Node) -> bool:
    callbacks = [callback for callback in args if isinstance(callback, CALLABLE)]
    for settings in (callback for callback in args if isinstance(callback, ObjectValue)):
        callbacks += [settings.props[name] for name in ("success", "complete") if name in settings.props]
        if "error" in settings.props and not run.path.choose(f"answer {node.start}"):
            callbacks = [settings.props["error"]]
    for callback in callbacks:
        schedule(run, callback, [Symbolic(f"answer:{node.start}")], node)
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
    """Return the result of `$.Event("name")`, or of a method that may need only the known parts of a string.

    Returns None for any other method, and when the known parts do not decide the result.
    """
    if name == "Event" and owner.key in JQUERY:
        return event_object(args)
    if name in _ENDS:
        return _ends(owner, name, args)
    if is_regex(owner) and name == "test" and isinstance(argument(args, 0), str):
        return test_regex(owner, args[0])
    return None


def _ends(owner: Symbolic, name: str, args: list[Value]) -> bool | None:
    """Return the result of `endsWith` or `startsWith`; None if too little of that end of the string is known."""
    known = owner.tail if name == "endsWith" else owner.head
    part = argument(args, 0)
    if not known or not isinstance(part, str) or len(known) < len(part):
        return None
    return known.endswith(part) if name == "endsWith" else known.startswith(part)


def is_escaping(args: list[Value]) -> bool:
    """Return whether arguments show that a method escapes HTML, as in `join("&lt;")` and `replace(/[&<>]/g, ...)`."""
    return any(isinstance(argument_, str) and "&" in argument_ for argument_ in args) or any(
        isinstance(argument_, Symbolic)
        and argument_.key.startswith("regex:")
        and re.search(r"[<&]|\\W|\^(?:\\w|\\d|a-z|A-Z|0-9)", argument_.key)
        for argument_ in args
    )


def _opens_request(owner: Symbolic, verb: Value) -> bool:
    """Return whether `owner.open(verb, ...)` opens a request, and not a window, a database or a dialog."""
    return "Request" in owner.key or (isinstance(verb, str) and _VERB.fullmatch(verb) is not None)


def _is_parsed(value: Value) -> bool:
    """Return whether a value is made by DOMParser from tainted text. Event handlers in it run when it is inserted."""
    return is_tainted(value) and ".parseFromString(" in value.key and not value.key.endswith(_TEXT_OF)


def check_call(run: Execution, owner: Symbolic, name: str, args: list[Value], node: Node) -> None:
    """Report the rules that a call of a method breaks. The method is recognised by its name."""
    markup = argument(args, _MARKUP.get(name, 0))
    jquery = name in _JQUERY_MARKUP and owner.key.startswith(("$(", "jQuery("))
    if (name in _MARKUP or jquery) and is_tainted(markup):
        run.report("raw-html", node, unescaped(markup, f"{name}()"))
    if name in _INSERTS and any(_is_parsed(argument_) for argument_ in args):
        run.report(
            "raw-html",
            node,
            f"{name}() inserts a value of the payload or the address as HTML, without escaping",
        )
    if name == "open" and argument(args, 2) is False and _opens_request(owner, argument(args, 0)):
        run.report("sync-xhr", node, "a synchronous request stops the whole page until it is answered")
    if name in {"ajax", "ajaxSetup"}:
        settings = next(
            (argument_ for argument_ in args if isinstance(argument_, ObjectValue)), ObjectValue()
        )
        if settings.props.get("async") is False:
            run.report("sync-xhr", node, "a synchronous request stops the whole page until it is answered")
