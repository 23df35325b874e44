"""Names: of variables in the module, and of properties that must not be read plainly.

A property read `o?.price` is as safe as an own-property check as long as no built-in prototype has the name; the
names that some prototype has, or that Python's types have as methods, go through a run-time helper instead.
"""

import re

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")

GLOBALS = frozenset({"range", "dict", "lipsum", "cycler", "joiner", "namespace"})
"""Jinja2's default namespace (`jinja2.defaults.DEFAULT_NAMESPACE`)."""

_PROTOTYPES = """
constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ toJSON
apply arguments bind call caller length name prototype
at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes
indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toReversed
toSorted toSpliced unshift values with
anchor big blink bold charAt charCodeAt codePointAt endsWith fixed fontcolor fontsize isWellFormed italics link
localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search small split startsWith
strike sub substr substring sup toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase toWellFormed trim
trimEnd trimLeft trimRight trimStart
toExponential toFixed toPrecision description
add clear delete get has set size next return throw drop take toArray then catch finally
contains first last clone each collect camelize strip stripTags escapeHTML unescapeHTML toArray inspect
"""
PROTOTYPE_NAMES = frozenset(_PROTOTYPES.split())
"""Properties of JavaScript's built-in prototypes, and those that widespread old libraries add to them."""

OBJECT_NAMES = frozenset(
    [
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__proto__",
        "toJSON",
    ]
)
"""Those that a plain object such as the context has."""


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


def is_plain(name: str) -> bool:
    return IDENTIFIER.match(name) is not None
