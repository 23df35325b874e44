"""Names: of variables in a compiled module, of Jinja2's globals, and of the methods of Python's types."""

GLOBALS = frozenset({"range", "dict", "lipsum", "cycler", "joiner", "namespace"})
"""Jinja2's default namespace (`jinja2.defaults.DEFAULT_NAMESPACE`)."""


def _methods(*types: type) -> frozenset[str]:
    return frozenset(name for kind in types for name in dir(kind) if not name.startswith("_"))


METHODS = {
    "s": _methods(str),
    "n": _methods(int, float),
    "t": _methods(tuple),
    "l": _methods(list),
    "d": _methods(dict),
}
"""The methods of each type. The letters for the types are those of jsrc/runtime/template/access.ts."""


def types_with(method: str) -> str:
    return "".join(letter for letter, names in METHODS.items() if method in names)


DICT_METHODS = _methods(dict)
OTHER_METHODS = _methods(str, list, tuple, int, float, bool) - DICT_METHODS
DUNDER = frozenset(
    name
    for kind in (object, str, list, tuple, dict, int, float)
    for name in dir(kind)
    if name.startswith("__")
)


def variable(name: str, level: int) -> str:
    """Return the JavaScript name of a template's variable.

    It ends with `_` and the level of its scope, so it is neither a reserved word nor the name of a helper or of a
    temporary variable: none of these ends with an underscore and digits.
    """
    plain = name if name.isascii() else "".join(c if c.isascii() else f"${ord(c):x}$" for c in name)
    return f"{plain}_{level}"
