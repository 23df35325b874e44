"""`instances refresh` asks the service for websites; the inventory keeps the answers."""

import json

import pytest

from awning.contract import Exit
from awning_harness.service import serve


@pytest.fixture
def refresh(awning):
    """Run `instances refresh`; returns its exit code, and the state of each instance."""

    def run(*words):
        code, out, _ = awning("instances", "refresh", "--pace", "0", "--json", *words)
        return code, {row["instance"]: row["state"] for row in json.loads(out)["instances"]}

    return run


@pytest.fixture
def listed(awning):
    return lambda: json.loads(awning("instances", "list", "--json")[1])["instances"]


@pytest.fixture
def two_shops(awning, shop, shelf, monkeypatch):
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-b")
    awning("instances", "add", "--name", "other", "--labels", "early")
    shelf.websites = {"code-a": "https://a.example/", "code-b": "https://b.example/"}
    return shelf


def test_website_and_languages_are_kept(two_shops, refresh, listed):
    assert refresh() == (0, {"shop": "changed", "other": "changed"})
    first, second = listed()
    assert (first["website_url"], first["website_languages"]) == ("https://a.example/", ["lv", "en", "ru"])
    assert (second["website_url"], second["website_languages"]) == ("https://b.example/", ["lv"])
    assert first["refreshed_at"].startswith("20")


def test_second_refresh_changes_nothing(two_shops, refresh):
    refresh()
    assert refresh() == (0, {"shop": "unchanged", "other": "unchanged"})


@pytest.mark.parametrize(("words", "name"), [(["shop"], "shop"), (["--label", "early"], "other")])
def test_instances_are_chosen_by_name_or_label(words, name, two_shops, refresh):
    assert refresh(*words) == (0, {name: "changed"})


def test_nothing_is_written_to_the_service(two_shops, refresh):
    two_shops.calls.clear()
    refresh()
    assert {call for call, _ in two_shops.calls} == {"website", "languages"}


def test_website_without_an_address_has_none(two_shops, refresh, listed):
    del two_shops.websites["code-a"]
    assert refresh("shop") == (0, {"shop": "changed"})
    assert listed()[0]["website_url"] is None


def test_unreadable_instance_keeps_what_it_had(two_shops, refresh, listed, refused):
    refresh()
    two_shops.before = lambda call, code, turn: refused(400, "broken") if code == "code-a" else None
    assert refresh() == (Exit.PARTLY, {"shop": "unreadable", "other": "unchanged"})
    assert listed()[0]["website_url"] == "https://a.example/"


def test_refused_key_is_reported(two_shops, refresh, monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", "SVC-wrong")
    assert refresh()[0] == Exit.REFUSED


def test_unreachable_service_is_reported(two_shops, refresh, monkeypatch):
    monkeypatch.setenv("AWNING_BASE_URL", "http://127.0.0.1:9/v1")
    assert refresh("shop") == (Exit.FINDINGS, {"shop": "unreadable"})


def test_unknown_name_is_a_usage_error(two_shops, awning):
    code, out, _ = awning("instances", "refresh", "shpo", "--json")
    assert (code, json.loads(out)["hint"]) == (Exit.USAGE, 'did you mean "shop"?')


def test_plan_from_the_journal_skips_a_language_that_the_website_does_not_use(two_shops, refresh, awning):
    refresh()
    cells = json.loads(awning("publish", "plan", "--only", "other", "--json")[1])["cells"]
    assert {cell["language"]: cell["action"] for cell in cells} == {
        None: "write",
        "lv": "write",
        "en": "skip",
    }


def test_instance_that_is_removed_meanwhile_is_left_out(inventory):
    first, second = inventory.all()
    inventory.remove(first)
    inventory.set_websites([first, second])
    assert [instance.refreshed_at is None for instance in inventory.all()] == [False]


def test_simulated_service_answers_a_refresh(workspace, awning, refresh, listed, monkeypatch):
    with serve() as running:
        app_id, key = running.service.register_app({"app_title": "Test"})
        website = running.service.create_website(languages=("lv", "de"))
        monkeypatch.setenv("AWNING_AUTH_CODE", running.service.install(app_id, website.id))
        monkeypatch.setenv("AWNING_API_KEY", key)
        monkeypatch.setenv("AWNING_BASE_URL", running.apps_url)
        awning("instances", "add", "--name", "site")
        assert refresh() == (0, {"site": "changed"})
        (site,) = listed()
        assert site["website_url"] == running.service.website_url(website.id)
        assert site["website_languages"] == ["lv", "de"]
