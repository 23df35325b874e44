"""Braces that do not match: an extra `}` would end the rule that restricts a style to its widget."""

from collections.abc import Iterator

from awning.diagnostics import Diagnostic, Place
from awning.pipeline.style.css import Token, tokens


def brace_findings(path: str, css: str) -> Iterator[Diagnostic]:
    """Each `}` that closes no rule, and the last `{` that is never closed."""
    opened: list[Token] = []
    for token in tokens(css):
        if token.kind != "other" or token.text not in "{}":
            continue
        if token.text == "{":
            opened.append(token)
        elif opened:
            opened.pop()
        else:
            hint = "take it out: the rules behind it would hold for the whole page"
            yield _finding(path, css, token, "this brace closes nothing", hint)
    if opened:
        hint = "close it: the rules behind it are taken for its own"
        yield _finding(path, css, opened[-1], "this brace is never closed", hint)


def _finding(path: str, css: str, token: Token, message: str, hint: str) -> Diagnostic:
    before = css[: token.start]
    line = before.count("\n")
    return Diagnostic(
        rule="style-error",
        message=message,
        place=Place(path=path, line=line + 1, column=token.start - (before.rfind("\n") + 1) + 1),
        hint=hint,
        excerpt=css.split("\n")[line],
    )
