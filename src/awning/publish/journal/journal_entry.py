"""The entries of the journal.

    begin      a run begins: who publishes which build to which service
    intent     a snippet is about to be written; the entry has the hashes of the old and the new text
    outcome    a cell ended; the entry has the hashes of what the cell holds, if known
    data intent    app data are about to be written; the entry has the hashes of the old and the new text
    data outcome   the work on an instance's app data ended; the entry has the hash of what is stored, if known
    end        the run ended: finished, stopped or interrupted

An intent without a later outcome of the same cell means that the run is writing the cell, or crashed. After a crash,
the outcome of the cell is unknown until another run reads the cell.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from awning.build_record import Place
from awning.publish.cell_outcome import CellOutcome


class EntryKind(StrEnum):
    BEGIN = "begin"
    INTENT = "intent"
    OUTCOME = "outcome"
    DATA_INTENT = "data intent"
    DATA_OUTCOME = "data outcome"
    END = "end"


ENDINGS = (EntryKind.OUTCOME, EntryKind.DATA_OUTCOME)
"""The kinds of entries that say how the work on a cell ended."""


class RunKind(StrEnum):
    PUBLISH = "publish"
    ROLLBACK = "rollback"
    SWITCH = "switch"
    """Disables or enables a widget."""
    INSTALLATION = "installation"
    DATA = "data"
    """Writes settings of a file into the app data."""
    DATA_RESTORE = "data restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTask:
    """What a run does, and where.

    `release` is what is published or what a rollback goes back to; None for another text. A rollback to what cells held
    before a run has `before_run`. `only` has the keyed hashes of the chosen instances, `labels` the labels that they
    all have; without both, the run is for all instances. `is_planned` is whether the cells are those of a saved plan.
    A change of app data has `digest`, a hash of what it writes, and `continues`, the first run of a change that was
    not finished, if it goes on with one.
    """

    kind: RunKind
    release: int | None = None
    before_run: int | None = None
    only: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    is_planned: bool = False
    digest: str | None = None
    continues: int | None = None

    def to_text(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_text(cls, text: str) -> "RunTask":
        return msgspec.json.decode(text, type=cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One entry of the journal. A hash is the SHA-256 of a snippet's UTF-8 bytes; None when no snippet was set.

    Entries about app data have `before` and `after` in the same way, for the stored text of all app data.

    `instance` is the instance's keyed hash. An intent has `place`, `before` and `after`. Its `is_own` is whether the
    new text comes from a build, and its `is_undo` whether the new text is what the cell held before its last write, or
    before a run. An outcome has `contents`: the hashes of the places whose content is known. Its `published` has only
    the hashes of the wanted snippets.

    `note` is what a run does (`begin`), why a cell has its outcome, or how a run ended. A `begin` has `operator`, who
    publishes, and `task`, what the run does as data. None of them holds a secret.
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
    task: RunTask | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetText:
    """A snippet's text with its hash, stored so that an old snippet can be written back."""

    sha256: str
    text: str
