"""Finds what the HTML of a verbatim widget leaves open (`open-end`): a browser puts what follows into it."""

from collections.abc import Iterator

from awning.diagnostics import Diagnostic, Place
from awning.markup import find_open_end
from awning.workspace.document import excerpt_of
from awning.workspace.offsets import line_and_column


def open_end_findings(path: str, text: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic if the HTML leaves a comment, a tag or an element open at its end."""
    opened = find_open_end(text)
    if opened is None:
        return
    line, column = line_and_column(text, opened.start)
    is_element = opened.what.startswith("<")
    hint = f"add </{opened.what[1:]}" if is_element else "add -->" if opened.what == "a comment" else "add >"
    yield Diagnostic(
        rule="open-end",
        message=f"{opened.what} is not closed: a browser puts the widgets and the apps that follow into it",
        place=Place(path=path, line=line, column=column),
        hint=hint,
        excerpt=excerpt_of(text, line),
    )
