"""Names: of variables in the module, of Jinja2's globals, and of the methods of Python's types."""

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
"""Methods by type, under the letters that jsrc/runtime/template/access.ts knows the types by."""


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
    """The JavaScript variable of a template's variable; ends with its frame's depth, so no word is reserved.

    Helpers never end with a digit after an underscore and temporaries begin with `$`: nothing collides.
    """
    plain = name if name.isascii() else "".join(c if c.isascii() else f"${ord(c):x}$" for c in name)
    return f"{plain}_{level}"
