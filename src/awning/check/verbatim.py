"""Finds what the HTML of verbatim widgets does to the rest of the page.

`open-end` is about what it leaves open: a browser puts what follows into it. `name-taken` is about scripts that declare
a name of another script: a browser does not run them.
"""

from collections.abc import Iterable, Iterator

from awning.diagnostics import Diagnostic, Place
from awning.markup import find_open_end
from awning.script.file import ScriptFile
from awning.script.globals import TopLevelName, top_level_names
from awning.workspace.document import excerpt_of
from awning.workspace.offsets import line_and_column

_OF_EVERY_PAGE = frozenset({"window", "document", "location", "top", "undefined", "NaN", "Infinity"})
"""The properties of the window that no script can declare anew: they are not configurable."""


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


def taken_names(pages: Iterable[ScriptFile]) -> Iterator[Diagnostic]:
    """Yield an error for each name that a script of a page declares although an earlier script has it.

    `pages` are the HTML files of an app in the order in which they are on a page. A name of `let`, `const` or `class`
    can be declared once on a page; `var` and functions may repeat each other. Only `var` may repeat a name that the
    window has for good (ECMA-262, 16.1.7).
    """
    first: dict[str, tuple[ScriptFile, TopLevelName]] = {}
    for page in pages:
        for declared in top_level_names(page):
            script, earlier = first.setdefault(declared.name, (page, declared))
            is_new = declared.is_lexical or declared.is_function
            is_of_page = is_new and declared.name in _OF_EVERY_PAGE
            if not is_of_page and (earlier is declared or not (earlier.is_lexical or declared.is_lexical)):
                continue
            taken = "of every page" if is_of_page else f"declared at {script.place(earlier.offset)} already"
            place = page.place(declared.offset)
            yield Diagnostic(
                rule="name-taken",
                message=f'"{declared.name}" is {taken}: a browser does not run this script',
                place=place,
                hint="put each script into a function of its own, (() => { ... })();, or rename "
                + ("it" if is_of_page else "one of the two"),
                excerpt=page.line(place.line),
            )
