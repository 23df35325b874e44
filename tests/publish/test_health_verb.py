"""`awning publish health`: reports by release, and where the latest failures are."""

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from awning.contract import Exit
from awning.publish.health.reports import (
    LIMITS_MS,
    SLOWER_MS,
    Failure,
    FailurePlace,
    HealthReports,
    HealthShare,
    ReportCount,
    ReportKind,
    limit_of,
    quantile_ms,
)

NOW = datetime.now(UTC).replace(microsecond=0)
FAILED = ReportCount(release=7, widget="bar", kind=ReportKind.FAILED, at=NOW, reports=3, views=3.0)
RENDERED = ReportCount(
    release=7, widget="bar", kind=ReportKind.RENDERED, at=NOW, reports=97, views=9697.0, within_ms=50
)
FAILURE = Failure(
    release=7,
    widget="bar",
    event="svc-content-after-cart",
    message="TypeError: broken",
    place=FailurePlace(path="widgets/bar/widget.ts", line=3, column=9),
    reports=3,
    first_at=NOW,
    last_at=NOW,
)


@pytest.fixture
def add(state_of):
    def add(counts=(), failures=()):
        with closing(HealthReports.open(state_of())) as reports:
            reports.add(counts, failures)

    return add


@pytest.mark.parametrize(
    ("share", "rate"),
    [
        (HealthShare(), 0.0),
        (HealthShare(rendered=5, views=500), 0.0),
        (HealthShare(rendered=3, failed=100, views=300), 0.25),
        (HealthShare(failed=2), 1.0),
    ],
)
def test_rate_is_the_share_of_page_views(share, rate):
    assert share.rate == rate


def test_releases_and_failures_are_shown(awning, add):
    add([FAILED, RENDERED], [FAILURE])
    code, out, err = awning("publish", "health")
    assert (code, err) == (0, "")
    last = NOW.isoformat(sep=" ", timespec="minutes")
    assert out.splitlines() == [
        "release 7     3 failed (0.03% of some 9,700 page views), 97 sampled as rendered, nine in ten within 50 ms",
        "  bar                       3 failed (0.03% of some 9,700 page views), 97 sampled as rendered",
        "",
        "widgets/bar/widget.ts:3:9  release 7, bar at svc-content-after-cart",
        "  TypeError: broken",
        f"  3 reports, last {last}",
    ]


def test_document_has_counts_shares_and_places(awning, add):
    add([FAILED, RENDERED, replace(FAILED, release=None, widget="")], [FAILURE])
    document = json.loads(awning("publish", "health", "--json")[1])
    share = {"rendered": 97, "failed": 3, "views": 9697, "rate": 0.000309}
    assert document["releases"] == [
        {"release": 7, **share, "most_within_ms": 50, "widgets": [{"widget": "bar", **share}]},
        {
            "release": None,
            "rendered": 0,
            "failed": 3,
            "views": 0,
            "rate": None,
            "most_within_ms": None,
            "widgets": [],
        },
    ]
    assert document["failures"] == [
        {
            "release": 7,
            "widget": "bar",
            "event": "svc-content-after-cart",
            "message": "TypeError: broken",
            "file": "widgets/bar/widget.ts",
            "line": 3,
            "column": 9,
            "reports": 3,
            "first": NOW.isoformat(),
            "last": NOW.isoformat(),
        }
    ]


def test_share_is_left_out_where_no_rendering_is_reported(awning, add):
    add([FAILED], [replace(FAILURE, place=None, event="")])
    _, out, err = awning("publish", "health")
    assert "%" not in out
    assert "(place unknown)  release 7, bar\n" in out
    assert "beacon_sample_rate" in err


def test_only_the_asked_days_and_release_are_counted(awning, add):
    old = NOW - timedelta(days=20)
    add([FAILED, replace(FAILED, release=6, at=old)], [FAILURE, replace(FAILURE, release=6, last_at=old)])

    def listed(*words):
        document = json.loads(awning("publish", "health", "--json", *words)[1])
        return [[row["release"] for row in document[name]] for name in ("releases", "failures")]

    assert listed() == [[7], [7]]
    assert listed("--days", "30") == [[7, 6], [7, 6]]
    assert listed("--days", "30", "--release", "6") == [[6], [6]]


def test_nothing_reported_is_said(awning):
    code, out, err = awning("publish", "health")
    assert (code, out) == (0, "")
    assert "no page has reported" in err


def test_release_that_does_not_exist_is_refused(awning):
    code, _, err = awning("publish", "health", "--release", "99")
    assert (code, "there is no release 99" in err) == (Exit.USAGE, True), err


@pytest.mark.parametrize(
    ("ms", "limit"),
    [(-5, 10), (0, 10), (10, 10), (10.5, 25), (5000, 5000), (5001, SLOWER_MS), (1e300, SLOWER_MS)],
)
def test_time_is_counted_by_the_limit_that_it_keeps(ms, limit):
    assert limit_of(ms) == limit
    assert list(LIMITS_MS) == sorted(LIMITS_MS)


@pytest.mark.parametrize(
    ("timings", "limit"),
    [
        ({}, None),
        ({50: 1}, 50),
        ({10: 90, 500: 10}, 10),
        ({10: 89, 500: 11}, 500),
        ({10: 1, SLOWER_MS: 9}, SLOWER_MS),
    ],
)
def test_quantile_is_the_limit_that_most_page_views_kept(timings, limit):
    assert quantile_ms(timings, 0.9) == limit
