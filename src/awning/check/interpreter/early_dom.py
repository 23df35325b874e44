"""Finds uses of elements that fail because a script in the page's head runs before there is a body.

While such a script runs, `document.body` is null, and a look-up of an element of the body finds nothing. The result of
such a look-up is a symbolic value that is known to be missing. `if (box)` and `box?.hidden` test the value first, so
they are correct. Any other use throws or has no effect. A look-up in a callback that runs later may succeed.

A selector that may match an element of the head (`[name=robots]`, `link`) is assumed to find one. A class or an id may
also match an element of the head, so a use that suits a `script` or `style` element is doubtful.
"""

import re

from awning.check.interpreter.exceptions import thrown_error
from awning.check.interpreter.execution import Execution, Lookup
from awning.check.interpreter.values import Symbolic, Value, as_text, is_primitive
from awning.script.tree import Node

RULE = "early-dom"
_DOCUMENT = {"document", "document.documentElement"}
_ELEMENT = {"getElementById", "querySelector"}
_LIST = {"querySelectorAll", "getElementsByClassName", "getElementsByTagName"}
_HEAD_TAGS = {
    "html", "head", "meta", "link", "script", "style", "title", "base", "noscript", "template", "*", ":root", ":scope",
}  # fmt: skip
_SEPARATOR = re.compile(r"\s*[>+~]\s*|\s+")
_TAG = re.compile(r"[a-zA-Z][\w-]*")
_NAME = re.compile(r"[#.]([\w-]+)")
_PLAIN = re.compile(r"[\w\s#.>+~*,:()\"'=\[\]^$|-]+")
_OF_HEAD_ELEMENTS = {
    "textContent", "text", "innerHTML", "outerHTML", "content", "href", "src", "sheet", "media", "disabled", "rel",
    "type", "nonce", "dataset", "getAttribute", "hasAttribute", "setAttribute", "removeAttribute", "remove",
    "parentNode", "parentElement", "attr", "data", "prop", "html",
}  # fmt: skip
"""Members that scripts also use on elements of the head.

If a script uses one after a look-up by id or class, the look-up may have found such an element.
"""
_OF_THE_ROOT = {"classList", "className", "removeClass", "toggleClass", "addClass"}
"""Members that scripts also use on the root element, after a look-up by class."""
_WRITES_TEXT = {"textContent", "innerHTML", "outerHTML"}
_ASKS = {"length", "is", "hasClass", "selector", "context", "constructor"}
"""Members that a script reads to find out whether a list is empty."""
_SAME = {
    "first", "last", "eq", "find", "filter", "not", "children", "parent", "parents", "closest", "next", "prev",
    "siblings", "end", "slice",
}  # fmt: skip
"""Members of jQuery's empty list that return an empty list."""
_NEEDS_NODE = {"observe", "appendChild", "getComputedStyle"}
_JQUERY = {"$", "jQuery"}
_GOES_INTO = {"appendTo", "prependTo", "insertAfter", "insertBefore"}


def _may_find(lookup: Lookup, member: str) -> bool:
    """Return whether the look-up may find an element of the head, or the root element.

    This depends on the kind of look-up and on `member`, which the script uses on the result.
    """
    return (lookup.by != "" and member in _OF_HEAD_ELEMENTS) or (
        lookup.by == "class" and member in _OF_THE_ROOT
    )


def _is_null(value: Value) -> bool:
    return value is None


def is_early(run: Execution) -> bool:
    """Return whether there is certainly no body yet. False in a function that unknown code calls: it may run later."""
    return run.in_head and run.unknown_depth == 0


def body_value(run: Execution, node: Node) -> Symbolic:
    """Return the value of `document.body` in a head script: a missing element."""
    return _may_be_missing(run, Lookup(text="document.body"), node)


def _may_be_missing(run: Execution, lookup: Lookup, node: Node) -> Symbolic:
    missing = Symbolic(f"nothing:{node.start}:{lookup.text}"[:300])
    run.missing_elements[missing.key] = lookup
    if not lookup.list:
        run.path.assume(missing.key, _is_null)
    return missing


def look_up(run: Execution, owner: str, name: str, args: list[Value], node: Node) -> Symbolic | None:
    """Return the symbolic value of a look-up that certainly finds nothing yet; None when it may find something."""
    if owner not in _DOCUMENT or name not in _ELEMENT | _LIST or not is_early(run) or not args:
        return None
    selector = args[0]
    if not isinstance(selector, str):
        return None
    prefix = {"getElementById": "#", "getElementsByClassName": "."}.get(name, "")
    meant = _matched_by(run, ".".join((prefix + selector).split()) if prefix == "." else prefix + selector)
    if meant is None:
        return None
    text = f"{owner}.{name}({selector!r})"
    return _may_be_missing(run, Lookup(text=text, by=meant, list=name in _LIST), node)


def look_up_with_jquery(run: Execution, args: list[Value], node: Node) -> Symbolic | None:
    """Return the value of `$(...)` when it is certainly an empty list; None when it may find something."""
    if len(args) != 1 or not is_early(run):
        return None
    (selector,) = args
    if isinstance(selector, Symbolic) and selector.key in run.missing_elements:
        inner = run.missing_elements[selector.key]
        return _may_be_missing(run, Lookup(text=f"$({inner.text})", by=inner.by, list=True), node)
    meant = _matched_by(run, selector) if isinstance(selector, str) else None
    return (
        None
        if meant is None
        else _may_be_missing(run, Lookup(text=f"$({selector!r})", by=meant, list=True), node)
    )


