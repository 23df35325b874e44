"""Look-ups of elements that fail because a script of the page's head runs before there is a body.

While such a script runs, `document.body` is null and a look-up of an element of the body finds nothing. Its result is
a symbolic value that is known to be missing, now and later. `if (box)` and `box?.hidden` ask first and are right. Any
other use throws, or silently does nothing. A look-up made later, in a callback, is an ordinary one.

Some elements are in the head or around it. A selector that may match them (`[name=robots]`, `link`) is taken to find
one. A class or an id alone may match them too, so a use that suits a `script` or `style` element is doubtful.
"""

import re

from awning.check.interpreter.exceptions import error
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
"""What scripts do with the elements of the head, found by an id or a class."""
_OF_THE_ROOT = {"classList", "className", "removeClass", "toggleClass", "addClass"}
"""What scripts do with the root element, found by a class."""
_WRITES_TEXT = {"textContent", "innerHTML", "outerHTML"}
_ASKS = {"length", "is", "hasClass", "selector", "context", "constructor"}
"""Members of an empty list that say that it is empty."""
_SAME = {
    "first", "last", "eq", "find", "filter", "not", "children", "parent", "parents", "closest", "next", "prev",
    "siblings", "end", "slice",
}  # fmt: skip
"""Members of jQuery's empty list that give one again."""
_NEEDS_NODE = {"observe", "appendChild", "getComputedStyle"}
_JQUERY = {"$", "jQuery"}
_GOES_INTO = {"appendTo", "prependTo", "insertAfter", "insertBefore"}


def _may_find(lookup: Lookup, member: str) -> bool:
    """Whether the look-up may find an element of the head, or the root element, going by the member that is used."""
    return (lookup.by != "" and member in _OF_HEAD_ELEMENTS) or (
        lookup.by == "class" and member in _OF_THE_ROOT
    )


def _is_null(value: Value) -> bool:
    return value is None


def is_early(run: Execution) -> bool:
    """Whether there is no body yet. A function that is given to code elsewhere may be called later."""
    return run.in_head and run.unknown_depth == 0


def body(run: Execution, node: Node) -> Symbolic:
    """What `document.body` is."""
    return _may_be_missing(run, Lookup(text="document.body"), node)


def _may_be_missing(run: Execution, lookup: Lookup, node: Node) -> Symbolic:
    made = Symbolic(f"nothing:{node.start}:{lookup.text}"[:300])
    run.missing_elements[made.key] = lookup
    if not lookup.list:
        run.path.assume(made.key, _is_null)
    return made


def looked_up(run: Execution, owner: str, name: str, args: list[Value], node: Node) -> Symbolic | None:
    """What a method of the document finds, or None where that is not known to be nothing."""
    if owner not in _DOCUMENT or name not in _ELEMENT | _LIST or not is_early(run) or not args:
        return None
    given = args[0]
    if not isinstance(given, str):
        return None
    prefix = {"getElementById": "#", "getElementsByClassName": "."}.get(name, "")
    meant = _meant(run, ".".join((prefix + given).split()) if prefix == "." else prefix + given)
    if meant is None:
        return None
    text = f"{owner}.{name}({given!r})"
    return _may_be_missing(run, Lookup(text=text, by=meant, list=name in _LIST), node)


def jquery(run: Execution, args: list[Value], node: Node) -> Symbolic | None:
    """What `$(selector)` and `$(element)` find, or None where that is not known to be nothing."""
    if len(args) != 1 or not is_early(run):
        return None
    (given,) = args
    if isinstance(given, Symbolic) and given.key in run.missing_elements:
        inner = run.missing_elements[given.key]
        return _may_be_missing(run, Lookup(text=f"$({inner.text})", by=inner.by, list=True), node)
    meant = _meant(run, given) if isinstance(given, str) else None
    return (
        None
        if meant is None
        else _may_be_missing(run, Lookup(text=f"$({given!r})", by=meant, list=True), node)
    )


