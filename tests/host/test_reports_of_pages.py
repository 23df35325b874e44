"""Reports of pages are counted by release. A POST of any body gets 204, and nothing about a visitor is stored."""

import hmac
import ipaddress
import json
import sqlite3
import unicodedata
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kept_in import both
from sqlalchemy import select
from starlette.requests import Request
from volumes import volume

from awning.host.reports import (
    MOST_ADDRESSES,
    PER_ADDRESS,
    REPORT_BYTES,
    SITE_TIMES,
    AddressLimit,
    Report,
    address_of,
)
from awning.publish.health.reports import HealthReports, HealthShare, limit_of
from awning.publish.health.windows import GateWindows
from awning.publish.inventory.inventory import Inventory
from awning.publish.release.build_files import read_files
from awning.publish.release.releases import Releases
from awning.publish.state.tables import HEALTH
from awning.publish.state.tables.health import SENDER, WINDOW

PATH = "/health/report"
SINCE = datetime.fromtimestamp(1_700_000_000, UTC)
WIDGETS = [{"name": "bar", "title": "Bar", "slots": [], "languages": ["lv"], "sources": []}]


@pytest.fixture
def reports(world):
    """Send reports to a server and shut it down; returns the stored shares and failures, and the answers."""
    file = world.dist / "build.json"
    record = {**json.loads(file.read_text()), "widgets": WIDGETS, "beacon_sample_rate": 0.1}
    file.write_text(json.dumps(record))
    with closing(Releases.open(world.kept())) as releases:
        releases.create(read_files(world.dist), operator="test")
    build = f"{record['fingerprint'][:12]}.lv"

    def send(*bodies, **headers):
        browser = world.browser(behind_proxy=headers.pop("behind_proxy", False))
        answers = [browser.send("POST", PATH, _body(body, build), headers) for body in bodies]
        world.end_servers()
        with closing(HealthReports.open(world.kept())) as health:
            return health.shares(SINCE), health.failures(), answers

    return send


def _body(body, build):
    return body if isinstance(body, bytes) else json.dumps({"build": build, "widget": "bar", **body}).encode()


FAILED = {"message": "TypeError: broken", "event": "svc-content-after-cart", "at": ["1:1", "1:9"]}
RENDERED = {"ms": 12}


def test_reports_are_counted_by_release_and_kind(reports):
    shares, failures, answers = reports(FAILED, FAILED, RENDERED)
    assert shares == {1: HealthShare(rendered=1, failed=2, views=10.0)}
    assert {answer.status for answer in answers} == {204}
    (failure,) = failures
    assert (failure.message, failure.event, failure.reports, failure.place) == (
        "TypeError: broken",
        "svc-content-after-cart",
        2,
        None,
    )


def test_rendering_of_a_build_without_samples_is_not_counted(world, reports):
    file = world.dist / "build.json"
    with closing(Releases.open(world.kept())) as releases:
        files = read_files(world.dist)
        record = {**json.loads(files.texts["build.json"]), "fingerprint": "f" * 64}
        del record["beacon_sample_rate"]
        file.write_text(json.dumps(record))
        (world.dist / "data.schema.json").write_text("{}")  # otherwise it would be the same release
        releases.create(read_files(world.dist), operator="test")
    shares, _, _ = reports({**RENDERED, "build": "f" * 12 + ".lv"}, {**FAILED, "build": "f" * 12 + ".lv"})
    assert shares == {2: HealthShare(rendered=0, failed=1, views=0.0)}


def test_answer_is_empty_and_may_be_read_by_any_page(reports):
    (answer,) = reports(FAILED)[2]
    assert (answer.text, answer.header("set-cookie")) == ("", "")
    assert answer.header("access-control-allow-origin") == "*"
    assert answer.header("cross-origin-resource-policy") == "cross-origin"


NOT_COUNTED = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": b"[1]",
    "nested deeply": b"[" * 2000,
    "no text": b"\xff\xfe",
    "neither message nor time": {},
    "a time that is a text": {"ms": "12"},
    "a time that is true": {"ms": True},
    "another widget": {**FAILED, "widget": "none"},
    "a widget that is no text": {**FAILED, "widget": 7},
    "too large": {**FAILED, "padding": "x" * REPORT_BYTES},
}


