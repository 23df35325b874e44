"""The counts of reports by release, the share of failures, and the latest failures; in SQLite and PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from kept_in import both

from awning.publish.health.reports import (
    FAILURES,
    Failure,
    FailurePlace,
    HealthReports,
    HealthShare,
    ReportCount,
    ReportKind,
)
from awning.publish.state.server import state_at

pytestmark = both

NOW = datetime(2026, 3, 2, 10, 30, 20, tzinfo=UTC)
FAILED = ReportCount(release=7, widget="bar", kind=ReportKind.FAILED, at=NOW)
RENDERED = ReportCount(
    release=7, widget="bar", kind=ReportKind.RENDERED, at=NOW, reports=2, views=200.0, within_ms=50
)
FAILURE = Failure(
    release=7,
    widget="bar",
    event="svc-content-after-cart",
    message="TypeError: broken",
    place=FailurePlace(path="widgets/bar/widget.ts", line=3, column=9),
    reports=1,
    first_at=NOW.replace(second=0),
    last_at=NOW.replace(second=0),
)


class Clock:
    now = NOW

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def state(tmp_path, kept_in):
    return state_at(tmp_path / "state", kept_in.url)


@pytest.fixture
def health(state, clock):
    with closing(HealthReports.open(state, clock=clock)) as reports:
        yield reports


def test_reports_are_added_up_by_release(health):
    health.add([FAILED, RENDERED, replace(FAILED, release=8, reports=5), replace(FAILED, release=None)])
    health.add([FAILED, replace(RENDERED, widget="note")])
    assert health.shares(NOW) == {
        7: HealthShare(rendered=4, failed=2, views=400.0),
        8: HealthShare(rendered=0, failed=5, views=0.0),
        None: HealthShare(rendered=0, failed=1, views=0.0),
    }
    assert health.widget_shares(NOW)[7, "note"] == HealthShare(rendered=2, failed=0, views=200.0)


def test_only_reports_since_a_moment_are_counted(health):
    health.add([replace(FAILED, at=NOW - timedelta(minutes=5)), FAILED])
    assert health.shares(NOW - timedelta(minutes=6))[7].failed == 2
    assert health.shares(NOW - timedelta(minutes=4))[7].failed == 1
    assert health.shares(NOW.replace(second=59))[7].failed == 1, "the whole minute of the moment counts"
    assert health.shares(NOW + timedelta(minutes=1)) == {}


def test_old_counts_are_merged_by_day_and_none_is_lost(health, clock):
    moments = [NOW - timedelta(hours=hours) for hours in range(0, 240, 7)]
    health.add([replace(FAILED, at=moment) for moment in moments])
    before = {moment: health.shares(moment) for moment in moments}
    health.merge_days()
    assert {moment: health.shares(moment) for moment in moments} == before
    health.add([FAILED])
    clock.now = NOW + timedelta(days=400)
    health.merge_days()
    health.merge_days()
    assert health.shares(moments[-1])[7].failed == len(moments) + 1


def test_timings_are_page_views_by_limit(health):
    health.add(
        [RENDERED, replace(RENDERED, within_ms=250, views=50.0), replace(RENDERED, widget="note"), FAILED]
    )
    assert health.timings(NOW) == {7: {50: 400.0, 250: 50.0}}


def test_same_failure_is_counted_on_and_others_are_apart(health):
    later = NOW.replace(second=0) + timedelta(minutes=3)
    other = replace(FAILURE, message="RangeError: other", place=None, last_at=later)
    health.add([], [FAILURE, other])
    health.add([], [replace(FAILURE, reports=3, first_at=later, last_at=later + timedelta(minutes=1))])
    counted = replace(FAILURE, reports=4, last_at=later + timedelta(minutes=1))
    assert health.failures() == [counted, other]
    assert health.failures(8) == []


def test_only_the_latest_failures_of_a_release_are_stored(health):
    start = NOW.replace(second=0)
    for number in range(FAILURES + 5):
        at = start + timedelta(minutes=number)
        health.add([], [replace(FAILURE, message=f"Error: {number}", last_at=at)])
    health.add([], [replace(FAILURE, release=8)])
    messages = [failure.message for failure in health.failures(7)]
    assert messages == [f"Error: {number}" for number in range(FAILURES + 4, 4, -1)]
    assert len(health.failures(8)) == 1


def test_text_that_a_database_cannot_store_is_cleaned(health):
    health.add([replace(FAILED, widget="b\0ar")], [replace(FAILURE, message="\0\ud800x")])
    assert health.widget_shares(NOW)[7, "bar"].failed == 1
    assert health.failures()[0].message == "x"


def test_several_writers_lose_no_report(state, clock):
    def add(number):
        with closing(HealthReports.open(state, clock=clock)) as reports:
            for _ in range(10):
                reports.add([FAILED], [FAILURE])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(4)))
    with closing(HealthReports.open(state, clock=clock)) as reports:
        assert reports.shares(NOW)[7].failed == 40
        assert reports.failures()[0].reports == 40
