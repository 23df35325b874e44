"""Finds code that replaces or empties the whole page: `document.body.innerHTML = "..."` and the like.

The page is `document`, its `html`, `body` or `head` element, a jQuery collection of one of these, or all children of
one of these. A variable that has no other value may be the page, too. What a frame or another document has is not the
page, and a name that the script declares is not what the page has under this name.
"""

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import takewhile

from awning.check.rule import LONGEST_CALLEE, Finding, Inspected, ScriptRule
from awning.script.names import FUNCTIONS, names_in, parameters
from awning.script.tree import Node, NodesByType

_WORDS = re.compile(
    rb"(?:inner|outer)(?:HTML|Text)|textContent|replace(?:Children|With|Child)|remove|setHTML|\.\s*(?:html|text|empty|detach)\b"
    rb"|\bbody\s*="
)
_PAGE = re.compile(rb"\bdocument\b|[\"'`]\s*(?::root|html|body|head|\*)[\s>*\"'`]")
_GLOBALS = frozenset({"window", "self", "globalThis", "top", "parent"})
_JQUERY_NAMES = frozenset({"$", "jQuery"})
_ELEMENTS = frozenset({"body", "documentElement", "head", "scrollingElement", "firstElementChild"})
_SELECTORS = frozenset({"body", "html", "head", ":root", "html body", "html > body"})
_OF_CHILDREN = frozenset(
    {"*", ":scope > *", *(f"{page}{inner}" for page in _SELECTORS for inner in (" *", " > *"))}
)
"""Selectors of all elements in the page."""

_CONTENT = frozenset({"innerHTML", "outerHTML", "innerText", "outerText", "textContent"})
_METHODS = frozenset({"replaceChildren", "replaceWith", "remove", "setHTML", "setHTMLUnsafe"})
_JQUERY_METHODS = frozenset({"empty", "remove", "detach", "replaceWith"})
_JQUERY_SETTERS = frozenset({"html", "text"})
_REMOVING = frozenset({"remove", "replaceWith"})
_EACH = frozenset({"each", "forEach", "map"})
_ADDING = frozenset(
    {
        *("append", "appendChild", "prepend", "before", "after"),
        *("insertBefore", "insertAdjacentElement", "insertAdjacentHTML"),
    }
)
_CHILDREN = frozenset({"firstChild", "lastChild", "firstElementChild", "lastElementChild"})
_LISTS_OF_CHILDREN = frozenset({"children", "childNodes"})
_JQUERY_PICKS = frozenset({"first", "last", "eq"})
_NOTHING = frozenset({"null", "undefined", "false"})
_LOOPS = ("while_statement", "do_statement", "for_statement", "for_in_statement")
_SCOPES = (*sorted(FUNCTIONS), "generator_function", "generator_function_declaration", "method_definition")
_PLAIN = frozenset({"expression_statement", "lexical_declaration", "variable_declaration"})
"""Statements after which the next one always runs."""
_WRAPPERS = frozenset(
    {"parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression"}
)

_WINDOW, _DOCUMENT, _ELEMENT, _CHILD, _JQUERY = "window", "document", "element", "child", "jquery"
_COLLECTION = "collection"
"""A list, or jQuery collection, of the document or of elements that are the page."""
_PARTS = "parts"
"""All children of an element that is the page, as a list or as a jQuery collection."""


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
    emptying = [
        *(node for node in nodes.get("call_expression", ()) if page.is_emptied(node)),
        *(node for kind in _LOOPS for node in nodes.get(kind, ()) if page.is_emptied_in(node)),
    ]
    for node in emptying:
        yield Finding(offset=node.start, message="the whole page of the shop is replaced or removed")