@pytest.mark.parametrize("case", NOT_COUNTED)
def test_what_is_no_report_is_answered_alike_and_not_counted(case, reports):
    shares, failures, (answer,) = reports(NOT_COUNTED[case])
    assert (shares, failures) == ({}, [])
    assert (answer.status, answer.text) == (204, "")


@pytest.mark.parametrize("build", ["", "x", "0" * 12 + ".lv", 5, None, ["a"]])
def test_reports_of_a_build_that_is_no_release_are_counted_apart(build, reports):
    shares, failures, _ = reports({**FAILED, "build": build}, {**RENDERED, "build": build})
    assert shares == {None: HealthShare(rendered=1, failed=1, views=1.0)}
    assert failures == []


@pytest.mark.parametrize(
    "fields",
    [
        {"message": "x\x1b[31m\r\ny\u202e"},
        {"message": "x\ty\u200ez\u061c\ufeff\U000e0041"},
        {"message": "x" * 1500},
        {"event": "<b>" * 100},
        {"event": 7, "at": "1:1"},
        {"at": [None, {}, 7]},
        {"at": ["9" * 50, "9" * 50]},
        {"message": "\ud800"},
    ],
)
def test_hostile_fields_are_cleaned(fields, reports):
    shares, failures, _ = reports({**FAILED, **fields})
    assert shares[1].failed == 1
    (failure,) = failures
    assert failure.message.isprintable()
    assert len(failure.message) <= 200
    assert failure.event in {"", "svc-content-after-cart"}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5),
)


@settings(max_examples=volume("host-any-data"))
@given(st.dictionaries(st.sampled_from(["app", "widget", "build", "message", "event", "at", "ms"]), JSON))
def test_any_report_is_bounded(fields):
    report = Report.read(json.dumps(fields).encode(), SINCE)
    if report is not None:
        texts = [report.widget, report.build, report.event, *report.places]
        assert all(len(text) <= 80 for text in texts)
        assert len(report.message) <= 200
        assert len(report.places) <= 4
        assert not any(
            unicodedata.category(char) == "Cc" for text in (*texts, report.message) for char in text
        )
        assert report.ms is None or limit_of(report.ms) > 0


def test_hostile_times_are_counted(reports):
    shares, _, _ = reports({"ms": -5}, {"ms": 1e300}, b'{"widget":"bar","build":"","ms":NaN}')
    assert sum(share.rendered for share in shares.values()) == 3


def test_one_address_is_limited_and_others_are_not(reports):
    many = [RENDERED] * (PER_ADDRESS + 5)
    shares, _, answers = reports(*many)
    assert shares[1].rendered == PER_ADDRESS
    assert {answer.status for answer in answers} == {204}


@pytest.mark.parametrize(("behind_proxy", "counted"), [(True, PER_ADDRESS), (False, PER_ADDRESS)])
def test_address_behind_a_proxy_is_the_last_that_it_names(behind_proxy, counted, reports):
    many = [RENDERED] * (PER_ADDRESS + 1)
    header = {"x_forwarded_for": "198.51.100.7, 192.0.2.4", "behind_proxy": behind_proxy}
    assert reports(*many, **header)[0][1].rendered == counted


def test_only_a_post_is_a_report(world):
    assert world.browser().get(PATH).status == 405


def test_request_for_another_host_is_refused(world):
    assert world.browser().send("POST", PATH, b"{}", {"host": "other.example"}).status == 421


def test_log_has_no_address_and_no_report(reports, caplog):
    caplog.set_level("INFO")
    reports(FAILED)
    assert "203.0.113.9" not in caplog.text
    assert "TypeError" not in caplog.text


def test_tables_hold_no_address(reports, world):
    reports(FAILED, RENDERED)
    files = [file.read_bytes() for file in world.state.iterdir() if file.name.startswith("health")]
    assert files
    assert not any(b"203.0.113" in content for content in files)


def test_addresses_are_forgotten_after_the_window(world):
    async def use():
        limit = AddressLimit(most=1, window_s=3600)
        asked = [limit.allows("203.0.113.9"), limit.allows("203.0.113.9"), limit.allows("203.0.113.10")]
        limit.forget()
        return asked, limit.allows("203.0.113.9"), sum(vars(limit)["_counts"].values()), limit.forget()

    assert world.loop.run_until_complete(use()) == ([True, False, True], True, 1, None)


