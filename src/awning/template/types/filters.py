"""What filters take and give, as far as it says something about a variable's type."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from jinja2 import nodes

from awning.template import intl
from awning.template.filters import SUPPORTED
from awning.template.types.environment import Here
from awning.template.types.shape import UNKNOWN, Ref, Shape, Value, Way, attributes, group, made

DEFAULT = frozenset({"d", "default"})
SAME_ITEMS = frozenset({"list", "reject", "rejectattr", "reverse", "select", "selectattr", "sort", "unique"})
"""Their outcome's items are the value's."""
ONE_ITEM = frozenset({"first", "last", "max", "min"})
COUNTS = frozenset({"count", "length"})
FOLLOWED = frozenset({"attr", "batch", "first", "last", "list", "reverse", "slice", *COUNTS})
"""What they give is followed, and they look at nothing in the items themselves."""
TEXT = frozenset(name for name, spec in SUPPORTED.items() if spec.keeps_markup)
"""They take what can be printed."""

ATTRIBUTE_AT = {
    "groupby": 0,
    "join": 1,
    "map": None,
    "max": 1,
    "min": 1,
    "rejectattr": 0,
    "selectattr": 0,
    "sort": 2,
    "sum": 0,
    "unique": 1,
}
"""Filters that read an attribute of each item: at which argument it is named, if not by its keyword."""


def default_of(node: nodes.Filter) -> bool:
    """Whether `groupby` or `map` says what stands in for an attribute that is missing."""
    named = any(one.key == "default" for one in node.kwargs)
    return named or (node.name == "groupby" and len(node.args) > 1)


def attribute_paths(node: nodes.Filter) -> list[list[str]]:
    """`attribute="a.b,c"` -> [["a", "b"], ["c"]]; none where no literal names it, or a number does."""
    if node.name not in ATTRIBUTE_AT:
        return []
    at = ATTRIBUTE_AT[node.name]
    named: nodes.Node | None = next((one.value for one in node.kwargs if one.key == "attribute"), None)
    if named is None and at is not None and at < len(node.args):
        named = node.args[at]
    if not isinstance(named, nodes.Const) or not isinstance(named.value, str):
        return []
    paths = [path.split(".") for path in named.value.split(",")]
    return [] if any(not part or part.isdigit() for path in paths for part in path) else paths


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
        if node.name in DEFAULT:
            return self.defaulted(value, node, here)
        self.all((*node.args, *node.kwargs), here)
        here.read(value, Way.PRINTED if node.name in TEXT else Way.OTHER)
        if node.name in COUNTS:
            here.read(value, Way.KEYS)
        if node.name in ONE_ITEM:
            value = tuple(Ref(ref.shape.item(), node.lineno) for ref in value)
        found = self.by_attribute(value, node, here)
        asks_truth = node.name in {"reject", "select"} and not node.args
        if not (found or asks_truth or node.name in FOLLOWED):
            here.open(value)
        if node.name in SAME_ITEMS | ONE_ITEM:
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
        one = node.name in ONE_ITEM
        soft = default_of(node)
        found = UNKNOWN
        for path in attribute_paths(node):
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
