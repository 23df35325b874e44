"""The reader of URLs: which part is being written, and how a value in it is escaped (WHATWG URL, 4.4, simplified).

    START ── a ──> SCHEME ── : ──> SLASHES ──> AUTHORITY ── / ──> PATH ── ? ──> QUERY ── # ──> FRAGMENT
      │               │              ^    (mailto: and the like) OPAQUE, (data:) MEDIA ── , ──> DATA
      ├── / ──> ROOT ─┴── / ─────────┘
      └── value ──> UNKNOWN

A value at START may contain the scheme, so it is filtered by scheme. A later value is encoded so that it stays in its
part. UNKNOWN is the part after a value at START or in SCHEME, or after a join of different parts: the author's text may
not write a scheme's colon there, and the colon of a value is encoded. LATER is also an unknown part, but a join has
shown that no scheme can follow there.

A srcset is a list of candidates, each of one URL and at most one descriptor (WHATWG HTML, 4.8.4.2.1). The URL ends at
white space; a comma separates candidates only at the end of the URL or after a descriptor. The commas of values are
encoded, so a value stays in its candidate. Only a value at the start of a candidate may have several candidates of its
own.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum

from awning.template.html.html_context import (
    AttributeUse,
    ContextKind,
    HtmlRefusal,
    Interpolation,
    ValueReader,
    escaped_by,
)


class UrlPart(Enum):
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


SETTLED = frozenset(
    {UrlPart.PATH, UrlPart.OPAQUE, UrlPart.DATA, UrlPart.QUERY, UrlPart.FRAGMENT, UrlPart.LATER}
)
SCRIPT_SCHEMES = frozenset(
    {"javascript", "vbscript", "livescript", "mocha", "view-source", "blob", "filesystem"}
)
SPECIAL_SCHEMES = frozenset({"http", "https", "ws", "wss", "ftp", "file"})
"""Schemes after which browsers read a host, with any number of slashes."""
RASTER = frozenset({"png", "gif", "jpeg", "jpg", "webp", "avif", "bmp", "x-icon"})
_STRIPPED = "".join(map(chr, range(0x21)))
"""C0 controls and space, which browsers strip from the start of a URL."""
_REMOVED = str.maketrans("", "", "\t\n\r")
_SKIPPING = frozenset({UrlPart.UNKNOWN, UrlPart.AUTHORITY})
"""Parts that end only at a character that `_NEXT` matches."""
_NEXT = re.compile(r"[:/\\?#]")
_LONGEST = 64
"""Longer schemes and media types are cut to this length. No scheme or type in the tables is longer."""
_HTTP = re.compile(r"(https?)://[^/\\?#]++[/\\]", re.IGNORECASE | re.ASCII)
_SCHEME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789+-.")

_REST = escaped_by(ContextKind.URL, "escapeUrlRest")
_PART = escaped_by(ContextKind.URL, "escapeUrlPart", encoded="escapeUrlEncoded")
_SEGMENT = escaped_by(ContextKind.URL, "escapeUrlSegment")
_PATH = escaped_by(ContextKind.URL, "escapeUrlPath", encoded="escapeUrlEncoded")
_INTERPOLATIONS = {
    UrlPart.SCHEME: (_PART, UrlPart.UNKNOWN),
    UrlPart.UNKNOWN: (_REST, UrlPart.UNKNOWN),
    UrlPart.SLASHES: (_PART, UrlPart.AUTHORITY),
    UrlPart.AUTHORITY: (_PART, UrlPart.AUTHORITY),
    UrlPart.ROOT: (
        escaped_by(ContextKind.URL, "escapeUrlRoot", encoded="escapeUrlRootEncoded"),
        UrlPart.PATH,
    ),
    UrlPart.PATH: (_PATH, UrlPart.PATH),
    UrlPart.OPAQUE: (_PATH, UrlPart.OPAQUE),
    UrlPart.DATA: (_PART, UrlPart.DATA),
    UrlPart.QUERY: (_PART, UrlPart.QUERY),
    UrlPart.FRAGMENT: (_PART, UrlPart.FRAGMENT),
    UrlPart.LATER: (_PART, UrlPart.LATER),
}
_START_INTERPOLATIONS = {
    AttributeUse.URL: escaped_by(ContextKind.URL, "escapeUrl"),
    AttributeUse.IMAGE: escaped_by(ContextKind.URL, "escapeImageUrl"),
}


@dataclass(frozen=True, slots=True)
class Url:
    """The state after a part of a URL was read."""

    use: AttributeUse
    part: UrlPart = UrlPart.START
    scheme: str = ""
    """The scheme, or its first letters while in SCHEME; the media type in MEDIA and DATA; "?" if branches differ."""

    def feed(self, text: str) -> "Url":
        url = self
        cleaned = text.translate(_REMOVED)
        match = _HTTP.match(cleaned) if self.part is UrlPart.START else None
        if match:
            url = Url(self.use, UrlPart.PATH, match[1].lower())
        position = match.end() if match else 0
        while position < len(cleaned):
            if url.part in SETTLED:
                return url._rest(cleaned[position:])
            if url.part in _SKIPPING:
                match = _NEXT.search(cleaned, position)
                if match is None:
                    return url
                position = match.start()
            url = url._step(cleaned[position].lower())
            position += 1
        return url

    def interpolate(self) -> "tuple[Interpolation, Url]":
        if self.use is AttributeUse.FRAME:
            return self._interpolate_frame()
        if self.use is AttributeUse.FRAGMENT:
            return self._interpolate_fragment()
        if self.part is UrlPart.START:
            return _START_INTERPOLATIONS[self.use], replace(self, part=UrlPart.UNKNOWN)
        if not self.is_open():
            raise _no_value("a data: URL takes values only after a fixed raster image type")
        interpolation, part = _INTERPOLATIONS[self.part]
        return interpolation, replace(self, part=part)

    def join(self, other: ValueReader) -> "Url | None":
        if not isinstance(other, Url) or other.use is not self.use:
            return None
        if self == other:
            return self
        if not (self.is_open() and other.is_open()):
            return None
        scheme = self.scheme if self.scheme == other.scheme else "?"
        if self.part is other.part and self.part in SETTLED:
            return replace(self, scheme=scheme)
        return Url(self.use, UrlPart.LATER if {self.part, other.part} <= SETTLED else UrlPart.UNKNOWN, scheme)

    def close(self) -> None:
        if self.part is UrlPart.MEDIA:
            _check_media(self.use, self.scheme)

    def is_open(self) -> bool:
        """Return whether a printed value may follow. In a data: URL, it may only follow the type of a raster image."""
        return self.part is not UrlPart.MEDIA and (self.part is not UrlPart.DATA or _is_raster(self.scheme))

    def _step(self, character: str) -> "Url":
        match self.part:
            case UrlPart.START | UrlPart.SCHEME:
                after = self._beginning(character)
            case UrlPart.UNKNOWN:
                after = self._unknown(character)
            case UrlPart.ROOT | UrlPart.SLASHES | UrlPart.AUTHORITY:
                after = self._authority(character)
            case UrlPart.MEDIA:
                after = self._media(character)
            case _:
                after = self
        return after

    def _rest(self, text: str) -> "Url":
        """Read the rest of a URL in which no scheme can follow: only ? and # still matter."""
        if self.part in {UrlPart.DATA, UrlPart.FRAGMENT, UrlPart.LATER}:
            return self
        if "#" in text:
            return replace(self, part=UrlPart.FRAGMENT)
        return replace(self, part=UrlPart.QUERY) if "?" in text else self

    def _beginning(self, character: str) -> "Url":
        if self.part is UrlPart.START and character in _STRIPPED:
            return self
        if character == ":" and self.scheme:
            return self._end_scheme()
        if character in _SCHEME_CHARACTERS and (self.scheme or character.isalpha()):
            return replace(self, part=UrlPart.SCHEME, scheme=(self.scheme + character)[:_LONGEST])
        if character in "/\\" and not self.scheme:
            return replace(self, part=UrlPart.ROOT)
        return replace(self._read_after_path(character, UrlPart.PATH), scheme="")

    def _end_scheme(self) -> "Url":
        if self.scheme in SCRIPT_SCHEMES:
            raise HtmlRefusal(
                "template-unsafe-url",
                f"{self.scheme}: can run script when the address is followed",
                "use a button and a listener in the widget's script",
            )
        if self.scheme == "data":
            return replace(self, part=UrlPart.MEDIA, scheme="")
        if self.scheme in SPECIAL_SCHEMES:
            return replace(self, part=UrlPart.SLASHES)
        return replace(self, part=UrlPart.OPAQUE)

    def _unknown(self, character: str) -> "Url":
        if character == ":":
            raise HtmlRefusal(
                "template-url-value",
                "a colon after a value could make the value a scheme such as javascript:",
                "write the scheme yourself (https://...), or print the whole address as one value",
            )
        if character in "/\\":
            return replace(self, part=UrlPart.ROOT)
        return self._read_after_path(character, UrlPart.UNKNOWN)

    def _authority(self, character: str) -> "Url":
        if character in "/\\":
            return replace(self, part=UrlPart.PATH if self.part is UrlPart.AUTHORITY else UrlPart.SLASHES)
        return self._read_after_path(
            character, UrlPart.PATH if self.part is UrlPart.ROOT else UrlPart.AUTHORITY
        )

    def _media(self, character: str) -> "Url":
        if character != ",":
            return replace(self, scheme=(self.scheme + character)[:_LONGEST])
        _check_media(self.use, self.scheme)
        return replace(self, part=UrlPart.DATA)

    def _read_after_path(self, character: str, part: UrlPart) -> "Url":
        if character == "#":
            return replace(self, part=UrlPart.FRAGMENT)
        return replace(self, part=UrlPart.QUERY if character == "?" else part)

    def _interpolate_frame(self) -> "tuple[Interpolation, Url]":
        fixed = self.part in {UrlPart.PATH, UrlPart.QUERY, UrlPart.FRAGMENT} and self.scheme in {"", "https"}
        if not fixed:
            raise _no_value("a frame's address takes values only after a fixed https host or a fixed path")
        return (_SEGMENT if self.part is UrlPart.PATH else _PART), self

    def _interpolate_fragment(self) -> "tuple[Interpolation, Url]":
        if self.part is not UrlPart.FRAGMENT:
            raise _no_value('this address takes values only after "#"')
        return _PART, self


