"""CSS as tokens, and as a list of rules, each with its prelude and its block.

The tokens follow CSS Syntax Level 3, section 4 (Tokenization), as far as scoping needs it: a number and its unit are
one token.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from awning.diagnostics import Diagnostic, Place, Severity

_TOKEN = re.compile(
    r"""
    (?P<comment> /\*.*?(?:\*/|\Z) )
  | (?P<string> "(?:[^"\\\n]|\\.)*["\n]? | '(?:[^'\\\n]|\\.)*['\n]? )
  | (?P<url> url\(\s*(?!["'\s])(?:[^)\\]|\\.)*\)? )
  | (?P<at> @(?:[-\w]|[^\x00-\x7f]|\\.)+ )
  | (?P<hash> \#(?:[-\w]|[^\x00-\x7f]|\\.)+ )
  | (?P<name> (?:--|-?(?:[A-Za-z_]|[^\x00-\x7f]|\\.))(?:[-\w]|[^\x00-\x7f]|\\.)* )
  | (?P<space> \s+ )
  | (?P<number> \d[\w.%]* )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)

CONDITIONS = ("@media", "@supports", "@container", "@layer", "@starting-style")
"""The at-rules whose block has rules for elements, as the style sheet itself has."""

MOST_LEVELS = 100
"""Rules that are nested deeper than this are left as they are: a style that people write has a few levels."""


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is comment, string, url, at, hash, name, space, number or other; `start` is an offset in the text."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens(css: str) -> Iterator[Token]:
    """Yield the tokens of a text. Together they contain the whole text."""
    for match in _TOKEN.finditer(css):
        yield Token(match.lastgroup or "other", match[0], match.start())


@dataclass(slots=True)
class Rule:
    """A statement: `prelude { inside }`, or `prelude;` when `block` is False."""

    prelude: list[Token] = field(default_factory=list)
    inside: list[Token] = field(default_factory=list)
    block: bool = False

    @property
    def at(self) -> str:
        """The at-rule's name in lower case without vendor prefix: `@keyframes`; empty for a style rule."""
        first = next((token for token in self.prelude if token.kind not in ("space", "comment")), None)
        if first is None or first.kind != "at":
            return ""
        return re.sub(r"^@-\w+-", "@", first.text.lower())

    @property
    def text(self) -> str:
        return joined(self.prelude) + (f"{{{joined(self.inside)}}}" if self.block else ";")


def joined(parts: list[Token]) -> str:
    return "".join(token.text for token in parts)


def rules(css: str) -> list[Rule]:
    """Return the statements of a style sheet, in order. White space and comments belong to the statement after them."""
    return split(list(tokens(css)))


def split(parts: list[Token]) -> list[Rule]:
    statements: list[Rule] = []
    rule = Rule()
    index = 0
    while index < len(parts):
        token = parts[index]
        if token.text == "{" and token.kind == "other":
            end = _closing(parts, index)
            rule.inside, rule.block = parts[index + 1 : end], True
            statements.append(rule)
            rule, index = Rule(), end
        elif token.text == ";" and token.kind == "other":
            statements.append(rule)
            rule = Rule()
        else:
            rule.prelude.append(token)
        index += 1
    if any(token.kind not in ("space", "comment") for token in rule.prelude):
        statements.append(rule)
    return statements


def _closing(parts: list[Token], start: int) -> int:
    """Return the index of the brace that closes the brace at `start`; the number of tokens if it is never closed."""
    depth = 0
    for index in range(start, len(parts)):
        if parts[index].kind == "other":
            depth += {"{": 1, "}": -1}.get(parts[index].text, 0)
            if depth == 0:
                return index
    return len(parts)


def style_error(path: str, css: str, token: Token, message: str, hint: str) -> Diagnostic:
    """Return the error for a style sheet's token."""
    return style_diagnostic(
        path, css, token, rule="style-error", message=message, hint=hint, severity=Severity.ERROR
    )


def style_diagnostic(
    path: str, css: str, token: Token, *, rule: str, message: str, hint: str, severity: Severity
) -> Diagnostic:
    """Return the diagnostic for a style sheet's token."""
    before = css[: token.start]
    line = before.count("\n")
    return Diagnostic(
        rule=rule,
        message=message,
        place=Place(path=path, line=line + 1, column=token.start - (before.rfind("\n") + 1) + 1),
        hint=hint,
        severity=severity,
        excerpt=css.split("\n")[line],
    )
