"""A database that is locked, damaged, read-only, missing or full: the response is 503 with an explanation."""

import json
import resource
import shutil
import sqlite3
from contextlib import closing, contextmanager, suppress

import pytest
from kept_in import both
from sqlalchemy import text

from awning.client import Response, Secret
from awning.host.turn import Timing
from awning.publish.inventory.inventory import Inventory
from awning.publish.state.store import MARK

AWAY = "Please try again in a moment"


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    monkeypatch.setattr("awning.publish.state.sqlite.BUSY_S", 0.05)
    monkeypatch.setattr("awning.host.host.RESULT_S", 0.0)


def host_of(browser):
    """The app's server (the object `_host`) that a browser of a test talks to."""
    route = next(r for r in browser.app._app.router.routes if r.path.endswith("/install"))
    return route.endpoint.__self__._host


@contextmanager
def locked(host, path):
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def read_only(host, path):
    """SQLite refuses writes, as on a read-only file system."""
    for database in (host.records._database, host.inventory._database):
        with database.engine.connect() as connection:
            connection.connection.driver_connection.execute("PRAGMA query_only=ON")
    yield


@contextmanager
def full(host, path):
    with host.records._database.engine.connect() as connection:
        driver = connection.connection.driver_connection
        pages = driver.execute("PRAGMA page_count").fetchone()[0]
        driver.execute(f"PRAGMA max_page_count={pages}")
        with suppress(sqlite3.OperationalError):
            for number in range(100_000):
                driver.execute("INSERT INTO installation (key, begun_at) VALUES (?, 1)", (str(number),))
    yield


@contextmanager
def damaged(host, path):
    for database in (host.records._database, host.inventory._database):
        database.close()
    for left in path.parent.glob(f"{path.name}-*"):
        left.unlink()
    path.write_bytes(b"no database at all" * 300)
    yield


@contextmanager
def missing(host, path):
    away = path.with_suffix(".away")
    path.rename(away)
    yield
    away.rename(path)


FOR_SQLITE = [locked, read_only, full, damaged, missing]
KNOWN = {
    "locked": "another program holds it locked",
    "read_only": "it may not be written",
    "full": "the disk is full",
    "damaged": "it is damaged, or no database",
    "missing": "it is not there",
}


@pytest.mark.parametrize("wrong", FOR_SQLITE, ids=lambda wrong: wrong.__name__)
def test_installation_does_not_start_when_it_cannot_be_recorded(world, ask, wrong, caplog):
    code, browser = world.new_code(), world.browser()
    path = world.state / "state.sqlite"
    with wrong(host_of(browser), path):
        seen = browser.get(ask("/install", code), accept_language="lv-LV,en;q=0.5")
        assert seen.status == 503
        assert int(seen.header("retry-after")) > 0
        assert seen.heading == "Lūdzu, pēc brīža mēģiniet vēlreiz"
        assert world.calls == [], "nothing was asked of the service"
        assert not browser.errors
    assert f"state.sqlite cannot be used: {KNOWN[wrong.__name__]}" in caplog.text
    assert "Traceback" not in caplog.text
    assert code not in caplog.text
    assert code not in seen.text


@pytest.mark.parametrize("wrong", [damaged, missing], ids=lambda wrong: wrong.__name__)
def test_healthz_is_503_when_the_database_cannot_be_read(world, wrong, caplog):
    browser = world.browser()
    host = host_of(browser)
    with wrong(host, world.state / "state.sqlite"):
        seen = browser.get("/healthz")
    assert (seen.status, json.loads(seen.text)) == (503, {"status": "failing"})
    assert seen.header("retry-after")
    assert "state.sqlite cannot be used" in caplog.text