class _Page:
    """Which expressions of a script are the page."""

    def __init__(self, nodes: NodesByType) -> None:
        self._nodes = nodes
        self._declared = _declarations(nodes)
        self._aliases: dict[str, str] = {}
        self._values: dict[str, list[str]] = {}
        """By name, the parts of the page that the script gives it."""
        self._adding: dict[int, bool] = {}
        """By its offset, whether a loop adds something to the page."""
        for name in _jquery_imports(nodes):
            self._give(name, _JQUERY)
        for node in nodes.get("call_expression", ()):
            self._give_parameters(node)
        for pattern, value in sorted(_assignments(nodes), key=lambda pair: pair[1].start):
            self._give_value(pattern, value)

    def assigned(self, target: Node | None) -> str | None:
        """Return the text of what an assignment to `target` replaces; None if it is not the page."""
        owner, name = _member(target)
        if target is None or owner is None:
            return None
        if name in _CONTENT and self.kind(owner) == _ELEMENT:
            return target.text
        return target.text if name == "body" and self.kind(owner) == _DOCUMENT else None

    def is_emptied(self, node: Node) -> bool:
        """Return whether a call replaces or removes what the page contains."""
        owner, name = _member(node.fields.get("function"))
        arguments = _arguments(node)
        if name == "call" and arguments:  # [].forEach.call(list, (item) => ...)
            (owner, name), arguments = (arguments[0], _member(owner)[1]), arguments[1:]
        kind = self.kind(owner) if owner is not None else None
        match kind:
            case "collection" | "parts":
                return (
                    name in _JQUERY_METHODS
                    or (name in _JQUERY_SETTERS and bool(arguments))
                    or (name in _EACH and bool(arguments) and self._removes_each(arguments[0], name))
                )
            case "jquery" if name == "each" and len(arguments) > 1:
                return self._kind_of_list(arguments[0]) is not None and self._removes_each(arguments[1], name)
            case "child":  # outside of a loop, it may be an element that the script itself has put there
                return name in _REMOVING and self._is_in_loop(node)
            case "document" | "element" if name in {"removeChild", "replaceChild"}:
                removed = self.kind(arguments[-1]) if arguments else None
                return removed == _ELEMENT or (removed == _CHILD and self._is_in_loop(node))
            case "element":
                return name in _METHODS
        return kind == _DOCUMENT and name == "replaceChildren"

    def is_emptied_in(self, loop: Node) -> bool:
        """Return whether a loop removes each item of a list, or in each turn the child with the turn's index."""
        body, item, over = (loop.fields.get(name) for name in ("body", "left", "right"))
        if body is None:
            return False
        if item is not None and over is not None:
            return self.kind(over) == _PARTS and self._removes(body, {item.text})
        indexed = {
            node.text
            for node in body.walk()
            if node.type == "subscript_expression" and self.kind(node.fields["object"]) == _PARTS
        }
        return self._removes(body, indexed) and not self._adds_in(loop)

    def _removes_each(self, function: Node, method: str) -> bool:
        """Return whether a callback of a method such as `forEach` removes the item that it gets, whatever item it is.

        A callback of jQuery's `each` gets the item as its second parameter and, if it is no arrow function, as `this`.
        """
        body = function.fields.get("body")
        if function.type not in FUNCTIONS or body is None:
            return False
        names = [parameter.fields.get("pattern", parameter).text for parameter in parameters(function)]
        items = set(names[1:2] if method == "each" else names[:1])
        if method == "each" and function.type != "arrow_function":
            items.add("this")
        return self._removes(body, items)

    def _removes(self, body: Node, items: AbstractSet[str]) -> bool:
        """Return whether a statement or an expression removes or empties one of the items, and on no condition."""
        if body.type == "statement_block":
            return self._removes_in(body, items)
        if body.type in {"expression_statement", *_WRAPPERS}:
            return bool(body.kids) and self._removes(body.kids[0], items)
        owner, name = _member(body.fields.get("left" if body.type == "assignment_expression" else "function"))
        if owner is None:
            return False
        if body.type == "assignment_expression":
            return name in _CONTENT and owner.text in items
        removed = owner if name in _JQUERY_METHODS else (_arguments(body) or [owner])[0]
        return (name in _JQUERY_METHODS or name == "removeChild") and self._is_item(removed, items)

    def _removes_in(self, block: Node, items: AbstractSet[str]) -> bool:
        """Return whether a block removes one of the items, which a variable of the block may hold."""
        names = set(items)
        for statement in takewhile(lambda statement: statement.type in _PLAIN, block.kids):
            for declared in statement.kids:
                value = declared.fields.get("value")
                if value is not None and self._is_item(value, names):
                    names.add(declared.fields["name"].text)
            if self._removes(statement, names):
                return True
        return False

    def _is_item(self, node: Node, items: AbstractSet[str]) -> bool:
        """Return whether an expression is one of the items, or a jQuery collection of one."""
        called = node.fields.get("function")
        if called is not None and self.kind(called) == _JQUERY:
            return any(argument.text in items for argument in _arguments(node))
        return node.text in items

    def kind(self, node: Node) -> str | None:
        """Return what of the page an expression is; None if it is not known to be a part of it."""
        node = _unwrapped(node)
        if node.end - node.start > LONGEST_CALLEE:
            return None
        kind: str | None = None
        match node.type:
            case "identifier":
                kind = self._kind_of_name(node.text)
            case "member_expression" | "subscript_expression":
                kind = self._kind_of_member(node)
            case "call_expression":
                kind = self._kind_of_call(node)
            case "binary_expression" if node.fields["operator"].text == "&&":
                kind = self.kind(node.fields["right"])
            case "binary_expression" if node.fields["operator"].text in {"||", "??"}:
                kind = self._kind_of_any(node.fields["left"], node.fields["right"])
            case "ternary_expression":
                kind = self._kind_of_any(node.fields["consequence"], node.fields["alternative"])
            case "array" if len(node.kids) == 1 and node.kids[0].type == "spread_element":
                kind = self._kind_of_list(node.kids[0].kids[0])
        return kind

    def _kind_of_any(self, *values: Node) -> str | None:
        """Return what each of the values is that is anything; None if they differ."""
        kinds = {self.kind(value) for value in values if value.text not in _NOTHING}
        return kinds.pop() if len(kinds) == 1 else None

    def _kind_of_name(self, name: str) -> str | None:
        return self._aliases.get(name) if name in self._declared else _global(name)

    def _kind_of_list(self, node: Node) -> str | None:
        kind = self.kind(node)
        return kind if kind in {_PARTS, _COLLECTION} else None

    def _kind_of_member(self, node: Node) -> str | None:
        owner, name = _member(node)
        kind = self.kind(owner) if owner is not None else None
        match kind:
            case "window":
                return _global(name or "")
            case "document":
                return _ELEMENT if name in _ELEMENTS else None
            case "collection":
                return _ELEMENT if name == "0" else None
            case "element" if name in _LISTS_OF_CHILDREN:
                return _PARTS
        return _CHILD if kind == _ELEMENT and name in _CHILDREN else None

    def _kind_of_call(self, node: Node) -> str | None:
        called, arguments = node.fields.get("function"), _arguments(node)
        if called is None or len(arguments) > 1:
            return None
        selected = _selected(arguments[0]) if arguments else None
        if self.kind(called) == _JQUERY:
            is_page = bool(arguments) and self.kind(arguments[0]) in {_DOCUMENT, _ELEMENT}
            return selected or (_COLLECTION if is_page else None)
        owner, name = _member(called)
        if arguments and _copies(called):
            return self._kind_of_list(arguments[0])
        kind: str | None = None
        match owner and self.kind(owner), name:
            case "document" | "element", "querySelector":
                kind = _ELEMENT if selected == _COLLECTION else None
            case ("document" | "element", "querySelectorAll" | "getElementsByTagName") | (
                "collection",
                "find",
            ):
                kind = selected
            case "collection", "children" | "contents" if not arguments:
                kind = _PARTS
            case "collection", "get" if arguments:
                kind = _ELEMENT
            case "collection", picked if picked in _JQUERY_PICKS:
                kind = _COLLECTION
            case "jquery", "noConflict":
                kind = _JQUERY
        return kind

    def _give_parameters(self, call: Node) -> None:
        """Give the arguments of `(function ($) {})(jQuery)`, and jQuery in `jQuery(function ($) {})`.

        In `(function (document) {})(document)`, the argument is the page's.
        """
        called, arguments = _unwrapped(call.fields.get("function", call)), _arguments(call)
        owner, name = _member(called)
        if name == "call" and owner is not None:
            called, arguments = _unwrapped(owner), arguments[1:]
        if called.type in FUNCTIONS:
            for parameter, argument in zip(parameters(called), arguments, strict=False):
                self._give_argument(parameter.fields.get("pattern", parameter), argument)
        elif arguments and arguments[0].type in FUNCTIONS and parameters(arguments[0]):
            is_ready = name == "ready" and owner is not None and self.kind(owner) == _COLLECTION
            parameter = parameters(arguments[0])[0]
            if is_ready or self.kind(called) == _JQUERY:
                self._give(parameter.fields.get("pattern", parameter).text, _JQUERY)

    def _give_argument(self, pattern: Node, argument: Node) -> None:
        is_same = pattern.type == argument.type == "identifier" and pattern.text == argument.text
        outer = _global(argument.text) if is_same else None
        if outer is not None:
            self._give(pattern.text, outer)
        else:
            self._give_value(pattern, argument)

    def _give_value(self, pattern: Node, value: Node) -> None:
        kind = self.kind(value)
        if kind is None:
            return
        if pattern.type == "identifier":
            self._give(pattern.text, kind)
        elif pattern.type == "object_pattern" and kind in {_DOCUMENT, _WINDOW}:
            for key, bound in _pairs(pattern):
                part = (_ELEMENT if key in _ELEMENTS else None) if kind == _DOCUMENT else _global(key)
                if part:
                    self._give(bound, part)

    def _give(self, name: str, kind: str) -> None:
        """Note that a declaration or an assignment gives a part of the page to a name.

        The name is this part as soon as all its declarations and assignments give the same.
        """
        values = self._values.setdefault(name, [])
        values.append(kind)
        if len(values) == self._declared[name] and len(set(values)) == 1:
            self._aliases[name] = kind

    def _is_in_loop(self, call: Node) -> bool:
        """Return whether a call runs in each turn of a loop that adds nothing to the page.

        A function in a loop, such as a callback, may run after the loop.
        """
        function = max((node.start for node in self._around(call, _SCOPES)), default=-1)
        loops = [node for node in self._around(call, _LOOPS) if node.start > function]
        return bool(loops) and not self._adds_in(min(loops, key=lambda loop: loop.start))

    def _adds_in(self, loop: Node) -> bool:
        if loop.start not in self._adding:
            self._adding[loop.start] = any(self._adds(node) for node in loop.walk())
        return self._adding[loop.start]

    def _around(self, inner: Node, kinds: tuple[str, ...]) -> Iterator[Node]:
        for kind in kinds:
            for node in self._nodes.get(kind, ()):
                if node.start <= inner.start < node.end:
                    yield node

    def _adds(self, node: Node) -> bool:
        owner, name = _member(node.fields.get("function")) if node.type == "call_expression" else (None, None)
        return name in _ADDING and owner is not None and self.kind(owner) in {_ELEMENT, _CHILD, _COLLECTION}


