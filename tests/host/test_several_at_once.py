"""Several workers and a publish on one state, imported instances, and the absence of secrets."""

import asyncio
import threading
from contextlib import closing

from kept_in import both

from awning.client import NoResponse
from awning.publish.cell_outcome import CellOutcome
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, JournalEntry

pytestmark = both
UNREACHABLE = NoResponse(why="cannot connect", sent=False)


def test_two_concurrent_workers_install_an_instance_once(world, ask):
    code, workers = world.new_code(), [world.browser(), world.browser()]

    async def both():
        return await asyncio.gather(*(w.visit("GET", ask("/install", code), b"", {}) for w in workers))

    statuses = [seen.status for seen in world.loop.run_until_complete(both())]
    assert (statuses, [w.errors for w in workers]) == ([302, 302], [[], []])
    assert len(world.inventory()) == 1
    assert world.installed(code)
    assert world.data(code) == {"bar": {"enabled": True, "threshold": 75}}
    assert world.calls.count("installed") == 1
    assert world.calls.count("set_snippet") == 3, "each of its cells is written once"


def test_concurrent_requests_for_one_instance_call_installed_once(world, ask):
    code, browser = world.new_code(), world.browser()

    async def many():
        return await asyncio.gather(*(browser.visit("GET", ask("/install", code), b"", {}) for _ in range(8)))

    assert {seen.status for seen in world.loop.run_until_complete(many())} == {302}
    assert world.calls.count("installed") == 1


def test_many_instances_install_concurrently(world, ask):
    codes, browser = [world.new_code() for _ in range(12)], world.browser()

    async def many():
        visits = (browser.visit("GET", ask("/install", code), b"", {}) for code in codes)
        return await asyncio.gather(*visits)

    assert {seen.status for seen in world.loop.run_until_complete(many())} == {302}
    assert sorted(stored_code for stored_code, _ in world.inventory()) == sorted(codes)


def test_running_publish_does_not_block_an_installation(world, ask):
    code, state = world.new_code(), world.kept()
    with state.lock_runs():
        assert world.browser().get(ask("/install", code)).status == 302
    assert world.service.snippet(code) is not None


def test_listed_instance_is_left_to_the_publish_that_is_running(world, ask):
    """The publish that began after the instance was listed may write the same cells."""
    code, browser = world.new_code(), world.browser()
    world.spoil = lambda call, operation: UNREACHABLE if call == "set_snippet" else None
    browser.get(ask("/install", code))
    world.spoil = lambda call, operation: None
    with world.kept().lock_runs():
        browser.get(ask("/settings", code))
        assert world.service.snippet(code) is None
    browser.get(ask("/settings", code))
    assert world.service.snippet(code) is not None


def test_snippets_that_a_publish_wrote_meanwhile_are_not_overwritten(world, ask):
    """The server may serve an older build than the release that was published."""
    code, browser = world.new_code(), world.browser()
    world.spoil = lambda call, operation: UNREACHABLE if call == "set_snippet" else None
    browser.get(ask("/install", code))
    state = world.kept()
    with closing(Inventory.open(state)) as inventory, closing(Journal.open(state)) as journal:
        run, key = journal.begin("a newer release"), inventory.all()[0].key
        right = {"run": run, "kind": EntryKind.OUTCOME, "instance": key, "outcome": CellOutcome.APPLIED}
        journal.append(JournalEntry(**right, language=language) for language in (None, "lv", "en"))
    world.calls.clear()
    world.spoil = lambda call, operation: None
    browser.get(ask("/settings", code))
    assert "set_snippet" not in world.calls
    browser.get(ask("/settings", code))
    assert "set_snippet" not in world.calls


def test_publish_that_begins_waits_for_an_installation(world, ask):
    """Otherwise the publish would list the new instance while the server writes to it."""
    code, state, order = world.new_code(), world.kept(), []

    def publish():
        with state.lock_runs():
            order.append("publish")

    publishing = threading.Thread(target=publish)

    def when_written(call, operation):
        if call == "set_snippet" and not order:
            order.append("write")
            publishing.start()
            publishing.join(timeout=0.2)
        elif call == "set_snippet":
            order.append("write")

    world.spoil = when_written
    assert world.browser().get(ask("/install", code)).status == 302
    publishing.join()
    assert order == ["write", "write", "write", "publish"]


def test_settings_page_does_not_change_an_imported_instance(world, ask):
    code = world.new_code(state="installed")
    inventory = Inventory.open(world.kept())
    inventory.put([inventory.instance(code, name="mine")])
    inventory.close()
    browser = world.browser()
    assert browser.follow(browser.get(ask("/settings", code))).status == 200
    assert {"installed", "set_data", "set_snippet"} & set(world.calls) == set()
    assert world.inventory() == [(code, "mine")]


def test_session_is_shared_between_workers(world, ask):
    code, first, second = world.new_code(), world.browser(), world.browser()
    first.get(ask("/install", code))
    url = first.get(ask("/settings", code)).location
    second.cookies = first.cookies
    assert second.get(url).status == 200


def test_no_file_log_or_page_contains_a_secret(world, ask, opened, fields, caplog):
    caplog.set_level("DEBUG")
    browser, url, code = opened()
    pages = [browser.get(url), browser.post(url, fields(browser.get(url)))]
    pages.append(browser.post(url + "uninstall", fields(browser.get(url))))
    [(_, cookie)] = browser.cookies.values()
    secrets = {world.api_key, world.settings().app_secret.reveal()}
    stored = b"".join(path.read_bytes() for path in world.state.rglob("*") if path.is_file())
    for secret in secrets | {cookie}:
        assert secret.encode() not in stored
        assert secret not in caplog.text
        assert not any(secret in page.text for page in pages)
    assert code not in caplog.text
    journal = Journal.open(world.kept())
    assert code not in str(journal.runs())
    journal.close()
