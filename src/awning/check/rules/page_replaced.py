"""Finds code that replaces or empties the whole page: `document.body.innerHTML = "..."` and the like.

The page is `document`, its `html`, `body` or `head` element, or a jQuery collection of one of these. A variable that
the script declares once may be the page, too. What a frame or another document has is not the page.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from awning.check.rule import LONGEST_CALLEE, Finding, Inspected, Rule, page_of
from awning.diagnostics import Severity
from awning.script.names import names_in
from awning.script.tree import Node, NodesByType

_WORDS = re.compile(
    rb"(?:inner|outer)(?:HTML|Text)|textContent|replace(?:Children|With|Child)|remove|setHTML|\.\s*(?:html|text|empty|detach)\b"
    rb"|\bbody\s*="
)
_PAGE = re.compile(rb"\bdocument\b|[\"'`](?:html|body|head)[\"'`]")
_GLOBALS = frozenset({"window", "self", "globalThis", "top", "parent"})
_ELEMENTS = frozenset({"body", "documentElement", "head", "scrollingElement", "firstElementChild"})
_SELECTORS = frozenset({"body", "html", "head", ":root", "html body", "html > body"})
_JQUERY = frozenset({"$", "jQuery"})

_CONTENT = frozenset({"innerHTML", "outerHTML", "innerText", "outerText", "textContent"})
_METHODS = frozenset({"replaceChildren", "replaceWith", "remove", "setHTML", "setHTMLUnsafe"})
_JQUERY_METHODS = frozenset({"empty", "remove", "detach", "replaceWith"})
_JQUERY_SETTERS = frozenset({"html", "text"})
_CHILDREN = frozenset({"firstChild", "lastChild", "firstElementChild", "lastElementChild"})
_LOOPS = ("while_statement", "do_statement", "for_statement", "for_in_statement")
_WRAPPERS = frozenset(
    {"parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression"}
)

_DOCUMENT, _ELEMENT, _COLLECTION, _CHILD = "document", "element", "collection", "child"


def _check(file: Inspected) -> Iterator[Finding]:
    code = file.source.code
    if not (_WORDS.search(code) and _PAGE.search(code)) or file.source.is_too_large:
        return
    nodes = file.source.tree.nodes_by_type()
    page = _Page(nodes)
    for kind in ("assignment_expression", "augmented_assignment_expression"):
        for node in nodes.get(kind, ()):
            what = page.assigned(node.fields.get("left"))
            if what:
                yield Finding(offset=node.start, message=f"{what} is replaced: the shop's page is in it")
    for node in nodes.get("call_expression", ()):
        if page.is_emptied(node):
            yield Finding(offset=node.start, message="the whole page of the shop is replaced or removed")


class _Page:
    """Which expressions of a script are the page."""

    def __init__(self, nodes: NodesByType) -> None:
        self._aliases: dict[str, str] = {}
        self._loops = [(node.start, node.end) for kind in _LOOPS for node in nodes.get(kind, ())]
        self._declared = _declarations(nodes)
        for node in nodes.get("variable_declarator", ()):
            self._aliases |= self._aliases_in(node)

    def assigned(self, target: Node | None) -> str | None:
        """Return the text of what an assignment to `target` replaces; None if it is not the page."""
        owner, name = _member(target)
        if target is None or owner is None:
            return None
        if name in _CONTENT and self.kind(owner) == _ELEMENT:
            return target.text
        return target.text if name == "body" and self.kind(owner) == _DOCUMENT else None

    def is_emptied(self, call: Node) -> bool:
        """Return whether a call replaces or removes what the page contains, or in a loop each part of it."""
        owner, name = _member(call.fields.get("function"))
        arguments = _arguments(call)
        kind = self.kind(owner) if owner is not None else None
        in_loop = any(start <= call.start < end for start, end in self._loops)
        if kind == _COLLECTION:
            return name in _JQUERY_METHODS or (name in _JQUERY_SETTERS and bool(arguments))
        if kind == _CHILD:  # outside of a loop, it may be an element that the script itself has put there
            return in_loop and name in {"remove", "replaceWith"}
        if kind not in {_DOCUMENT, _ELEMENT}:
            return False
        if name in {"removeChild", "replaceChild"}:
            removed = self.kind(arguments[-1]) if arguments else None
            return removed == _ELEMENT or (removed == _CHILD and in_loop)
        return name in _METHODS if kind == _ELEMENT else name == "replaceChildren"

    def kind(self, node: Node) -> str | None:
        """Return what of the page an expression is; None if it is not known to be a part of it."""
        while node.type in _WRAPPERS and node.kids:
            node = node.kids[0]
        if node.end - node.start > LONGEST_CALLEE:
            return None
        match node.type:
            case "identifier":
                return self._kind_of_name(node.text)
            case "member_expression" | "subscript_expression":
                return self._kind_of_member(node)
            case "call_expression":
                return self._kind_of_call(node)
        return None

    def _kind_of_name(self, name: str) -> str | None:
        if name in self._aliases:
            return self._aliases[name]
        return _DOCUMENT if name == "document" and name not in self._declared else None

    def _kind_of_member(self, node: Node) -> str | None:
        owner, name = _member(node)
        if owner is None or name is None:
            return None
        if owner.type == "identifier" and owner.text in _GLOBALS:
            return _DOCUMENT if name == "document" else None
        kind = self.kind(owner)
        if kind == _DOCUMENT:
            return _ELEMENT if name in _ELEMENTS else None
        if kind == _COLLECTION and name == "0":
            return _ELEMENT
        return _CHILD if kind == _ELEMENT and name in _CHILDREN else None

    def _kind_of_call(self, node: Node) -> str | None:
        called, arguments = node.fields.get("function"), _arguments(node)
        if called is None or len(arguments) != 1:
            return None
        if called.type == "identifier" and called.text in _JQUERY:
            is_page = _text(arguments[0]) in _SELECTORS or self.kind(arguments[0]) in {_DOCUMENT, _ELEMENT}
            return _COLLECTION if is_page else None
        owner, name = _member(called)
        if owner is None or _text(arguments[0]) not in _SELECTORS or self.kind(owner) != _DOCUMENT:
            return None
        return {
            "querySelector": _ELEMENT,
            "querySelectorAll": _COLLECTION,
            "getElementsByTagName": _COLLECTION,
        }.get(name or "")

    def _aliases_in(self, declarator: Node) -> Mapping[str, str]:
        """Return the names that a declaration gives to the page, if nothing else declares or assigns them."""
        name, value = declarator.fields.get("name"), declarator.fields.get("value")
        kind = self.kind(value) if value is not None else None
        if kind is None or name is None:
            return {}
        if name.type == "identifier":
            named = {name.text: kind}
        elif name.type == "object_pattern" and kind == _DOCUMENT:
            named = {bound: _ELEMENT for key, bound in _pairs(name) if key in _ELEMENTS}
        else:
            named = {}
        return {alias: kind for alias, kind in named.items() if self._declared[alias] == 1}


def _pairs(pattern: Node) -> Iterator[tuple[str, str]]:
    """Yield the names of properties in a pattern, each with the name of the variable that gets its value."""
    for item in pattern.kids:
        key, value = item.fields.get("key", item), item.fields.get("value", item)
        yield key.text, value.text


def _declarations(nodes: NodesByType) -> Counter[str]:
    """Return how often each name is declared or assigned."""
    patterns = [
        node.fields[field]
        for kind, field in (
            ("variable_declarator", "name"),
            ("required_parameter", "pattern"),
            ("optional_parameter", "pattern"),
            ("arrow_function", "parameter"),
            ("assignment_expression", "left"),
            ("for_in_statement", "left"),
        )
        for node in nodes.get(kind, ())
        if field in node.fields
    ]
    return Counter(name for pattern in patterns for name in names_in(pattern))


def _member(node: Node | None) -> tuple[Node | None, str | None]:
    """Return the owner and the name of a member, as in `a.b`, `a?.b`, `a["b"]` or `a[0]`."""
    if node is None or node.type not in {"member_expression", "subscript_expression"}:
        return None, None
    key = node.fields.get("property") or node.fields.get("index")
    if key is None:
        return node.fields.get("object"), None
    return node.fields.get("object"), _text(key) if key.type in {"string", "template_string"} else key.text


def _text(node: Node) -> str | None:
    """Return the content of a string without escapes; None for any other expression."""
    if node.type not in {"string", "template_string"} or any(
        kid.type != "string_fragment" for kid in node.kids
    ):
        return None
    return node.text[1:-1].strip()


def _arguments(call: Node) -> list[Node]:
    arguments = call.fields.get("arguments")
    return arguments.kids if arguments is not None and arguments.type == "arguments" else []


RULE = Rule(
    id="page-replaced",
    title="A script replaces or empties the whole page",
    severity=Severity.ERROR,
    documentation=page_of("page-replaced"),
    hint="give the HTML to the slot, or add an element: document.body.append(...)",
    check=_check,
)
