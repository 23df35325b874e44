"""The entries of the journal.

    begin      a run starts: which build, to which service
    intent     a snippet is about to be written; the entry has the hashes of the old and the new text
    outcome    a cell ended
    end        the run is over: finished or interrupted

An intent without a later outcome of the same cell means that the run crashed in between. The cell's outcome is unknown
until another run reads the cell.
"""

from dataclasses import dataclass
from enum import StrEnum

from awning.publish.cell_outcome import CellOutcome


class EntryKind(StrEnum):
    BEGIN = "begin"
    INTENT = "intent"
    OUTCOME = "outcome"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One line of the journal. A hash is the SHA-256 of a snippet's UTF-8 bytes; None when no snippet was set.

    `note` is a sentence: a reason, the build, how a run ended. It never holds a secret.
    """

    run: int
    kind: EntryKind
    instance: str | None = None
    language: str | None = None
    place: str | None = None
    outcome: CellOutcome | None = None
    before: str | None = None
    after: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetText:
    """A snippet's text under its hash, so that an old snippet can be written back."""

    sha256: str
    text: str
