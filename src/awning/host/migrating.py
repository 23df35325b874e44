"""Migrates tables of the server and the publisher, or reports the missing steps (`awning host migrate`)."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from awning.client import Secret
from awning.host.migrations import HOST
from awning.publish import state_at
from awning.publish.journal.journal import refuse_lost
from awning.publish.state.layout import Layout, bring_up, missing, version_of
from awning.publish.state.migrations import HEALTH, INVENTORY, JOURNAL, RELEASES, RUNS, STATE


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesVersion:
    """The version of a group of tables before migrating. `steps` is how many steps were missing."""

    name: str
    version: int
    newest: int
    steps: int

    def as_json(self) -> dict[str, str | int]:
        return {"name": self.name, "version": self.version, "newest": self.newest, "missing": self.steps}


def migrate_tables(directory: Path, database: Secret | None, *, check: bool) -> Iterator[TablesVersion]:
    """Migrate the tables in the database; without a database, those in the state directory.

    Yields the earlier version of each group of tables.

    With `check`, nothing is changed. Raises DatabaseUnusable when the tables are newer than this awning, cannot be
    opened, or are a lost journal's. Raises ConfigurationError when the state directory or the database's URL cannot be
    used.
    """
    for layout in (*((STATE,) if database else ()), INVENTORY, JOURNAL, RELEASES, RUNS, HEALTH, HOST):
        if check and database is None and not (directory / f"{layout.name}.sqlite").exists():
            yield _tables_version(layout, 0, layout.newest)
            continue
        state = state_at(directory, database)
        if layout is JOURNAL:
            refuse_lost(state)
        with closing(state.connect(layout.name)) as tables:
            before = version_of(tables, layout)
            steps = missing(tables, layout) if check else bring_up(tables, layout)
            yield _tables_version(layout, before, steps)


def _tables_version(layout: Layout, version: int, steps: int) -> TablesVersion:
    return TablesVersion(name=layout.name, version=version, newest=layout.newest, steps=steps)
