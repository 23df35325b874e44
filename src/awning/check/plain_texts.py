"""Reports, as notes, texts that are written directly in a template: they are the same on pages in every language.

Only widgets with messages in several languages are checked. HTML's `translate="no"` marks a text that is the same in
all languages, such as a name.
"""

import re
from collections.abc import Iterator

from awning.check.template_code import without_code
from awning.diagnostics import Diagnostic, Place
from awning.html_elements import VOID
from awning.markup import read_markup, unescape
from awning.workspace.model import Widget
from awning.workspace.offsets import line_and_column

_WORDS = re.compile(r"[^\W\d_]{3,}[^<>]*")
"""Matches a text from its first word of at least three letters. Shorter words are mostly units."""

_REFERENCE = re.compile(r"&#?\w+;")
"""Matches a character reference. Its letters are no word."""

_SHOWN_ATTRIBUTES = frozenset({"alt", "aria-label", "placeholder", "title"})
_UNREAD = frozenset({"script", "style", "svg", "code", "template"})
_LONGEST = 40


def plain_texts(widget: Widget, path: str, template: str) -> Iterator[Diagnostic]:
    """Yield a note for each text between two tags, and for each attribute that shoppers read.

    Yields nothing if the widget has messages in fewer than two languages, or if the template extends another.
    """
    if len(widget.messages) < 2 or "{% extends" in template:  # noqa: PLR2004 - several languages
        return
    markup = without_code(template, is_left_out=lambda _code: True)
    lines = template.split("\n")
    for offset, text in _shown_texts(markup):
        line, column = line_and_column(template, offset)
        excerpt = text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}…"
        yield Diagnostic(
            rule="text-in-template",
            message=f'"{excerpt}" is the same in every language',
            place=Place(path=path, line=line, column=column),
            hint='move it to the messages: {{ t("key") }}; or set translate="no" on its element',
            excerpt=lines[line - 1],
        )


def _shown_texts(markup: str) -> Iterator[tuple[int, str]]:
    """Yield the texts that shoppers read from their first word on, each with its offset."""
    opened: list[tuple[str, bool]] = []
    for piece in read_markup(markup):
        quiet = any(is_quiet for _, is_quiet in opened)
        written = markup[piece.start : piece.end]
        if piece.kind == "start":
            quiet = quiet or piece.text in _UNREAD or piece.attributes.get("translate") == "no"
            for name in () if quiet else sorted(_SHOWN_ATTRIBUTES & piece.attributes.keys()):
                yield from _attribute_words(written, name, piece.start)
            if piece.text not in VOID and not written.endswith("/>"):
                opened.append((piece.text, quiet))
        elif piece.kind == "end":
            names = [name for name, _ in opened]
            if piece.text in names:
                del opened[len(names) - 1 - names[::-1].index(piece.text) :]
        elif not quiet and piece.kind in {"text", "raw"}:
            yield from _words(written, piece.start)


def _attribute_words(tag: str, name: str, at: int) -> Iterator[tuple[int, str]]:
    """Yield the text in an attribute of a start tag that begins at the offset `at`."""
    value = rf"""[\s"']{re.escape(name)}\s*=\s*(?:"([^"]*)|'([^']*)|([^\s>]*))"""
    match = re.search(value, tag, re.IGNORECASE)
    if match and match.lastindex:
        yield from _words(match[match.lastindex], at + match.start(match.lastindex))


def _words(text: str, at: int) -> Iterator[tuple[int, str]]:
    match = _WORDS.search(_REFERENCE.sub(lambda reference: " " * len(reference[0]), text))
    if match:
        yield at + match.start(), " ".join(unescape(text[match.start() : match.end()]).split())
