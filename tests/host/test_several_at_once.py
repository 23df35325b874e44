"""Several workers and a publish on one state, imported instances, and the absence of secrets."""

import asyncio

from kept_in import both

from awning.publish import Inventory, Journal

pytestmark = both


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
