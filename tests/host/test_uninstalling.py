"""Uninstalling: first at the service, then in our database. After any interruption it can be completed."""

from contextlib import closing

import pytest
from kept_in import both

from awning.client import NoResponse, Response, Secret
from awning.host import Hooks
from awning.host.host_records import HostRecords
from awning.publish.inventory.inventory import Inventory

UNREACHABLE = NoResponse(why="no answer", sent=False)
LOST = NoResponse(why="no answer")
UNAUTHORIZED = Response(status=401, body=b'{"error":true,"error_code":401,"error_message":"Unauthorized"}')


def record(world, code):
    state = world.kept()
    records = HostRecords.open(state)
    installation = records.installation(state.hash_of(Secret(code)))
    records.close()
    return installation


@both
def test_uninstalling_deletes_at_the_service_and_marks_the_instance_removed(opened, world, fields):
    hook_calls = []
    browser, url, code = opened(Hooks(on_uninstalled=lambda instance: hook_calls.append(instance.brand)))
    seen = browser.post(url + "uninstall", fields(browser.get(url)))
    assert (seen.status, seen.heading) == (200, "Uninstalled")
    assert "Linen & Co" in seen.text.replace("&amp;", "&")
    assert seen.soup.header.a["href"].startswith("https://service.example/back/1?")
    assert str(world.service.instance(code).state) == "uninstalled"
    assert world.inventory() == []
    installation = record(world, code)
    assert installation.removed_at == world.now
    assert not installation.code, "the authCode is forgotten"
    assert hook_calls == ["Linen & Co"]
    assert browser.get(url).status == 403


def removed(world):
    with closing(Inventory.open(world.kept())) as inventory:
        return [(i.code.reveal(), i.name, i.labels) for i in inventory.removed()]


def test_uninstalled_instance_is_restored_unchanged(opened, world, fields, ask):
    browser, url, code = opened()
    with closing(Inventory.open(world.kept())) as inventory:
        inventory.put([inventory.instance(code, name="mine", labels="gold")])
    browser.post(url + "uninstall", fields(browser.get(url)))
    assert (world.inventory(), removed(world)) == ([], [(code, "mine", ("gold",))])
    world.spoil = lambda call, operation: Response(
        status=200, body=b'{"error":false,"languages":[],"data":""}'
    )
    browser.get(ask("/install", code))
    assert (world.inventory(), removed(world)) == ([(code, "mine")], [])


def test_old_address_does_not_restore_a_removed_installation(opened, world, fields, ask):
    browser, url, code = opened()
    browser.post(url + "uninstall", fields(browser.get(url)))
    for path in ("/install", "/settings"):
        assert browser.get(ask(path, code)).heading == "The website service does not know this installation"
    assert world.inventory() == []
    assert record(world, code).removed_at is not None


def test_reissued_code_is_installed_again(opened, world, fields, ask):
    browser, url, code = opened()
    browser.post(url + "uninstall", fields(browser.get(url)))
    world.spoil = lambda call, operation: Response(
        status=200, body=b'{"error":false,"languages":[],"data":""}'
    )
    browser.get(ask("/install", code))
    assert [stored_code for stored_code, _ in world.inventory()] == [code]
    assert record(world, code).removed_at is None


@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        (UNREACHABLE, 503, "did not answer"),
        (UNAUTHORIZED, 404, "may have been uninstalled already"),
        (Response(status=500, body=b""), 502, "could not do this"),
    ],
)
def test_instance_stays_when_the_service_refuses_to_delete_it(opened, world, fields, answer, status, message):
    browser, url, code = opened()
    world.spoil = lambda call, operation: answer if call == "delete" else None
    for _ in range(2):  # a repeated refusal is reported in the same way
        seen = browser.post(url + "uninstall", fields(browser.get(url)))
        assert seen.status == status
        assert message in seen.soup.find(role="alert").get_text()
    assert [stored_code for stored_code, _ in world.inventory()] == [code]
    world.spoil = lambda call, operation: None
    assert browser.post(url + "uninstall", fields(browser.get(url))).heading == "Uninstalled"


def test_lost_response_is_settled_by_asking_the_service(opened, world, fields):
    browser, url, _ = opened()
    world.after = lambda call, operation: LOST if call == "delete" else None
    assert browser.post(url + "uninstall", fields(browser.get(url))).heading == "Uninstalled"
    assert world.inventory() == []


@both
def test_crashed_removal_is_completed_by_the_next_try(opened, world, fields):
    browser, url, code = opened()
    entries = fields(browser.get(url))
    world.after = lambda call, operation: LOST if call in {"delete", "languages"} else None
    assert browser.post(url + "uninstall", entries).status in {404, 503}
    assert [stored_code for stored_code, _ in world.inventory()] == [code]
    world.after = lambda call, operation: None
    assert browser.post(url + "uninstall", entries).heading == "Uninstalled"
    assert world.inventory() == []
