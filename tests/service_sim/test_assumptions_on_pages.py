"""The service's assumptions hold on its storefront's pages, and the control API lists them."""

import json
import re

import pytest

from awning.contract.assumptions import ASSUMPTIONS
from awning.states.assumptions import PAGE_ASSUMPTIONS
from awning_harness.service import Service
from awning_harness.service.server import LazyStorefront


async def page(service, path):
    """The text of a page of the service's storefront."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    plain, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": plain,
        "raw_path": plain.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1")],
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }
    await LazyStorefront(service)(scope, receive, send)
    assert sent[0]["status"] == 200
    return b"".join(message.get("body", b"") for message in sent).decode()


@pytest.fixture
def visit(in_a_loop):
    """`visit(service, path)` returns the text of a page of a new website."""

    def visited(service, path="en/cart"):
        website = service.create_website(languages=["en"])
        return in_a_loop(page(service, f"/{website.id}/{path}"))

    return visited


def answers(text):
    """The answers that the page passes to the emulator."""
    return json.loads(re.search(r"awningEmulator\.configure\((\{.*?\})\);", text)[1])


@pytest.mark.parametrize("name", ["documented", "observed", "hostile"])
def test_pages_use_the_assumptions_of_the_service_about_the_browser(visit, name):
    service = Service(assumptions=name)
    wanted = {id_: a.sets[name] for id_, a in PAGE_ASSUMPTIONS.items() if a.side == "browser"}
    assert answers(visit(service)) == wanted
    service.close()


def test_pages_use_the_assumptions_of_the_service_about_pages(visit):
    hostile, usual = Service(assumptions="hostile"), Service()
    assert '"page":"cart"' in visit(hostile)
    assert '"page":"catalog"' in visit(usual)
    hostile.close()
    usual.close()


def test_changed_assumption_affects_the_next_page(visit, service, control):
    assert answers(visit(service))["replay"] == "last"
    assert control.call("PUT", "assumptions/replay", {"value": "all"})[0] == 200
    assert answers(visit(service))["replay"] == "all"


def test_page_address_overrides_the_assumptions_of_the_service(visit):
    service = Service(assumptions="hostile")
    assert answers(visit(service, "en/cart?assumptions=replay=none"))["replay"] == "none"
    assert answers(visit(service, "en/cart?assumptions=observed"))["replay"] == "last"
    assert answers(visit(service, "en/cart?assumptions=replay=none"))["late-init"] == "throws"
    service.close()


def test_control_api_lists_assumptions_about_browser_and_pages(control):
    listed = {entry["id"]: entry for entry in control.call("GET", "assumptions")[1]["assumptions"]}
    assert list(listed) == list(ASSUMPTIONS)
    assert {entry["side"] for entry in listed.values()} == {"service", "browser", "pages"}
    assert listed["replay"]["value"] == "last"
    assert listed["replay"]["alternatives"] == {"none": "", "last": "", "all": ""}
    assert listed["replay"]["sets"] == {"documented": "none", "observed": "last", "hostile": "all"}


def test_unknown_value_of_a_browser_assumption_is_refused(control):
    status, answer = control.call("PUT", "assumptions/replay", {"value": "first"})
    assert (status, answer["error_message"]) == (
        400,
        'unknown value of replay "first": there are none, last, all',
    )
