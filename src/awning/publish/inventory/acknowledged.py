"""Acknowledged differences between the service and the journal: who is responsible for each, until when, and why."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime

from sqlalchemy import select

from awning.client.secret import escaped, is_plain
from awning.errors import ConfigurationError
from awning.publish.state.database import read_row, storable
from awning.publish.state.store import OpenTables
from awning.publish.state.tables.inventory import ACKNOWLEDGED

EVERY_LANGUAGE = "*"
WEBSITE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """One acknowledged difference. `key` is the keyed hash of the instance.

    `language` is a language code, `EVERY_LANGUAGE`, or `WEBSITE` for the website-wide cell. `until` is the last day
    (ISO 8601) on which the acknowledgement holds.
    """

    key: str
    language: str
    owner: str
    until: str
    reason: str

    @property
    def acceptance(self) -> str:
        """Who accepts the difference, and until when: the end of a sentence."""
        return f"accepted by {self.owner} until {self.until}"

    def covers(self, language: str | None, today: date) -> bool:
        """Return whether the acknowledgement applies to a cell today. A `language` of None is the website-wide cell."""
        if date.fromisoformat(self.until) < today:
            return False
        return self.language in {EVERY_LANGUAGE, language or WEBSITE}


class Acknowledgements(OpenTables):
    """The acknowledged differences of one app. Methods raise DatabaseUnusable when the database fails."""

    def add(self, acknowledgement: Acknowledgement) -> None:
        """Add an acknowledgement. It replaces an earlier one with the same instance and `language`.

        Raises ConfigurationError when the owner or the reason is not one line of plain text.
        """
        for name in ("owner", "reason"):
            text = getattr(acknowledgement, name)
            if not is_plain(text):
                raise ConfigurationError(
                    f'the {name} has control or invisible characters: "{escaped(text)[:200]}"'
                )
        values = {name: storable(value) for name, value in asdict(acknowledgement).items()}
        row = self._database.insert(ACKNOWLEDGED).values(
            **values, at=datetime.now(UTC).isoformat(timespec="seconds")
        )
        changed = {name: row.excluded[name] for name in ("owner", "until", "reason", "at")}
        self._database.change(row.on_conflict_do_update(index_elements=["key", "language"], set_=changed))

    def covering(self, key: str, language: str | None) -> Acknowledgement | None:
        """Return an acknowledgement that applies to a cell today (UTC); None when there is none."""
        today = datetime.now(UTC).date()
        return next((known for known in self.of(key) if known.covers(language, today)), None)

    def of(self, key: str) -> Sequence[Acknowledgement]:
        """Return the acknowledgements of one instance."""
        rows = self._database.rows(select(ACKNOWLEDGED).where(ACKNOWLEDGED.c.key == key))
        return [read_row(Acknowledgement, {name: escaped(row[name]) for name in row}) for row in rows]
