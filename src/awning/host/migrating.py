"""Creates the tables of the server and the publisher, or says which are missing (`awning host migrate`)."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from awning.client import Secret
from awning.host.records import HOST
from awning.publish import state_at
from awning.publish.health.tables import HEALTH
from awning.publish.inventory.tables import INVENTORY
from awning.publish.journal.journal import refuse_lost
from awning.publish.journal.tables import JOURNAL
from awning.publish.release.releases import RELEASES
from awning.publish.state.layout import VERSION, create, version_of
from awning.publish.state.server import STATE
from awning.publish.waves.tables import RUNS


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesVersion:
    """The version of a group of tables before `migrate_tables`; 0 for missing tables."""

    name: str
    version: int

    @property
    def missing(self) -> int:
        """The number of versions between these tables and those of this awning."""
        return VERSION - self.version

    def as_json(self) -> dict[str, str | int]:
        return {"name": self.name, "version": self.version, "newest": VERSION, "missing": self.missing}


def migrate_tables(directory: Path, database: Secret | None, *, check: bool) -> Iterator[TablesVersion]:
    """Create the missing tables in the database; without a database, those in the state directory.

    Yields the earlier version of each group of tables.

    With `check`, nothing is changed. Raises DatabaseUnusable when the tables are of another version, cannot be opened,
    or are a lost journal's. Raises ConfigurationError when the state directory or the database's URL cannot be used.
    """
    for layout in (*((STATE,) if database else ()), INVENTORY, JOURNAL, RELEASES, RUNS, HEALTH, HOST):
        if check and database is None and not (directory / f"{layout.name}.sqlite").exists():
            yield TablesVersion(name=layout.name, version=0)
            continue
        state = state_at(directory, database)
        if layout is JOURNAL:
            refuse_lost(state)
        with closing(state.connect(layout.name)) as tables:
            before = version_of(tables, layout)
            if not check:
                create(tables, layout)
            yield TablesVersion(name=layout.name, version=before)
