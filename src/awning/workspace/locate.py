"""Where in a TOML text a key stands.

`tomllib` gives values without positions, so a fault in a value would have no line. This walks a text that
`tomllib` has already accepted (and therefore checks nothing) and notes the position of each key and of each
element of an array. It runs only when there is something to report.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

KeyPath = tuple[str | int, ...]
"""Keys, and indexes into arrays: `("state", 1, "payload")`."""

_SPACE = " \t\r\n"
_ENDS_BARE = ",]}#\r\n"


@dataclass(slots=True)
class _Walk:
    """A cursor over the text, and what it has found: path -> offset."""

    text: str
    at: int = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip_blank(self) -> None:
        """Past white space, line ends and comments."""
        while self.peek() and (self.peek() in _SPACE or self.peek() == "#"):
            if self.peek() == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                self.at += 1

    def string(self) -> str:
        """A quoted string, as written between its quotes."""
        quote = self.peek()
        mark = quote * 3 if self.text.startswith(quote * 3, self.at) else quote
        start = self.at = self.at + len(mark)
        while self.at < len(self.text) and not self.text.startswith(mark, self.at):
            self.at += 2 if quote == '"' and self.peek() == "\\" else 1
        end = self.at
        self.at += len(mark)
        while len(mark) == 3 and self.peek() == quote:  # noqa: PLR2004 - """"" closes with up to two of its own
            self.at += 1
        return self.text[start:end]

    def key(self) -> list[tuple[str, int]]:
        """A dotted key: each part with its offset."""
        parts: list[tuple[str, int]] = []
        while True:
            self.skip_blank()
            start = self.at
            if self.peek() in ('"', "'"):
                parts.append((self.string(), start))
            else:
                while self.peek() and self.peek() not in " \t\r\n.=]":
                    self.at += 1
                parts.append((self.text[start : self.at], start))
            self.skip_blank()
            if self.peek() != ".":
                return parts
            self.at += 1


@lru_cache(maxsize=4)
def offsets(text: str) -> Mapping[KeyPath, int]:
    """The offset of every key and array element of a valid TOML text, by its path."""
    walk = _Walk(text)
    found: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    while True:
        walk.skip_blank()
        if not walk.peek():
            return found
        if walk.peek() == "[":
            table = _header(walk, found, counts)
        else:
            _pair(walk, table, found)


def _header(walk: _Walk, found: dict[KeyPath, int], counts: dict[KeyPath, int]) -> KeyPath:
    """`[a.b]` or `[[a]]`: the path under which the following keys stand."""
    start = walk.at
    many = walk.text.startswith("[[", start)
    walk.at += 2 if many else 1
    path: KeyPath = ()
    keys = walk.key()
    for index, (part, _) in enumerate(keys):
        path = (*path, part)
        if many and index == len(keys) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    walk.at += 2 if many else 1
    found.setdefault(path, start)
    return path


def _pair(walk: _Walk, table: KeyPath, found: dict[KeyPath, int]) -> None:
    path = table
    for part, offset in walk.key():
        path = (*path, part)
        found.setdefault(path, offset)
    walk.at += 1  # the sign
    walk.skip_blank()
    _value(walk, path, found)


def _value(walk: _Walk, path: KeyPath, found: dict[KeyPath, int]) -> None:
    first = walk.peek()
    if first in ('"', "'"):
        walk.string()
    elif first in ("[", "{"):
        _collection(walk, path, found, closes="]" if first == "[" else "}")
    else:
        while walk.peek() and walk.peek() not in _ENDS_BARE:
            walk.at += 1


def _collection(walk: _Walk, path: KeyPath, found: dict[KeyPath, int], *, closes: str) -> None:
    walk.at += 1
    index = 0
    while True:
        walk.skip_blank()
        if walk.peek() == ",":
            walk.at += 1
        elif walk.peek() in (closes, ""):
            walk.at += 1
            return
        elif closes == "}":
            _pair(walk, path, found)
        else:
            found.setdefault((*path, index), walk.at)
            _value(walk, (*path, index), found)
            index += 1


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Both count from 1, the column in characters."""
    line = text.count("\n", 0, offset) + 1
    return line, offset - (text.rfind("\n", 0, offset) + 1) + 1
