"""Finds the fields of records (`records.py`) that a script reads, and the records that it passes to templates.

A record is followed from a slot's render function, or from a callback of `subscribeEvent`, through patterns, constants,
lists and methods of lists such as `map`. It is followed only where its origin is certain: not through a name that is
declared twice, assigned again, or declared with a type that is not from "awning".
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from awning.script.file import ScriptFile
from awning.script.imports import AWNING, SLOT_FUNCTIONS, TEMPLATE_ENDING
from awning.script.names import FUNCTIONS, declared_in, named_functions, parameters
from awning.script.records import TYPES, Fields, RecordValue, delivered
from awning.script.tree import Node

_SAME = frozenset({"parenthesized_expression", "non_null_expression", "satisfies_expression"})
_LISTS = frozenset({"concat", "filter", "reverse", "slice", "sort", "toReversed", "toSorted"})
_ITEMS = frozenset({"at", "find", "findLast", "pop", "shift"})
_OVER = frozenset({"every", "filter", "find", "findIndex", "findLast", "flatMap", "forEach", "map", "some"})
_ANYTHING = frozenset(dir(object)) | {"constructor", "hasOwnProperty", "toString", "valueOf"}
_DEEPEST = 50
_TYPE = re.compile(r":\s*(?:Readonly(?:Array)?<|readonly\s+)?(\w+)(?:<.*>)?>?(?:\[\])?", re.DOTALL)

_Names = dict[str, RecordValue]


@dataclass(frozen=True, slots=True)
class FieldRead:
    """A field that a script reads: its record, its name, and the byte offset of the name in the script."""

    record: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class TemplateArgument:
    """A record or a list of records that a script passes as `name` to the template that it imports from `source`.

    `at` is the byte offset of the name in the script.
    """

    source: str
    name: str
    value: RecordValue
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordReads:
    """The fields that a script reads, and the records that it passes to templates, in the order of the text."""

    fields: tuple[FieldRead, ...] = ()
    arguments: tuple[TemplateArgument, ...] = ()


def record_reads(script: ScriptFile, records: Mapping[str, Fields]) -> RecordReads:
    """Return the fields that a script reads, and the records that it passes to templates.

    `fields` and `arguments` are empty when the script has a syntax error or receives no record. `records` maps the name
    of each record to its fields.
    """
    facts = script.facts
    if facts.broken or (SLOT_FUNCTIONS.isdisjoint(facts.names) and "subscribeEvent" not in facts.names):
        return RecordReads()
    reader = _Reader(script=script, records=records)
    reader.read()
    return RecordReads(fields=tuple(reader.reads), arguments=tuple(reader.arguments))


@dataclass(slots=True)
class _Reader:
    """Reads one script."""

    script: ScriptFile
    records: Mapping[str, Fields]
    reads: list[FieldRead] = field(default_factory=list)
    arguments: list[TemplateArgument] = field(default_factory=list)
    _calls: dict[Node, Sequence[RecordValue | None]] = field(default_factory=dict)
    """For each function, the records that it receives: one per parameter, None for a parameter that is no record."""
    _templates: dict[str, str] = field(default_factory=dict)

    def read(self) -> None:
        root = self.script.tree.root
        imports = self.script.facts.imports
        declared = declared_in(root)
        functions = {name: node for name, node in named_functions(root) if declared[name] == 1}
        self._templates = {
            statement.default: statement.module
            for statement in imports
            if statement.default
            and statement.module.endswith(TEMPLATE_ENDING)
            and not declared[statement.default]
        }
        slots = {
            imported.local: imported.name
            for statement in imports
            if statement.module == AWNING and not statement.reexport
            for imported in statement.names
            if imported.name in SLOT_FUNCTIONS
        }
        for node in root.walk():
            if node.type == "call_expression":
                self._start(node, slots, functions)
        self._walk(root, {}, declared)

    def _start(self, node: Node, slots: dict[str, str], functions: dict[str, Node]) -> None:
        """Store in `_calls` the records that a function receives, if the call `node` registers it.

        The function is a render function or an event's callback.
        """
        callee, arguments = node.fields.get("function"), _arguments(node)
        if callee is None or not arguments:
            return
        if callee.type == "identifier" and callee.text in slots:
            render = arguments[0]
            if render.type == "call_expression" and render.fields["function"].text == "live":
                render = (_arguments(render) or [render])[0]
            self._calls[functions.get(render.text, render)] = (RecordValue(slots[callee.text]),)
        elif _method(callee) == "subscribeEvent" and len(arguments) > 1 and arguments[0].type == "string":
            callback = functions.get(arguments[1].text, arguments[1])
            self._calls[callback] = delivered(arguments[0].text[1:-1], self.script.dialect)

    def _walk(self, top: Node, names: _Names, declared: Counter[str]) -> None:
        """Visit the nodes below `top`.

        Recursion is used only for inner functions, because a sum of a thousand strings is a tree of a thousand levels.
        """
        waiting = [top]
        while waiting:
            node = waiting.pop()
            if node.type in FUNCTIONS and node is not top:
                self._function(node, names)
                continue
            self._visit(node, names, declared)
            waiting.extend(reversed(node.kids))

    def _visit(self, node: Node, names: _Names, declared: Counter[str]) -> None:
        match node.type:
            case "variable_declarator" if "value" in node.fields and _is_own(node):
                self._bind(node.fields["name"], self._value_of(node.fields["value"], names), names, declared)
            case "for_in_statement" if node.fields["operator"].text == "of":
                values = self._value_of(node.fields["right"], names)
                if values and values.is_list:
                    self._bind(node.fields["left"], values.item, names, declared)
            case "member_expression" | "subscript_expression":
                self._member(node, names)
            case "call_expression":
                self._call(node, names)

    def _function(self, node: Node, names: _Names) -> None:
        declared = declared_in(node)
        inner = {name: value for name, value in names.items() if not declared[name]}
        for parameter, value in zip(parameters(node), self._calls.get(node, ()), strict=False):
            if _is_own(parameter):
                self._bind(parameter.fields.get("pattern", parameter), value, inner, declared)
        self._walk(node, inner, declared)

    def _bind(self, pattern: Node, value: RecordValue | None, names: _Names, declared: Counter[str]) -> None:
        """Bind the names of a pattern to parts of a record or a list."""
        if value is None:
            return
        match pattern.type:
            case "identifier" | "shorthand_property_identifier_pattern" if declared[pattern.text] == 1:
                names[pattern.text] = value
            case "assignment_pattern" | "object_assignment_pattern":
                self._bind(pattern.fields["left"], value, names, declared)
            case "array_pattern" if value.is_list:
                for kid in pattern.kids:
                    self._bind(kid, value.item, names, declared)
            case "object_pattern" if not value.is_list:
                for kid in pattern.kids:
                    self._field(kid, value, names, declared)

    def _field(self, kid: Node, value: RecordValue, names: _Names, declared: Counter[str]) -> None:
        left = kid.fields["left"] if kid.type == "object_assignment_pattern" else kid
        key, target = left.fields.get("key", left), left.fields.get("value", left)
        if key.type in {"property_identifier", "shorthand_property_identifier_pattern"}:
            self._reads(value, key)
            self._bind(target, self.records[value.record].get(key.text), names, declared)

    def _reads(self, value: RecordValue, key: Node) -> None:
        if key.text not in _ANYTHING:
            self.reads.append(FieldRead(value.record, key.text, key.start))

    def _member(self, node: Node, names: _Names) -> None:
        owner = self._value_of(node.fields["object"], names)
        key = node.fields.get("property") or _literal(node.fields["index"])
        if owner and not owner.is_list and key and key.type in {"property_identifier", "string_fragment"}:
            self._reads(owner, key)

    def _call(self, node: Node, names: _Names) -> None:
        callee, arguments = node.fields["function"], _arguments(node)
        if callee.type == "identifier" and callee.text in self._templates and arguments:
            self._template(self._templates[callee.text], arguments[0], names)
        values = self._value_of(callee.fields["object"], names) if _method(callee) else None
        if values and values.is_list and arguments and arguments[0].type in FUNCTIONS:
            others = {"reduce": (None, values.item), "sort": (values.item, values.item)}
            over = (values.item,) if _method(callee) in _OVER else ()
            self._calls[arguments[0]] = others.get(_method(callee), over)

    def _template(self, source: str, argument: Node, names: _Names) -> None:
        for kid in argument.kids if argument.type == "object" else ():
            key, node = kid.fields.get("key", kid), kid.fields.get("value", kid)
            value = names.get(node.text) if node is kid else self._value_of(node, names)
            if value and key.type in {"property_identifier", "shorthand_property_identifier"}:
                self.arguments.append(TemplateArgument(source, key.text, value, key.start))

    def _value_of(self, node: Node, names: _Names, depth: int = 0) -> RecordValue | None:
        """Return the value of an expression if it is a record or a list of records, else None."""
        if depth > _DEEPEST:
            return None
        match node.type:
            case "identifier":
                return names.get(node.text)
            case "member_expression" | "subscript_expression" | "call_expression":
                return self._part(node, names, depth)
            case "ternary_expression":
                arms = (node.fields[name] for name in ("consequence", "alternative"))
                first, second = (self._value_of(arm, names, depth + 1) for arm in arms)
                return first if first == second else None
        same = node.kids[0] if node.type in _SAME else node.fields.get(_chosen(node))
        return self._value_of(same, names, depth + 1) if same else None

    def _part(self, node: Node, names: _Names, depth: int) -> RecordValue | None:
        """Return the value of a record's field, of a list's item or of a call of a list's method.

        None if it is neither a record nor a list of records.
        """
        called = node.fields["function"] if node.type == "call_expression" else node
        owner = (
            self._value_of(called.fields["object"], names, depth + 1) if "object" in called.fields else None
        )
        if owner is None:
            return None
        if not owner.is_list:
            read = node.type == "member_expression"
            return self.records[owner.record].get(node.fields["property"].text) if read else None
        if node.type == "subscript_expression":
            return owner.item if node.fields["index"].type != "string" else None
        method = _method(called) if called is not node else ""
        return owner if method in _LISTS else owner.item if method in _ITEMS else None


def _chosen(node: Node) -> str:
    """Return which operand of `a || b`, `a ?? b` or `a && b` can be a record: `left` or `right`.

    It returns "" for any other expression.
    """
    operator = node.fields["operator"].text if node.type == "binary_expression" else ""
    return {"||": "left", "??": "left", "&&": "right"}.get(operator, "")


def _literal(index: Node) -> Node | None:
    """Return the node of a literal key's text: `price` in `item["price"]`. None for any other key."""
    return index.kids[0] if index.type == "string" and len(index.kids) == 1 else None


def _method(callee: Node) -> str:
    return callee.fields["property"].text if callee.type == "member_expression" else ""


def _arguments(call: Node) -> list[Node]:
    node = call.fields.get("arguments")
    return node.kids if node and node.type == "arguments" else []


def _is_own(node: Node) -> bool:
    """Return whether a declaration has no type, or one of the types that "awning" exports for records."""
    if "type" not in node.fields:
        return True
    match = _TYPE.fullmatch(node.fields["type"].text)
    return match is not None and match[1] in TYPES