def _check_media(use: AttributeUse, media: str) -> None:
    if use is AttributeUse.IMAGE and media.strip().startswith("image/"):
        return
    raise HtmlRefusal(
        "template-unsafe-url",
        "a data: URL may hold a document with script",
        "only pictures may be written as data:image/...",
    )


def _is_raster(media: str) -> bool:
    return media.strip().removeprefix("image/").split(";")[0] in RASTER


def _no_value(message: str) -> HtmlRefusal:
    return HtmlRefusal(
        "template-url-value", message, "write the fixed part of the address first, and values after it"
    )


_SPACES = frozenset(" \t\n\r\f")
_FRESH = Url(AttributeUse.IMAGE)
_LIST = escaped_by(ContextKind.SRCSET, "escapeSrcset")
_DESCRIPTOR = escaped_by(ContextKind.SRCSET, "escapeSrcsetDescriptor")


@dataclass(frozen=True, slots=True)
class Srcset:
    """The state of the candidate that is being written."""

    url: Url = _FRESH
    comma: bool = False
    """Whether the last character of the URL is a comma."""
    descriptor: bool = False

    def feed(self, text: str) -> "Srcset":
        reader = self
        for character in text:
            reader = reader._step(character)
        return reader

    def interpolate(self) -> tuple[Interpolation, ValueReader]:
        if self.descriptor:
            return _DESCRIPTOR, self
        interpolation, url = self.url.interpolate()
        if self.url.part is UrlPart.START:
            interpolation = _LIST
        return replace(interpolation, kind=ContextKind.SRCSET), replace(self, url=url, comma=False)

    def join(self, other: ValueReader) -> ValueReader | None:
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
        if character == "," and self.url.part is UrlPart.START:
            return self
        return Srcset(self.url.feed(character), comma=character == ",")

    def _space(self) -> "Srcset":
        if self.url.part is UrlPart.START:
            return self
        self.url.close()
        return Srcset() if self.comma else Srcset(self.url, descriptor=True)
