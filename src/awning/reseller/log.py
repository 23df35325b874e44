"""The log of a reseller's changes: when, who, what, the value before and after, and how it ended.

A row is written before the call and gets its outcome after it. So a run that is killed leaves a row without an outcome,
which reads as `unknown`: the change may have been made. The log has no password and no token.
"""

import json
import time
from collections.abc import Iterator, Mapping
from datetime import datetime, tzinfo
from types import MappingProxyType
from typing import Any

from sqlalchemy import RowMapping, select, update

from awning.publish.cell_outcome import CellOutcome
from awning.publish.state.database import storable
from awning.publish.state.store import OpenTables
from awning.publish.state.tables.reseller import RESELLER_CHANGE

PAGE = 1_000
LOG_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "id": "number",
        "at": "date",
        "operator": "AWNING_OPERATOR, else user@machine",
        "service": "address of the Reseller API",
        "account": "e-mail, or empty with a token alone",
        "operation": "such as ai-limit set",
        "website": "number, or null for the account",
        "old": "value before, or null",
        "new": "value after, or null",
        "outcome": "applied, refused, failed, unknown",
        "reason": "text or null",
    }
)
"""The fields of a row of the log, each with a description of its value."""
MIXED = frozenset({"old", "new"})
"""The fields whose values have different types in different rows: texts, numbers, settings by name."""


class ChangeLog(OpenTables):
    """The log. Methods raise DatabaseUnusable when the database fails."""

    def begin(self, row: Mapping[str, Any]) -> int:
        """Write that a call is about to be sent. Returns the number of the row.

        `row` has the fields from `operator` to `new`.
        """
        texts = {name: storable(row[name]) for name in ("operator", "service", "account", "operation")}
        values = {"website": row["website"], "old": _as_json(row["old"]), "new": _as_json(row["new"])}
        statement = RESELLER_CHANGE.insert().values(began_at=time.time(), **texts, **values)
        with self._database.writing() as connection:
            number: int = connection.execute(statement.returning(RESELLER_CHANGE.c.id)).scalar_one()
        return number

    def end(self, number: int, outcome: CellOutcome, reason: str | None) -> None:
        """Write how the change ended."""
        values = {"outcome": outcome.value, "reason": None if reason is None else storable(reason)}
        self._database.change(update(RESELLER_CHANGE).where(RESELLER_CHANGE.c.id == number).values(values))

    def rows(self, zone: tzinfo) -> Iterator[dict[str, Any]]:
        """Yield all rows, oldest first, with the names of LOG_FIELDS. `zone` is the time zone of `at`."""
        last = 0
        query = select(RESELLER_CHANGE).order_by(RESELLER_CHANGE.c.id).limit(PAGE)
        while rows := self._database.rows(query.where(RESELLER_CHANGE.c.id > last)):
            yield from (_fields(row, zone) for row in rows)
            last = rows[-1]["id"]


def _as_json(value: Any) -> str | None:
    return None if value is None else storable(json.dumps(value))


def _fields(row: RowMapping, zone: tzinfo) -> dict[str, Any]:
    fields = {name: row[name] for name in LOG_FIELDS if name != "at"}
    for name in ("old", "new"):
        fields[name] = None if fields[name] is None else json.loads(fields[name])
    fields["outcome"] = fields["outcome"] or CellOutcome.UNKNOWN.value
    at = datetime.fromtimestamp(row["began_at"], zone).replace(microsecond=0)
    return {"id": fields.pop("id"), "at": at, **fields}
