"""Filters: what they read of their value, and which values of the context are in what they give."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from jinja2 import nodes

from awning.template import intl
from awning.template.types import filters
from awning.template.types.here import Here
from awning.template.types.shape import UNKNOWN, Ref, Shape, Value, Way, attributes, group, made

PAGE = {"currency": Way.CURRENCY, "language": Way.LANGUAGE}
"""What filters take from the page."""


class Filtered(ABC):
    """The filters' part of the walk."""

    __slots__ = ()

    @abstractmethod
    def value(self, node: nodes.Node, here: Here) -> Value:
        """The values of the context that an expression may give."""

    @abstractmethod
    def all(self, found: Iterable[nodes.Node], here: Here, way: Way = Way.OTHER) -> None:
        """Read several expressions in one way; what is in them too."""

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
