"""Reports, as notes, texts that are written directly in a template: they are the same on pages in every language.

Only widgets with messages in several languages are checked. HTML's `translate="no"` marks a text that is the same in
all languages, such as a name.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from awning.diagnostics import Diagnostic, Place, Severity
from awning.html_elements import VOID
from awning.workspace import Widget

_JINJA = re.compile(
    r"\{#.*?#\}|\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL
)
_WORDS = re.compile(r"[^\W\d_]{3,}[^<>]*")
"""Matches a text from its first word of at least three letters. Shorter words are mostly units."""

_SHOWN_ATTRIBUTES = frozenset({"alt", "aria-label", "placeholder", "title"})
_UNREAD = frozenset({"script", "style", "svg", "code", "template"})
_LONGEST = 40


def plain_texts(widget: Widget, path: str, template: str) -> Iterator[Diagnostic]:
    """Yield a note for each text between two tags, and for each attribute that shoppers read.

    Yields nothing if the widget has messages in fewer than two languages, or if the template extends another.
    """
    if len(widget.messages) < 2 or "{% extends" in template:  # noqa: PLR2004 - several languages
        return
    reader = _Reader()
    reader.feed(_JINJA.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), template))
    lines = template.split("\n")
    for line, column, text in reader.texts:
        excerpt = text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"
        yield Diagnostic(
            rule="text-in-template",
            message=f'"{excerpt}" is the same in every language',
            place=Place(path=path, line=line, column=column),
            hint='move it to the messages: {{ t("key") }}; or set translate="no" on its element',
            severity=Severity.NOTE,
            excerpt=lines[line - 1],
        )


class _Reader(HTMLParser):
    """Collects (line, column, text) of the texts that shoppers read. Lines and columns count from 1."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[tuple[int, int, str]] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _quiet(self) -> bool:
        return any(quiet for _, quiet in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        quiet = tag in _UNREAD or ("translate", "no") in attrs
        if not (quiet or self._quiet):
            for name, value in attrs:
                if name in _SHOWN_ATTRIBUTES and value:
                    self._look(value, *self._position(value))
        if tag not in VOID:
            self._open.append((tag, quiet))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and the open elements inside it."""
        names = [name for name, _ in self._open]
        if tag in names:
            del self._open[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self._quiet:
            self._look(data, *self.getpos())

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Read `<![` as a comment, as HTML does. The method of the standard library raises AssertionError."""
        return self.parse_bogus_comment(i, bool(report))

    def _position(self, value: str) -> tuple[int, int]:
        """Return the line and column of an attribute's value."""
        line, column = self.getpos()
        before = (self.get_starttag_text() or "").partition(value)[0]
        return line + before.count("\n"), len(before.rpartition("\n")[2]) + (0 if "\n" in before else column)

    def _look(self, text: str, line: int, column: int) -> None:
        match = _WORDS.search(text)
        if match:
            before = text[: match.start()]
            line += before.count("\n")
            column = len(before.rpartition("\n")[2]) + (0 if "\n" in before else column)
            self.texts.append((line, column + 1, " ".join(match[0].split())))
