"""Finds ids that a template writes twice although a label or an `aria-` attribute refers to one.

Such a reference finds the first element with the id. What the author meant by it is then without its name, for who
listens to the page. Only ids and references that are written out are compared, and only elements that can be on one
page: those in two arms of one `{% if %}` never are.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import accumulate

from awning.diagnostics import Diagnostic, Place, Severity

REFERENCES = frozenset(
    {
        *(
            "for",
            "form",
            "list",
            "headers",
            "aria-labelledby",
            "aria-describedby",
            "aria-controls",
            "aria-owns",
        ),
        *("aria-details", "aria-errormessage", "aria-activedescendant", "aria-flowto"),
    }
)
"""Attributes whose words are ids (WHATWG HTML 4.10.4 and others; WAI-ARIA 1.2, 6)."""

_JINJA = re.compile(
    r"\{#.*?#\}|\{%[-+]?\s*raw\s*[-+]?%\}(?P<raw>.*?)\{%[-+]?\s*endraw\s*[-+]?%\}"
    r"|\{%[-+]?\s*(?P<tag>\w+).*?%\}|\{\{.*?\}\}",
    re.DOTALL,
)
_HOLE = "\ue000"
"""Stands for each character of a tag or an expression of Jinja2: an id with it is not known."""

_LABELLED = frozenset({"button", "input", "meter", "output", "progress", "select", "textarea"})
"""The elements that a label can name (WHATWG HTML 4.10.2). A label for another element names nothing."""

Arms = tuple[tuple[int, int], ...]
"""The `{% if %}` and `{% for %}` around a place, from the outside in: the offset of each, and the number of the arm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """An element with an id that is written out."""

    id: str
    tag: str
    line: int
    column: int
    offset: int


def repeated_ids(path: str, template: str) -> Iterator[Diagnostic]:
    """Yield an error for each id that a template writes again, and a warning for each in a loop.

    Nothing is reported about an id that nothing in the template refers to.
    """
    reader = _Reader()
    reader.feed(_JINJA.sub(_without_code, template))
    places = _read_places(template)
    lines = template.split("\n")
    before: dict[str, list[_Named]] = {}
    for element in reader.elements(lines):
        reference = reader.references.get(element.id)
        if reference is None:
            continue
        arms = places.at(element)
        earlier = next(
            (each for each in before.get(element.id, ()) if _can_meet(places.at(each), arms)), None
        )
        before.setdefault(element.id, []).append(element)
        if earlier and not (reference.is_label and _is_named(earlier) and not _is_named(element)):
            message = f'the id "{element.id}" is already that of line {earlier.line}'
            severity = Severity.ERROR
        elif not earlier and places.loops.intersection(statement for statement, arm in arms if not arm):
            message = f'the id "{element.id}" is written in a loop: each round repeats it'
            severity = Severity.WARNING
        else:
            continue
        yield Diagnostic(
            rule="repeated-id",
            message=f"{message}, and {reference.text} finds the first element only",
            place=Place(path=path, line=element.line, column=element.column),
            hint="give each element an id of its own, in a loop with a number: "
            f'id="{element.id}-{{{{ loop.index }}}}"',
            severity=severity,
            excerpt=lines[element.line - 1],
        )


def _without_code(match: re.Match[str]) -> str:
    """Return a tag or an expression as holes of the same length. The content of `{% raw %}` stays."""
    raw = match["raw"]
    start, end = match.span("raw") if raw else (match.end(), match.end())
    holes = (match.string[match.start() : start], match.string[end : match.end()])
    before, after = (re.sub(r"[^\n]", _HOLE, text) for text in holes)
    return f"{before}{raw or ''}{after}"


def _can_meet(place: Arms, other: Arms) -> bool:
    """Return whether two places can be on one page: not in different arms of one statement."""
    arms = dict(place)
    return all(arms.get(statement, arm) == arm for statement, arm in other)


def _is_named(element: _Named) -> bool:
    return element.tag in _LABELLED


@dataclass(frozen=True, slots=True)
class _Places:
    offsets: list[int]
    arms: list[Arms]
    loops: set[int]
    """The offsets of the `{% for %}`."""

    def at(self, element: _Named) -> Arms:
        return self.arms[bisect_right(self.offsets, element.offset) - 1]


def _read_places(template: str) -> _Places:
    places = _Places([0], [()], set())
    for match in _JINJA.finditer(template):
        arms = places.arms[-1]
        if match["tag"] in {"if", "for"}:
            arms = (*arms, (match.start(), 0))
            places.loops.update([match.start()] if match["tag"] == "for" else [])
        elif match["tag"] in {"elif", "else"} and arms:
            arms = (*arms[:-1], (arms[-1][0], arms[-1][1] + 1))
        elif match["tag"] in {"endif", "endfor"}:
            arms = arms[:-1]
        places.offsets.append(match.end())
        places.arms.append(arms)
    return places


@dataclass(frozen=True, slots=True)
class _Reference:
    text: str
    is_label: bool
    """Whether only labels refer to the id."""


class _Reader(HTMLParser):
    """Collects ids with their places, and what refers to each id."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._ids: list[tuple[str, str, int, int]] = []
        self.references: dict[str, _Reference] = {}

    def elements(self, lines: list[str]) -> Iterator[_Named]:
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        for id_, tag, line, column in self._ids:
            yield _Named(id=id_, tag=tag, line=line, column=column + 1, offset=starts[line - 1] + column)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value and _HOLE not in value:
                self._ids.append((value, tag, *self.getpos()))
            for word in (value or "").split() if name in REFERENCES else ():
                known = self.references.get(word)
                is_label = name == "for" and (known is None or known.is_label)
                self.references[word] = _Reference(known.text if known else f"{name} of <{tag}>", is_label)

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Read `<![` as a comment, as HTML does. The method of the standard library raises AssertionError."""
        return self.parse_bogus_comment(i, bool(report))
