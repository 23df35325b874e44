"""Expressions: which values of the context they give, and how they read the others."""

from collections.abc import Callable, Iterable, Mapping

from jinja2 import nodes

from awning.template import intl
from awning.template.methods import REFUSED, SUPPORTED
from awning.template.names import DICT_METHODS, GLOBALS
from awning.template.types import filters
from awning.template.types.facts import Facts, facts
from awning.template.types.here import Here, LoopValue, MacroValue, ModuleValue, Named
from awning.template.types.shape import UNKNOWN, Ref, Shape, Value, Way

METHODS = frozenset({*SUPPORTED, *REFUSED, "format"})
KINDS = frozenset(
    [
        "boolean",
        "callable",
        "escaped",
        "float",
        "integer",
        "iterable",
        "mapping",
        "number",
        "sequence",
        "string",
    ]
)
"""Tests that ask what kind of value it is."""

SHALLOW = frozenset({"defined", "divisibleby", "even", "false", "none", "odd", "true", "undefined"})
"""Tests whose answer nothing in the value changes."""


PAGE = {"currency": Way.CURRENCY, "language": Way.LANGUAGE}
"""What filters take from the page."""


class Expressions:
    """The expressions' half of the walk; the statements' half inherits it."""

    __slots__ = ()

    def call_macro(self, macro: MacroValue, node: nodes.Call, here: Here) -> None:
        raise NotImplementedError

    def version(self, name: str, depth: int, here: Here) -> None:
        raise NotImplementedError

    def value(self, node: nodes.Node, here: Here) -> Value:
        """The values of the context that an expression may give. How they are read is up to who asked."""
        named = self.named(node, here)
        if isinstance(named, MacroValue) and here.context is not None:
            here.context.open()  # nobody knows where it is called, and with what
        if isinstance(named, LoopValue):
            here.open(named.items)
        return named if isinstance(named, tuple) else UNKNOWN

    def named(self, node: nodes.Node, here: Here) -> Named:
        step = VALUES.get(type(node))
        return step(self, node, here) if step else self.operands(node, here)

    def operands(self, node: nodes.Node, here: Here, way: Way = Way.OTHER) -> Value:
        """Everything else reads its operands, all that is in them, and makes a value of its own."""
        self.all(node.iter_child_nodes(), here, way)
        return UNKNOWN

    def all(self, found: Iterable[nodes.Node], here: Here, way: Way = Way.OTHER) -> None:
        for one in found:
            value = self.value(one.value if isinstance(one, nodes.Keyword) else one, here)
            here.read(value, way)
            here.open(value)

    def added(self, node: nodes.Add, here: Here) -> Value:
        """A sum; of lists it has the items of both."""
        both = (*self.value(node.left, here), *self.value(node.right, here))
        here.read(both, Way.OTHER)
        return tuple(made(ref, source=ref.shape) for ref in both)

    def constant(self, node: nodes.Const, here: Here) -> Value:  # noqa: ARG002 - a member's signature
        return UNKNOWN

    def name(self, node: nodes.Name, here: Here) -> Named:
        if node.name in here.names:
            return moved(here.names[node.name], node.lineno)
        if here.context is None:
            return UNKNOWN
        return (Ref(here.context.attribute(node.name), node.lineno, node.name in GLOBALS),)

    def getattr(self, node: nodes.Getattr, here: Here) -> Named:
        owner = self.named(node.node, here)
        if isinstance(owner, ModuleValue):
            return owner.names.get(node.attr, UNKNOWN)
        if isinstance(owner, LoopValue):
            return owner.items if node.attr in {"nextitem", "previtem"} else UNKNOWN
        if not isinstance(owner, tuple):
            return UNKNOWN
        here.read(owner, Way.OTHER)
        if node.attr in DICT_METHODS or node.attr == "length":
            here.read(owner, Way.KEYS)
            return UNKNOWN
        return attributes(owner, node.attr, node.lineno)

    def getitem(self, node: nodes.Getitem, here: Here) -> Value:
        owner = self.value(node.node, here)
        here.read(owner, Way.OTHER)
        key = node.arg.value if isinstance(node.arg, nodes.Const) else None
        if isinstance(node.arg, nodes.Slice):
            self.operands(node.arg, here)
            return owner
        if isinstance(key, str) and key != "length" and not key[:1].isdigit():
            return attributes(owner, key, node.lineno)
        if isinstance(key, int):
            return tuple(Ref(ref.shape.part(key), node.lineno) for ref in owner)
        here.read(self.value(node.arg, here), Way.OTHER)
        here.read(owner, Way.KIND)
        return UNKNOWN

    def filter(self, node: nodes.Filter, here: Here) -> Value:
        value = self.value(node.node, here) if node.node is not None else UNKNOWN
        if node.name in intl.FILTERS:
            return self.formatted(value, node, here)
        if node.name in filters.DEFAULT:
            return self.defaulted(value, node, here)
        self.all((*node.args, *node.kwargs), here)
        here.read(value, Way.PRINTED if node.name in filters.TEXT else Way.OTHER)
        if node.name in filters.COUNTS:
            here.read(value, Way.KEYS)
        if node.name in filters.ONE_ITEM:
            value = tuple(Ref(ref.shape.item(), node.lineno) for ref in value)
        found = self.by_attribute(value, node, here)
        asks_truth = node.name in {"reject", "select"} and not node.args
        if not (found or asks_truth or node.name in filters.FOLLOWED):
            here.open(value)
        if node.name in filters.SAME_ITEMS | filters.ONE_ITEM:
            return value
        return self.made_of(value, found, node, here)

    def made_of(self, value: Value, found: Value, node: nodes.Filter, here: Here) -> Value:
        """What a filter makes of the items of its value. `found` are the attributes that it reads of them."""
        match node.name:
            case "batch" | "slice":
                return tuple(made(ref, element=Shape(made=True, source=ref.shape)) for ref in value)
            case "groupby" if found:
                return tuple(made(ref, element=group(of, ref)) for ref, of in zip(value, found, strict=True))
            case "map" if found:
                return tuple(made(ref, element=ref.shape) for ref in found)
            case "attr":
                return self.by_name(value, node, here)
        return UNKNOWN

    def by_name(self, value: Value, node: nodes.Filter, here: Here) -> Value:
        """`line|attr("size")`."""
        name = node.args[0] if node.args else None
        if isinstance(name, nodes.Const) and isinstance(name.value, str):
            return attributes(value, name.value, node.lineno)
        here.open(value)
        return UNKNOWN

    def formatted(self, value: Value, node: nodes.Filter, here: Here) -> Value:
        """A filter over Intl: what it takes from the page is written out in its arguments."""
        found = intl.FILTERS[node.name]
        here.read(value, Way.MOMENT if found.dated else Way.AMOUNT)
        for name, argument in intl.given(node, found).items():
            here.read(self.value(argument, here), PAGE.get(name, Way.OTHER))
        return UNKNOWN

    def by_attribute(self, value: Value, node: nodes.Filter, here: Here) -> Value:
        """`sum(attribute="price")` reads the price of each item. Those of the last path, one for each of `value`."""
        one = node.name in filters.ONE_ITEM
        soft = filters.default_of(node)
        found = UNKNOWN
        for path in filters.attribute_paths(node):
            found = value if one else tuple(Ref(ref.shape.item(), node.lineno) for ref in value)
            for part in path:
                found = tuple(ref._replace(soft=soft) for ref in attributes(found, part, node.lineno))
                here.read(found, Way.OTHER)
            if node.name not in {"groupby", "map"}:
                here.open(found)
        return found

    def defaulted(self, value: Value, node: nodes.Filter, here: Here) -> Value:
        soft = tuple(ref._replace(soft=True) for ref in value)
        here.read(soft, Way.OTHER)
        if len(node.args) > 1 or any(one.key == "boolean" for one in node.kwargs):
            here.read(soft, Way.TESTED)
        given = [one.value for one in node.kwargs if one.key == "default_value"] or node.args[:1]
        return (*soft, *(ref for one in given for ref in self.value(one, here)))

    def tested(self, node: nodes.Test, here: Here) -> Value:
        value = self.value(node.node, here)
        if node.name in {"defined", "undefined"}:
            value = tuple(ref._replace(soft=True) for ref in value)
        here.read(value, Way.KIND if node.name in KINDS else Way.OTHER)
        if node.name not in SHALLOW | KINDS:
            here.open(value)
        self.all((*node.args, *node.kwargs), here)
        return UNKNOWN

    def test(self, node: nodes.Node, here: Here) -> tuple[Facts, Facts]:
        """Read a condition; what is known where it holds, and where it does not."""
        here.read(self.value(node, here), Way.TESTED)
        return self.facts(node, here, truth=True), self.facts(node, here, truth=False)

    def facts(self, node: nodes.Node, here: Here, *, truth: bool) -> Facts:
        return facts(node, truth, lambda one: self.plain(one, here))

    def plain(self, node: nodes.Node, here: Here) -> Value:
        """The value of a name or of an attribute, without reading it once more."""
        if isinstance(node, nodes.Name):
            found = self.name(node, here)
            return found if isinstance(found, tuple) else UNKNOWN
        if isinstance(node, nodes.Getattr) and node.attr not in DICT_METHODS:
            return attributes(self.plain(node.node, here), node.attr, node.lineno)
        return UNKNOWN

    def either(self, node: nodes.And | nodes.Or, here: Here) -> Value:
        """`a and b`: b is read where a holds; `a or b`: where it does not."""
        left = self.value(node.left, here)
        here.read(left, Way.TESTED)
        known = self.facts(node.left, here, truth=isinstance(node, nodes.And))
        inner = here.knowing(*known)
        right = tuple(
            ref._replace(soft=ref.soft or ref.shape in inner.defined) for ref in self.value(node.right, inner)
        )
        return (*left, *right)

    def negated(self, node: nodes.Not, here: Here) -> Value:
        return self.operands(node, here, Way.TESTED)

    def concatenated(self, node: nodes.Concat, here: Here) -> Value:
        return self.operands(node, here, Way.PRINTED)

    def chosen(self, node: nodes.CondExpr, here: Here) -> Value:
        holds, fails = self.test(node.test, here)
        out: list[Ref] = []
        for arm, known in ((node.expr1, holds), (node.expr2, fails)):
            inner = here.knowing(*known)
            for ref in self.value(arm, inner) if arm is not None else UNKNOWN:
                inner.read_one(ref, Way.OTHER)
                out.append(ref._replace(soft=True))  # it was read where it is known what is known there
        return tuple(out)

    def call(self, node: nodes.Call, here: Here) -> Value:
        callee = node.node
        self.all(filter(None, (node.dyn_args, node.dyn_kwargs)), here)
        if isinstance(callee, nodes.Name) and callee.name not in here.names:
            return self.call_context(node, callee, here)
        if isinstance(callee, nodes.Getattr) and self.places_block(callee, here):
            return UNKNOWN
        if isinstance(callee, nodes.Getattr) and callee.attr in METHODS | DICT_METHODS:
            owner = self.named(callee.node, here)
            if isinstance(owner, tuple):
                self.all((*node.args, *node.kwargs), here)
                here.read(owner, Way.KIND)
                return UNKNOWN
        found = self.named(callee, here)
        if isinstance(found, MacroValue):
            self.all(node.args[len(found.node.args) :], here)
            self.call_macro(found, node, here)
            return UNKNOWN
        self.all((*node.args, *node.kwargs), here)
        here.read(found if isinstance(found, tuple) else UNKNOWN, Way.CALLED)
        return UNKNOWN

    def call_context(self, node: nodes.Call, callee: nodes.Name, here: Here) -> Value:
        self.all((*node.args, *node.kwargs), here)
        if callee.name == "super" and here.block is not None:
            self.version(here.block[0], here.block[1] + 1, here)
        elif callee.name not in GLOBALS:
            here.read(self.value(callee, here), Way.TRANSLATES if callee.name == "t" else Way.CALLED)
        return UNKNOWN

    def places_block(self, callee: nodes.Getattr, here: Here) -> bool:
        """`self.title()`, and `super.super()`."""
        owner = callee.node
        if callee.attr == "super":
            return True
        if not (isinstance(owner, nodes.Name) and owner.name == "self" and "self" not in here.names):
            return False
        self.version(callee.attr, 0, here)
        return True


def moved(value: Named, at: int) -> Named:
    """A value as it is read at another place."""
    return tuple(ref._replace(at=at) for ref in value) if isinstance(value, tuple) else value


def made(ref: Ref, *, element: Shape | None = None, source: Shape | None = None) -> Ref:
    """A list that is made here; its items are of the context, or hold some."""
    return Ref(Shape(made=True, element=element, source=source), ref.at, ref.soft)


def group(by: Ref, of: Ref) -> Shape:
    """An item of `groupby`: what is grouped by, and the list of the items that have it."""
    items = Shape(made=True, source=of.shape)
    return Shape(made=True, parts=(by.shape, items), fields={"grouper": by.shape, "list": items})


def attributes(owner: Value, name: str, at: int) -> Value:
    return tuple(Ref(ref.shape.attribute(name), at) for ref in owner)


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
"""Expressions that may give a value of the context, or read theirs in a way of their own."""
