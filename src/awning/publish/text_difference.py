"""How the text that a cell holds differs from the one that it should hold, for `--diff`.

    unset      nothing is there
    release    a release holds it: the author's files that differ from it are known (`release.difference`)
    text       another text of ours, or one of ours that was changed by hand: pieces of both are compared
    foreign    somebody else's: only its bytes are compared

Nothing here is safe for a terminal yet: what prints it escapes each line.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from awning.build_record import Place, read_stamp
from awning.publish.cell_flow import same_in_page
from awning.publish.line_difference import unified_difference
from awning.publish.release.build_files import BuildFiles
from awning.publish.release.difference import compare
from awning.publish.stores import Stores

BEFORE, AFTER = 8, 24
"""How many bytes are shown before and from the first one that differs."""
_PIECE = re.compile(r"[^>;{}\n]*(?:[>;{}\n]+|$)")
_FIRST_COMMENT = re.compile(r"\s*<!--(.*?)-->", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByteDifference:
    """The lengths of two texts in bytes, the offset of the first byte that differs, and the bytes around it."""

    there: int
    wanted: int
    offset: int
    there_context: bytes
    wanted_context: bytes

    @classmethod
    def of(cls, there: str, wanted: str) -> "ByteDifference":
        has, should_have = (text.encode("utf-8", "surrogatepass") for text in (there, wanted))
        pairs = enumerate(zip(has, should_have, strict=False))
        offset = next((at for at, (a, b) in pairs if a != b), min(len(has), len(should_have)))
        start = max(0, offset - BEFORE)
        return cls(
            there=len(has),
            wanted=len(should_have),
            offset=offset,
            there_context=has[start : offset + AFTER],
            wanted_context=should_have[start : offset + AFTER],
        )

    def lines(self) -> Iterator[str]:
        yield (
            f"{self.there:,} bytes are there, {self.wanted:,} are wanted; "
            f"the first difference is at byte {self.offset:,}"
        )
        for word, context in (("there", self.there_context), ("wanted", self.wanted_context)):
            yield f"{word:<6}  {context.hex(' ')}  {context.decode('utf-8', 'backslashreplace')}"

    def as_json(self) -> dict[str, Any]:
        contexts = {"there_hex": self.there_context.hex(), "wanted_hex": self.wanted_context.hex()}
        return {"there": self.there, "wanted": self.wanted, "offset": self.offset, **contexts}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDifference:
    """How one place of a cell differs. `there_release` and `wanted_release` are the releases of both texts, if any.

    For `wanted_release`, None may also be a build that has no release yet.
    """

    place: Place
    kind: str
    there_release: int | None = None
    wanted_release: int | None = None
    pieces: tuple[str, ...] = ()
    bytes: ByteDifference | None = None

    def lines(self) -> Iterator[str]:
        """Yield the difference as lines for people; nothing for the kinds `unset` and `release`."""
        yield from self.pieces
        if self.bytes is not None:
            yield from self.bytes.lines()

    def as_json(self) -> dict[str, Any]:
        return {
            "place": self.place,
            "kind": self.kind,
            "there_release": self.there_release,
            "wanted_release": self.wanted_release,
            "lines": list(self.pieces),
            "bytes": None if self.bytes is None else self.bytes.as_json(),
        }


class Differences:
    """Finds how cells differ. `current` are the files of the build that a plan publishes; None for drift.

    Many cells hold the same release, so two releases are compared once.
    """

    def __init__(self, stores: Stores, is_ours: Callable[[str], bool], current: BuildFiles | None) -> None:
        self._stores = stores
        self._is_ours = is_ours
        self._current = current
        self.releases: dict[tuple[int | None, int | None], int] = {}
        """How many places hold one release and should hold another, by the two numbers."""

    def of(
        self, place: Place, there: str | None, wanted: str, *, wanted_release: int | None
    ) -> TextDifference | None:
        """Return how a place differs; None when a page shows both alike.

        `wanted_release` is the release that should be there; None for the current build.
        """
        if there is None or not there.strip():
            return TextDifference(place=place, kind="unset", wanted_release=wanted_release)
        if same_in_page(there, wanted):
            return None
        release = self._stores.newest_release_with(there)
        is_known = wanted_release is not None or self._current is not None
        if release is not None and is_known and release != wanted_release:
            pair = (release, wanted_release)
            self.releases[pair] = self.releases.get(pair, 0) + 1
            return TextDifference(
                place=place, kind="release", there_release=release, wanted_release=wanted_release
            )
        if self._is_ours(there) or _has_stamp(there):
            pieces = tuple(difference(wanted, there))
            return TextDifference(place=place, kind="text", wanted_release=wanted_release, pieces=pieces)
        return TextDifference(
            place=place,
            kind="foreign",
            wanted_release=wanted_release,
            bytes=ByteDifference.of(there, wanted),
        )

    def compare(self, there: int | None, wanted: int | None) -> dict[str, Any]:
        """Return the differences of two releases by the author's files. None is the current build."""
        return compare(self._files(there), self._files(wanted))

    def _files(self, release: int | None) -> BuildFiles:
        if release is not None:
            return self._stores.releases.files(release)
        if self._current is None:
            raise RuntimeError("a drift compares releases only")
        return self._current


def _has_stamp(text: str) -> bool:
    """Return whether a text begins as a snippet of a build: it is ours, and was changed by hand."""
    comment = _FIRST_COMMENT.match(text)
    return comment is not None and read_stamp(comment[1]) is not None


def difference(wanted: str, there: str) -> Iterator[str]:
    """Yield the lines of a diff from the release's snippet to what is there; nothing when a page shows both alike.

    A snippet may be one long line, so pieces are compared: they end after `>`, `;`, a brace or a line.
    """
    if same_in_page(there, wanted):
        return
    old, new = (
        [piece.rstrip("\n") for piece in _PIECE.findall(text) if piece.strip()] for text in (wanted, there)
    )
    yield from unified_difference(old, new, ("release", "shop"), context=1)
