"""What each filter reads, and what it returns, for the inference of variable types."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from jinja2 import nodes

from awning.template import intl
from awning.template.filters import SUPPORTED, Items
from awning.template.types.environment import InferenceFrame
from awning.template.types.shape import (
    UNKNOWN,
    ReadKind,
    Ref,
    Shape,
    Value,
    attributes,
    group_item,
    made_list,
)

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
    spec = SUPPORTED.get(node.name)
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


PAGE = {"currency": ReadKind.CURRENCY, "language": ReadKind.LANGUAGE}
"""How filters read the variables of the page that they take as arguments."""


class Filtered(ABC):
    """The part of the walk for filters."""

    __slots__ = ()

    @abstractmethod
    def value(self, node: nodes.Node, frame: InferenceFrame) -> Value:
        """Return the values of the context that an expression may return."""

    @abstractmethod
    def all(
        self, expressions: Iterable[nodes.Node], frame: InferenceFrame, read_kind: ReadKind = ReadKind.OTHER
    ) -> None:
        """Record one kind of read for several expressions."""

    def filter(self, node: nodes.Filter, frame: InferenceFrame) -> Value:
        value = self.value(node.node, frame) if node.node is not None else UNKNOWN
        if node.name in intl.FILTERS:
            return self.formatted(value, node, frame)
        if node.name in DEFAULT:
            return self.defaulted(value, node, frame)
        self.all((*node.args, *node.kwargs), frame)
        spec = SUPPORTED.get(node.name)
        frame.read(value, ReadKind.PRINTED if spec and spec.keeps_markup else ReadKind.OTHER)
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

    def formatted(self, value: Value, node: nodes.Filter, frame: InferenceFrame) -> Value:
        """Return the result of a filter that uses Intl. The page's `currency` or `language` is an argument of it."""
        spec = intl.FILTERS[node.name]
        frame.read(value, ReadKind.MOMENT if spec.dated else ReadKind.AMOUNT)
        for name, argument in intl.arguments_by_name(node, spec).items():
            frame.read(self.value(argument, frame), PAGE.get(name, ReadKind.OTHER))
        return UNKNOWN

    def by_attribute(self, value: Value, node: nodes.Filter, frame: InferenceFrame) -> Value:
        """Read an attribute of each item, as `sum(attribute="price")` does. Returns the attributes of the last path."""
        is_one_item = node.name in SUPPORTED and SUPPORTED[node.name].items in _ONE_ITEM
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
