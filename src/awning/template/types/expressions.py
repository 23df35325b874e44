"""Expressions: which values of the context they give, and how they read the others."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping

from jinja2 import nodes

from awning.template.methods import REFUSED, SUPPORTED
from awning.template.names import DICT_METHODS, GLOBALS
from awning.template.types.environment import Facts, Here, LoopValue, MacroValue, ModuleValue, Named, facts
from awning.template.types.filters import Filtered
from awning.template.types.shape import UNKNOWN, Ref, Value, Way, attributes, made

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


class Expressions(Filtered):
    """The expressions' half of the walk; the statements' half inherits it."""

    __slots__ = ()

    @abstractmethod
    def call_macro(self, macro: MacroValue, node: nodes.Call, here: Here) -> None:
        """Walk a macro's body with what it is given."""

    @abstractmethod
    def version(self, name: str, depth: int, here: Here) -> None:
        """A version of a block: the most derived is 0."""

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
            found = owner.names.get(node.attr)
            return UNKNOWN if found is None else found
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
"""Expressions that may give a value of the context, or read theirs in a way of their own."""