def _meant(run: Execution, selector: str) -> str | None:
    """By what a selector means elements of the body: `id`, `class`, or "" for more than that; else None."""
    if not _PLAIN.fullmatch(selector):
        return None
    page_scripts = [_part_meant(run, part.strip()) for part in selector.split(",")]
    if None in page_scripts:
        return None
    return next((by for by in ("class", "id") if by in page_scripts), "")


def _part_meant(run: Execution, part: str) -> str | None:
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
    """Whether it is what a look-up of one element did not find."""
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


def member(run: Execution, owner: Symbolic, name: Value, node: Node) -> Value | None:
    """Look at `owner.name`, where the owner is nothing. What it is, or None where the rest may go on with anything."""
    lookup = run.missing_elements[owner.key]
    key = as_text(name) if is_primitive(name) else ""
    if lookup.list:
        if key == "length":
            return 0
        if key.isdigit():
            return _may_be_missing(run, Lookup(text=f"{lookup.text}[{key}]", by=lookup.by), node)
        return None
    _used(run, owner, node, doubtful=_may_find(lookup, key))
    return None


def written(run: Execution, owner: Symbolic, key: str, node: Node) -> None:
    """Look at `owner.key = ...`, where the owner is nothing."""
    lookup = run.missing_elements[owner.key]
    _used(run, owner, node, doubtful=_may_find(lookup, key) and key not in _WRITES_TEXT)


def called(run: Execution, owner: Symbolic, name: str, args: list[Value], node: Node) -> Value | None:
    """What a method of an empty list gives, where that is nothing again."""
    lookup = run.missing_elements[owner.key]
    if not lookup.list:
        return None
    if name in {"get", "item"} and args:
        return _may_be_missing(run, Lookup(text=lookup.text, by=lookup.by), node)
    if name not in _ASKS | _SAME:
        sets = name in {"html", "text", "attr"} and len(args) > (name == "attr")
        _used(run, owner, node, doubtful=_may_find(lookup, name) and not sets)
    if name in _SAME:
        return _may_be_missing(run, Lookup(text=lookup.text, by=lookup.by, list=True), node)
    return owner if name in {"each", "forEach", "map", "filter"} else None


def iterated(run: Execution, value: Value, node: Node) -> bool:
    """Look at what a loop goes over: whether that is a list in which nothing was found."""
    if not is_empty_list(run, value):
        return False
    _used(run, value, node, doubtful=False)
    return True


def handed(run: Execution, name: str, args: list[Value], node: Node) -> None:
    """Look at what a method is given: `observer.observe(document.body)`, `box.appendTo("body")`."""
    name = name.rpartition(".")[2]
    first = args[0] if args else None
    if name in _NEEDS_NODE and isinstance(first, Symbolic) and is_null(run, first):
        _used(run, first, node, doubtful=False)
    elif name in _GOES_INTO and is_early(run) and isinstance(first, str):
        made = jquery(run, [first], node)
        if made is not None:
            _used(run, made, node, doubtful=False)


def names(run: Execution, key: str, value: Value) -> None:
    """An id or a class that the script gives an element of its own: a look-up may find that one."""
    if key in {"id", "class", "className"} and isinstance(value, str):
        run.known_names.update(value.split())


def _used(run: Execution, value: Symbolic, node: Node, *, doubtful: bool) -> None:
    lookup = run.missing_elements[value.key]
    if run.try_depth and not lookup.list:
        raise error(run)  # the script is ready for it
    if value.key in run.used_missing:
        return
    run.side_effect()
    run.used_missing.add(value.key)
    if lookup.text == "document.body":
        text = "document.body is null when a head script runs: the page has no body yet"
    else:
        text = f"{lookup.text} finds nothing of the page: a head script runs before there is a body"
    run.report(RULE, node, text, doubtful=doubtful)
