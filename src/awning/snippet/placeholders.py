"""The service's placeholders in a snippet. `compose` writes two of them, and no other may occur.

The service replaces placeholders after the build, wherever they are, also `{{svc_app_data}}` in the middle of a script.
So built code that contains a placeholder is refused, with its place in the author's file if that is known. The build
cannot rewrite it: in `${{svc_a:1}}` of a template literal the braces are code, and no other spelling of `{` works in
both code and literals.
"""

import re
from collections.abc import Iterator

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place


def spells_placeholder(text: str, dialect: Dialect) -> bool:
    """Return whether the service could replace a placeholder in `text`.

    Spaces and case are ignored, because the service may ignore them. Every text that begins with `{{svc_` counts,
    because the service may get new placeholders.
    """
    return _pattern(dialect).search(text) is not None


def _pattern(dialect: Dialect) -> re.Pattern[str]:
    return re.compile(r"\{\{(?=\s*" + re.escape(dialect.placeholder_prefix) + ")", re.IGNORECASE)


def without_placeholders(html: str, dialect: Dialect) -> str:
    """Return HTML text or an attribute value with the same meaning, in which the service replaces nothing."""
    return _pattern(dialect).sub("{&#123;", html)


def written_placeholders(path: str, text: str, dialect: Dialect) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each placeholder in an author's file that a snippet was built from."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in _pattern(dialect).finditer(line):
            yield Diagnostic(
                rule="placeholder-literal",
                message="a placeholder of the service would be replaced in the middle of the snippet",
                place=Place(path=path, line=number, column=match.start() + 1),
                hint=f"in a render function: data for {dialect.app_data_placeholder}, "
                f"page.language for {dialect.language_placeholder}",
                excerpt=line,
            )


def joined_placeholder(path: str, dialect: Dialect) -> Diagnostic:
    """Return the diagnostic for a placeholder in built code that is in no source: the minifier joined its pieces."""
    opening = "{{" + dialect.placeholder_prefix
    return Diagnostic(
        rule="placeholder-literal",
        message=f'the built code of this widget spells "{opening}", which the service would replace',
        place=Place(path=path),
        hint="the minifier joins constant texts: make the text from values that are not constant",
    )