def _copies(called: Node) -> bool:
    """Return whether a function is one that copies a list: `Array.from` or `[].slice.call`."""
    owner, name = _member(called)
    return called.text == "Array.from" or (name == "call" and _member(owner)[1] == "slice")


def _unwrapped(node: Node) -> Node:
    """Return the expression in parentheses or in a cast."""
    while node.type in _WRAPPERS and node.kids:
        node = node.kids[0]
    return node


def _global(name: str) -> str | None:
    """Return what of the page a name is that no script declares."""
    if name == "document":
        return _DOCUMENT
    if name in _JQUERY_NAMES:
        return _JQUERY
    return _WINDOW if name in _GLOBALS else None


def _selected(argument: Node) -> str | None:
    """Return what a selector finds: an element that is the page, or all elements in one."""
    selector = " ".join((_text(argument) or "").replace(">", " > ").split())
    if selector in _SELECTORS:
        return _COLLECTION
    return _PARTS if selector in _OF_CHILDREN else None


def _jquery_imports(nodes: NodesByType) -> Iterator[str]:
    """Yield the names under which a script imports all of jQuery."""
    for statement in nodes.get("import_statement", ()):
        source = statement.fields.get("source")
        if source is None or _text(source) != "jquery":
            continue
        for clause in statement.kids:
            yield from (kid.text for kid in clause.kids if kid.type == "identifier")


