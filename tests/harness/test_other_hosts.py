"""Widgets that use other hosts: described responses are sent, any other request fails with a message."""

import re
from types import SimpleNamespace

import pytest
from nested_runs import run_pytest

from awning.states.host_responses import read_host_response
from awning.workspace.scaffolding import add_widget, make_workspace
from awning_harness.visit import laboratory
from awning_harness.visit.hosts.other_hosts import PROXY_FAILED, OtherHosts

NEAR = "https://points.example.com/near.json"

SCRIPT = """\
import { afterCheckout } from "awning";

export default afterCheckout(async () => {
  const answer = await fetch("https://points.example.com/near.json?limit=1").catch(() => undefined);
  const points = answer?.ok ? ((await answer.json()) as string[]) : ["Nobody"];
  return `<p>${points[0]!}</p>`;
});
"""

ANSWERED = """\
[[state]]
name = "near"
title = "A point nearby"
payload = "C1"
shows = { en = ["Main Street 1"] }

[state.fetch]
"https://points.example.com/near.json" = ["Main Street 1"]

[[state]]
name = "from-a-file"
title = "A point in a file"
payload = "C1"
shows = { en = ["Side Street 2"] }
fetch = { "https://points.example.com/near.json?limit=1" = "near.json" }

[[state]]
name = "down"
title = "The other host is out of order"
payload = "C1"
shows = { en = ["Nobody"] }
fetch = { "https://points.example.com/near.json" = 503 }
"""

OWN = """\
import pytest


def test_shows_the_other_hosts_response(storefront):
    storefront.answer("https://points.example.com/near.json", ["Back Street 3"])
    assert storefront.checkout().text() == "Back Street 3"


@pytest.mark.allow_problems("near.json", "Failed to fetch", reason="the message is what is tested")
def test_has_no_answer(storefront):
    [first, *_] = storefront.checkout().errors
    assert 'storefront.answer("https://points.example.com/near.json", { … })' in first


ADD_STYLE = (
    "() => new Promise((done) => document.head.append(Object.assign(document.createElement('link'),"
    " { rel: 'stylesheet', href: 'https://points.example.com/a.css?b', onerror: () => done() })))"
)


@pytest.mark.allow_problems("a.css", "ERR_PROXY", reason="the message is what is tested")
def test_has_no_answer_for_a_style(storefront):
    storefront.answer("https://points.example.com/near.json", ["Back Street 3"])
    visit = storefront.checkout()
    storefront.page.evaluate(ADD_STYLE)
    visit.settle()
    assert any('storefront.answer("https://points.example.com/a.css", "answer.css"); the file is in the' in error
        for error in visit.errors)


ADD_MODULE = (
    "(address) => new Promise((done) => document.head.append(Object.assign(document.createElement('script'),"
    " { type: 'module', src: address, onload: () => done('loaded'), onerror: () => done('refused') })))"
)


def test_empty_answer_for_a_module_is_a_module(storefront):
    storefront.answer("https://points.example.com/near.json", ["Back Street 3"])
    storefront.answer("https://points.example.com/a.js", 200)
    storefront.checkout()
    assert storefront.page.evaluate(ADD_MODULE, "https://points.example.com/a.js") == "loaded"


def test_routes_of_its_own_come_first(storefront):
    storefront.page.route("https://points.example.com/**", lambda route: route.fulfill(json=["Far Street 4"], headers={
        "access-control-allow-origin": "*"}))
    assert storefront.checkout().text() == "Far Street 4"
    assert storefront.tab.other_hosts.unanswered() == []
"""


NEEDED = "shows_its_state or (savings-note and (test_own or order or failing_hosts))"
"""Selects the tests whose outcome is asserted, and the checks that change responses.

The other checks are run for those reference widgets in `widgets/` that have responses.
"""


@pytest.fixture(scope="module")
def report(processes, tmp_path_factory) -> str:
    """pytest's output for a widget with responses and for one without."""
    root = tmp_path_factory.mktemp("hosts") / "app"
    make_workspace(root, slot="after-checkout", languages=("en",))
    add_widget(root, "unanswered", slot="after-checkout", languages=("en",))
    for name in ("savings-note", "unanswered"):
        folder = root / "widgets" / name
        for file in (*folder.glob("*.j2"), *folder.glob("messages/*"), *folder.glob("test_*")):
            file.unlink()
        (folder / "data.schema.json").unlink(missing_ok=True)
        (folder / "widget.ts").write_text(SCRIPT)
        (folder / "states.toml").unlink()
    folder = root / "widgets" / "savings-note"
    (folder / "states.toml").write_text(ANSWERED)
    (folder / "near.json").write_text('["Side Street 2"]')
    (folder / "test_own.py").write_text(OWN)
    return run_pytest(root, "-q", "-rA", "-k", NEEDED)[1]


def test_responses_of_states_and_tests_reach_the_widget(report):
    assert len(re.findall("^PASSED widgets/savings-note/", report, re.MULTILINE)) > 10, report[-4000:]
    assert not re.findall("^(FAILED|ERROR) widgets/savings-note/", report, re.MULTILINE), report[-4000:]


def test_an_address_without_a_response_is_reported_with_a_hint(report):
    assert re.search("^FAILED widgets/unanswered/widget.toml::test_shows_its_state", report, re.MULTILINE)
    assert "https://points.example.com/near.json?limit=1 was asked for" in report
    assert '[state.fetch] "https://points.example.com/near.json" = { … }' in report


@pytest.mark.parametrize(
    ("resource_type", "content_type"),
    [
        ("stylesheet", "text/css"),
        ("script", "text/javascript"),
        ("document", "text/html"),
        ("fetch", "text/plain"),
    ],
)
def test_empty_answer_has_the_type_that_the_request_needs(tmp_path, resource_type, content_type):
    assert read_host_response(200, tmp_path).type_for(resource_type) == content_type
    (tmp_path / "a.css").touch()
    assert read_host_response("a.css", tmp_path).type_for(resource_type) == "text/css"


def test_answer_of_a_status_and_a_file_has_both(tmp_path):
    (tmp_path / "refused.json").write_text('{"why": "no such code"}')
    response = read_host_response("422 refused.json", tmp_path)
    assert (response.status, response.content_type) == (422, "application/json")
    assert response.body == (tmp_path / "refused.json").read_bytes()


def test_file_whose_name_begins_with_a_number_is_found(tmp_path):
    (tmp_path / "404 page.html").touch()
    assert read_host_response("404 page.html", tmp_path).status == 200


def test_laboratory_and_gallery_answer_fetch_with_a_type(tmp_path):
    assert laboratory._response(200, tmp_path)["type"] == "text/plain"
    assert read_host_response(503, tmp_path).played().type == "text/plain"


@pytest.mark.parametrize(
    ("resource_type", "answer"),
    [
        ("document", '"answer.html"'),
        ("media", '"answer.mp4"'),
        ("stylesheet", '"answer.css"'),
        ("fetch", "{ … }"),
    ],
)
def test_hint_names_an_answer_of_the_requests_type(tmp_path, resource_type, answer):
    hints: list[str] = []
    request = SimpleNamespace(url=f"{NEAR}?a", resource_type=resource_type, failure=PROXY_FAILED)
    OtherHosts(folder=tmp_path, context=None, report=hints.append, intercepts_all=False)._on_failure(request)
    assert f'[state.fetch] "{NEAR}" = {answer};' in hints[0]
