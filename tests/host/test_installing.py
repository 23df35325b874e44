"""Installation from the two requests to the last snippet: order, repetition, interruption at any point."""

import asyncio
import json
import time
from urllib.parse import parse_qsl, urlsplit

import pytest
from kept_in import both

from awning.client import NoResponse, Response, Secret, apps_access
from awning.host import Hooks
from awning.host.host_records import HostRecords
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning_harness.service.store import instances

UNREACHABLE = NoResponse(why="no answer", sent=False)
LOST = NoResponse(why="no answer")
UNAUTHORIZED = Response(status=401, body=b'{"error":true,"error_code":401,"error_message":"Unauthorized"}')
A_PAGE = Response(status=200, body=b"<html>", content_type="text/html")


def test_first_request_redirects_to_the_return_link(world, ask):
    seen = world.browser().get(ask("/install"))
    assert seen.status == 302
    assert seen.location == "https://service.example/back/1?appId=1&language=en&svcVersion=1.0.0"
    assert world.calls == []
    assert world.inventory() == []


@both
def test_second_request_installs_in_order_and_redirects_back(world, ask):
    code = world.new_code()
    seen = world.browser().get(ask("/install", code))
    assert seen.status == 302
    back = urlsplit(seen.location)
    assert (back.netloc, back.path) == ("service.example", "/back/1")
    assert dict(parse_qsl(back.query)) == {
        "authCode": code, "appId": "1", "language": "en", "svcVersion": "1.0.0"
    }  # fmt: skip
    first = list(dict.fromkeys(world.calls))
    assert first[:3] == ["installed", "get_data", "set_data"]
    assert first.index("set_data") < first.index("set_snippet")
    assert world.installed(code)
    assert world.data(code) == {"bar": {"enabled": True, "threshold": 75}}
    assert world.service.snippet(code) == "<p>v1 None {{svc_app_data}}</p>"
    assert world.service.snippet(code, language="lv") == "<p>v1 lv {{svc_app_data}}</p>"
    assert world.service.snippet(code, language="ru") is None


def test_instance_is_named_after_its_website(world, ask):
    code = world.new_code()
    world.browser().get(ask("/install", code))
    [(stored_code, name)] = world.inventory()
    assert stored_code == code
    assert name == world.service.website_url(world.website_id).partition("://")[2][:-1]


def test_installation_is_recorded_in_the_journal(world, ask):
    world.browser().get(ask("/install", world.new_code()))
    journal = Journal.open(world.kept())
    ends = [(e["language"], e["outcome"]) for e in journal.latest()]
    journal.close()
    assert sorted(ends, key=str) == [
        ("en", "applied"),
        ("lv", "applied"),
        ("ru", "skipped"),
        (None, "applied"),
    ]


def test_installation_in_blank_tab_mode_ends_at_the_settings_page(world, ask, build):
    build(world.dist, tab_mode="blank")
    browser = world.browser()
    page = browser.follow(browser.get(ask("/install", world.new_code())))
    assert page.status == 200
    assert page.heading == "Settings for Linen & Co"
    assert "Installed." in page.soup.find(role="status").get_text()


def test_repeated_install_request_changes_nothing(world, ask):
    code, browser = world.new_code(), world.browser()
    first = browser.get(ask("/install", code)).location
    world.service.set_data(code, '{"bar":{"threshold":10}}')
    world.service.set_snippet(code, "changed by a publish")
    world.calls.clear()
    assert browser.get(ask("/install", code)).location == first
    assert world.calls == []
    assert world.data(code) == {"bar": {"threshold": 10}}
    assert len(world.inventory()) == 1


def test_new_installation_replaces_one_that_the_service_removed(world, ask):
    """The service does not announce a removal; the next installation on the website detects it."""
    gone, hook_calls = world.new_code(), []
    browser = world.browser(Hooks(on_uninstalled=lambda instance: hook_calls.append(instance.code.reveal())))
    browser.get(ask("/install", gone))
    with world.service.database.writing() as db:
        instances.uninstall(db, world.service.instance(gone).id, world.service.clock.now())
    code = world.new_code()
    browser.get(ask("/install", code))
    url = world.service.website_url(world.website_id).partition("://")[2][:-1]
    assert world.inventory() == [(code, url)]
    assert hook_calls == [gone]


def test_two_live_instances_of_one_website_both_stay(world, ask):
    codes, browser = [world.new_code(), world.new_code()], world.browser()
    for code in codes:
        browser.get(ask("/install", code))
    assert [stored_code for stored_code, _ in world.inventory()] == codes
    assert world.inventory()[1][1] is None, "a name is one instance's"


STEPS = ["installed", "get_data", "set_data", "website", "languages", "get_snippet", "set_snippet"]


UNANSWERED = [(step, LOST) for step in STEPS] + [(step, UNREACHABLE) for step in ("set_data", "set_snippet")]
"""A response that is lost at any step, and a write that seems not to have been sent."""


