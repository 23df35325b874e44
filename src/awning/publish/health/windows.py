"""The windows of gates: in each, the reports of pages are counted by the address and the instance that they come from.

Anybody can send reports, so a gate must not count reports but those who send them. While a gate's window is open, the
app's own server stores for each address and each instance how much it reported. It stores a hash, keyed by the secret
of the window. When the gate is decided, the secret and the hashes are deleted. An address is never stored.

The share of failures is computed so that one address cannot decide it:

- An address weighs at most MOST_WEIGHT of all, whatever it reported and whatever the sample rate is.
- The address that raises the share most is left out: failures that one address alone reports stop no release.
"""

import hashlib
import hmac
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import accumulate
from secrets import token_hex
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from awning.publish.state.database import Upsert
from awning.publish.state.store import OpenTables
from awning.publish.state.tables import HEALTH
from awning.publish.state.tables.health import SENDER, WINDOW

MOST_WEIGHT = 0.05
"""The most that one address may weigh, as a share of all page views of a release."""
MOST_SENDERS = 100_000
"""The most rows of one window, so that invented addresses cannot fill the disk. Further senders are not counted."""
LONGEST = timedelta(days=30)
"""A window that is older is deleted: its run was left."""
SECRET_BYTES = 32
_SUMS = ("rendered", "failed", "views")

