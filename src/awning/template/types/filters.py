"""What filters do with their value, as far as it tells what the value must be."""

from jinja2 import nodes

from awning.template.filters import SUPPORTED

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
