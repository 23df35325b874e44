"""The methods that templates may call: those of Python's strings, lists, tuples and mappings, and of Jinja2's cyclers.

`REFUSED` has methods that are not supported, with the reason. Each value of `SUPPORTED` has the parameters of the
run-time helper `method_<name>`, in Python's order, with defaults as JavaScript. The compiler finds a method by its
name; the helper then checks the type of the value. `METHODS` are all of Python's,
`GLOBALS` the functions of Jinja2.
"""

from collections.abc import Mapping
from types import MappingProxyType

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

SUPPORTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # strings
        "capitalize": (),
        "casefold": (),
        "center": ("width", 'fillchar=" "'),
        "endswith": ("suffix", "start=null", "end=null"),
        "find": ("sub", "start=null", "end=null"),
        "isalnum": (),
        "isalpha": (),
        "isdigit": (),
        "islower": (),
        "isnumeric": (),
        "isspace": (),
        "isupper": (),
        "join": ("iterable",),
        "ljust": ("width", 'fillchar=" "'),
        "lower": (),
        "lstrip": ("chars=null",),
        "partition": ("sep",),
        "removeprefix": ("prefix",),
        "removesuffix": ("suffix",),
        "replace": ("old", "new", "count=-1"),
        "rfind": ("sub", "start=null", "end=null"),
        "rjust": ("width", 'fillchar=" "'),
        "rpartition": ("sep",),
        "rsplit": ("sep=null", "maxsplit=-1"),
        "rstrip": ("chars=null",),
        "split": ("sep=null", "maxsplit=-1"),
        "splitlines": ("keepends=false",),
        "startswith": ("prefix", "start=null", "end=null"),
        "strip": ("chars=null",),
        "swapcase": (),
        "title": (),
        "upper": (),
        "zfill": ("width",),
        # strings, lists and tuples
        "count": ("value",),
        "index": ("value",),
        # lists
        "append": ("value",),
        "extend": ("iterable",),
        "insert": ("index", "value"),
        "remove": ("value",),
        "reverse": (),
        # mappings
        "get": ("key", "default=null"),
        "items": (),
        "keys": (),
        "setdefault": ("key", "default=null"),
        "update": ("other",),
        "values": (),
        # lists and mappings
        "clear": (),
        "copy": (),
        "pop": ("key=void 0", "default=void 0"),
        # cyclers
        "next": (),
        "reset": (),
    }
)

LEFT_OUT = "void 0"
"""The default of a parameter whose helper distinguishes a missing argument from undefined."""

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "as_integer_ratio": "numbers are doubles",
        "bit_count": "numbers are doubles",
        "bit_length": "numbers are doubles",
        "conjugate": "numbers are doubles",
        "encode": "there are no bytes",
        "expandtabs": "not covered",
        "format_map": "use format",
        "from_bytes": "there are no bytes",
        "fromhex": "not covered",
        "fromkeys": "not covered",
        "hex": "not covered",
        "is_integer": "whole numbers are integers",
        "isascii": "not covered",
        "isdecimal": "not covered",
        "isidentifier": "not covered",
        "isprintable": "not covered",
        "istitle": "not covered",
        "maketrans": "not covered",
        "popitem": "not covered",
        "rindex": "use rfind",
        "sort": "use the sort filter",
        "to_bytes": "there are no bytes",
        "translate": "not covered",
    }
)
