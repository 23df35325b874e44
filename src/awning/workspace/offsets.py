"""Finds the position of each key and array element in a TOML or JSON text.

`tomllib` and `json` return values without positions, but a diagnostic needs a line. These scanners run only when a
diagnostic needs the place of a key. The parser has then accepted the text, so they do not check the syntax.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

KeyPath = tuple[str | int, ...]
"""Keys, and indexes into arrays: `("state", 1, "payload")`."""

_SPACE = " \t\r\n"
_AFTER_BARE_VALUE = ",]}#\r\n"
_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')


@dataclass(slots=True)
class _TomlCursor:
    """A position in a TOML text, with methods that move it past one piece of syntax."""

    text: str
    at: int = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip_blank(self) -> None:
        """Move past white space, line ends and comments."""
        while self.peek() and (self.peek() in _SPACE or self.peek() == "#"):
            if self.peek() == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                self.at += 1

    def string(self) -> str:
        """Move past a quoted string and return the text between the quotes, with its escapes."""
        quote = self.peek()
        mark = quote * 3 if self.text.startswith(quote * 3, self.at) else quote
        start = self.at = self.at + len(mark)
        while self.at < len(self.text) and not self.text.startswith(mark, self.at):
            self.at += 2 if quote == '"' and self.peek() == "\\" else 1
        end = self.at
        self.at += len(mark)
        while len(mark) == 3 and self.peek() == quote:  # noqa: PLR2004 - the text may end with one or two quotes
            self.at += 1
        return self.text[start:end]

    def key(self) -> list[tuple[str, int]]:
        """Move past a dotted key and return each part with its offset."""
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
def find_toml_offsets(text: str) -> Mapping[KeyPath, int]:
    """Return the offset of every key and array element of a valid TOML text, by its path."""
    cursor = _TomlCursor(text)
    offsets: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    while True:
        cursor.skip_blank()
        if not cursor.peek():
            return offsets
        if cursor.peek() == "[":
            table = _header(cursor, offsets, counts)
        else:
            _pair(cursor, table, offsets)


def _header(cursor: _TomlCursor, offsets: dict[KeyPath, int], counts: dict[KeyPath, int]) -> KeyPath:
    """Read `[a.b]` or `[[a]]`. Returns the path of the table that the following keys belong to."""
    start = cursor.at
    in_array = cursor.text.startswith("[[", start)
    cursor.at += 2 if in_array else 1
    path: KeyPath = ()
    keys = cursor.key()
    for index, (part, _) in enumerate(keys):
        path = (*path, part)
        if in_array and index == len(keys) - 1:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    cursor.at += 2 if in_array else 1
    offsets.setdefault(path, start)
    return path


def _pair(cursor: _TomlCursor, table: KeyPath, offsets: dict[KeyPath, int]) -> None:
    path = table
    for part, offset in cursor.key():
        path = (*path, part)
        offsets.setdefault(path, offset)
    cursor.at += 1  # the equals sign
    cursor.skip_blank()
    _value(cursor, path, offsets)


def _value(cursor: _TomlCursor, path: KeyPath, offsets: dict[KeyPath, int]) -> None:
    first = cursor.peek()
    if first in ('"', "'"):
        cursor.string()
    elif first in ("[", "{"):
        _collection(cursor, path, offsets, closes="]" if first == "[" else "}")
    else:
        while cursor.peek() and cursor.peek() not in _AFTER_BARE_VALUE:
            cursor.at += 1


def _collection(cursor: _TomlCursor, path: KeyPath, offsets: dict[KeyPath, int], *, closes: str) -> None:
    cursor.at += 1
    index = 0
    while True:
        cursor.skip_blank()
        if cursor.peek() == ",":
            cursor.at += 1
        elif cursor.peek() in (closes, ""):
            cursor.at += 1
            return
        elif closes == "}":
            _pair(cursor, path, offsets)
        else:
            offsets.setdefault((*path, index), cursor.at)
            _value(cursor, (*path, index), offsets)
            index += 1


@lru_cache(maxsize=4)
def find_json_offsets(text: str) -> Mapping[KeyPath, int]:
    """Return the offset of every key and array element of a valid JSON text, by its path. The first of a key counts."""
    offsets: dict[KeyPath, int] = {}
    for path, offset in _json_places(text):
        offsets.setdefault(path, offset)
    return offsets


def find_repeated_json_key(text: str) -> tuple[str, int] | None:
    """Return the first key that its object already has, and its offset; None if there is none.

    The text is valid JSON up to the end of an object that has a key twice, or as a whole.
    """
    seen: set[KeyPath] = set()
    for path, offset in _json_places(text):
        if path in seen:
            return str(path[-1]), offset
        seen.add(path)
    return None


def _json_places(text: str) -> Iterator[tuple[KeyPath, int]]:
    """Yield the path and the offset of every key and array element, in the order of the text.

    A value in an object has no place of its own: its key has one.
    """
    around: list[KeyPath] = []
    in_list: list[bool] = []
    path: KeyPath = ()
    key_next = False
    for token in _JSON_TOKEN.finditer(text):
        match token[0]:
            case "{" | "[" as opening:
                if around and in_list[-1]:
                    yield path, token.start()
                around.append(path)
                in_list.append(opening == "[")
                key_next = opening == "{"
                path = (*path, 0) if opening == "[" else path
            case "}" | "]":
                path = around.pop()
                in_list.pop()
                key_next = False
            case ",":
                key_next = not in_list[-1]
                path = (*around[-1], int(path[len(around[-1])]) + 1) if in_list[-1] else around[-1]
            case ":":
                pass
            case name if key_next:
                path = (*around[-1], json.loads(name))
                yield path, token.start()
                key_next = False
            case _ if around and in_list[-1]:
                yield path, token.start()


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of an offset, both from 1. The column is in characters."""
    starts = line_starts(text)
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


@lru_cache(maxsize=8)
def line_starts(text: str) -> Sequence[int]:
    """Return the offset at which each line begins. A file with many faults is searched for lines once."""
    return [0, *(match.end() for match in re.finditer("\n", text))]
