"""A hand-written snippet as it is in its file."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.script import ScriptFile

MOST_BYTES = 4_000_000


@dataclass(frozen=True, kw_only=True)
class HandwrittenSnippet:
    """A snippet for one place of a page (`head` or `body`). `name` is its file name, which remarks show.

    `html` has the line ends of the file.
    """

    name: str
    place: str
    html: str
    dialect: Dialect

    @cached_property
    def script(self) -> ScriptFile:
        return ScriptFile(path=f"{self.place}.html", text=self.html, dialect=self.dialect)

    def has_placeholder(self, text: str) -> bool:
        """Return whether the service replaces something in a text. Spaces and letter case may be as it allows them."""
        return re.search(rf"\{{\{{\s*{self.dialect.placeholder_prefix}", text, re.IGNORECASE) is not None

    def line_of(self, index: int) -> int:
        """Return the line of an index in the HTML, from 1."""
        return self.html.count("\n", 0, index) + 1


def read_snippet(file: Path, place: str, dialect: Dialect) -> HandwrittenSnippet:
    """Return the snippet in a file. Raises ConfigurationError when it is empty, too large or not UTF-8."""
    if file.stat().st_size > MOST_BYTES:
        raise ConfigurationError(
            f"{file} is larger than {MOST_BYTES // 1_000_000} MB", hint="is it a snippet?"
        )
    try:
        html = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise ConfigurationError(f"{file}: not UTF-8 (byte 0x{byte:02x})", hint="save it as UTF-8") from None
    if not html.strip():
        raise ConfigurationError(
            f"{file} is empty", hint="name the file with the snippet; nothing was written"
        )
    return HandwrittenSnippet(name=file.name, place=place, html=html, dialect=dialect)
