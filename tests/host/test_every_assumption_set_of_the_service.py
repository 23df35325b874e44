"""The whole flow without a browser, under each assumption set and each form of stored data."""

import pytest

from awning.contract.assumptions import ASSUMPTION_SETS
from awning_harness.service.installation import Installation


@pytest.mark.parametrize("assumption_set", ASSUMPTION_SETS)
def test_app_is_installed_configured_and_removed(world, fields, assumption_set):
    world.service.assumptions.take_set(assumption_set)
    # An installation makes more calls than the limit of `hostile` lets through at once: it would be finished later.
    world.service.assumptions.set("rate-limit", "none")
    world.service.resubmit_app(
        world.app_id,
        {
            "app_title": "Test app",
            "app_secret": "planted-canary-app-secret",
            "app_install_url": "https://app.example/install?tenant=a b",
            "app_settings_url": "https://app.example/settings",
        },
    )
    portal, browser = Installation(world.service), world.browser()
    back = browser.get(portal.begin(world.app_id, world.website_id, "lv"))
    token = back.location.partition("/accept/")[2].partition("?")[0]
    returned = browser.get(portal.accept(token))
    assert "/installed/1?" in returned.location
    assert "tenant=a+b" in returned.location
    with world.service.database.reading() as db:
        [(state,)] = db.execute("SELECT state FROM instance").fetchall()
    assert state == "installed"
    [(code, _)] = world.inventory()
    opened = browser.get(portal.settings(world.service.instance(code), "lv"))
    page = browser.follow(opened)
    entries = {**fields(page), "/bar/threshold": "9,99"}
    assert browser.follow(browser.post(opened.location, entries)).status == 200
    assert world.data(code)["bar"]["threshold"] == 9.99
    gone = browser.post(opened.location + "uninstall", entries)
    assert gone.heading == "Noņemts"
    assert world.inventory() == []