@pytest.mark.parametrize(("step", "broken"), UNANSWERED)
def test_interrupted_installation_resumes_where_it_stopped(world, ask, step, broken):
    code, hooked = world.new_code(), []
    hooks = Hooks(on_installed=lambda instance: hooked.append(instance.code.reveal()))
    browser = world.browser(hooks)
    world.after = lambda call, operation: broken if call == step else None
    first = browser.get(ask("/install", code))
    assert world.inventory()[0][0] == code, "the code is kept before anything is asked"
    assert first.status in {302, 303, 503}
    world.after = lambda call, operation: None
    assert world.browser(hooks).get(ask("/install", code)).status == 302
    assert world.installed(code)
    assert world.data(code)["bar"]["threshold"] == 75
    assert world.service.snippet(code, language="en") == "<p>v1 en {{svc_app_data}}</p>"
    assert hooked == [code]


def test_hook_is_called_at_the_next_visit_of_the_settings_after_a_crash_before_it(world, ask, monkeypatch):
    code, hooked = world.new_code(), []
    with monkeypatch.context() as crashing:
        crashing.setattr("awning.host.installing.call_hook", fails)
        assert world.browser().get(ask("/install", code)).status == 500
    browser = world.browser(Hooks(on_installed=lambda instance: hooked.append(instance.code.reveal())))
    for _ in range(2):
        assert browser.get(ask("/settings", code)).status == 303
    assert hooked == [code]


async def fails(*_arguments):
    raise RuntimeError("the worker dies")


def test_unknown_code_is_not_left_in_the_inventory(world, ask):
    code, browser = world.new_code(), world.browser()
    world.spoil = lambda call, operation: UNAUTHORIZED
    for _ in range(2):
        browser.get(ask("/install", code))
        assert world.inventory() == []
    world.spoil = lambda call, operation: None
    assert browser.get(ask("/install", code)).status == 302, "it may have been the API key"
    assert [stored_code for stored_code, _ in world.inventory()] == [code]


def test_call_is_repeated_safely_after_a_crash_before_it_is_recorded(world, ask):
    world.service.assumptions.set("second-installed", "refused")
    code, browser = world.new_code(), world.browser()
    world.after = lambda call, operation: LOST if call == "installed" else None
    assert browser.get(ask("/install", code)).status == 503
    world.after = lambda call, operation: None
    assert browser.get(ask("/install", code)).status == 302
    assert world.installed(code)


def test_stored_app_data_is_not_overwritten_by_defaults(world, ask):
    code = world.new_code()
    world.service.set_data(code, '{"bar":{"enabled":false}}')
    world.browser().get(ask("/install", code))
    assert world.data(code) == {"bar": {"enabled": False}}


def test_name_and_languages_of_an_instance_survive_reinstallation(world, ask):
    code, browser = world.new_code(), world.browser()
    inventory = Inventory.open(world.kept())
    inventory.put([inventory.instance(code, name="my shop", languages="lv", labels="gold")])
    inventory.close()
    browser.get(ask("/install", code))
    assert world.inventory() == [(code, "my shop")]
    assert world.service.snippet(code, language="en") is None
    assert world.service.snippet(code, language="lv") is not None


@pytest.mark.parametrize(
    ("call", "answer", "status", "heading"),
    [
        ("installed", UNREACHABLE, 503, "The website service does not answer"),
        ("installed", UNAUTHORIZED, 502, "The website service does not know this installation"),
        ("installed", A_PAGE, 502, "The website service could not do this"),
        ("set_data", UNREACHABLE, 503, "The website service does not answer"),
    ],
)
def test_refused_or_failed_call_is_explained_on_the_page(world, ask, call, answer, status, heading):
    world.spoil = lambda name, operation: answer if name == call else None
    seen = world.browser().get(ask("/install", world.new_code()))
    assert (seen.status, seen.heading) == (status, heading)
    assert seen.soup.find("a", string="Try again")["href"] == ""


def test_unknown_code_is_404_once_the_service_has_accepted_a_call(world, ask):
    """Until then, the API key may be wrong: that is 502, and the log names the variable."""
    browser = world.browser()
    assert browser.get(ask("/settings", "NEVER")).status == 502
    browser.get(ask("/install", world.new_code()))
    for path in ("/settings", "/install"):
        assert browser.get(ask(path, "NEVER")).status == 404


@pytest.mark.parametrize(
    ("base_url", "answer", "hint"),
    [
        ("http://127.0.0.1:9/v1", UNAUTHORIZED, "AWNING_API_KEY"),
        (
            "http://127.0.0.1:9",
            Response(status=404, body=b'{"error":true,"error_code":404,"error_message":"Not Found"}'),
            "does not end in /v1",
        ),
    ],
)
def test_log_says_what_may_be_wrong_when_the_service_refuses_an_installation(
    world, ask, caplog, base_url, answer, hint
):
    world.spoil = lambda name, operation: answer
    browser = world.browser(access=apps_access(base_url, Secret(world.api_key)))
    browser.get(ask("/install", world.new_code()))
    assert hint in caplog.text


def test_postponed_snippets_are_written_at_the_next_visit(world, ask):
    code, browser = world.new_code(), world.browser()
    world.spoil = lambda call, operation: UNREACHABLE if call == "set_snippet" else None
    page = browser.follow(browser.get(ask("/install", code)))
    assert "tried again" in page.soup.find(role="status").get_text()
    world.spoil = lambda call, operation: None
    browser.get(ask("/settings", code))
    assert world.service.snippet(code) is not None


