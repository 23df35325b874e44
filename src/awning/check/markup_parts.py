"""A template as a sequence of HTML tags and Jinja2 statements, with their offsets.

It is a reading of the text, not of Jinja2's syntax tree, which has neither the tags nor their places. Jinja2's
expressions and statements inside a start tag belong to the tag. Comments, and the content of elements whose content is
text, have no tags.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from awning.html_elements import FOREIGN
from awning.markup import RAW, raw_end

_JINJA = r"\{\{.*?\}\}|\{%.*?%\}|\{\#.*?\#\}"
MOST_CHARACTERS = 200_000
"""The longest template that is read. People write none that is longer."""

_RAW_TEXT = RAW - {"noscript"}
"""The elements whose content is text. That of `noscript` is text only where scripts run, so its tags count."""
_OTHER = r"\{(?![{%\#])"
"""Matches a brace that begins no statement. An unfinished statement matches nothing, so no text is read twice."""
_STATEMENTS = r"""
    \{%[-+]?\s*(?P<keyword>\w+)(?P<rest>.*?)[-+]?%\}
  | \{\{(?P<output>.*?)\}\}
  | \{\#.*?\#\}
"""
_CODE = re.compile(_STATEMENTS, re.DOTALL | re.VERBOSE)
_CODE_OR_RAW = re.compile(
    rf"""
    \{{%[-+]?\s*raw\s*[-+]?%\}} (?P<raw>.*?) \{{%[-+]?\s*endraw\s*[-+]?%\}}
  | {_STATEMENTS}
  | (?P<unfinished> \{{[{{%\#] )
    """,
    re.DOTALL | re.VERBOSE,
)
_PART = re.compile(
    rf"""
    {_STATEMENTS}
  | <!--(?P<comment>.*?)(?:-->|\Z)
  | <[!?](?:{_JINJA}|[^>{{]|{_OTHER})*+>
  | <(?P<end>/?)(?P<name>[A-Za-z](?:[^\s/>{{]|{_JINJA})*+)
    (?P<attributes>(?:
        {_JINJA}
      | "(?:{_JINJA}|[^"{{]|{_OTHER})*+"
      | '(?:{_JINJA}|[^'{{]|{_OTHER})*+'
      | [^>"'{{] | {_OTHER}
    )*+)>
  | (?P<unfinished> <(?=/?[A-Za-z]|[!?]|/?\{{\{{) )
    """,
    re.DOTALL | re.VERBOSE,
)
_STATEMENT = re.compile(r"\{%[-+]?\s*(\w+)")
_BEGINS = frozenset({"if", "for", "block", "macro", "call", "filter", "with", "autoescape"})


class Unreadable(Exception):
    """A template whose tags cannot be told apart from its statements, such as a tag that ends in a branch."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A start tag or an end tag. `name` is in lower case; `slash` is whether it ends with `/>`."""

    name: str
    at: int
    end: bool = False
    slash: bool = False
    attributes: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of Jinja2 such as `{% if a %}`, without its end; `output` is that of `{{ ... }}`."""

    keyword: str
    rest: str
    at: int


def parts_of(template: str) -> Iterator[Tag | Statement]:
    """Yield the tags and statements in order. Raises Unreadable when they cannot be told apart."""
    if len(template) > MOST_CHARACTERS:
        raise Unreadable
    text = _CODE_OR_RAW.sub(_without_raw, template)
    markup = _CODE.sub(lambda match: " " * len(match[0]), text)
    at, foreign = 0, 0
    while match := _PART.search(text, at):
        at = match.end()
        if match["unfinished"]:
            raise Unreadable
        if match["comment"] is not None:
            yield from _statements_in(text, *match.span("comment"))
        elif match["keyword"] or match["output"] is not None:
            yield _statement(match)
        elif match["name"]:
            tag = _tag(match)
            yield tag
            if tag.name in FOREIGN and (tag.end or not tag.slash):
                foreign = max(0, foreign - 1) if tag.end else foreign + 1
            if not tag.end and tag.name in _RAW_TEXT and not (foreign and tag.slash):
                begin, at = at, raw_end(markup, tag.name, at) or len(text)
                yield from _statements_in(text, begin, at)


def _without_raw(match: re.Match[str]) -> str:
    """Return the content of `{% raw %}` without braces, at its place: it is markup without statements.

    Other code stays. Raises Unreadable when it has no end.
    """
    if match["unfinished"] or match["keyword"] == "raw":
        raise Unreadable
    if match["raw"] is None:
        return match[0]
    start, end = (offset - match.start() for offset in match.span("raw"))
    return " " * start + re.sub(r"[{}]", " ", match["raw"]) + " " * (len(match[0]) - end)


def _statement(match: re.Match[str]) -> Statement:
    if match["keyword"]:
        return Statement(match["keyword"], match["rest"], match.start())
    return Statement("output", match["output"], match.start())


def _statements_in(text: str, start: int, end: int) -> Iterator[Statement]:
    for match in _CODE.finditer(text, start, end):
        if match["keyword"] or match["output"] is not None:
            yield _statement(match)


def _tag(match: re.Match[str]) -> Tag:
    """Return the tag. Raises Unreadable when a statement begins in it, and ends behind it."""
    if "{" in match["name"]:
        raise Unreadable
    level = 0
    for keyword in _STATEMENT.findall(match["attributes"]):
        level += (keyword in _BEGINS) - keyword.startswith("end")
        if level < 0:
            raise Unreadable
    if level:
        raise Unreadable
    return Tag(
        name=match["name"].lower(),
        at=match.start(),
        end=bool(match["end"]),
        slash=match["attributes"].endswith("/"),
        attributes=match["attributes"],
    )
