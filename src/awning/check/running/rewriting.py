"""Rewrites a script so that it can run on the page of `jsrc/running`, which has no modules and no types.

Types are left out, imports and exports become calls. Calls and assignments tell their place (`__q`), conditions and
bodies tell that they were reached (`__b`, `__c`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from awning.script.tree import Node

_ERASED = frozenset({
    "type_annotation", "type_arguments", "type_parameters", "interface_declaration", "type_alias_declaration",
    "ambient_declaration", "implements_clause", "function_signature", "abstract_method_signature", "method_signature",
    "index_signature", "accessibility_modifier", "override_modifier", "type_predicate_annotation", "asserts_annotation",
    "opting_type_annotation", "omitting_type_annotation",
})  # fmt: skip
"""Nodes that only TypeScript has and that do nothing."""
_FUNCTIONS = frozenset({
    "function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function",
    "generator_function_declaration",
})  # fmt: skip
_NOT_RUN = {
    "jsx_element": "JSX", "jsx_self_closing_element": "JSX", "decorator": "a decorator",
    "internal_module": "a namespace", "import_alias": "import =", "with_statement": "with",
}  # fmt: skip
_MEMBERS = frozenset({"member_expression", "subscript_expression"})
_LOGIC = frozenset({"&&", "||", "??"})
_MODIFIERS = re.compile(rb"\b(?:readonly|declare|abstract|override)\b")


class NotRun(Exception):
    """Raised for a script that cannot be run. The text says why."""


@dataclass(slots=True)
class Rewriting:
    """The edits of one file, which are applied together. At one position, closing text comes before opening text."""

    code: bytes
    opened: dict[int, list[bytes]] = field(default_factory=dict)
    closed: dict[int, list[bytes]] = field(default_factory=dict)
    replaced: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    counters: list[int] = field(default_factory=list)
    """What the counters can have: the number of a place, and for a condition also the negative number."""

    def open(self, at: int, text: str) -> None:
        self.opened.setdefault(at, []).append(text.encode())

    def close(self, at: int, text: str) -> None:
        self.closed.setdefault(at, []).insert(0, text.encode())

    def wrap(self, node: Node, before: str, after: str) -> None:
        self.open(node.start, before)
        self.close(node.end, after)

    def replace(self, start: int, end: int, text: str = "") -> None:
        if end > start:
            self.replaced.setdefault(start, (end, text.encode()))

    def counter(self, *, both: bool = False) -> int:
        number = abs(self.counters[-1]) + 1 if self.counters else 1
        self.counters += [number, -number] if both else [number]
        return number

    def text(self, start: int, end: int) -> str:
        """Return the rewritten code from `start` to `end`."""
        places = sorted({*self.opened, *self.closed, *self.replaced})
        parts: list[bytes] = []
        at = start
        for place in places:
            if not start <= place <= end or place < at:
                continue
            parts.append(self.code[at:place])
            at = place
            parts += self.closed.get(place, ())
            opened = self.opened.get(place, ()) if place < end or end == len(self.code) else ()
            if opened and self.code[place - 1 : place].isalnum():
                parts.append(b" ")  # as after `else` and `in`
            parts += opened
            if place in self.replaced:
                at, text = self.replaced[place]
                parts.append(text)
        parts.append(self.code[at:end])
        return b"".join(parts).decode("utf-8", "replace")


def rewritten(root: Node, *, early: Iterable[range] = ()) -> Rewriting:
    """Return the edits of a whole file. In the ranges `early`, each statement tells its place.

    Raises NotRun.
    """
    result = Rewriting(root.code)
    ranges = tuple(early)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in _NOT_RUN:
            raise NotRun(_NOT_RUN[node.type])
        if node.type in _ERASED:
            result.replace(node.start, node.end, ";" if node.type.endswith("declaration") else "")
            continue
        kids = _EDITS[node.type](result, node) if node.type in _EDITS else None
        if node.type == "program" and ranges:
            _statements(result, node, ranges)
        waiting.extend(reversed(node.kids if kids is None else kids))
    return result


def _place(result: Rewriting, node: Node) -> str:
    return f"__c({result.counter()},{node.start});"


def _statements(result: Rewriting, program: Node, early: tuple[range, ...]) -> None:
    for kid in program.kids:
        if any(kid.start in script for script in early) and not _is_directive(kid):
            result.open(kid.start, f"__c({result.counter()},{kid.start});")


def _is_directive(node: Node) -> bool:
    return node.type == "expression_statement" and len(node.kids) == 1 and node.kids[0].type == "string"


def _told(result: Rewriting, value: Node, at: int) -> None:
    """Let a value tell a place after it is evaluated."""
    if value.type == "spread_element":
        value = value.kids[0]
    result.wrap(value, f"__q({at},", ")")


def _call(result: Rewriting, node: Node) -> None:
    function, arguments = node.fields.get("function"), node.fields.get("arguments")
    if function is not None and function.type == "import":
        result.replace(function.start, function.end, "__load")
    if arguments is None or arguments.type != "arguments":
        return
    if arguments.kids:
        _told(result, arguments.kids[-1], node.start)
    else:
        result.open(arguments.end - 1, f"...__e({node.start})")


def _assignment(result: Rewriting, node: Node) -> None:
    left, right = node.fields.get("left"), node.fields.get("right")
    while left is not None and left.type in {"non_null_expression", "parenthesized_expression"}:
        left = left.kids[0]
    if left is not None and right is not None and left.type in _MEMBERS:
        _told(result, right, node.start)


def _asked(result: Rewriting, condition: Node) -> None:
    result.wrap(condition, f"__b({result.counter(both=True)},{condition.start},(", "))")


def _condition(result: Rewriting, node: Node) -> None:
    condition = node.fields.get("condition")
    if condition is None or condition.type in {"empty_statement", ";"}:
        return
    if condition.type in {"parenthesized_expression", "expression_statement"}:
        condition = condition.kids[0]
    _asked(result, condition)


def _binary(result: Rewriting, node: Node) -> None:
    left, right = node.fields["left"], node.fields["right"]
    between = node.code[left.end : right.start]
    if any(sign.encode() in between for sign in _LOGIC):
        _asked(result, left)


def _block(result: Rewriting, node: Node) -> None:
    at = node.start + 1
    for kid in node.kids:
        if not _is_directive(kid):
            break
        at = kid.end
    result.open(at, ("" if at == node.start + 1 else ";") + _place(result, node))


def _case(result: Rewriting, node: Node) -> None:
    value = node.fields.get("value")
    start = value.end if value is not None else node.start + len("default")
    if match := re.compile(rb"\s*:").match(node.code, start):
        result.open(match.end(), _place(result, node))


def _arrow(result: Rewriting, node: Node) -> None:
    body = node.fields["body"]
    if body.type != "statement_block":
        result.wrap(body, f"(__c({result.counter()},{node.start}),", ")")
    _function(result, node)


def _function(result: Rewriting, node: Node) -> None:
    """Let an async function tell its exceptions, which would only reject a promise."""
    body = node.fields.get("body")
    if "async" in node.marks and body is not None and body.type == "statement_block" and body.kids:
        result.open(body.start + 1, "try{")
        result.close(body.end - 1, "}catch(__x){__early(__x);throw __x}")


def _cast(result: Rewriting, node: Node) -> list[Node]:
    """Leave out what follows the value: `as T`, `satisfies T`, `!`."""
    result.replace(node.kids[0].end, node.end)
    return node.kids[:1]


def _parameter(result: Rewriting, node: Node) -> None:
    pattern = node.fields.get("pattern")
    if any(kid.type in {"accessibility_modifier", "override_modifier"} for kid in node.kids):
        raise NotRun("a property in the parameters of a constructor")
    if pattern is None:
        return
    if pattern.type == "this":
        end = node.end
        if match := re.compile(rb"\s*,").match(node.code, end):
            end = match.end()
        result.replace(node.start, end)
        return
    _mark_after(result, node, pattern)


def _mark_after(result: Rewriting, node: Node, name: Node) -> None:
    """Leave out `?` or `!` after a name."""
    if match := re.compile(rb"\s*([?!])(?!=)").match(node.code, name.end, node.end):
        result.replace(match.start(1), match.end(1))


def _field(result: Rewriting, node: Node) -> None:
    name = node.fields.get("name") or node.fields.get("property")
    if name is None:
        return
    before = node.code[node.start : name.start]
    if b"declare" in before or b"abstract" in before:
        result.replace(node.start, node.end)
        return
    for match in _MODIFIERS.finditer(before):
        result.replace(node.start + match.start(), node.start + match.end())
    _mark_after(result, node, name)


def _declarator(result: Rewriting, node: Node) -> None:
    _mark_after(result, node, node.fields["name"])


def _method(result: Rewriting, node: Node) -> None:
    name = node.fields["name"]
    for match in _MODIFIERS.finditer(node.code[node.start : name.start]):
        result.replace(node.start + match.start(), node.start + match.end())
    _mark_after(result, node, name)
    _function(result, node)


def _abstract_class(result: Rewriting, node: Node) -> None:
    result.replace(node.start, node.start + len("abstract"))


def _enum(result: Rewriting, node: Node) -> list[Node]:
    name, body = node.fields["name"], node.fields["body"]
    members, last = [], "-1"
    for kid in body.kids:
        key = kid.fields["name"] if kid.type == "enum_assignment" else kid
        value = kid.fields["value"].text if kid.type == "enum_assignment" else f"({last})+1"
        text = key.text if key.type == "string" else f'"{key.text}"'
        members.append(f"{name.text}[{text}]={value};")
        last = f"{name.text}[{text}]"
    result.replace(node.start, node.end, f"var {name.text}={{}};{''.join(members)}")
    return []


def _import(result: Rewriting, node: Node) -> list[Node]:
    source = node.fields.get("source")
    clause = next((kid for kid in node.kids if kid.type == "import_clause"), None)
    if "type" in node.marks or source is None:
        result.replace(node.start, node.end, ";")
        return []
    module = f"__import({source.text})"
    parts = []
    for kid in clause.kids if clause is not None else ():
        if kid.type == "identifier":
            parts.append(f"const {kid.text}={module}.default;")
        elif kid.type == "namespace_import":
            parts.append(f"const {kid.kids[0].text}={module};")
        elif kid.type == "named_imports":
            names = [_specifier(name) for name in kid.kids if "type" not in name.marks]
            parts.append(f"const {{{','.join(names)}}}={module};")
    result.replace(node.start, node.end, "".join(parts) or f"{module};")
    return []


def _specifier(node: Node) -> str:
    name, alias = node.fields["name"], node.fields.get("alias")
    return f"{name.text}:{alias.text}" if alias is not None else name.text


def _export(result: Rewriting, node: Node) -> list[Node]:
    declaration, value = node.fields.get("declaration"), node.fields.get("value")
    if declaration is not None and declaration.type not in _ERASED and "type" not in node.marks:
        result.replace(node.start, declaration.start)
        name = declaration.fields.get("name")
        if "default" in node.marks and name is not None:
            result.close(node.end, f";__exports.default={name.text};")
        elif "default" in node.marks:
            result.replaced[node.start] = (declaration.start, b"__exports.default=")
        return [declaration]
    if value is not None:
        result.replace(node.start, value.start, "__exports.default=")
        return [value]
    result.replace(node.start, node.end, ";")
    return []


_EDITS = {
    "call_expression": _call,
    "new_expression": _call,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _assignment,
    "if_statement": _condition,
    "while_statement": _condition,
    "do_statement": _condition,
    "for_statement": _condition,
    "ternary_expression": _condition,
    "binary_expression": _binary,
    "statement_block": _block,
    "switch_case": _case,
    "switch_default": _case,
    "arrow_function": _arrow,
    "function_declaration": _function,
    "function_expression": _function,
    "method_definition": _method,
    "as_expression": _cast,
    "satisfies_expression": _cast,
    "non_null_expression": _cast,
    "required_parameter": _parameter,
    "optional_parameter": _parameter,
    "public_field_definition": _field,
    "variable_declarator": _declarator,
    "abstract_class_declaration": _abstract_class,
    "enum_declaration": _enum,
    "import_statement": _import,
    "export_statement": _export,
}


def has_imports(root: Node, start: int, end: int) -> bool:
    """Return whether the statements from `start` to `end` import or export, as only those of a module do."""
    return any(
        kid.type in {"import_statement", "export_statement"} for kid in root.kids if start <= kid.start < end
    )


def awaits(root: Node, start: int, end: int) -> bool:
    """Return whether a module awaits something outside of functions."""
    waiting = [kid for kid in root.kids if start <= kid.start < end]
    while waiting:
        node = waiting.pop()
        is_loop = node.type == "for_in_statement" and b"await" in node.code[node.start : node.start + 12]
        if node.type == "await_expression" or is_loop:
            return True
        if node.type not in _FUNCTIONS and node.type != "class_body":
            waiting.extend(node.kids)
    return False
