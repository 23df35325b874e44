"""A template as a sequence of HTML tags and Jinja2 statements, with their offsets.

It is a reading of the text, not of Jinja2's syntax tree, which has neither the tags nor their places. Jinja2's
expressions and statements inside a start tag belong to the tag. Comments, and the content of elements whose content is
text, have no tags.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_JINJA = r"\{\{.*?\}\}|\{%.*?%\}|\{\#.*?\#\}"
MOST_CHARACTERS = 200_000
"""The longest template that is read. People write none that is longer."""

_RAW_TEXT = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
_OTHER = r"\{(?![{%\#])"
"""Matches a brace that begins no statement. An unfinished statement matches nothing, so no text is read twice."""

_PART = re.compile(
    rf"""
    (?P<raw> \{{%[-+]?\s*raw\s*[-+]?%\}} (?P<raw_text>.*?) \{{%[-+]?\s*endraw\s*[-+]?%\}} )
  | \{{%[-+]?\s*(?P<keyword>\w+)(?P<rest>.*?)[-+]?%\}}
  | \{{\{{(?P<output>.*?)\}}\}}
  | \{{\#.*?\#\}}
  | <!--(?P<comment>.*?)(?:-->|\Z)
  | <[!?](?:{_JINJA}|[^>{{]|{_OTHER})*+>
  | <(?P<end>/?)(?P<name>[A-Za-z](?:[^\s/>{{]|{_JINJA})*+)
    (?P<attributes>(?:
        {_JINJA}
      | "(?:{_JINJA}|[^"{{]|{_OTHER})*+"
      | '(?:{_JINJA}|[^'{{]|{_OTHER})*+'
      | [^>"'{{] | {_OTHER}
    )*+)>
  | (?P<unfinished> <(?=/?[A-Za-z]|[!?]) | \{{[{{%\#] )
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
    text_of = ""  # the element whose content is text, if the place is in one
    for match in _PART.finditer(template):
        if match["unfinished"] or match["keyword"] == "raw" or (match["raw"] and "<" in match["raw_text"]):
            raise Unreadable
        if not match["name"]:
            yield from _statements_of(match)
            continue
        tag = _tag(match)
        if text_of and not (tag.end and tag.name == text_of):
            yield from _statements_in(match[0], match.start())
            continue
        text_of = tag.name if tag.name in _RAW_TEXT and not tag.end else ""
        yield tag
    if re.search(r"</?\{\{", template):
        raise Unreadable


def _statements_of(match: re.Match[str]) -> Iterator[Statement]:
    if match["keyword"]:
        yield Statement(match["keyword"], match["rest"], match.start())
    elif match["output"] is not None:
        yield Statement("output", match["output"], match.start())
    elif match["comment"] is not None:
        yield from _statements_in(match["comment"], match.start())


def _statements_in(text: str, at: int) -> Iterator[Statement]:
    for match in re.finditer(r"\{%[-+]?\s*(\w+)(.*?)[-+]?%\}", text, re.DOTALL):
        yield Statement(match[1], match[2], at + match.start())


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
