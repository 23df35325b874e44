"""Walks expressions and filters: which values of the context they return, and how they read values."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping

from jinja2 import nodes

from awning.template import own_filters, tests
from awning.template.filters import SUPPORTED as FILTERS
from awning.template.filters import Items
from awning.template.methods import DICT_METHODS, GLOBALS, REFUSED, SUPPORTED
from awning.template.tests import Reads
from awning.template.types import VariableUse
from awning.template.types.environment import (
    Facts,
    InferenceFrame,
    LoopValue,
    MacroValue,
    ModuleValue,
    Named,
    facts,
)
from awning.template.types.shape import (
    UNKNOWN,
    Read,
    ReadKind,
    Ref,
    Shape,
    Value,
    attributes,
    group_item,
    made_list,
)

METHODS = frozenset({*SUPPORTED, *REFUSED, "format"})


DEFAULT = frozenset({"d", "default"})
_ONE_ITEM = frozenset({Items.ONE, Items.BEST})
_OPEN = frozenset({Items.OPEN, Items.CHOSEN, Items.BEST})


def default_of(node: nodes.Filter) -> bool:
    """Return whether `groupby` or `map` has a default for a missing attribute."""
    named = any(keyword.key == "default" for keyword in node.kwargs)
    return named or (node.name == "groupby" and len(node.args) > 1)


def attribute_paths(node: nodes.Filter) -> list[list[str]]:
    """Return the paths of an attribute: `attribute="a.b,c"` is [["a", "b"], ["c"]].

    Empty if the filter reads no attribute, or the attribute is not a literal string of names.
    """
    spec = FILTERS.get(node.name)
    if spec is None or (spec.attribute_at is None and node.name != "map"):
        return []
    at = spec.attribute_at  # `map` takes the attribute by name only
    named: nodes.Node | None = next(
        (keyword.value for keyword in node.kwargs if keyword.key == "attribute"), None
    )
    if named is None and at is not None and at < len(node.args):
        named = node.args[at]
    if not isinstance(named, nodes.Const) or not isinstance(named.value, str):
        return []
    paths = [path.split(".") for path in named.value.split(",")]
    return [] if any(not part or part.isdigit() for path in paths for part in path) else paths


class Expressions(ABC):
    """The part of the walk for expressions. The part for statements inherits from it."""

    __slots__ = ()

    @abstractmethod
    def call_macro(self, macro: MacroValue, node: nodes.Call, frame: InferenceFrame) -> None:
        """Walk a macro's body with the arguments of a call."""

    @abstractmethod
    def version(self, name: str, depth: int, frame: InferenceFrame) -> None:
        """Walk one version of a block; 0 is the most derived."""

    def value(self, node: nodes.Node, frame: InferenceFrame) -> Value:
        """Return the values of the context that this expression may evaluate to. The caller records their use."""
        named = self.named(node, frame)
        if isinstance(named, MacroValue) and frame.context is not None:
            frame.context.open()  # the macro may be called anywhere
        if isinstance(named, LoopValue):
            frame.open(named.items)
        return named if isinstance(named, tuple) else UNKNOWN

    def named(self, node: nodes.Node, frame: InferenceFrame) -> Named:
        step = VALUES.get(type(node))
        return step(self, node, frame) if step else self.operands(node, frame)

    def operands(self, node: nodes.Node, frame: InferenceFrame, read_kind: Read = ReadKind.OTHER) -> Value:
        """Walk an expression that only reads its operands and makes a new value."""
        self.all(node.iter_child_nodes(), frame, read_kind)
        return UNKNOWN

    def all(
        self, expressions: Iterable[nodes.Node], frame: InferenceFrame, read_kind: Read = ReadKind.OTHER
    ) -> None:
        for child in expressions:
            value = self.value(child.value if isinstance(child, nodes.Keyword) else child, frame)
            frame.read(value, read_kind)
            frame.open(value)

    def added(self, node: nodes.Add, frame: InferenceFrame) -> Value:
        """Walk a sum, and return its value. The sum of two lists has the items of both."""
        both = (*self.value(node.left, frame), *self.value(node.right, frame))
        frame.read(both, ReadKind.OTHER)
        return tuple(made_list(ref, source=ref.shape) for ref in both)

    def constant(self, node: nodes.Const, frame: InferenceFrame) -> Value:  # noqa: ARG002 - a member's signature
        return UNKNOWN

    def name(self, node: nodes.Name, frame: InferenceFrame) -> Named:
        if node.name in frame.names:
            return at_position(frame.names[node.name], node.lineno)
        if frame.context is None:
            return UNKNOWN
        return (Ref(frame.context.attribute(node.name), node.lineno, node.name in GLOBALS),)

    def getattr(self, node: nodes.Getattr, frame: InferenceFrame) -> Named:
        owner = self.named(node.node, frame)
        if isinstance(owner, ModuleValue):
            value = owner.names.get(node.attr)
            return UNKNOWN if value is None else value
        if isinstance(owner, LoopValue):
            return owner.items if node.attr in {"nextitem", "previtem"} else UNKNOWN
        if not isinstance(owner, tuple):
            return UNKNOWN
        frame.read(owner, ReadKind.OTHER)
        if node.attr in DICT_METHODS or node.attr == "length":
            frame.read(owner, ReadKind.KEYS)
            return UNKNOWN
        return attributes(owner, node.attr, node.lineno)

    def getitem(self, node: nodes.Getitem, frame: InferenceFrame) -> Value:
        owner = self.value(node.node, frame)
        frame.read(owner, ReadKind.OTHER)
        key = node.arg.value if isinstance(node.arg, nodes.Const) else None
        if isinstance(node.arg, nodes.Slice):
            self.operands(node.arg, frame)
            return owner
        if isinstance(key, str) and key != "length" and not key[:1].isdigit():
            return attributes(owner, key, node.lineno)
        if isinstance(key, int):
            return tuple(Ref(ref.shape.part(key), node.lineno) for ref in owner)
        frame.read(self.value(node.arg, frame), ReadKind.OTHER)
        frame.read(owner, ReadKind.KIND)
        return UNKNOWN

    def tested(self, node: nodes.Test, frame: InferenceFrame) -> Value:
        value = self.value(node.node, frame)
        if node.name in {"defined", "undefined"}:
            value = tuple(ref._replace(soft=True) for ref in value)
        test = tests.SUPPORTED.get(node.name)
        reads = test.reads if test else Reads.PARTS
        frame.read(value, ReadKind.KIND if reads is Reads.KIND else ReadKind.OTHER)
        if node.name == "callable":
            frame.read(value, ReadKind.FUNCTION)
        if reads is Reads.PARTS:
            frame.open(value)
        self.all((*node.args, *node.kwargs), frame)
        return UNKNOWN

    def test(self, node: nodes.Node, frame: InferenceFrame) -> tuple[Facts, Facts]:
        """Walk a condition. Return the facts where it is true, and the facts where it is false."""
        frame.read(self.value(node, frame), ReadKind.TESTED)
        return self.facts(node, frame, truth=True), self.facts(node, frame, truth=False)

    def facts(self, node: nodes.Node, frame: InferenceFrame, *, truth: bool) -> Facts:
        return facts(node, truth, lambda child: self.plain(child, frame))

    def plain(self, node: nodes.Node, frame: InferenceFrame) -> Value:
        """Return the value of a name or an attribute, without recording a read."""
        if isinstance(node, nodes.Name):
            value = self.name(node, frame)
            return value if isinstance(value, tuple) else UNKNOWN
        if isinstance(node, nodes.Getattr) and node.attr not in DICT_METHODS:
            return attributes(self.plain(node.node, frame), node.attr, node.lineno)
        return UNKNOWN

    def either(self, node: nodes.And | nodes.Or, frame: InferenceFrame) -> Value:
        """Walk `and` or `or`. `a and b` reads b where a is true; `a or b` reads it where a is false."""
        left = self.value(node.left, frame)
        frame.read(left, ReadKind.TESTED)
        known = self.facts(node.left, frame, truth=isinstance(node, nodes.And))
        inner = frame.knowing(*known)
        right = tuple(
            ref._replace(soft=ref.soft or ref.shape in inner.defined) for ref in self.value(node.right, inner)
        )
        return (*left, *right)

    def negated(self, node: nodes.Not, frame: InferenceFrame) -> Value:
        return self.operands(node, frame, ReadKind.TESTED)

    def concatenated(self, node: nodes.Concat, frame: InferenceFrame) -> Value:
        return self.operands(node, frame, VariableUse.PRINTED)

    def chosen(self, node: nodes.CondExpr, frame: InferenceFrame) -> Value:
        holds, fails = self.test(node.test, frame)
        out: list[Ref] = []
        for arm, known in ((node.expr1, holds), (node.expr2, fails)):
            inner = frame.knowing(*known)
            for ref in self.value(arm, inner) if arm is not None else UNKNOWN:
                inner.read_one(ref, ReadKind.OTHER)
                out.append(ref._replace(soft=True))  # the read is already recorded, with the facts of the arm
        return tuple(out)

    def call(self, node: nodes.Call, frame: InferenceFrame) -> Value:
        callee = node.node
        self.all(filter(None, (node.dyn_args, node.dyn_kwargs)), frame)
        if isinstance(callee, nodes.Name) and callee.name not in frame.names:
            return self.call_context(node, callee, frame)
        if isinstance(callee, nodes.Getattr) and self.places_block(callee, frame):
            return UNKNOWN
        if isinstance(callee, nodes.Getattr) and callee.attr in METHODS | DICT_METHODS:
            owner = self.named(callee.node, frame)
            if isinstance(owner, tuple):
                self.all((*node.args, *node.kwargs), frame)
                frame.read(owner, ReadKind.KIND)
                return UNKNOWN
        target = self.named(callee, frame)
        if isinstance(target, MacroValue):
            self.all(node.args[len(target.node.args) :], frame)
            self.call_macro(target, node, frame)
            return UNKNOWN
        function = target if isinstance(target, tuple) else UNKNOWN
        self.all((*node.args, *node.kwargs), frame, ReadKind.FUNCTION if function else ReadKind.OTHER)
        frame.read(function, VariableUse.CALLED)
        return UNKNOWN

    def call_context(self, node: nodes.Call, callee: nodes.Name, frame: InferenceFrame) -> Value:
        is_of_context = callee.name not in {"t", "super", *GLOBALS}
        self.all((*node.args, *node.kwargs), frame, ReadKind.FUNCTION if is_of_context else ReadKind.OTHER)
        if callee.name == "super" and frame.block is not None:
            self.version(frame.block[0], frame.block[1] + 1, frame)
        elif callee.name not in GLOBALS:
            frame.read(
                self.value(callee, frame),
                VariableUse.TRANSLATES if callee.name == "t" else VariableUse.CALLED,
            )
        return UNKNOWN

    def places_block(self, callee: nodes.Getattr, frame: InferenceFrame) -> bool:
        """Return whether the call is `self.title()` or `super.super()`. In the first case, the block is walked."""
        owner = callee.node
        if callee.attr == "super":
            return True
        if not (isinstance(owner, nodes.Name) and owner.name == "self" and "self" not in frame.names):
            return False
        self.version(callee.attr, 0, frame)
        return True

    def filter(self, node: nodes.Filter, frame: InferenceFrame) -> Value:
        value = self.value(node.node, frame) if node.node is not None else UNKNOWN
        if own := own_filters.FILTERS.get(node.name):
            return self.formatted(value, node, own, frame)
        if node.name in DEFAULT:
            return self.defaulted(value, node, frame)
        self.all((*node.args, *node.kwargs), frame)
        spec = FILTERS.get(node.name)
        frame.read(value, VariableUse.PRINTED if spec and spec.keeps_markup else ReadKind.OTHER)
        items = spec.items if spec else Items.OPEN
        if items is Items.COUNTED:
            frame.read(value, ReadKind.KEYS)
        if items in _ONE_ITEM:
            value = tuple(Ref(ref.shape.item(), node.lineno) for ref in value)
        attributes_read = self.by_attribute(value, node, frame)
        asks_truth = node.name in {"reject", "select"} and not node.args
        if items in _OPEN and not (attributes_read or asks_truth):
            frame.open(value)
        if items in {Items.SAME, Items.CHOSEN, *_ONE_ITEM}:
            return value
        return self.made_of(value, attributes_read, node, frame)

    def made_of(
        self, value: Value, attributes_read: Value, node: nodes.Filter, frame: InferenceFrame
    ) -> Value:
        """Return the result of a filter on a list.

        `attributes_read` are the attributes of the items that the filter reads.
        """
        match node.name:
            case "batch" | "slice":
                return tuple(made_list(ref, element=Shape(derived=True, source=ref.shape)) for ref in value)
            case "groupby" if attributes_read:
                return tuple(
                    made_list(ref, element=group_item(of, ref))
                    for ref, of in zip(value, attributes_read, strict=True)
                )
            case "map" if attributes_read:
                return tuple(made_list(ref, element=ref.shape) for ref in attributes_read)
            case "attr":
                return self.by_name(value, node, frame)
        return UNKNOWN

    def by_name(self, value: Value, node: nodes.Filter, frame: InferenceFrame) -> Value:
        """Return the result of the filter `attr`, as in `line|attr("size")`."""
        name = node.args[0] if node.args else None
        if isinstance(name, nodes.Const) and isinstance(name.value, str):
            return attributes(value, name.value, node.lineno)
        frame.open(value)
        return UNKNOWN

    def formatted(
        self, value: Value, node: nodes.Filter, spec: own_filters.OwnFilter, frame: InferenceFrame
    ) -> Value:
        """Return the result of a filter of our own. The page's `currency` or `language` may be an argument of it."""
        frame.read(value, spec.takes)
        for name, argument in own_filters.arguments_by_name(node, spec).items():
            read = spec.page if spec.page and name == spec.page else ReadKind.OTHER
            frame.read(self.value(argument, frame), read)
        return UNKNOWN

    def by_attribute(self, value: Value, node: nodes.Filter, frame: InferenceFrame) -> Value:
        """Read an attribute of each item, as `sum(attribute="price")` does. Returns the attributes of the last path."""
        is_one_item = node.name in FILTERS and FILTERS[node.name].items in _ONE_ITEM
        soft = default_of(node)
        refs = UNKNOWN
        for path in attribute_paths(node):
            refs = value if is_one_item else tuple(Ref(ref.shape.item(), node.lineno) for ref in value)
            for part in path:
                refs = tuple(ref._replace(soft=soft) for ref in attributes(refs, part, node.lineno))
                frame.read(refs, ReadKind.OTHER)
            if node.name not in {"groupby", "map"}:
                frame.open(refs)
        return refs

    def defaulted(self, value: Value, node: nodes.Filter, frame: InferenceFrame) -> Value:
        soft = tuple(ref._replace(soft=True) for ref in value)
        frame.read(soft, ReadKind.OTHER)
        if len(node.args) > 1 or any(keyword.key == "boolean" for keyword in node.kwargs):
            frame.read(soft, ReadKind.TESTED)
        defaults = [keyword.value for keyword in node.kwargs if keyword.key == "default_value"] or node.args[
            :1
        ]
        return (*soft, *(ref for keyword in defaults for ref in self.value(keyword, frame)))


def at_position(value: Named, at: int) -> Named:
    """Return the value, with `at` as the position of its read. An attribute keeps its position."""
    if not isinstance(value, tuple):
        return value
    return tuple(ref if ref.attribute else ref._replace(at=at) for ref in value)


VALUES: Mapping[type[nodes.Node], Callable[..., Named]] = {
    nodes.Add: Expressions.added,
    nodes.And: Expressions.either,
    nodes.Call: Expressions.call,
    nodes.Concat: Expressions.concatenated,
    nodes.CondExpr: Expressions.chosen,
    nodes.Const: Expressions.constant,
    nodes.Filter: Expressions.filter,
    nodes.Getattr: Expressions.getattr,
    nodes.Getitem: Expressions.getitem,
    nodes.Name: Expressions.name,
    nodes.Not: Expressions.negated,
    nodes.Or: Expressions.either,
    nodes.Test: Expressions.tested,
}
"""Expressions that may return a value of the context, or read their operands in a special way."""