def _matched_by(run: Execution, selector: str) -> str | None:
    """Return `Lookup.by`, which decides whether a use of the result is doubtful: `class`, `id` or "".

    It is `class` or `id` if one of the selector's parts (between commas) tests only for a class or an id.

    Returns None when the selector may find an element now, because it names an element of the head, an attribute, or an
    id or a class that is known to exist. Also returns None for a syntax that is not understood.
    """
    if not _PLAIN.fullmatch(selector):
        return None
    page_scripts = [_part_matched_by(run, part.strip()) for part in selector.split(",")]
    if None in page_scripts:
        return None
    return next((by for by in ("class", "id") if by in page_scripts), "")


def _part_matched_by(run: Execution, part: str) -> str | None:
    steps = [step for step in _SEPARATOR.split(part) if step]
    if not steps or "[" in part or any(name in run.known_names for name in _NAME.findall(part)):
        return None
    tag = _TAG.match(steps[-1])
    if tag is not None:
        return None if tag[0].lower() in _HEAD_TAGS else ""
    around = [step for step in steps[:-1] if step.lower() not in {"html", ":root"}]
    if steps[-1][0] not in "#." or any(step.lower() in _HEAD_TAGS for step in around):
        return None
    return "" if around else "id" if "#" in steps[-1] else "class"


def is_null(run: Execution, value: Value) -> bool:
    """Return whether a value stands for null: an early look-up of a single element that finds nothing."""
    return (
        isinstance(value, Symbolic)
        and value.key in run.missing_elements
        and not run.missing_elements[value.key].list
    )


def is_empty_list(run: Execution, value: Value) -> bool:
    return (
        isinstance(value, Symbolic)
        and value.key in run.missing_elements
        and run.missing_elements[value.key].list
    )


def read_member(run: Execution, owner: Symbolic, name: Value, node: Node) -> Value | None:
    """Return `owner.name` for an empty list; None when it is not known. The use of a missing element is reported."""
    lookup = run.missing_elements[owner.key]
    key = as_text(name) if is_primitive(name) else ""
    if lookup.list:
        if key == "length":
            return 0
        if key.isdigit():
            return _may_be_missing(run, Lookup(text=f"{lookup.text}[{key}]", by=lookup.by), node)
        return None
    _report_use(run, owner, node, doubtful=_may_find(lookup, key))
    return None


def write_member(run: Execution, owner: Symbolic, key: str, node: Node) -> None:
    """Report `owner.key = ...` for a missing element."""
    lookup = run.missing_elements[owner.key]
    _report_use(run, owner, node, doubtful=_may_find(lookup, key) and key not in _WRITES_TEXT)


def call_method(run: Execution, owner: Symbolic, name: str, args: list[Value], node: Node) -> Value | None:
    """Return the result of a method of an empty list; None when it is not known. Calls without effect are reported."""
    lookup = run.missing_elements[owner.key]
    if not lookup.list:
        return None
    if name in {"get", "item"} and args:
        return _may_be_missing(run, Lookup(text=lookup.text, by=lookup.by), node)
    if name not in _ASKS | _SAME:
        sets = name in {"html", "text", "attr"} and len(args) > (name == "attr")
        _report_use(run, owner, node, doubtful=_may_find(lookup, name) and not sets)
    if name in _SAME:
        return _may_be_missing(run, Lookup(text=lookup.text, by=lookup.by, list=True), node)
    return owner if name in {"each", "forEach", "map", "filter"} else None


def iterate(run: Execution, value: Value, node: Node) -> bool:
    """Return whether the list of a loop is the empty result of an early look-up. Such a loop is reported."""
    if not is_empty_list(run, value):
        return False
    _report_use(run, value, node, doubtful=False)
    return True


def check_arguments(run: Execution, name: str, args: list[Value], node: Node) -> None:
    """Check the arguments of a method, as in `observer.observe(document.body)` and `box.appendTo("body")`."""
    name = name.rpartition(".")[2]
    first = args[0] if args else None
    if name in _NEEDS_NODE and isinstance(first, Symbolic) and is_null(run, first):
        _report_use(run, first, node, doubtful=False)
    elif name in _GOES_INTO and is_early(run) and isinstance(first, str):
        missing = look_up_with_jquery(run, [first], node)
        if missing is not None:
            _report_use(run, missing, node, doubtful=False)


def remember_names(run: Execution, key: str, value: Value) -> None:
    """Remember an id or a class that the script sets. A later look-up may find that element."""
    if key in {"id", "class", "className"} and isinstance(value, str):
        run.known_names.update(value.split())


def _report_use(run: Execution, value: Symbolic, node: Node, *, doubtful: bool) -> None:
    lookup = run.missing_elements[value.key]
    if run.try_depth and not lookup.list:
        raise thrown_error(run)  # the `try` block around the use catches the exception
    if value.key in run.used_missing:
        return
    run.side_effect()
    run.used_missing.add(value.key)
    if lookup.text == "document.body":
        text = "document.body is null when a head script runs: the page has no body yet"
    else:
        text = f"{lookup.text} finds nothing of the page: a head script runs before there is a body"
    run.report(RULE, node, text, doubtful=doubtful)
