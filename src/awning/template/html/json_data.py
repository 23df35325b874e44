"""Data scripts: JSON in a page for other programs, such as `<script type="application/ld+json">`.

A printed value must be a whole JSON value, never a part of a string: `"name": {{ name|tojson }}`. The compiler checks
that it is printed by `tojson`; the escaper makes sure that it is one JSON value.
"""

from dataclasses import dataclass, replace

from awning.template.html.elements import words
from awning.template.html.html_context import (
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
    """Reads the value of a script's `type`."""

    text: str = ""

    def feed(self, text: str) -> "ScriptType":
        return ScriptType((self.text + text)[:100])

    def interpolate(self) -> tuple[Interpolation, ValueReader]:
        raise AssertionError("no value stands in an attribute of a script")

    def join(self, other: ValueReader) -> ValueReader | None:
        return self if self == other else None

    def close(self) -> None:
        """Accept any type."""

    def is_data(self) -> bool:
        return self.text.strip(" \t\n\r\f").lower() in DATA_TYPES


@dataclass(frozen=True, slots=True)
class Json:
    """Reads the JSON of a data script.

    Its state is whether the text so far ends inside a string, and whether it ends with a backslash in one.
    """

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
        """Accept any text. The author's JSON is not checked."""
