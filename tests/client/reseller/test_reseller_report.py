"""The figures of the report from plain values, and its formats against the simulated service."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from bs4 import BeautifulSoup

from awning.cli.main import main
from awning.cli.reseller.page import bars, report_page
from awning.cli.reseller.report import as_text
from awning.client.reseller import Balance, Money, Website
from awning.client.reseller.usage import COLUMNS, Thresholds, other_month_warning, upcoming, usage_report
from awning_harness.service import serve

AT = datetime(2026, 4, 11, tzinfo=UTC)  # a third of April is over


def site(number, spent, limit, *, extra=0, days=None, plan="premium", brandname=None):
    then = datetime(2025, 1, 1, tzinfo=UTC)
    return Website(
        id=number, brandname=brandname or f"Shop {number}", alias="", url="", type=1, status=1, created=then,
        modified=then, accessed=None, plan=plan, ai_limit=limit, ai_spent=spent, ai_extra=extra,
        ai_extra_until=None if days is None else AT + timedelta(days=days), owner_name="", owner_email="",
        owner_country="LV", owner_created=then, owner_confirmed=True, owner_unsubscribed=False,
    )  # fmt: skip


def owed(used, cost):
    nothing = Money("EUR", Decimal(0))
    return Balance(
        premium_websites=1,
        current=nothing,
        threshold=nothing,
        ai_credits=used,
        ai_cost=Money("EUR", Decimal(cost)),
    )


def test_forecast_extends_usage_up_to_the_limit():
    sites = [
        site(1, 100, 1000),
        site(2, 90, 100),
        site(3, 90, 100, extra=50),
        site(4, 90, 100, extra=50, plan="free"),
        site(5, 0, 0),
    ]
    report = usage_report(sites, owed(370, "3.70"), AT, Thresholds())
    assert [usage.expected for usage in report.usage] == [300, 100, 150, 100, 0]
    assert str(report.expected_cost) == "EUR 6.50"
    assert str(report.usage[0].expected_cost) == "EUR 3.00"
    assert [usage.website.id for usage in report.near_limit] == [2, 3, 4]
    assert report.shares == (0, 1, 0, 0, 0, 0, 0, 0, 0, 3)


def test_upcoming_limits_and_expiries_are_sorted_by_time():
    sites = [
        site(1, 50, 100),  # ten days took 50: the limit is reached in ten more
        site(2, 120, 100),  # reached
        site(3, 10, 100),  # not this month
        site(4, 0, 0, extra=7, days=3),
        site(5, 0, 100, extra=0, days=3),
        site(6, 0, 100, extra=9, days=40),
        site(7, 0, 100, extra=9, days=-1),
    ]
    events = upcoming(sites, AT, timedelta(days=30))
    assert [((e.at - AT).days, e.kind, e.website, e.credits) for e in events] == [
        (0, "limit", 2, 0),
        (3, "expiry", 4, 7),
        (10, "limit", 1, 50),
    ]
    assert [e.website for e in upcoming(sites, AT, timedelta(0))] == [2]
    assert upcoming([], AT, timedelta(days=30)) == ()


def test_first_instant_of_a_month_has_no_division_by_zero():
    start = AT.replace(day=1)
    assert [e.kind for e in upcoming([site(1, 1, 2)], start, timedelta(days=1))] == ["limit"]


def test_extra_credits_that_expire_within_the_given_days_are_listed():
    sites = [
        site(1, 0, 1, extra=5, days=29),
        site(2, 0, 1, extra=5, days=30),
        site(3, 0, 1, extra=0, days=1),
        site(4, 0, 1, extra=1, days=3),
    ]
    report = usage_report(sites, owed(0, "0.00"), AT, Thresholds(soon=timedelta(days=30)))
    assert [extra.website.id for extra in report.expiring] == [4, 1]
    assert str(report.expected_cost) == "EUR 0.00"


@pytest.mark.parametrize(
    "at", [datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 12, 31, 23, 59, tzinfo=UTC), AT]
)
def test_report_works_at_every_moment_of_a_month(at):
    report = usage_report([site(1, 5, 1000)], owed(5, "0.05"), at, Thresholds())
    assert 5 <= report.expected <= 1000
    assert "Near" not in as_text(report)


def test_report_page_escapes_names_and_loads_nothing():
    evil = "</title><script>alert(1)</script>"
    page = report_page(
        usage_report([site(1, 95, 100, extra=2, days=2, brandname=evil)], owed(95, "0.95"), AT, Thresholds())
    )
    tree = BeautifulSoup(page, "html.parser")
    assert tree.find("script") is None
    assert evil in tree.find("table").get_text()
    assert len(tree.find_all("svg")) == 1 + 10
    assert all(plot.get("aria-label") for plot in tree.find_all("svg"))
    assert re.findall(r"""(?:src|href)=["'](?!data:)""", page) == []