def _assignments(nodes: NodesByType) -> Iterator[tuple[Node, Node]]:
    """Yield the patterns of declarations and assignments, each with its value."""
    for kind, left, right in (
        ("variable_declarator", "name", "value"),
        ("assignment_expression", "left", "right"),
    ):
        for node in nodes.get(kind, ()):
            if left in node.fields and right in node.fields:
                yield node.fields[left], node.fields[right]


def _pairs(pattern: Node) -> Iterator[tuple[str, str]]:
    """Yield the names of properties in a pattern, each with the name of the variable that gets its value."""
    for item in pattern.kids:
        key, value = item.fields.get("key", item), item.fields.get("value", item)
        yield key.text, value.text


def _declarations(nodes: NodesByType) -> Counter[str]:
    """Return how often each name is declared or assigned. A declaration without a value does not count."""
    names: Counter[str] = Counter()
    for kind, field in (
        ("required_parameter", "pattern"),
        ("optional_parameter", "pattern"),
        ("arrow_function", "parameter"),
        ("catch_clause", "parameter"),
        ("assignment_expression", "left"),
        ("augmented_assignment_expression", "left"),
        ("for_in_statement", "left"),
        ("function_declaration", "name"),
        ("generator_function_declaration", "name"),
        ("function_expression", "name"),
        ("generator_function", "name"),
        ("class_declaration", "name"),
        ("abstract_class_declaration", "name"),
        ("class", "name"),
        ("enum_declaration", "name"),
        ("internal_module", "name"),
    ):
        for node in nodes.get(kind, ()):
            if field in node.fields:
                names.update(names_in(node.fields[field]))
    for node in nodes.get("variable_declarator", ()):
        if "value" in node.fields:
            names.update(names_in(node.fields["name"]))
    for kind in ("import_clause", "namespace_import", "import_require_clause"):
        for node in nodes.get(kind, ()):
            names.update(kid.text for kid in node.kids if kid.type == "identifier")
    for node in nodes.get("import_specifier", ()):
        names.update(kid.text for kid in node.kids[-1:])
    return names


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


PAGE_REPLACED = ScriptRule(
    id="page-replaced",
    hint="give the HTML to the slot, or add an element: document.body.append(...); remove only what the widget added",
    check=_check,
)
