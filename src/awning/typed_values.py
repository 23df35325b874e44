"""Data from outside as typed values: msgspec decodes and converts them, and an error says where and why.

Only the first mismatch is reported. The files of a workspace have a reader of their own (`workspace/validation.py`),
which reports all of them, each with its line and column.
"""

import re
from typing import Any, TypeVar

import msgspec

from awning.diagnostics import did_you_mean

T = TypeVar("T")

_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}


def _of_type(match: re.Match[str]) -> str:
    got = "a decimal number" if match[2] == "float" else _named(match[2])
    return f"must be {_named(match[1])}, not {got}"


_AT = re.compile(r"(?s)(.*?)(?: - at `\$(.*)`)?")
_TYPES = r"`([\w | ]+)`"
_REASONS = (
    (re.compile(rf"Expected {_TYPES}, got {_TYPES}"), _of_type),
    (re.compile(rf"Expected {_TYPES} <= (\S+)"), lambda m: f"must be {_named(m[1])} of at most {m[2]}"),
    (re.compile(rf"Expected {_TYPES} >= (\S+)"), lambda m: f"must be {_named(m[1])} of at least {m[2]}"),
    (re.compile(rf"Expected {_TYPES} (.+)"), lambda m: f"must be {_named(m[1])} {m[2]}"),
    (re.compile(r"Invalid (?:enum )?value (.+)"), lambda m: f"has the unknown value {m[1]}"),
)
_OF_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)
_OFFSET = re.compile(r"(?:JSON is malformed: )?(.*) \(byte (\d+)\)")


class Mismatch(ValueError):
    """Data do not have their form.

    `where` is the path of the value, such as `snippets[3].bytes`; "" for the whole. `why` is what is wrong with it, as
    the rest of a sentence: `must be a whole number, not a string`.
    """

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where} {why}".strip())
        self.where = where
        self.why = why

    def of(self, whole: str) -> str:
        """Return the message. `whole` is what the data are, as the subject of a sentence: `the body`."""
        return str(self) if self.where else f"{whole} {self.why}"


def decode(text: bytes | str, kind: type[T]) -> T:
    """Return the value that JSON holds. Raises Mismatch when the text is not JSON, or not of this type."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise _mismatch(error, kind) from None
    except RecursionError:
        raise Mismatch("", "is nested too deeply") from None
    except ValueError as error:  # msgspec.DecodeError, or UnicodeDecodeError in a string
        content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        raise Mismatch("", f"is not JSON: {_syntax_problem(content, error)}") from None


def convert(value: Any, kind: type[T]) -> T:
    """Return a value of Python's own types, as JSON and TOML have them, as this type.

    Raises Mismatch when it is of another type.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _mismatch(error, kind) from None
    except RecursionError:
        raise Mismatch("", "is nested too deeply") from None


def _mismatch(error: msgspec.ValidationError, kind: Any) -> Mismatch:
    parts = _AT.fullmatch(str(error))
    reason, path = (parts[1], parts[2] or "") if parts else (str(error), "")
    where = path.removeprefix(".")
    field = _OF_FIELD.fullmatch(reason)
    if field is None:
        matches = ((pattern.fullmatch(reason), words) for pattern, words in _REASONS)
        return Mismatch(where, next((words(match) for match, words in matches if match), reason))
    if field[1] == "missing required":
        return Mismatch(f"{where}.{field[2]}".removeprefix("."), "is required")
    unknown = f'has an unknown field "{field[2]}"'
    return Mismatch(where, f"{unknown}: {_suggestion(field[2], kind)}" if not where else unknown)


def _suggestion(name: str, kind: Any) -> str:
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    return did_you_mean(name, names) or (f"there are {', '.join(names)}" if names else "it has no fields")


def _named(types: str) -> str:
    """Return the words for types in a message of msgspec: `int | null`."""
    return " or ".join(_WORDS.get(name, name) for name in types.split(" | "))


def _syntax_problem(content: bytes, error: ValueError) -> str:
    """Return what is wrong with a text that is not JSON, with line and column if msgspec says where."""
    match = _OFFSET.fullmatch(str(error))
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if match is None:
        return "it ends too early" if "truncated" in str(error) else str(error)
    lines = content[: int(match[2])].decode("utf-8", "replace").split("\n")
    return f"{match[1]} (line {len(lines)}, column {len(lines[-1]) + 1})"
