"""CSS as tokens: enough to know what is a string, a comment, a name, and where a block ends.

Follows CSS Syntax Level 3, section 4 (Tokenization), leaving out what scoping does not ask (numbers, units).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is comment, string, url, at, hash, name, space, number or other; `start` an offset into the text."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens(css: str) -> Iterator[Token]:
    """All of the text, in tokens: joined they are the text again."""
    for match in _TOKEN.finditer(css):
        yield Token(match.lastgroup or "other", match[0], match.start())
