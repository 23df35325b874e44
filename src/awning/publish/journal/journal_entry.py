"""The entries of the journal.

    begin      a run begins: who publishes which build to which service
    intent     a snippet is about to be written; the entry has the hashes of the old and the new text
    outcome    a cell ended; the entry has the hashes of what the cell holds, if known
    end        the run ended: finished, stopped or interrupted

An intent without a later outcome of the same cell means that the run is writing the cell, or crashed. After a crash,
the outcome of the cell is unknown until another run reads the cell.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from awning.build_record import Place
from awning.publish.cell_outcome import CellOutcome


class EntryKind(StrEnum):
    BEGIN = "begin"
    INTENT = "intent"
    OUTCOME = "outcome"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One entry of the journal. A hash is the SHA-256 of a snippet's UTF-8 bytes; None when no snippet was set.

    `instance` is the instance's keyed hash. An intent has `place`, `before` and `after`. Its `is_own` is whether the
    new text comes from a build, and its `is_undo` whether the new text is what the cell held before its last write, or
    before a run. An outcome has `contents`: the hashes of the places whose content is known. Its `published` has only
    the hashes of the wanted snippets.

    `note` is what a run does (`begin`), why a cell has its outcome, or how a run ended. A `begin` has `operator`: who
    publishes. Neither holds a secret.
    """

    run: int
    kind: EntryKind
    instance: str | None = None
    language: str | None = None
    place: Place | None = None
    outcome: CellOutcome | None = None
    before: str | None = None
    after: str | None = None
    contents: Mapping[Place, str | None] = field(default_factory=dict)
    published: Mapping[Place, str] = field(default_factory=dict)
    is_own: bool = True
    is_undo: bool = False
    operator: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetText:
    """A snippet's text with its hash, stored so that an old snippet can be written back."""

    sha256: str
    text: str
