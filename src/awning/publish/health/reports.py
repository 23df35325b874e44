"""Stores the counted reports of pages, and computes the share of page views on which a widget failed.

A page reports each failed widget once (`beacon`). Of the page views on which a widget rendered, only a sample is
reported (`beacon_sample_rate`), so one report of a rendering stands for 1 / rate page views. The share of failures is

    failed / (failed + estimated page views on which the widget rendered)

Reports are counted by minute, and after two days by day. Nothing about a shopper is stored.

    with closing(HealthReports.open(state)) as health:
        new, old = (health.shares(since).get(release, HealthShare()) for release in (8, 7))
        if new.rendered and new.rate > 2 * old.rate: ...
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Self

from sqlalchemy import Connection, RowMapping, delete, func, select

from awning.publish.health.windows import Sender, add_senders, forget_old_windows
from awning.publish.state.database import Database, read_row, storable
from awning.publish.state.store import OpenTables, StateStore
from awning.publish.state.tables import HEALTH
from awning.publish.state.tables.health import COUNT, FAILURE, WINDOW

FAILURES = 20
"""The most failures that are stored for one release. Those that were reported last are kept."""
UNKNOWN = 0
"""The release number in the tables for reports that name no released build."""
LIMITS_MS = (10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
SLOWER_MS = 60_000
"""The limit that is stored for a rendering slower than all of `LIMITS_MS`.

Only limits are stored, never the duration of a single rendering.
"""
MINUTE, DAY = 60, 24 * 60 * 60
BY_MINUTE = timedelta(days=2)
"""Counts are kept by minute for at least this time. Then `merge_days` merges the counts of a day."""


def limit_of(ms: float) -> int:
    """Return the smallest of `LIMITS_MS` that is at least `ms`, a rendering's duration; else `SLOWER_MS`."""
    return next((limit for limit in LIMITS_MS if ms <= limit), SLOWER_MS)


def quantile_ms(timings: Mapping[int, float], share: float) -> int | None:
    """Return the smallest limit within which this share of the page views rendered; None without page views.

    `timings` maps each limit in milliseconds to a number of page views.
    """
    left = sum(timings.values()) * share
    for limit in sorted(timings):
        left -= timings[limit]
        if left <= 0:
            return limit
    return max(timings, default=None)


