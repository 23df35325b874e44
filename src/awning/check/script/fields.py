"""Which fields a script reads of the payloads' records, and which records it hands to templates.

A record is followed from a slot's render function, or a callback of `subscribeEvent`, through patterns, constants,
lists and the functions that go over them, as far as the text leaves no doubt: not through a name that its function
declares twice or gives another value, nor one with a type of the script's own.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from awning.check.script.declared import FUNCTIONS, declared_in, named_functions, parameters
from awning.check.script.imported import SLOTS, slots_of, template_of
from awning.check.script.records import RECORDS, TYPES, Fields, Held, delivered
from awning.check.script.source import Source
from awning.check.script.tree import Node, parse

READS = re.compile("|".join((*sorted(SLOTS), "subscribeEvent")))
"""What a script that is handed a record says somewhere."""

_SAME = frozenset({"parenthesized_expression", "non_null_expression", "satisfies_expression"})
_LISTS = frozenset({"concat", "filter", "reverse", "slice", "sort", "toReversed", "toSorted"})
_ITEMS = frozenset({"at", "find", "findLast", "pop", "shift"})
_OVER = frozenset({"every", "filter", "find", "findIndex", "findLast", "flatMap", "forEach", "map", "some"})
_ANYTHING = frozenset(dir(object)) | {"constructor", "hasOwnProperty", "toString", "valueOf"}
_DEEPEST = 50
_TYPE = re.compile(r":\s*(?:Readonly(?:Array)?<|readonly\s+)?(\w+)(?:<.*>)?>?(?:\[\])?", re.DOTALL)

Names = dict[str, Held]


@dataclass(frozen=True, slots=True)
class Read:
    """A field that is read, or taken out by a pattern: of which record, where (a byte offset)."""

    record: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Given:
    """What a call of the template that is imported from `source` is given as `name`."""

    source: str
    name: str
    held: Held


@dataclass(slots=True)
class Reader:
    """Reads one script. `reads` and `given` are what was found, in the order of the text."""

    source: Source
    records: Mapping[str, Fields] = field(default_factory=lambda: RECORDS)
    """The records that there are, by name. A field of a record that is none of its own is no record either."""
    reads: list[Read] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    _calls: dict[Node, Sequence[Held | None]] = field(default_factory=dict)
    """Functions, and what they are called with."""
    _templates: dict[str, str] = field(default_factory=dict)

    def read(self) -> None:
        root = parse(self.source).root
        if any(node.type == "ERROR" for node in root.walk()):
            return
        declared = declared_in(root)
        functions = {name: node for name, node in named_functions(root) if declared[name] == 1}
        templates = dict(filter(None, map(template_of, root.kids)))
        self._templates = {name: path for name, path in templates.items() if not declared[name]}
        slots = dict(chain.from_iterable(map(slots_of, root.kids)))
        for node in root.walk():
            if node.type == "call_expression":
                self._start(node, slots, functions)
        self._walk(root, {}, declared)

    def _start(self, node: Node, slots: dict[str, str], functions: dict[str, Node]) -> None:
        """A slot's render function or a callback of an event: what it is called with."""
        callee, passed = node.fields.get("function"), _arguments(node)
        if callee is None or not passed:
            return
        if callee.type == "identifier" and callee.text in slots:
            render = passed[0]
            if render.type == "call_expression" and render.fields["function"].text == "live":
                render = (_arguments(render) or [render])[0]
            self._calls[functions.get(render.text, render)] = (Held(slots[callee.text]),)
        elif _method(callee) == "subscribeEvent" and len(passed) > 1 and passed[0].type == "string":
            callback = functions.get(passed[1].text, passed[1])
            self._calls[callback] = delivered(passed[0].text[1:-1], self.source.dialect)

    def _walk(self, top: Node, names: Names, declared: Counter[str]) -> None:
        """Without recursion but for functions: a sum of a thousand texts is a tree as deep."""
        waiting = [top]
        while waiting:
            node = waiting.pop()
            if node.type in FUNCTIONS and node is not top:
                self._function(node, names)
                continue
            self._visit(node, names, declared)
            waiting.extend(reversed(node.kids))

    def _visit(self, node: Node, names: Names, declared: Counter[str]) -> None:
        match node.type:
            case "variable_declarator" if "value" in node.fields and _is_own(node):
                self._bind(node.fields["name"], self._held(node.fields["value"], names), names, declared)
            case "for_in_statement" if node.fields["operator"].text == "of":
                listed = self._held(node.fields["right"], names)
                if listed and listed.many:
                    self._bind(node.fields["left"], listed.one, names, declared)
            case "member_expression" | "subscript_expression":
                self._member(node, names)
            case "call_expression":
                self._call(node, names)

    def _function(self, node: Node, names: Names) -> None:
        declared = declared_in(node)
        inner = {name: held for name, held in names.items() if not declared[name]}
        for parameter, held in zip(parameters(node), self._calls.get(node, ()), strict=False):
            if _is_own(parameter):
                self._bind(parameter.fields.get("pattern", parameter), held, inner, declared)
        self._walk(node, inner, declared)

    def _bind(self, pattern: Node, held: Held | None, names: Names, declared: Counter[str]) -> None:
        """Give a pattern's names what they take out of a record or a list."""
        if held is None:
            return
        match pattern.type:
            case "identifier" | "shorthand_property_identifier_pattern" if declared[pattern.text] == 1:
                names[pattern.text] = held
            case "assignment_pattern" | "object_assignment_pattern":
                self._bind(pattern.fields["left"], held, names, declared)
            case "array_pattern" if held.many:
                for kid in pattern.kids:
                    self._bind(kid, held.one, names, declared)
            case "object_pattern" if not held.many:
                for kid in pattern.kids:
                    self._field(kid, held, names, declared)

    def _field(self, kid: Node, held: Held, names: Names, declared: Counter[str]) -> None:
        left = kid.fields["left"] if kid.type == "object_assignment_pattern" else kid
        key, target = left.fields.get("key", left), left.fields.get("value", left)
        if key.type in {"property_identifier", "shorthand_property_identifier_pattern"}:
            self._reads(held, key)
            self._bind(target, self.records[held.record].get(key.text), names, declared)

    def _reads(self, held: Held, key: Node) -> None:
        if key.text not in _ANYTHING:
            self.reads.append(Read(held.record, key.text, key.start))

    def _member(self, node: Node, names: Names) -> None:
        owner = self._held(node.fields["object"], names)
        key = node.fields.get("property") or _literal(node.fields["index"])
        if owner and not owner.many and key and key.type in {"property_identifier", "string_fragment"}:
            self._reads(owner, key)

    def _call(self, node: Node, names: Names) -> None:
        callee, passed = node.fields["function"], _arguments(node)
        if callee.type == "identifier" and callee.text in self._templates and passed:
            self._template(self._templates[callee.text], passed[0], names)
        listed = self._held(callee.fields["object"], names) if _method(callee) else None
        if listed and listed.many and passed and passed[0].type in FUNCTIONS:
            many = {"reduce": (None, listed.one), "sort": (listed.one, listed.one)}
            over = (listed.one,) if _method(callee) in _OVER else ()
            self._calls[passed[0]] = many.get(_method(callee), over)

    def _template(self, source: str, given: Node, names: Names) -> None:
        for kid in given.kids if given.type == "object" else ():
            key, value = kid.fields.get("key", kid), kid.fields.get("value", kid)
            held = names.get(value.text) if value is kid else self._held(value, names)
            if held and key.type in {"property_identifier", "shorthand_property_identifier"}:
                self.given.append(Given(source, key.text, held))

    def _held(self, node: Node, names: Names, depth: int = 0) -> Held | None:
        """The record, or the list of them, that an expression is."""
        if depth > _DEEPEST:
            return None
        match node.type:
            case "identifier":
                return names.get(node.text)
            case "member_expression" | "subscript_expression" | "call_expression":
                return self._part(node, names, depth)
            case "ternary_expression":
                one, other = (
                    self._held(node.fields[arm], names, depth + 1) for arm in ("consequence", "alternative")
                )
                return one if one == other else None
        same = node.kids[0] if node.type in _SAME else node.fields.get(_chosen(node))
        return self._held(same, names, depth + 1) if same else None

    def _part(self, node: Node, names: Names, depth: int) -> Held | None:
        """A field of a record, an item of a list, or what a method of a list gives."""
        called = node.fields["function"] if node.type == "call_expression" else node
        owner = self._held(called.fields["object"], names, depth + 1) if "object" in called.fields else None
        if owner is None:
            return None
        if not owner.many:
            read = node.type == "member_expression"
            return self.records[owner.record].get(node.fields["property"].text) if read else None
        if node.type == "subscript_expression":
            return owner.one if node.fields["index"].type != "string" else None
        method = _method(called) if called is not node else ""
        return owner if method in _LISTS else owner.one if method in _ITEMS else None


def _chosen(node: Node) -> str:
    """The operand that `a || b`, `a ?? b` or `a && b` is, where it is a record."""
    operator = node.fields["operator"].text if node.type == "binary_expression" else ""
    return {"||": "left", "??": "left", "&&": "right"}.get(operator, "")


def _literal(index: Node) -> Node | None:
    """The text of a literal key, `item["price"]`."""
    return index.kids[0] if index.type == "string" and len(index.kids) == 1 else None


def _method(callee: Node) -> str:
    return callee.fields["property"].text if callee.type == "member_expression" else ""


def _arguments(call: Node) -> list[Node]:
    passed = call.fields.get("arguments")
    return passed.kids if passed and passed.type == "arguments" else []


def _is_own(node: Node) -> bool:
    """Whether a declaration has no type, or one of "awning"."""
    if "type" not in node.fields:
        return True
    found = _TYPE.fullmatch(node.fields["type"].text)
    return found is not None and found[1] in TYPES
