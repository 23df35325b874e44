"""What the journal holds, as values.

    begin      a run starts: what is published, to which service
    intent     a snippet is about to be written: what was there before, what comes
    outcome    a cell has ended
    end        the run is over: finished, interrupted, or stopped by an error

An intent with no later outcome of the same cell is a crash in between: that cell is unknown until a run
reads it.
"""

from dataclasses import dataclass
from enum import StrEnum

from awning.publish.outcome import Outcome


class Kind(StrEnum):
    BEGIN = "begin"
    INTENT = "intent"
    OUTCOME = "outcome"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the journal. Hashes are SHA-256 of the snippet's UTF-8 bytes; None where none was set.

    `note` is a sentence: a reason, what is published, how a run ended. No secret is ever in it.
    """

    run: int
    kind: Kind
    instance: str | None = None
    language: str | None = None
    place: str | None = None
    outcome: Outcome | None = None
    before: str | None = None
    after: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A snippet's text, kept under its hash so that what was there before can be written back."""

    sha256: str
    text: str
