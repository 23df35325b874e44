"""Finds what is not closed in a style sheet: braces, brackets, texts, comments and `url(`.

Browsers read on to the end of the sheet, and ignore what they have swallowed. Only the first such mistake is reported
after which nothing is certain.
"""

import re
from collections.abc import Iterator
from functools import partial

from awning.diagnostics import Diagnostic
from awning.pipeline.style.css import Token, style_error, tokens

_PAIRS = {"}": "{", ")": "(", "]": "["}
_NAMES = {"{": "brace", "(": "bracket", "[": "bracket"}
_CLOSED_TEXT = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.DOTALL)
_CLOSED_URL = re.compile(r"""url\(\s*(?:[^\s"'()\\]|\\.)*\s*\)""", re.IGNORECASE)
_LINE_COMMENT = re.compile(r"^\s*//.*", re.DOTALL)


def bracket_findings(path: str, css: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each mistake: what is not closed, and a closing brace or bracket that closes nothing."""
    error = partial(style_error, path, css)
    opened: list[Token] = []
    for token in tokens(css):
        if problem := _unclosed(token, css):
            yield error(token, *problem)
            return
        if token.kind != "other" or token.text not in "{}()[]":
            continue
        if token.text in "{([":
            opened.append(token)
        elif opened and opened[-1].text == _PAIRS[token.text]:
            opened.pop()
        elif token.text == "}" and any(before.text == "{" for before in opened):
            yield error(opened[-1], *_never_closed(opened[-1]))
            return
        else:
            yield error(token, *_closes_nothing(token))
    if opened:
        yield error(opened[-1], *_never_closed(opened[-1]))


def _unclosed(token: Token, css: str) -> tuple[str, str] | None:
    """Return the message and the hint about a text, a comment or a `url(` that is not closed; None for other tokens."""
    text = token.text
    if token.kind == "string" and not _CLOSED_TEXT.fullmatch(text):
        line = css[css.rfind("\n", 0, token.start) + 1 : token.start]
        if _LINE_COMMENT.match(line):
            return "this text is never closed", "a comment in CSS is /* ... */, not // ..."
        return "this text is never closed", f"close it with {text[0]} on the same line"
    if token.kind == "comment" and not (len(text) > 3 and text.endswith("*/")):  # noqa: PLR2004 - `/*/` is not closed
        return "this comment is never closed", "close it with */: browsers ignore all that follows"
    if token.kind == "url" and not _CLOSED_URL.fullmatch(text):
        return (
            "this url( is not closed, or its address has a blank, a quote or a bracket",
            'close it with ")"; an address with such a character stands in quotes',
        )
    return None


def _never_closed(token: Token) -> tuple[str, str]:
    return f"this {_NAMES[token.text]} is never closed", "close it: the rules after it count as part of it"


def _closes_nothing(token: Token) -> tuple[str, str]:
    if token.text == "}":
        return (
            "this brace has no opening brace",
            "remove it: the rules after it would apply to the whole page",
        )
    return "this bracket has no opening bracket", "remove it: browsers ignore the declaration"