def test_bars_are_scaled_by_usage_when_the_limit_is_far_above():
    report = usage_report([site(1, 50, 1000000), site(2, 40, 60)], owed(90, "0.90"), AT, Thresholds())
    first, second = bars(report)
    assert (first.spent, first.expected, first.limit) == (33.3, 100.0, None)
    assert (second.expected, second.limit) == (40.0, 40.0)


def test_long_table_ends_with_the_number_of_omitted_rows():
    sites = [site(n, 95, 100) for n in range(1, 124)]
    tree = BeautifulSoup(report_page(usage_report(sites, owed(1, "0.01"), AT, Thresholds())), "html.parser")
    near = tree.find("h2", string="Near their limit").parent
    assert len(near.select("tbody tr")) == 100
    assert "And 23 more" in near.get_text()


def test_account_without_websites_has_a_report_page():
    text = BeautifulSoup(
        report_page(usage_report([], owed(0, "0.00"), AT, Thresholds())), "html.parser"
    ).get_text()
    assert "No AI credits were used this month." in text
    assert "No website has a monthly limit above 0." in text
    assert text.count("None.") == 2


@pytest.fixture(scope="module")
def account():
    with serve() as running:
        service = running.service
        service.clock.set(AT, frozen=True)
        number = service.resellers.create(
            email="r@example.com", password="pw", websites=3, ai_pricing="priced"
        )
        first = service.resellers.sites(number)[0].id
        service.resellers.spend(number, first, 90)
        yield running.reseller_url


@pytest.fixture
def report(account, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name, value in (("URL", account), ("EMAIL", "r@example.com"), ("PASSWORD", "pw")):
        monkeypatch.setenv(f"AWNING_RESELLER_{name}", value)

    def run(*words):
        with pytest.raises(SystemExit) as end:
            main(["reseller", "report", "--at", "2026-04-11", *words])
        output = capsys.readouterr()
        assert end.value.code == 0, output.err
        assert output.err.startswith("warning: the service returns only ")
        return output.out

    return run


def test_report_formats_have_the_same_figures(report, tmp_path):
    text = report()
    assert "credits_expected   100" in text
    assert "Near their limit" in text
    rows = list(csv.DictReader(io.StringIO(report("--format", "csv"))))
    assert (list(rows[0]), len(rows), rows[0]["near_limit"]) == (list(COLUMNS), 3, "True")
    document = json.loads(report("--json"))
    assert document["schema_version"] == 1
    assert document["summary"]["cost_expected"] == {"currency": "EUR", "amount": "1.00"}
    costs = {entry["id"]: entry["expected_cost"] for entry in document["websites"]}
    assert {f"{entry['currency']} {entry['amount']}" for entry in costs.values()} == {
        r["expected_cost"] for r in rows
    }
    assert document["near_limit"] == [document["websites"][0]["id"]]
    assert report("--format", "html", "-o", "report.html") == ""
    assert "EUR 1.00" in (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("at", "words"),
    [("2026-11-01", None), ("2026-11-30T23:59", None), ("2026-03-10", "2026-03"), ("2027-11-10", "2027-11")],
)
def test_report_of_another_month_gets_a_warning(at, words):
    doubt = other_month_warning(
        datetime.fromisoformat(at).replace(tzinfo=UTC), datetime(2026, 11, 22, tzinfo=UTC)
    )
    assert doubt is None if words is None else f"Unless its clock is set to {words}" in doubt
