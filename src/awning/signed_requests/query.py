"""Parses a query string and writes its canonical form, as the reference verifier does (observed: as PHP does).

    read    pairs are split at `&`; `+` and %XX are decoded; `a[]` and `a[k]` nest; a repeated key keeps its first
            position and gets its last value; spaces and dots in names, outside of brackets, become `_`
    write   pairs are in the order of `read`; a space is `+`; all but A-Z a-z 0-9 - _ . is %XX; lists are numbered

All values are bytes, so that text which is not UTF-8 stays the same. No function of this module raises an exception.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

DEEPEST = 64
"""The deepest nesting. Pairs that nest deeper are ignored, as the reference verifier does."""

_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,17}")
_LITERAL = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
_WRITTEN = tuple(bytes([c]) if c in _LITERAL else b"%%%02X" % c for c in range(256))

Key = bytes | int


class Parameters(dict["Key", "bytes | Parameters"]):
    """Names and values in received order. `a[k]` gives nested Parameters. A name that is an integer has type int."""

    def __init__(self) -> None:
        super().__init__()
        self._next = 0

    def put(self, name: bytes | None, value: "bytes | Parameters") -> None:
        """Set a value. The name None means the next free number, as in `a[]`."""
        key = self._key(name)
        if isinstance(key, int):
            self._next = max(self._next, key + 1)
        self[key] = value

    def inner(self, name: bytes | None) -> "Parameters":
        """Return the nested parameters called `name`. They are created if missing, and replace a plain value."""
        nested = None if name is None else self.get(self._key(name))
        if not isinstance(nested, Parameters):
            nested = Parameters()
            self.put(name, nested)
        return nested

    def _key(self, name: bytes | None) -> Key:
        if name is None:
            return self._next
        return int(name) if _INTEGER.fullmatch(name) else name


def pairs(query: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield decoded names and values in received order, without empty pairs."""
    for piece in query.split(b"&"):
        if piece:
            name, _, value = piece.partition(b"=")
            yield decoded(name), decoded(value)


def decoded(text: bytes) -> bytes:
    return unquote_to_bytes(text.replace(b"+", b" "))


def plain_name(name: bytes) -> bytes:
    """Return a decoded name without its brackets, as a parameter is called: `a` for `a[0]`, `x_y` for ` x.y`.

    The first `[` ends the name, even if the bracket is not closed.
    """
    base = name.partition(b"\0")[0].lstrip(b" ").partition(b"[")[0]
    return base.replace(b" ", b"_").replace(b".", b"_")


def read_query(query: bytes) -> Parameters:
    """Return all parameters of a raw query string."""
    parameters = Parameters()
    for name, value in pairs(query):
        _register(parameters, name, value)
    return parameters


def _register(into: Parameters, name: bytes, value: bytes) -> None:
    clean = name.partition(b"\0")[0].lstrip(b" ")
    base = plain_name(name)
    if not base:
        return
    path = _path(clean[len(base) :])
    if path is None:  # a bracket that is not closed is part of the name
        rest = re.sub(rb"[ .\[]", b"_", clean[len(base) + 1 :])
        into.put(base + b"_" + rest, value)
        return
    if len(path) > DEEPEST:
        return
    last: bytes | None = base
    for step in path:
        into, last = into.inner(last), step
    into.put(last, value)


def _path(brackets: bytes) -> list[bytes | None] | None:
    """Return the keys in the brackets: [k, None] for `[k][]`, and an empty list for text without brackets.

    Returns None when the first bracket is not closed. Reading stops at the first text that is not a closed bracket:
    `[k]x[y]` gives [k].
    """
    path: list[bytes | None] = []
    while brackets.startswith(b"["):
        index, closed, brackets = brackets[1:].partition(b"]")
        if not closed:
            return path or None
        path.append(index if index.strip(b" \t\n\v\f\r") or len(index) > 1 else None)
    return path


def write_query(parameters: Parameters, *, literal: bytes = b"", space: bytes = b"+") -> bytes:
    """Return the canonical form of a query string.

    Two options make variants of the form: the bytes in `literal` are not encoded, and `space` replaces a space.
    """
    written = list(_WRITTEN)
    written[ord(" ")] = space
    for byte in literal:
        written[byte] = bytes([byte])
    return b"&".join(_lines(parameters, None, written))


def _lines(parameters: Parameters, prefix: bytes | None, written: list[bytes]) -> Iterator[bytes]:
    for key, value in parameters.items():
        name = b"%d" % key if isinstance(key, int) else b"".join([written[c] for c in key])
        whole = name if prefix is None else b"%s%%5B%s%%5D" % (prefix, name)
        if isinstance(value, Parameters):
            yield from _lines(value, whole, written)
        else:
            yield whole + b"=" + b"".join([written[c] for c in value])
