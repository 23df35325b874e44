"""What has to be put back. It is stored before the change, so that the next run can mend a run that was killed."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select, update

from awning.publish.state.database import storable
from awning.publish.state.store import OpenTables
from awning.publish.state.tables.probes import PROBE_RESTORE


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore:
    """What a target of an instance held before it was changed. `key` is the keyed hash of the instance.

    `language` is None for the website-wide snippet. `before` is None when nothing was set. `written_at` is when a probe
    wrote last, in seconds since 1970.
    """

    key: str
    target: str
    language: str | None = None
    base_url: str
    before: Any
    written_at: float = 0.0


class Restores(OpenTables):
    """What has to be put back. Methods raise DatabaseUnusable when the database fails."""

    def begin(self, restore: Restore) -> None:
        """Store what a target holds. What is stored already stays, because it is older."""
        before = None if restore.before is None else storable(json.dumps(restore.before))
        row = self._database.insert(PROBE_RESTORE).values(
            key=restore.key,
            target=restore.target,
            language=restore.language or "",
            base_url=restore.base_url,
            before=before,
            written_at=time.time(),
        )
        with self._database.writing() as connection:
            connection.execute(row.on_conflict_do_nothing(index_elements=["key", "target", "language"]))

    def touch(self, key: str) -> None:
        """Note that a call that writes to the instance is sent now."""
        own = update(PROBE_RESTORE).where(PROBE_RESTORE.c.key == key)
        with self._database.writing() as connection:
            connection.execute(own.values(written_at=time.time()))

    def end(self, restore: Restore) -> None:
        """Forget what was put back."""
        own = (
            (PROBE_RESTORE.c.key == restore.key)
            & (PROBE_RESTORE.c.target == restore.target)
            & (PROBE_RESTORE.c.language == (restore.language or ""))
        )
        with self._database.writing() as connection:
            connection.execute(delete(PROBE_RESTORE).where(own))

    def waiting(self) -> Sequence[Restore]:
        """Return what has to be put back, oldest first."""
        columns = (
            PROBE_RESTORE.c[name]
            for name in ("key", "target", "language", "base_url", "before", "written_at")
        )
        with self._database.reading() as connection:
            rows = connection.execute(select(*columns).order_by(PROBE_RESTORE.c.written_at)).all()
        return [
            Restore(
                key=row.key,
                target=row.target,
                language=row.language or None,
                base_url=row.base_url,
                before=None if row.before is None else json.loads(row.before),
                written_at=row.written_at,
            )
            for row in rows
        ]
