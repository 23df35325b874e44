"""A data script: JSON that pages hold for others to read, as `<script type="application/ld+json">`.

A value stands there as a whole JSON value, never inside a string: `"name": {{ name|tojson }}`. That it is printed by
`tojson` is the compiler's to see; the escaper makes sure that it is one JSON value.
"""

from dataclasses import dataclass, replace

from awning.template.html.elements import words
from awning.template.html.interpolation import (
    ContextKind,
    HtmlRefusal,
    Interpolation,
    ValueReader,
    escaped_by,
)

DATA_TYPES = words("application/json application/ld+json")
_JSON = escaped_by(ContextKind.JSON, "escapeJson", markup="escapeJson")


@dataclass(frozen=True, slots=True)
class ScriptType:
    """The author's text of a script's `type`."""

    text: str = ""

    def feed(self, text: str) -> "ScriptType":
        return ScriptType((self.text + text)[:100])

    def interpolate(self) -> tuple[Interpolation, ValueReader]:
        raise AssertionError("no value stands in an attribute of a script")

    def join(self, other: ValueReader) -> ValueReader | None:
        return self if self == other else None

    def close(self) -> None:
        """Any type may be written."""

    def is_data(self) -> bool:
        return self.text.strip(" \t\n\r\f").lower() in DATA_TYPES


@dataclass(frozen=True, slots=True)
class Json:
    """How far the JSON of a data script has been read: whether inside a string, and behind a backslash of it."""

    string: bool = False
    escape: bool = False

    def feed(self, text: str) -> "Json":
        string, escape = self.string, self.escape
        for character in text:
            if escape:
                escape = False
            elif character == '"':
                string = not string
            else:
                escape = string and character == "\\"
        return Json(string, escape)

    def interpolate(self) -> tuple[Interpolation, ValueReader]:
        if self.string:
            raise HtmlRefusal(
                "template-script-value",
                "a value cannot be printed inside a string of JSON",
                "print the whole string, without quotes around it: {{ value|tojson }}; join texts with ~",
            )
        return _JSON, replace(self)

    def join(self, other: ValueReader) -> ValueReader | None:
        return self if self == other else None

    def close(self) -> None:
        """What the author wrote is as the author wrote it."""