SenderKind = Literal["address", "instance"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """What one page reported of a release. `address` is an IPv4 address or an IPv6 network of 64 bits.

    `instance` is the keyed hash of the instance whose website the page is on; None when it is not known. `views` is
    the number of page views that the reported renderings stand for.
    """

    release: int
    address: str = field(repr=False)
    instance: str | None
    rendered: int = 0
    failed: int = 0
    views: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressCounts:
    """What one address has reported of a release since the window was opened."""

    rendered: int
    failed: int
    views: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFigures:
    """What pages have reported in a gate's window, about the new release and about all other releases.

    `new_share` and `old_share` are the shares of page views on which a widget failed. `new_share` is None without
    reports, `old_share` without renderings or with too few addresses. `views` is the estimated number of page views of
    the new release, `renderings` the number of addresses that reported one of its renderings. `addresses` and
    `instances` are how many reported it.
    """

    new_share: float | None
    old_share: float | None
    views: float
    renderings: int
    addresses: int
    instances: int


class GateWindows(OpenTables):
    """The windows of one app's gates. Methods raise DatabaseUnusable when the database cannot be read or written."""

    LAYOUT = HEALTH

    def begin(self, run: int, continues: Collection[int] = ()) -> None:
        """Open the window of a run's next gate. An undecided gate of a run that it continues goes on with its own."""
        with self._database.writing(alone=True) as connection:
            own = WINDOW.c.run.in_([run, *continues])
            if connection.execute(update(WINDOW).where(own).values(run=run)).rowcount:
                return
            row = {
                "name": uuid4().hex,
                "run": run,
                "secret": token_hex(SECRET_BYTES),
                "began_at": int(self._database.now(connection).timestamp()),
            }
            connection.execute(insert(WINDOW).values(**row))

    def end(self, run: int) -> None:
        """Delete the window of a run, with its secret and its hashes."""
        with self._database.writing() as connection:
            _delete(connection, WINDOW.c.run == run)

    def keep_only(self, runs: Collection[int]) -> None:
        """Delete the windows of all runs but these."""
        with self._database.writing() as connection:
            _delete(connection, WINDOW.c.run.not_in(runs))

    def figures(self, run: int, release: int, *, least_addresses: int) -> HealthFigures:
        """Return what was reported in the window of a run. Below `least_addresses`, `old_share` is None."""
        with self._database.reading() as connection:
            new = _addresses(connection, run, SENDER.c.release == release)
            old = _addresses(connection, run, SENDER.c.release != release)
            instances = _rows(connection, run, "instance", SENDER.c.release == release)
        is_judged = len(old) >= least_addresses and any(counts.views for counts in old)
        return HealthFigures(
            new_share=share_of(new) if new else None,
            old_share=share_of(old) if is_judged else None,
            views=sum(counts.views + counts.failed for counts in new),
            renderings=sum(counts.rendered > 0 for counts in new),
            addresses=len(new),
            instances=len(instances),
        )


def add_senders(
    connection: Connection, new_insert: Callable[[Table], Upsert], senders: Sequence[Sender]
) -> None:
    """Add what senders reported to each open window. Without an open window, nothing is stored."""
    # The lock lets a gate that is being decided delete its rows after these were stored.
    windows = connection.execute(select(WINDOW).with_for_update(read=True)).mappings().all()
    for window in windows:
        rows = _hashed(bytes.fromhex(window["secret"]), window["name"], senders)
        _refuse_new_beyond_most(connection, window["name"], rows)
        keys = [column.name for column in SENDER.primary_key.columns]
        for key in sorted(rows):  # two workers lock the rows in the same order
            row = new_insert(SENDER).values(**rows[key])
            more = {name: SENDER.c[name] + row.excluded[name] for name in _SUMS}
            connection.execute(row.on_conflict_do_update(index_elements=keys, set_=more))


def _refuse_new_beyond_most(
    connection: Connection, window: str, rows: dict[tuple[str, str, int], dict[str, Any]]
) -> None:
    """Remove the rows for which the window has no room. Rows that it has already stay."""
    own = SENDER.c.window == window
    count = connection.execute(select(func.count()).select_from(SENDER).where(own)).scalar() or 0
    if count + len(rows) <= MOST_SENDERS:
        return
    columns = (SENDER.c.kind, SENDER.c.sender, SENDER.c.release)
    named = select(*columns).where(own, SENDER.c.sender.in_({sender for _, sender, _ in rows}))
    known = {tuple(row) for row in connection.execute(named)}
    new = [key for key in rows if key not in known]
    for key in new[max(0, MOST_SENDERS - count) :]:
        del rows[key]


def forget_old_windows(connection: Connection, now: float) -> None:
    """Delete the windows of runs that were left. `now` is the time of the database, in seconds since 1970."""
    _delete(connection, WINDOW.c.began_at < now - LONGEST.total_seconds())


def share_of(addresses: Sequence[AddressCounts]) -> float:
    """Return the share of page views on which a widget failed, from 0 to 1, as the module's description says."""
    weights = [counts.failed + counts.views for counts in addresses]
    most = _most_weight(weights)
    scaled = [
        (counts.failed * min(1.0, most / weight), min(weight, most))
        for counts, weight in zip(addresses, weights, strict=True)
        if weight > 0
    ]
    failed, all_weight = sum(part for part, _ in scaled), sum(weight for _, weight in scaled)
    return min((_share(failed - part, all_weight - weight) for part, weight in scaled), default=0.0)


def _share(failed: float, weight: float) -> float:
    return max(0.0, failed) / weight if weight > 0 else 0.0


def _most_weight(weights: Iterable[float]) -> float:
    """Return the weight to which larger ones are cut, so that each is at most MOST_WEIGHT of the sum.

    Where there are too few for that, all weigh the same.
    """
    ordered = sorted(weight for weight in weights if weight > 0)
    sums = list(
        accumulate(ordered)
    )  # summed from the smallest, so that large weights do not swallow small ones
    for cut, (weight, rest) in enumerate(zip(reversed(ordered), reversed(sums), strict=True)):
        # With `cut` weights cut to `most`: most = MOST_WEIGHT * (rest + cut * most)
        left = 1 - MOST_WEIGHT * cut
        if left <= 0:
            break
        most = MOST_WEIGHT * rest / left
        if weight <= most:
            return most if cut else weight
    return ordered[0] if ordered else 0.0


def _hashed(
    secret: bytes, window: str, senders: Iterable[Sender]
) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Return the rows of a window, by kind, hash and release."""
    rows: dict[tuple[str, str, int], dict[str, Any]] = {}
    for sender in senders:
        kinds: tuple[tuple[SenderKind, str | None], ...] = (
            ("address", sender.address),
            ("instance", sender.instance),
        )
        for kind, text in kinds:
            if text:
                digest = hmac.new(secret, f"{kind} {text}".encode(), hashlib.sha256).hexdigest()
                key = {"kind": kind, "sender": digest, "release": sender.release}
                empty = {"window": window, **key, **dict.fromkeys(_SUMS, 0)}
                row = rows.setdefault((kind, digest, sender.release), empty)
                for name in _SUMS:
                    row[name] += getattr(sender, name)
    return rows


def _rows(connection: Connection, run: int, kind: SenderKind, of_release: Any) -> Sequence[Any]:
    """Return the sums of each sender of a kind, over the releases that the condition chooses."""
    sums = (func.sum(SENDER.c[name]).label(name) for name in _SUMS)
    query = (
        select(*sums)
        .join(WINDOW, WINDOW.c.name == SENDER.c.window)
        .where(WINDOW.c.run == run, SENDER.c.kind == kind, of_release)
        .group_by(SENDER.c.sender)
    )
    return connection.execute(query).all()


def _addresses(connection: Connection, run: int, of_release: Any) -> Sequence[AddressCounts]:
    return [
        AddressCounts(rendered=int(row.rendered), failed=int(row.failed), views=float(row.views))
        for row in _rows(connection, run, "address", of_release)
    ]


def _delete(connection: Connection, condition: Any) -> None:
    names = connection.execute(select(WINDOW.c.name).where(condition)).scalars().all()
    if names:
        connection.execute(delete(WINDOW).where(WINDOW.c.name.in_(names)))
        connection.execute(delete(SENDER).where(SENDER.c.window.in_(names)))