def test_addresses_of_one_large_network_do_not_shut_others_out(world):
    async def use():
        limit = AddressLimit(window_s=3600)
        network = int(ipaddress.ip_address("2001:db8::"))
        flood = [str(ipaddress.ip_address(network + (n << 64))) for n in range(MOST_ADDRESSES + 2000)]
        allowed = [limit.allows(address) for address in flood].count(True)
        answers = allowed, limit.allows("203.0.113.9"), limit.allows("2001:db9::1")
        limit.forget()
        return answers

    assert world.loop.run_until_complete(use()) == (SITE_TIMES * PER_ADDRESS, True, True)


def test_address_that_was_silent_for_longest_is_forgotten_first(world, monkeypatch):
    monkeypatch.setattr("awning.host.reports.MOST_ADDRESSES", 2)

    async def use():
        limit = AddressLimit(most=1, window_s=3600)
        answers = [limit.allows(f"203.0.113.{last}") for last in (1, 2, 1, 3, 1, 2)]
        limit.forget()
        return answers

    assert world.loop.run_until_complete(use()) == [True, True, False, True, False, True]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1:4711", "192.0.2.1", True),
        ("[2001:db8::1]:4711", "2001:db8::2", True),
        ("not an address", "not an address", True),
    ],
)
def test_network_of_one_customer_is_one_address(first, second, same, world):
    async def use():
        limit = AddressLimit(most=1)
        answers = limit.allows(first), limit.allows(second)
        limit.forget()
        return answers

    assert world.loop.run_until_complete(use()) == (True, not same)


def request_from(peer, *forwarded):
    headers = [(b"x-forwarded-for", line.encode()) for line in forwarded]
    return Request({"type": "http", "client": (peer, 1), "headers": headers})


@pytest.mark.parametrize("forged", ["198.51.100.1", "not an address", "198.51.100.1, unknown", "", "::/0"])
def test_visitor_behind_a_proxy_cannot_choose_the_address(forged):
    """Some proxies append to the visitor's header, others add a header line after it."""
    for forwarded in ([forged, "192.0.2.4"], [f"{forged}, 192.0.2.4"]):
        for peer, behind_proxy in (("127.0.0.1", False), ("10.0.0.1", True)):
            assert address_of(request_from(peer, *forwarded), behind_proxy=behind_proxy) == "192.0.2.4"
        assert address_of(request_from("10.0.0.1", *forwarded), behind_proxy=False) == "10.0.0.1"


def test_address_that_a_proxy_does_not_give_is_the_proxys():
    for forwarded in ([], [""], ["unknown"], ["192.0.2.4, _hidden"]):
        assert address_of(request_from("10.0.0.1", *forwarded), behind_proxy=True) == "10.0.0.1"


SHOP = "https://www.shop.example"


@pytest.fixture
def released_build(world):
    """A release that samples a hundredth of all renderings; returns its name in reports."""
    file = world.dist / "build.json"
    record = {**json.loads(file.read_text()), "widgets": WIDGETS, "beacon_sample_rate": 0.01}
    file.write_text(json.dumps(record))
    with closing(Releases.open(world.kept())) as releases:
        releases.create(read_files(world.dist), operator="test")
    with closing(Inventory.open(world.kept())) as inventory:
        instance = inventory.instance("code-of-shop", name="shop")
        inventory.put([instance])
        inventory.set_websites([replace(instance, website_url=f"{SHOP}:443/", website_languages=["lv"])])
    return f"{record['fingerprint'][:12]}.lv"


@pytest.fixture
def worker(world, released_build):
    """Start a worker behind a proxy. It returns a function that sends reports from an address."""

    def start():
        browser = world.browser(behind_proxy=True)

        def send(address, *bodies, origin=""):
            for body in bodies:
                headers = {"x_forwarded_for": address, "origin": origin}
                assert browser.send("POST", PATH, _body(body, released_build), headers).status == 204

        return send

    return start


@pytest.fixture
def gate(world, released_build):
    """Open the window of a gate. Returns its figures after all workers have ended."""
    with closing(GateWindows.open(world.kept())) as windows:
        windows.begin(1)

        def figures(release=1, run=1):
            world.end_servers()
            return windows.figures(run, release, least_addresses=20)

        yield figures


