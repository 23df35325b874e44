"""What is known of a method by its name alone: whether its text is escaped, and what rules say about calling it."""

import re

from awning.check.page.jquery import JQUERY
from awning.check.page.natives import argument
from awning.check.page.regex import is_regex, tested
from awning.check.page.run import Run, is_tainted
from awning.check.page.signals import event
from awning.check.page.values import Obj, Sym, Value
from awning.check.script.tree import Node

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


def told_by_text(owner: Sym, name: str, args: list[Value]) -> Value:
    """What a text that is known says, or None. `$.Event("name")` is one as well."""
    if name == "Event" and owner.key in JQUERY:
        return event(args)
    if name in _ENDS:
        return _ends(owner, name, args)
    if is_regex(owner) and name == "test" and isinstance(argument(args, 0), str):
        return tested(owner, args[0])
    return None


def _ends(owner: Sym, name: str, args: list[Value]) -> bool | None:
    """`name.endsWith("-updated")` where the end of the text is known."""
    known = owner.tail if name == "endsWith" else owner.head
    asked = argument(args, 0)
    if not known or not isinstance(asked, str) or len(known) < len(asked):
        return None
    return known.endswith(asked) if name == "endsWith" else known.startswith(asked)


def escapes(args: list[Value]) -> bool:
    """`replace(/</g, "&lt;")`, `join("&lt;")`, `replace(/[&<>]/g, ...)`."""
    return any(isinstance(one, str) and "&" in one for one in args) or any(
        isinstance(one, Sym)
        and one.key.startswith("regex:")
        and re.search(r"[<&]|\\W|\^(?:\\w|\\d|a-z|A-Z|0-9)", one.key)
        for one in args
    )


def _asks(owner: Sym, verb: Value) -> bool:
    """Whether `owner.open(verb, ...)` opens a request, not a window, a database or a dialog."""
    return "Request" in owner.key or (isinstance(verb, str) and _VERB.fullmatch(verb) is not None)


def _is_parsed(value: Value) -> bool:
    """Elements that DOMParser made of text: inserted, their event handlers run."""
    return is_tainted(value) and ".parseFromString(" in value.key and not value.key.endswith(_TEXT_OF)


def look_at(run: Run, owner: Sym, name: str, args: list[Value], node: Node) -> None:
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
    if name == "open" and argument(args, 2) is False and _asks(owner, argument(args, 0)):
        run.report("sync-xhr", node, "a synchronous request stops the whole page until it is answered")
    if name in {"ajax", "ajaxSetup"}:
        settings = next((one for one in args if isinstance(one, Obj)), Obj())
        if settings.props.get("async") is False:
            run.report("sync-xhr", node, "a synchronous request stops the whole page until it is answered")
