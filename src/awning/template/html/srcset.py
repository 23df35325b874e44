"""A srcset: candidates of one URL and one descriptor each (WHATWG HTML, 4.8.4.2.1, parse a srcset attribute).

The URL of a candidate is what stands before white space; a comma parts candidates only at its end or after a
descriptor. Values are encoded without commas, so a value stays in its candidate, but for a value that is the whole
list.
"""

from dataclasses import dataclass, replace

from awning.template.html.hole import Hole, Kind, hole
from awning.template.html.url import Part, Url
from awning.template.html.values import Use, Value

_SPACES = frozenset(" \t\n\r\f")
_FRESH = Url(Use.IMAGE)
_LIST = hole(Kind.SRCSET, "escapeSrcset")
_DESCRIPTOR = hole(Kind.SRCSET, "escapeSrcsetDescriptor")


@dataclass(frozen=True, slots=True)
class Srcset:
    """The candidate being written."""

    url: Url = _FRESH
    comma: bool = False
    """The URL's last character is a comma."""
    descriptor: bool = False

    def feed(self, text: str) -> "Srcset":
        reader = self
        for character in text:
            reader = reader._step(character)
        return reader

    def hole(self) -> tuple[Hole, Value]:
        if self.descriptor:
            return _DESCRIPTOR, self
        made, url = self.url.hole()
        if self.url.part is Part.START:
            made = _LIST
        return replace(made, kind=Kind.SRCSET), replace(self, url=url, comma=False)

    def join(self, other: Value) -> Value | None:
        if not isinstance(other, Srcset) or other.descriptor is not self.descriptor:
            return None
        if self == other:
            return self
        url = self.url.join(other.url)
        return replace(self, url=url) if url and other.comma is self.comma else None

    def close(self) -> None:
        self.url.close()

    def _step(self, character: str) -> "Srcset":
        if self.descriptor:
            return Srcset() if character == "," else self
        if character in _SPACES:
            return self._space()
        if character == "," and self.url.part is Part.START:
            return self
        return Srcset(self.url.feed(character), comma=character == ",")

    def _space(self) -> "Srcset":
        if self.url.part is Part.START:
            return self
        self.url.close()
        return Srcset() if self.comma else Srcset(self.url, descriptor=True)