@contextmanager
def nothing_fits(host, world):
    """The operating system refuses to let files grow, as on a full disk."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@contextmanager
def read_only_everywhere(host, world):
    with read_only(host, world.state):
        yield


@contextmanager
def read_only_server(host, world):
    """The server refuses writes, as a standby or a server with a full disk does."""
    with host.records._database.writing() as connection:
        name = connection.exec_driver_sql("SELECT current_database()").scalar()
        connection.exec_driver_sql(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    host.records.close()
    host.inventory.close()
    yield


@pytest.mark.parametrize(
    ("wrong", "kept_in"),
    [(nothing_fits, "sqlite"), (read_only_everywhere, "sqlite"), (read_only_server, "postgresql")],
    indirect=["kept_in"],
    ids=["full disk", "read only", "read-only server"],
)
def test_healthz_is_503_when_the_database_cannot_be_written(world, wrong, caplog):
    browser = world.browser()
    with wrong(host_of(browser), world):
        seen = browser.get("/healthz")
    assert (seen.status, json.loads(seen.text)) == (503, {"status": "failing"})
    assert "cannot be used: " in caplog.text
    assert "Traceback" not in caplog.text


def test_frequent_health_checks_write_only_at_intervals(world, monkeypatch):
    """Health checks need no credentials, so they must stay cheap."""
    browser = world.browser()
    asked = []
    records = host_of(browser).records
    check = records.check_writable
    monkeypatch.setattr(records, "check_writable", lambda: (asked.append(1), check()))
    monkeypatch.setattr("awning.host.host.RESULT_S", 3600.0)
    for _ in range(20):
        assert browser.get("/healthz").status == 200
    assert len(asked) == 1


def test_failed_health_check_is_reused_for_a_second(world, monkeypatch, caplog):
    """Health checks need no credentials, and a check of an unreachable database can take long."""
    monkeypatch.setattr("awning.host.host.RESULT_S", 1.0)
    browser = world.browser()
    host = host_of(browser)
    now, asked = [100.0], []
    monkeypatch.setattr(host, "steady", lambda: now[0])

    def fail():
        asked.append(now[0])
        raise OSError

    with monkeypatch.context() as away:
        away.setattr(host.records, "check_writable", fail)
        for now[0] in (100.0, 100.5, 100.9):
            assert browser.get("/healthz").status == 503
        assert asked == [100.0]
        assert caplog.text.count("not healthy: OSError") == 1
        now[0] = 101.0
        assert browser.get("/healthz").status == 503
        assert asked == [100.0, 101.0]
    now[0] = 101.9
    assert browser.get("/healthz").status == 503
    now[0] = 102.0
    assert browser.get("/healthz").status == 200


def test_restored_database_file_is_used_without_a_restart(world, ask):
    code, browser = world.new_code(), world.browser()
    host = world.state / "state.sqlite"
    with closing(sqlite3.connect(host)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    host.rename(world.state / "kept")
    assert browser.get(ask("/install", code)).status == 503
    assert not host.exists(), "no empty one was made in its place"
    shutil.copy(world.state / "kept", host)
    (world.state / "kept").unlink()
    assert browser.get(ask("/install", code)).status == 302
    assert browser.get("/healthz").status == 200


def test_settings_are_not_sent_when_the_session_cannot_be_read(world, opened, fields):
    browser, url, code = opened()
    posted = fields(browser.get(url))
    before, calls = world.data(code), len(world.calls)
    with missing(None, world.state / "state.sqlite"):
        seen = browser.post(url, posted)
        assert (seen.status, seen.heading) == (503, "Not done")
        assert "Reload this page" in seen.text
        assert not seen.soup.find("a", class_="button"), "a link would ask again without the entries"
        assert browser.post(url + "uninstall", posted).status == 503
    assert (world.data(code), len(world.calls)) == (before, calls)


def test_unrecorded_removal_is_completed_by_the_next_try(world, opened, fields):
    """The turn of the first try cannot be ended, so the next one waits until it may take over."""
    browser, url, code = opened(turns=Timing(beat_s=0.1, hold_s=0.5, watch_s=0.8))
    posted = fields(browser.get(url))
    path = world.state / "state.sqlite"

    def taken_away(call, operation):
        if call == "delete" and path.exists():
            path.rename(world.state / "away")

    world.after = taken_away
    assert browser.post(url + "uninstall", posted).status == 503
    (world.state / "away").rename(path)
    world.after = lambda call, operation: None
    seen = browser.post(url + "uninstall", posted)
    assert (seen.status, seen.heading) == (200, "Uninstalled")
    assert world.inventory() == []
    assert str(world.service.instance(code).state) == "uninstalled"


def test_snippets_are_postponed_when_the_journal_cannot_be_used(world, ask, caplog):
    code, browser = world.new_code(), world.browser()
    mark = world.state / MARK
    mark.write_text("no mark")
    page = browser.follow(browser.get(ask("/install", code)))
    assert "could not be put on all pages yet" in page.text
    assert world.service.snippet(code) is None
    assert "the journal's mark is damaged" in caplog.text
    mark.unlink()
    browser.get(ask("/settings", code))
    assert world.service.snippet(code) is not None


# PostgreSQL, and what both stores have in common


postgresql = pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)


@postgresql
def test_restarted_database_server_is_used_without_a_restart(world, ask, kept_in, caplog):
    code, browser, server = world.new_code(), world.browser(), kept_in.server
    assert browser.get("/healthz").status == 200
    server.stop()
    try:
        assert browser.get("/healthz").status == 503
        seen = browser.get(ask("/install", code))
        assert (seen.status, seen.heading) == (503, AWAY)
        assert world.calls == []
    finally:
        server.start()
    assert browser.get("/healthz").status == 200
    assert browser.get(ask("/install", code)).status == 302
    assert "the server does not answer" in caplog.text
    assert server.password not in caplog.text
    assert "Traceback" not in caplog.text


@postgresql
def test_terminated_database_connections_are_reopened(world, ask, kept_in):
    code, browser = world.new_code(), world.browser()
    kept_in.server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'test_%'")
    assert browser.get(ask("/install", code)).status == 302


@postgresql
def test_locked_table_is_waited_for_and_then_reported(world, ask, kept_in, monkeypatch):
    monkeypatch.setattr("awning.publish.state.postgres.LIMITS", "SET lock_timeout = '100ms'")
    code, browser = world.new_code(), world.browser()
    other = world.kept().connect("state")
    with closing(other), other.writing() as connection:
        connection.execute(text("LOCK TABLE installation IN ACCESS EXCLUSIVE MODE"))
        assert browser.get(ask("/install", code)).status == 503
    assert world.calls == []
    assert browser.get(ask("/install", code)).status == 302


@both
def test_nul_characters_are_left_out_of_stored_text(world, ask):
    """PostgreSQL text cannot contain NUL; JSON can."""
    answer = b'{"error":false,"website":{"url":"https://linen.example/","brandname":"Li\\u0000nen"}}'
    world.spoil = lambda call, operation: Response(status=200, body=answer) if call == "website" else None
    code, browser = world.new_code(), world.browser()
    assert browser.get(ask("/install", code)).status == 302
    page = browser.follow(browser.get(ask("/settings", code, language="e\x00n")))
    assert page.status == 200
    assert "Linen" in page.heading


@both
def test_taken_name_is_a_configuration_error(world):
    with closing(Inventory.open(world.kept())) as inventory:
        inventory.put([inventory.instance("code-a", name="shop")])
        with pytest.raises(Exception, match="belongs to another instance") as caught:
            inventory.put([inventory.instance("code-b"), inventory.instance("code-c", name="shop")])
        assert type(caught.value).__name__ == "ConfigurationError"
        assert [i.code for i in inventory.all()] == [Secret("code-a")], "all or none"