def test_build_is_not_published_over_app_data_of_a_later_version(world, ask):
    browser, schema = world.browser(), world.dist / "data.schema.json"
    first = schema.read_text()
    second = json.loads(first)
    second["properties"]["bar"]["x-version"] = 2
    schema.write_text(json.dumps(second))
    (world.dist / "build.json").touch()
    browser.get(ask("/install", world.new_code()))  # its release describes the second version
    schema.write_text(first)
    (world.dist / "build.json").touch()
    code = world.new_code()
    world.service.set_data(code, '{"bar": {"_version": 2, "enabled": true}}')
    browser.get(ask("/install", code))
    assert world.service.snippet(code) is None


def test_new_build_is_used_without_a_restart(world, ask, build):
    browser = world.browser()
    build(world.dist, body="second build")
    code = world.new_code()
    browser.get(ask("/install", code))
    assert world.service.snippet(code).startswith("<p>second build")


@pytest.mark.parametrize("assumption", ["before-installed", "second-installed"])
def test_installation_succeeds_when_the_service_is_strict(world, ask, assumption):
    world.service.assumptions.set(assumption, "refused")
    code = world.new_code()
    assert world.browser().get(ask("/install", code)).status == 302
    assert world.installed(code)


@pytest.mark.parametrize("error", [RuntimeError, SystemExit])
def test_failing_hook_is_only_logged(world, ask, caplog, error):
    def failing(instance):
        raise error(f"of {instance.code}")

    code = world.new_code()
    assert world.browser(Hooks(on_installed=failing)).get(ask("/install", code)).status == 302
    assert "a hook failed: failing" in caplog.text
    assert code not in caplog.text


@pytest.mark.parametrize("path", ["/install", "/settings"])
def test_incomplete_build_is_500(world, ask, build, caplog, path):
    browser, code = world.browser(), world.new_code()
    build(world.dist, body="v2")
    (world.dist / "manifest.json").write_text("{")
    seen = browser.get(ask(path, code))
    assert (seen.status, seen.heading) == (500, "Something went wrong here")
    assert "manifest.json is not JSON" in caplog.text
    build(world.dist, body="v2")
    assert browser.get(ask(path, code)).status in {302, 303}
    assert world.service.snippet(code) == "<p>v2 None {{svc_app_data}}</p>"


@both
def test_cancelled_request_releases_its_turn(world, ask, monkeypatch):
    """A server cancels requests like this after SIGTERM."""
    browser, code, take = world.browser(), world.new_code(), HostRecords.take_turn
    taken = asyncio.Event()

    def slow(records, *turn, **times):
        had = take(records, *turn, **times)
        world.loop.call_soon_threadsafe(taken.set)
        time.sleep(0.05)
        return had

    async def cut_off():
        visiting = asyncio.ensure_future(browser.visit("GET", ask("/install", code), b"", {}))
        await taken.wait()
        visiting.cancel()
        await asyncio.wait([visiting])
        assert visiting.cancelled()

    with monkeypatch.context() as changed:
        changed.setattr(HostRecords, "take_turn", slow)
        world.loop.run_until_complete(cut_off())
    began = time.monotonic()
    assert browser.get(ask("/install", code)).status == 302
    assert world.calls.count("installed") == 1
    assert time.monotonic() - began < 30


def test_hooks_may_be_coroutines(world, ask):
    seen = []

    async def hook(instance):
        seen.append((instance.brand, instance.code == Secret(code)))

    code = world.new_code()
    world.browser(Hooks(on_installed=hook)).get(ask("/install", code))
    assert seen == [("Linen & Co", True)]


class Killed(RuntimeError):
    """Stands for the end of the process at this point."""


KILLED_AT = [
    *(pytest.param("sqlite", turn, id=f"sqlite-{turn}") for turn in range(1, 13)),
    pytest.param("postgresql", 7, id="postgresql-7"),
]
"""Every call with a store, one with the other: the calls do not depend on the store."""


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize(("kept_in", "turn"), KILLED_AT, indirect=["kept_in"])
def test_next_process_completes_an_installation_killed_at_any_call(world, ask, turn, moment):
    def end(call, operation):
        if len(world.calls) == turn:
            raise Killed

    setattr(world, "spoil" if moment == "before" else "after", end)
    code, first = world.new_code(), world.browser()
    first.get(ask("/install", code))
    assert [type(error) for error in first.errors] in ([Killed], []), "there may be fewer calls"
    world.spoil = world.after = lambda call, operation: None
    second = world.browser()
    assert second.get(ask("/install", code)).status == 302
    assert second.errors == []
    assert world.installed(code)
    assert world.data(code) == {"bar": {"enabled": True, "threshold": 75}}
    for language in (None, "lv", "en"):
        assert world.service.snippet(code, language=language) == f"<p>v1 {language} {{{{svc_app_data}}}}</p>"
    assert [stored_code for stored_code, _ in world.inventory()] == [code]