class ReportKind(StrEnum):
    """What a report says: a widget failed on a page view, or it rendered."""

    FAILED = "failed"
    RENDERED = "rendered"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCount:
    """Counted reports of one kind about one widget of one release in one minute.

    `release` is None when the reports name no released build. `views` is the number of page views that the reports
    stand for. `within_ms` is the smallest of `LIMITS_MS` that is at least the rendering's duration, else `SLOWER_MS`;
    0 for a failure.
    """

    release: int | None
    widget: str
    kind: ReportKind
    at: datetime
    reports: int = 1
    views: float = 1.0
    within_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FailurePlace:
    """A place in a source file, which usually is an author's file. Line and column count from 1."""

    path: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One distinct failure of a widget: where it happened, how often it was reported, and when first and last.

    `event` is the service's event whose delivery failed. `place` is None when it is not known.
    """

    release: int
    widget: str
    event: str
    message: str
    place: FailurePlace | None
    reports: int
    first_at: datetime
    last_at: datetime

    def as_json(self) -> dict[str, Any]:
        return {
            "release": self.release,
            "widget": self.widget,
            "event": self.event,
            "message": self.message,
            "file": self.place.path if self.place else None,
            "line": self.place.line if self.place else None,
            "column": self.place.column if self.place else None,
            "reports": self.reports,
            "first": self.first_at.isoformat(),
            "last": self.last_at.isoformat(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthShare:
    """The number of reports of each kind, and the estimated number of page views on which the widgets rendered."""

    rendered: int = 0
    failed: int = 0
    views: float = 0.0

    @property
    def rate(self) -> float:
        """The share of page views on which a widget failed, from 0 to 1; 0 without any failure.

        When `rendered` is 0, the share says nothing, because all reports are failures.
        """
        return self.failed / (self.failed + self.views) if self.failed else 0.0


class HealthReports(OpenTables):
    """The stored reports of one app. Methods raise DatabaseUnusable when the database cannot be read or written.

    Several processes may add reports at the same time.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        super().__init__(database)
        self._clock = clock

    @classmethod
    def open(cls, state: StateStore, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Self:
        return cls(state.open(HEALTH), clock)

    def add(
        self,
        counts: Iterable[ReportCount],
        failures: Iterable[Failure] = (),
        senders: Sequence[Sender] = (),
    ) -> None:
        """Add counts, failures and senders, all or none. A known failure gets a higher number of reports.

        Of each release, only the latest failures are kept, at most `FAILURES` of them. Senders are stored in the open
        windows of gates.
        """
        count_rows = [_count_row(count) for count in counts]
        failure_rows = [_failure_row(failure) for failure in failures]
        with self._database.writing() as connection:
            self._add_counts(connection, count_rows)
            for row in failure_rows:
                self._add_failure(connection, row)
            for release in sorted({row["release"] for row in failure_rows}):
                _forget_failures(connection, release)
            if senders:
                add_senders(connection, self._database.insert, senders)

    def has_window(self) -> bool:
        """Return whether a gate's window is open."""
        return bool(self._database.rows(select(WINDOW.c.name).limit(1)))

    def shares(self, since: datetime) -> Mapping[int | None, HealthShare]:
        """Return the health of each release since a time. The key None is for reports that name no released build.

        The whole minute of `since` is included, or its whole day (UTC) when `since` is more than two days ago.
        """
        return {release: share for (release, _), share in self._shares(since, by_widget=False).items()}

    def widget_shares(self, since: datetime) -> Mapping[tuple[int | None, str], HealthShare]:
        """Return the health of each widget since a time, by release and widget.

        The release None is for reports that name no released build. The whole minute of `since` is included, or its
        whole day (UTC) when `since` is more than two days ago.
        """
        return self._shares(since, by_widget=True)

    def timings(self, since: datetime) -> Mapping[int | None, Mapping[int, float]]:
        """Return the number of page views since a time, by release and by limit (in ms) of the rendering's duration.

        The release None is for reports that name no released build.
        """
        timed = (
            select(COUNT.c.release, COUNT.c.within_ms, func.sum(COUNT.c.views).label("views"))
            .where(COUNT.c.kind == ReportKind.RENDERED, COUNT.c.began_at >= self._bucket(since))
            .group_by(COUNT.c.release, COUNT.c.within_ms)
        )
        timings: dict[int | None, dict[int, float]] = {}
        for row in self._database.rows(timed):
            timings.setdefault(row["release"] or None, {})[row["within_ms"]] = float(row["views"])
        return timings

    def failures(self, release: int | None = None) -> Sequence[Failure]:
        """Return the latest distinct failures of one release or of all, latest first."""
        query = select(FAILURE).order_by(FAILURE.c.last_at.desc(), FAILURE.c.digest)
        if release is not None:
            query = query.where(FAILURE.c.release == release)
        return [_failure(row) for row in self._database.rows(query)]

    def merge_days(self) -> None:
        """Merge the counts by minute into counts by day (UTC), for the days that ended at least two days ago.

        Windows of gates that nobody decided are deleted.
        """
        with self._database.writing() as connection:
            forget_old_windows(connection, self._database.now(connection).timestamp())
        limit = int((self._clock() - BY_MINUTE).timestamp()) // DAY * DAY
        old = (COUNT.c.began_at < limit) & (COUNT.c.began_at % DAY != 0)
        if not self._database.rows(select(COUNT.c.release).where(old).limit(1)):
            return
        with self._database.writing(alone=True) as connection:
            rows = [dict(row) for row in connection.execute(select(COUNT).where(old)).mappings()]
            connection.execute(delete(COUNT).where(old))
            self._add_counts(connection, [{**row, "began_at": row["began_at"] // DAY * DAY} for row in rows])

    def _shares(self, since: datetime, *, by_widget: bool) -> dict[tuple[int | None, str], HealthShare]:
        grouped = (COUNT.c.release, *((COUNT.c.widget,) if by_widget else ()), COUNT.c.kind)
        query = (
            select(
                *grouped, func.sum(COUNT.c.reports).label("reports"), func.sum(COUNT.c.views).label("views")
            )
            .where(COUNT.c.began_at >= self._bucket(since))
            .group_by(*grouped)
        )
        kinds: dict[tuple[int | None, str], dict[str, RowMapping]] = {}
        for row in self._database.rows(query):
            kinds.setdefault((row["release"] or None, row.get("widget", "")), {})[row["kind"]] = row
        return {key: _share(rows) for key, rows in kinds.items()}

    def _bucket(self, since: datetime) -> int:
        """Return the start of the minute or day whose count includes `since`, in seconds since 1970."""
        length = DAY if since < self._clock() - BY_MINUTE else MINUTE
        return int(since.timestamp()) // length * length

    def _add_counts(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        for row in rows:
            new = self._database.insert(COUNT).values(**row)
            more = {name: COUNT.c[name] + new.excluded[name] for name in ("reports", "views")}
            keys = [column.name for column in COUNT.primary_key.columns]
            connection.execute(new.on_conflict_do_update(index_elements=keys, set_=more))

    def _add_failure(self, connection: Connection, row: dict[str, Any]) -> None:
        new = self._database.insert(FAILURE).values(**row)
        more = {"reports": FAILURE.c.reports + new.excluded.reports, "last_at": new.excluded.last_at}
        connection.execute(new.on_conflict_do_update(index_elements=["release", "digest"], set_=more))


def _share(rows: Mapping[str, RowMapping]) -> HealthShare:
    rendered, failed = rows.get(ReportKind.RENDERED), rows.get(ReportKind.FAILED)
    return HealthShare(
        rendered=int(rendered["reports"]) if rendered else 0,
        failed=int(failed["reports"]) if failed else 0,
        views=float(rendered["views"]) if rendered else 0.0,
    )


def _forget_failures(connection: Connection, release: int) -> None:
    """Delete all but the latest failures of a release."""
    own = FAILURE.c.release == release
    latest = select(FAILURE.c.digest).where(own).order_by(FAILURE.c.last_at.desc(), FAILURE.c.digest)
    digests = connection.execute(latest.offset(FAILURES)).scalars().all()
    if digests:
        connection.execute(delete(FAILURE).where(own, FAILURE.c.digest.in_(digests)))


def _count_row(count: ReportCount) -> dict[str, Any]:
    return {
        "release": count.release or UNKNOWN,
        "widget": storable(count.widget),
        "kind": count.kind.value,
        "within_ms": count.within_ms,
        "began_at": int(count.at.timestamp()) // MINUTE * MINUTE,
        "reports": count.reports,
        "views": count.views,
    }


def _failure_row(failure: Failure) -> dict[str, Any]:
    widget, event, message = map(storable, (failure.widget, failure.event, failure.message))
    parts = (widget, event, message, str(failure.place or ""))
    return {
        "release": failure.release,
        "digest": hashlib.sha256("\0".join(parts).encode()).hexdigest(),
        "widget": widget,
        "event": event,
        "message": message,
        **(asdict(failure.place) if failure.place else {}),
        "reports": failure.reports,
        "first_at": int(failure.first_at.timestamp()),
        "last_at": int(failure.last_at.timestamp()),
    }


def _failure(row: RowMapping) -> Failure:
    place = None if row["path"] is None else read_row(FailurePlace, row)
    times = {name: datetime.fromtimestamp(row[name], UTC) for name in ("first_at", "last_at")}
    return read_row(Failure, {**row, **times, "place": place})
