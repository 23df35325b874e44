"""A script's text with additions: the author's code, with code around some of its parts.

TypeScript checks it beside the author's script. Each place in the text leads back to a place in the script.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from awning.template.types import Variable


@dataclass(frozen=True, slots=True)
class Added:
    """Code that is added. `attribute` is the attribute of a template's variable whose name it is.

    `passed_at` is the byte offset at which the script passes that variable.
    """

    text: str
    attribute: Variable | None = None
    passed_at: int = 0


@dataclass(frozen=True, slots=True)
class Wrap:
    """Code before and after the part of the author's code from `start` to `end`. Offsets count bytes."""

    start: int
    end: int
    before: Sequence[Added]
    after: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the text, from the byte offset `at`: added, or the author's code from the byte offset `start`."""

    at: int
    start: int = 0
    added: Added | None = None


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with additions, and the pieces that it consists of."""

    content: bytes
    pieces: tuple[Piece, ...]

    def at(self, offset: int) -> tuple[Piece, int]:
        """Return the piece at a byte offset, and how far in the piece the offset is."""
        piece = self.pieces[bisect_right(self.pieces, offset, key=lambda piece: piece.at) - 1]
        return piece, offset - piece.at


def checked_text(code: bytes, wraps: Iterable[Wrap]) -> CheckedText:
    """Return the code with the wraps. Of two wraps, one is inside the other, or they are apart."""
    wraps = [*wraps]
    # At the same offset, code after a part is before code that opens another, and inner parts end first.
    points = sorted(
        [(wrap.start, 1, -wrap.end, number) for number, wrap in enumerate(wraps)]
        + [(wrap.end, 0, -wrap.start, number) for number, wrap in enumerate(wraps)]
    )
    content, pieces, at = bytearray(), [], 0
    for offset, opens, _, number in [*points, (len(code), 1, 0, -1)]:
        if at < offset:
            pieces.append(Piece(len(content), at))
            content += code[at:offset]
            at = offset
        wrap = wraps[number] if number >= 0 else Wrap(0, 0, ())
        for added in wrap.before if opens else (Added(wrap.after),):
            if added.text:
                pieces.append(Piece(len(content), added=added))
                content += added.text.encode()
    return CheckedText(bytes(content), tuple(pieces))
