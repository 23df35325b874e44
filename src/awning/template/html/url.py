"""How far a URL has been written, and what a printed value may add to it (WHATWG URL, 4.4, as far as safety asks).

    START ── a ──> SCHEME ── : ──> SLASHES ──> AUTHORITY ── / ──> PATH ── ? ──> QUERY ── # ──> FRAGMENT
      │               │              ^    (mailto: and the like) OPAQUE, (data:) MEDIA ── , ──> DATA
      ├── / ──> ROOT ─┴── / ─────────┘
      └── value ──> UNKNOWN

A value at START gives the whole beginning, so it is filtered by scheme; anywhere later it is encoded so that it stays
in its part. UNKNOWN is what is left after a value or after branches that differ: the author's own text may then no
longer write a scheme's colon, and a value's colon is encoded. LATER is the same once no scheme can follow.

A srcset is a list of candidates of one URL and one descriptor each (WHATWG HTML, 4.8.4.2.1). The URL of a candidate is
what stands before white space; a comma separates candidates only at its end or after a descriptor. Values are encoded
without commas, so a value stays in its candidate, except for a value that is the whole list.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum

from awning.template.html.interpolation import Hole, HtmlFault, Kind, Use, Value, hole


class Part(Enum):
    START = "start"
    SCHEME = "scheme"
    UNKNOWN = "unknown"
    SLASHES = "slashes"
    AUTHORITY = "authority"
    ROOT = "root"
    PATH = "path"
    OPAQUE = "opaque"
    MEDIA = "media type"
    DATA = "data"
    QUERY = "query"
    FRAGMENT = "fragment"
    LATER = "later"


SETTLED = frozenset({Part.PATH, Part.OPAQUE, Part.DATA, Part.QUERY, Part.FRAGMENT, Part.LATER})
SCRIPT_SCHEMES = frozenset(
    {"javascript", "vbscript", "livescript", "mocha", "view-source", "blob", "filesystem"}
)
SPECIAL_SCHEMES = frozenset({"http", "https", "ws", "wss", "ftp", "file"})
"""Those after which browsers read a host, whatever the number of slashes."""
RASTER = frozenset({"png", "gif", "jpeg", "jpg", "webp", "avif", "bmp", "x-icon"})
_STRIPPED = "".join(map(chr, range(0x21)))
"""C0 controls and space: stripped from the start of a URL."""
_REMOVED = str.maketrans("", "", "\t\n\r")
_SKIPPING = frozenset({Part.UNKNOWN, Part.AUTHORITY})
"""Parts in which only these characters lead on to another."""
_NEXT = re.compile(r"[:/\\?#]")
_LONGEST = 64
"""No scheme and no media type that means anything here is longer: what follows is not kept."""
_HTTP = re.compile(r"(https?)://[^/\\?#]++[/\\]", re.IGNORECASE | re.ASCII)
_SCHEME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789+-.")

_REST = hole(Kind.URL, "escapeUrlRest")
_PART = hole(Kind.URL, "escapeUrlPart", encoded="escapeUrlEncoded")
_SEGMENT = hole(Kind.URL, "escapeUrlSegment")
_PATH = hole(Kind.URL, "escapeUrlPath", encoded="escapeUrlEncoded")
_HOLES = {
    Part.SCHEME: (_PART, Part.UNKNOWN),
    Part.UNKNOWN: (_REST, Part.UNKNOWN),
    Part.SLASHES: (_PART, Part.AUTHORITY),
    Part.AUTHORITY: (_PART, Part.AUTHORITY),
    Part.ROOT: (hole(Kind.URL, "escapeUrlRoot", encoded="escapeUrlRootEncoded"), Part.PATH),
    Part.PATH: (_PATH, Part.PATH),
    Part.OPAQUE: (_PATH, Part.OPAQUE),
    Part.DATA: (_PART, Part.DATA),
    Part.QUERY: (_PART, Part.QUERY),
    Part.FRAGMENT: (_PART, Part.FRAGMENT),
    Part.LATER: (_PART, Part.LATER),
}
_START_HOLES = {
    Use.URL: hole(Kind.URL, "escapeUrl"),
    Use.IMAGE: hole(Kind.URL, "escapeImageUrl"),
}


@dataclass(frozen=True, slots=True)
class Url:
    """A URL as far as the author's text goes."""

    use: Use
    part: Part = Part.START
    scheme: str = ""
    """Its letters while in SCHEME, the scheme afterwards; in MEDIA and DATA the media type."""

    def feed(self, text: str) -> "Url":
        url = self
        kept = text.translate(_REMOVED)
        found = _HTTP.match(kept) if self.part is Part.START else None
        if found:
            url = Url(self.use, Part.PATH, found[1].lower())
        position = found.end() if found else 0
        while position < len(kept):
            if url.part in SETTLED:
                return url._rest(kept[position:])
            if url.part in _SKIPPING:
                found = _NEXT.search(kept, position)
                if found is None:
                    return url
                position = found.start()
            url = url._step(kept[position].lower())
            position += 1
        return url

    def hole(self) -> "tuple[Hole, Url]":
        if self.use is Use.FRAME:
            return self._frame_hole()
        if self.use is Use.FRAGMENT:
            return self._fragment_hole()
        if self.part is Part.START:
            return _START_HOLES[self.use], replace(self, part=Part.UNKNOWN)
        if not self.is_open():
            raise _no_value("a data: URL takes values only after a fixed raster image type")
        made, part = _HOLES[self.part]
        return made, replace(self, part=part)

    def join(self, other: Value) -> "Url | None":
        if not isinstance(other, Url) or other.use is not self.use:
            return None
        if self == other:
            return self
        if not (self.is_open() and other.is_open()):
            return None
        scheme = self.scheme if self.scheme == other.scheme else "?"
        if self.part is other.part and self.part in SETTLED:
            return replace(self, scheme=scheme)
        return Url(self.use, Part.LATER if {self.part, other.part} <= SETTLED else Part.UNKNOWN, scheme)

    def close(self) -> None:
        if self.part is Part.MEDIA:
            _check_media(self.use, self.scheme)

    def is_open(self) -> bool:
        """May go on in any way: not a data: URL whose type decides what it may hold."""
        return self.part is not Part.MEDIA and (self.part is not Part.DATA or _is_raster(self.scheme))

    def _step(self, character: str) -> "Url":
        match self.part:
            case Part.START | Part.SCHEME:
                after = self._beginning(character)
            case Part.UNKNOWN:
                after = self._unknown(character)
            case Part.ROOT | Part.SLASHES | Part.AUTHORITY:
                after = self._authority(character)
            case Part.MEDIA:
                after = self._media(character)
            case _:
                after = self
        return after

    def _rest(self, text: str) -> "Url":
        """No scheme can follow: only ? and # still matter."""
        if self.part in {Part.DATA, Part.FRAGMENT, Part.LATER}:
            return self
        if "#" in text:
            return replace(self, part=Part.FRAGMENT)
        return replace(self, part=Part.QUERY) if "?" in text else self

    def _beginning(self, character: str) -> "Url":
        if self.part is Part.START and character in _STRIPPED:
            return self
        if character == ":" and self.scheme:
            return self._colon()
        if character in _SCHEME_CHARACTERS and (self.scheme or character.isalpha()):
            return replace(self, part=Part.SCHEME, scheme=(self.scheme + character)[:_LONGEST])
        if character in "/\\" and not self.scheme:
            return replace(self, part=Part.ROOT)
        return replace(self._later(character, Part.PATH), scheme="")

    def _colon(self) -> "Url":
        if self.scheme in SCRIPT_SCHEMES:
            raise HtmlFault(
                "template-unsafe-url",
                f"{self.scheme}: can run script when the address is followed",
                "use a button and a listener in the widget's script",
            )
        if self.scheme == "data":
            return replace(self, part=Part.MEDIA, scheme="")
        if self.scheme in SPECIAL_SCHEMES:
            return replace(self, part=Part.SLASHES)
        return replace(self, part=Part.OPAQUE)

    def _unknown(self, character: str) -> "Url":
        if character == ":":
            raise HtmlFault(
                "template-url-value",
                "a colon after a value could make the value a scheme such as javascript:",
                "write the scheme yourself (https://...), or print the whole address as one value",
            )
        if character in "/\\":
            return replace(self, part=Part.ROOT)
        return self._later(character, Part.UNKNOWN)

    def _authority(self, character: str) -> "Url":
        if character in "/\\":
            return replace(self, part=Part.PATH if self.part is Part.AUTHORITY else Part.SLASHES)
        return self._later(character, Part.PATH if self.part is Part.ROOT else Part.AUTHORITY)

    def _media(self, character: str) -> "Url":
        if character != ",":
            return replace(self, scheme=(self.scheme + character)[:_LONGEST])
        _check_media(self.use, self.scheme)
        return replace(self, part=Part.DATA)

    def _later(self, character: str, part: Part) -> "Url":
        if character == "#":
            return replace(self, part=Part.FRAGMENT)
        return replace(self, part=Part.QUERY if character == "?" else part)

    def _frame_hole(self) -> "tuple[Hole, Url]":
        fixed = self.part in {Part.PATH, Part.QUERY, Part.FRAGMENT} and self.scheme in {"", "https"}
        if not fixed:
            raise _no_value("a frame's address takes values only after a fixed https host or a fixed path")
        return (_SEGMENT if self.part is Part.PATH else _PART), self

    def _fragment_hole(self) -> "tuple[Hole, Url]":
        if self.part is not Part.FRAGMENT:
            raise _no_value('this address takes values only after "#"')
        return _PART, self


def _check_media(use: Use, media: str) -> None:
    if use is Use.IMAGE and media.strip().startswith("image/"):
        return
    raise HtmlFault(
        "template-unsafe-url",
        "a data: URL may hold a document with script",
        "only pictures may be written as data:image/...",
    )


def _is_raster(media: str) -> bool:
    return media.strip().removeprefix("image/").split(";")[0] in RASTER


def _no_value(message: str) -> HtmlFault:
    return HtmlFault("template-url-value", message, "write the address's fixed part first, values after it")


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
