"""The requests of a replay: what of an address is left out, and what answered, also at a later step."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from awning_harness.replay.requests import RequestLog, plain_address

SHOP = "http://shop.localhost:4000/1/"


@dataclass(eq=False)
class Request:
    """A request as Playwright reports it."""

    url: str
    method: str = "GET"
    resource_type: str = "fetch"
    failure: str | None = None


class Context:
    """A browser context whose events a test sends."""

    def __init__(self):
        self.handlers = {}

    def on(self, event, handler):
        self.handlers[event] = handler


@pytest.fixture
def log():
    hosts = SimpleNamespace(response_to=lambda *_: None)
    log = RequestLog(context=Context(), other_hosts=hosts, shop=SHOP)
    log.listen()
    return log


def answers(log, step):
    return [(sent.answer, sent.is_good) for sent in log.sent_at(step)]


def test_request_without_an_answer_is_still_open(log):
    log.context.handlers["request"](Request("https://a.example/near"))
    assert answers(log, 0) == [("still open", False)]


def test_answer_at_a_later_step_is_late_at_the_step_of_the_request(log):
    request = Request("https://a.example/near")
    log.step = 1
    log.context.handlers["request"](request)
    log.step = 3
    log.context.handlers["response"](SimpleNamespace(request=request, status=200))
    assert answers(log, 1) == [("200, late: at step 3", False)]
    assert answers(log, 3) == []


def test_answer_whose_body_the_page_does_not_read_has_not_failed(log):
    request = Request("https://a.example/near", failure="net::ERR_ABORTED")
    log.context.handlers["request"](request)
    log.context.handlers["response"](SimpleNamespace(request=request, status=204))
    log.context.handlers["requestfailed"](request)
    assert answers(log, 0) == [("204", True)]


def test_answer_that_the_page_may_not_read_has_failed(log):
    request = Request("https://a.example/near", failure="net::ERR_FAILED")
    log.context.handlers["request"](request)
    log.context.handlers["response"](SimpleNamespace(request=request, status=200))
    log.context.handlers["requestfailed"](request)
    assert answers(log, 0) == [("failed: net::ERR_FAILED", False)]


@pytest.mark.parametrize(
    ("url", "kind", "is_collected"),
    [
        ("https://a.example/p.png", "image", True),
        ("http://127.0.0.1:9000/near", "fetch", True),
        ("http://shop.localhost:4000/1/cart", "fetch", False),
        ("http://assets.localhost:4001/shop.js", "script", False),
        ("https://probe.awning.invalid/", "fetch", False),
    ],
)
def test_requests_of_a_widget_are_those_to_other_hosts_and_those_of_scripts_to_other_servers(
    log, url, kind, is_collected
):
    log.context.handlers["request"](Request(url, resource_type=kind))
    assert bool(log.sent_at(0)) is is_collected


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/near.json", "https://a.example/near.json"),
        ("https://a.example/near?shop=12&zip=LV-1010", "https://a.example/near?shop=12&zip=…"),
        ("https://a.example/near?language=en&to=pt-BR", "https://a.example/near?language=en&to=pt-BR"),
        ("https://a.example/near?sk_live_51HxAbc", "https://a.example/near?…"),
        ("https://a.example/near?id=12345678", "https://a.example/near?id=…"),
        ("https://jo:secret@a.example/near", "https://a.example/near"),
        ("https://a.example/of/jo%40b.example/list", "https://a.example/of/…/list"),
        (f"https://a.example/hooks/{'x' * 41}", "https://a.example/hooks/…"),
        ("https://a.example/near#jo", "https://a.example/near"),
        ("https://a.example/call/+371%2029111222", "https://a.example/call/…"),
        ("https://a.example/reset/9f86d081884c7d659a2f", "https://a.example/reset/…"),
        ("https://a.example/k/planted-canary%2Fa%2B%3D/x", "https://a.example/k/***/x"),
        ("https://a.example/k/planted-canary/a%2B=/x", "https://a.example/k/***/x"),
        ("https://planted-canary%2Fa%2B%3D.example/", "https://***.example/"),
    ],
)
def test_address_has_nothing_that_may_be_secret_or_personal(url, shown, monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", "planted-canary/a+=")
    assert plain_address(url) == shown
