"""What filters do with their value, as far as it tells what the value must be."""

from jinja2 import nodes

from awning.template.filters import SUPPORTED

DEFAULT = frozenset({"d", "default"})
SAME_ITEMS = frozenset({"list", "reject", "rejectattr", "reverse", "select", "selectattr", "sort", "unique"})
"""Their outcome's items are the value's."""
ONE_ITEM = frozenset({"first", "last", "max", "min"})
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


def attribute_path(node: nodes.Filter) -> list[str]:
    """`attribute="a.b"` -> ["a", "b"]; none where no literal names it, or a number does."""
    if node.name not in ATTRIBUTE_AT:
        return []
    at = ATTRIBUTE_AT[node.name]
    named: nodes.Node | None = next((one.value for one in node.kwargs if one.key == "attribute"), None)
    if named is None and at is not None and at < len(node.args):
        named = node.args[at]
    if not isinstance(named, nodes.Const) or not isinstance(named.value, str):
        return []
    path = named.value.split(",")[0].split(".")
    return [] if any(not part or part.isdigit() for part in path) else path
