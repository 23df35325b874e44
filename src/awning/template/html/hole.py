"""What the compiler must do where a value is printed: names of functions, text to put around it."""

from dataclasses import dataclass, replace
from enum import Enum


class Kind(Enum):
    """The language a printed value becomes part of."""

    TEXT = "text"
    RCDATA = "rcdata"
    ATTRIBUTE = "attribute"
    URL = "url"
    SRCSET = "srcset"
    STYLE = "style"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole:
    """A value's place. Names are exports of jsrc/runtime/escape/index.ts, each `(text: string) => string`."""

    kind: Kind
    escaper: str
    markup: str | None
    """For a Markup value (`|safe`): applied to its HTML; None prints the HTML as it is."""
    encoded: str
    """For a value whose last filter was `urlencode`: does not encode its percent signs again."""
    before: str = ""
    after: str = ""

    def with_before(self, text: str) -> "Hole":
        return replace(self, before=text + self.before)


def hole(kind: Kind, escaper: str, *, markup: str | None = None, encoded: str | None = None) -> Hole:
    """In a URL or a style HTML means nothing: Markup is escaped as the text it shows."""
    return Hole(kind=kind, escaper=escaper, markup=markup or f"{escaper}OfMarkup", encoded=encoded or escaper)


TEXT_HOLE = Hole(kind=Kind.TEXT, escaper="escapeText", markup=None, encoded="escapeText")
RCDATA_HOLE = hole(Kind.RCDATA, "escapeText", markup="escapeMarkupInRcdata")
ATTRIBUTE_HOLES = {
    '"': hole(Kind.ATTRIBUTE, "escapeText", markup="escapeMarkupInDoubleQuotes"),
    "'": hole(Kind.ATTRIBUTE, "escapeText", markup="escapeMarkupInSingleQuotes"),
}
