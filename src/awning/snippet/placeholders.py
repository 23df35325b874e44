"""The service's placeholders in a snippet: two intact where composing puts them, none anywhere else.

The service substitutes after the build and knows nothing of HTML or JavaScript: a text that happens to spell
`{{svc_app_data}}` in the middle of a script would be replaced there too. So built code that spells one is refused,
with the place in the author's file where there is one. (It is not rewritten: `${{svc_a:1}}` in a template literal
is code, and no spelling of `{` means the same in code and in a literal.)
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file of the author's that a snippet was built from."""

    path: str
    text: str


def opening(dialect: Dialect) -> str:
    """How every placeholder of the service begins: `{{svc_`. Names unknown today count too."""
    return "{{" + dialect.placeholder_prefix


def spelled(text: str, dialect: Dialect) -> bool:
    """Whether the service could find a placeholder in `text`. Lenient about blanks and case, as it may be."""
    return _pattern(dialect).search(text) is not None


def _pattern(dialect: Dialect) -> re.Pattern[str]:
    return re.compile(r"\{\{(?=\s*" + re.escape(dialect.placeholder_prefix) + ")", re.IGNORECASE)


def broken_up_text(text: str, dialect: Dialect) -> str:
    """The same HTML text or attribute value."""
    return _pattern(dialect).sub("{&#123;", text)


def written(sources: Iterable[Source], dialect: Dialect) -> Iterator[Diagnostic]:
    """One finding for each placeholder in the sources: asked for when built code was found to spell one."""
    for source in sources:
        for number, line in enumerate(source.text.splitlines(), 1):
            for match in _pattern(dialect).finditer(line):
                yield _finding(source.path, number, match.start() + 1, line, dialect)


def joined(path: str, dialect: Dialect) -> Diagnostic:
    """The finding when no source spells what the built code does: the minifier joined the pieces."""
    return Diagnostic(
        rule="placeholder-literal",
        message=f'the built code of this widget spells "{opening(dialect)}", which the service would replace',
        place=Place(path=path),
        hint="the minifier joins constant texts: keep the pieces in values that it cannot see through",
    )


def _finding(path: str, line: int, column: int, excerpt: str, dialect: Dialect) -> Diagnostic:
    return Diagnostic(
        rule="placeholder-literal",
        message="a placeholder of the service would be replaced in the middle of the snippet",
        place=Place(path=path, line=line, column=column),
        hint=f"in a render function: data for {dialect.app_data_placeholder}, "
        f"page.language for {dialect.language_placeholder}",
        excerpt=excerpt,
    )
