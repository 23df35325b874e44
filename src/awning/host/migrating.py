"""Creates the tables of the server and the publisher, or says which are missing (`awning host migrate`)."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from awning.client import Secret
from awning.publish.state.layout import VERSION, create, version_of
from awning.publish.state.server import state_at
from awning.publish.state.store import refuse_lost
from awning.publish.state.tables import HEALTH, STATE


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
    or are lost. Raises ConfigurationError when the state directory or the database's URL cannot be used.
    """
    for layout in (STATE, HEALTH):
        if database is None:
            refuse_lost(directory)
            if check and not (directory / f"{layout.name}.sqlite").exists():
                yield TablesVersion(name=layout.name, version=0)
                continue
        state = state_at(directory, database)
        with closing(state.connect(layout.name)) as tables:
            version = version_of(tables, layout)
            if check and version == 0:
                state.refuse_new(layout)
            if not check:
                create(tables, layout, state.refuse_new)
            yield TablesVersion(name=layout.name, version=version)