@both
def test_gate_counts_addresses_and_instances_across_workers(worker, gate):
    for first in (0, 5, 10):  # each worker sees ten visitors, and five of the worker before
        send = worker()
        for visitor in range(first, first + 10):
            send(f"192.0.2.{visitor}", RENDERED, origin=SHOP)
    send("2001:db8::1", FAILED, origin="https://invented.example")
    send("2001:db8::2", FAILED, origin="null")
    figures = gate()
    assert (figures.addresses, figures.instances, figures.renderings) == (21, 1, 20)
    assert gate(release=2).addresses == 0


def test_one_address_does_not_turn_a_gate(worker, gate):
    """At the sample rate 0.01, each good report stands for 100 page views."""
    send = worker()
    for visitor in range(40):
        send(f"192.0.2.{visitor}", FAILED if visitor < 30 else RENDERED, origin=SHOP)
    send("198.51.100.1", *[RENDERED] * 60)
    assert gate().new_share > 0.02
    send = worker()
    for visitor in range(100):
        send(f"203.0.113.{visitor}", RENDERED)
    send("198.51.100.2", *[FAILED] * 60)
    assert gate().new_share < 0.02


def test_every_open_window_counts_with_a_secret_of_its_own(world, worker, gate):
    with closing(GateWindows.open(world.kept())) as windows:
        windows.begin(2)
    worker()("192.0.2.1", FAILED)
    assert (gate(run=1).addresses, gate(run=2).addresses) == (1, 1)
    with closing(world.kept().open(HEALTH)) as database, database.reading() as connection:
        assert len(set(connection.execute(select(SENDER.c.sender)).scalars())) == 2


@both
def test_gate_stores_no_address_and_is_emptied_when_it_is_decided(world, worker, gate):
    worker()("192.0.2.55", FAILED, RENDERED)
    assert gate().addresses == 1
    with closing(world.kept().open(HEALTH)) as database, database.reading() as connection:
        rows = connection.execute(select(SENDER)).all()
        (secret,) = connection.execute(select(WINDOW.c.secret)).scalars()
    assert len(rows) == 1
    assert "192.0.2" not in str(rows)
    assert hmac.new(bytes.fromhex(secret), b"address 192.0.2.55", "sha256").hexdigest() in str(rows)
    with closing(GateWindows.open(world.kept())) as windows:
        windows.end(1)
    worker()("192.0.2.56", FAILED)
    assert gate().addresses == 0
    with closing(world.kept().open(HEALTH)) as database, database.reading() as connection:
        assert not connection.execute(select(SENDER)).all()
        assert not connection.execute(select(WINDOW)).all()


@contextmanager
def held(path):
    """Let another program hold the write lock of an SQLite file, and every writer give up at once."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def test_reports_do_not_need_to_write_the_state(world, worker, gate, monkeypatch):
    monkeypatch.setattr("awning.publish.state.sqlite.BUSY_S", 0.01)
    send = worker()
    with held(world.state / "state.sqlite"):
        send("192.0.2.1", FAILED)
        assert gate().addresses == 1


def test_installation_does_not_need_the_file_of_the_reports(world, ask, monkeypatch):
    monkeypatch.setattr("awning.publish.state.sqlite.BUSY_S", 0.01)
    code, browser = world.new_code(), world.browser()
    with held(world.state / "health.sqlite"):
        assert browser.get(ask("/install", code)).status == 302
    assert world.installed(code)
    (world.state / "health.sqlite").unlink()
    assert browser.get(ask("/settings", code)).status == 303


def test_invented_builds_hide_no_failure(world, worker):
    """Many invented build names come before the known one in the same write."""
    invented = [{"build": f"{number:012x}.lv", **FAILED} for number in range(59)]
    send = worker()
    send("192.0.2.1", *invented)
    send("192.0.2.2", *invented, RENDERED)
    send("192.0.2.3", FAILED)
    world.end_servers()
    with closing(HealthReports.open(world.kept())) as health:
        shares = health.shares(SINCE)
    assert (shares[1].failed, shares[1].rendered, shares[None].failed) == (1, 1, 118)
