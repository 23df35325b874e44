"""How long a test waits for the responses of other hosts."""

from itertools import permutations
from types import SimpleNamespace

import pytest

from awning_harness.visit.hosts.other_hosts import HAS_RECEIVED, FetchAnswers, OtherHosts

NEAR = "https://points.example.com/near.json"


def test_host_that_does_not_answer_is_waited_for_once(tmp_path):
    rounds: list[list[str]] = []
    hosts = OtherHosts(folder=tmp_path, context=None, report=rounds.append, intercepts_all=False)
    hosts.requested.append(NEAR)

    def has_received(urls):
        rounds.append([*urls])
        return False

    hosts.await_answers(has_received, lambda: None)
    assert rounds == [[NEAR]]
    assert hosts.unanswered() == [NEAR]
    hosts.begin_page()
    assert hosts.unanswered() == []


def test_response_that_was_sent_while_it_was_waited_for_is_waited_for_once_more(tmp_path):
    hosts = OtherHosts(folder=tmp_path, context=None, report=print, intercepts_all=False)
    hosts.requested.append(NEAR)
    rounds: list[list[str]] = []

    def has_received(urls):
        rounds.append([*urls])
        hosts.ended.add(NEAR)
        return len(rounds) > 1

    hosts.await_answers(has_received, lambda: None)
    assert rounds == [[NEAR], [NEAR]]


def tell_chromium(hosts, url, initiator="script"):
    hosts._on_sent({"request": {"url": url}, "initiator": {"type": initiator}})


def tell_playwright(hosts, url):
    hosts._on_request(SimpleNamespace(url=url))


@pytest.mark.parametrize("reporters", sorted({"".join(order) for order in permutations("ccpp")}))
def test_request_that_both_report_is_one_request(tmp_path, reporters):
    hosts = OtherHosts(folder=tmp_path, context=None, report=print, intercepts_all=False)
    for reporter in reporters:
        (tell_chromium if reporter == "c" else tell_playwright)(hosts, NEAR)
    assert hosts.requested == [NEAR, NEAR]


def test_request_of_the_browser_for_permission_is_not_waited_for(tmp_path):
    hosts = OtherHosts(folder=tmp_path, context=None, report=print, intercepts_all=False)
    tell_chromium(hosts, NEAR, initiator="preflight")
    assert hosts.requested == []


def test_page_that_asks_without_an_end_is_not_waited_for_without_an_end(tmp_path):
    hosts = OtherHosts(folder=tmp_path, context=None, report=print, intercepts_all=False)
    hosts.requested.append(NEAR)
    hosts.await_answers(lambda urls: True, lambda: hosts.requested.append(NEAR))
    assert len(hosts.requested) <= 20


TWICE = f"""async (late) => {{
  const entries = [{{ name: "{NEAR}" }}];
  if (late) setTimeout(() => entries.push({{ name: "{NEAR}" }}), 100);
  const page = {{ performance: {{ getEntriesByType: () => entries }} }};
  return ({HAS_RECEIVED})(page, ["{NEAR}", "{NEAR}"]);
}}"""
"""JavaScript that waits as on a page that has sent one request twice, and has the first response already."""


@pytest.mark.parametrize(("late", "outcome"), [(True, "received"), (False, "late")])
def test_each_response_from_an_address_is_waited_for(storefront, late, outcome):
    assert storefront.tab.evaluate(TWICE, late) == outcome


ASK_TWICE = f"""() => {{
  const {{ dataset }} = document.body;
  dataset.arrived = "";
  for (const number of [1, 2]) fetch("{NEAR}?" + number).then(() => (dataset.arrived += number));
}}"""


ASK = f"""() => {{
  const {{ dataset }} = document.body;
  delete dataset.arrived;
  fetch("{NEAR}").then(() => (dataset.arrived = "yes"));
}}"""
ARRIVED = "document.body.dataset.arrived === 'yes'"


def without_playwrights_reports(opened):
    """Answer a request, but drop what Playwright reports of it, as if it came too late."""
    opened.answer(NEAR, {})
    opened.other_hosts.context.remove_listener("request", opened.other_hosts._on_request)


def was_waited_for(opened, page):
    """Return whether a request was waited for. Puts back what without_playwrights_reports takes away."""
    page.evaluate(ASK)
    page.settle()
    opened.other_hosts.context.on("request", opened.other_hosts._on_request)
    return page.evaluate(ARRIVED)


def test_page_waits_for_the_response_to_a_request_that_playwright_reports_late(storefront):
    without_playwrights_reports(storefront)
    assert was_waited_for(storefront, storefront.product())


def test_frame_waits_for_the_response_to_a_request_that_playwright_reports_late(widget):
    without_playwrights_reports(widget)
    assert was_waited_for(widget, widget.show("P1", language="en"))


def test_response_to_an_address_with_a_fragment_is_not_waited_for_in_vain(storefront):
    storefront.answer(NEAR, {})
    page = storefront.product()
    page.evaluate(ASK.replace(NEAR, f"{NEAR}#top"))
    page.settle()
    assert page.evaluate(ARRIVED)
    assert storefront.other_hosts.late == 0


def answer_late(storefront, *delays):
    """Answer `fetch` after these delays; without any, never."""
    storefront.answer(NEAR, {})
    responses = {NEAR: storefront.other_hosts.responses[NEAR] if delays else None}
    storefront.other_hosts.to_fetch = FetchAnswers(responses=responses, delays=delays)


def test_delayed_response_comes_after_one_to_a_later_request_and_is_waited_for(storefront):
    answer_late(storefront, 600, 0)  # a busy machine takes more than 200 ms to tell of the second request
    page = storefront.product()
    for _ in range(2):
        page.evaluate(ASK_TWICE)
        page.settle()
        assert page.evaluate("document.body.dataset.arrived") == "21"


@pytest.mark.parametrize("delays", [(), (60_000,)])
def test_host_that_is_silent_or_slow_holds_up_no_test(storefront, delays):
    answer_late(storefront, *delays)
    page = storefront.product()
    page.evaluate(ASK_TWICE)
    page.settle()
    assert storefront.other_hosts.unanswered() == [f"{NEAR}?1", f"{NEAR}?2"]


def test_page_that_is_closed_needs_no_delayed_response(storefront):
    answer_late(storefront, 100)
    page = storefront.product()
    page.evaluate(ASK_TWICE)
    other = page.page.context.new_page()
    page.page.close()
    other.wait_for_timeout(300)


def test_answer_that_was_given_up_is_waited_for_when_it_is_asked_for_again(storefront):
    answer_late(storefront, 2600, 200)
    page = storefront.product()
    page.evaluate(ASK)
    page.settle()
    storefront.tab.page.wait_for_function(ARRIVED)
    page.evaluate(ASK)
    page.settle()
    assert page.evaluate(ARRIVED)


ASK_ELSEWHERE = {
    "a frame with its own text": "document.body.append(Object.assign(document.createElement('iframe'), "
    f"""{{ srcdoc: "<script>fetch('{NEAR}').then(() => parent.document.body.dataset.arrived = 'yes')</script>" }}))""",
    "a worker": f"""new Worker(URL.createObjectURL(new Blob(["fetch('{NEAR}').then(() => postMessage(0))"])))"""
    ".onmessage = () => { document.body.dataset.arrived = 'yes'; }",
    "a frame of another host": "document.body.append(Object.assign(document.createElement('iframe'), "
    "{ src: 'https://map.example.com/', onload: () => { document.body.dataset.arrived = 'yes'; } }))",
}
"""JavaScript of a page that has something else send a request."""


def wait_for_what_is_sent(opened, page, sender):
    """Return whether its response has arrived, and how many requests were waited for in vain."""
    page.evaluate(f"() => {{ {ASK_ELSEWHERE[sender]}; }}")
    page.evaluate("new Promise((done) => setTimeout(done, 300))")
    page.settle()
    return page.evaluate(ARRIVED), opened.other_hosts.late


@pytest.mark.parametrize("sender", ASK_ELSEWHERE)
def test_page_does_not_wait_in_vain_for_the_response_to(sender, storefront):
    storefront.answer(NEAR, {})
    storefront.answer("https://map.example.com/", {})
    assert wait_for_what_is_sent(storefront, storefront.product(), sender) == (True, 0)


@pytest.mark.parametrize("sender", ASK_ELSEWHERE)
def test_frame_does_not_wait_in_vain_for_the_response_to(sender, widget):
    widget.answer(NEAR, {})
    widget.answer("https://map.example.com/", {})
    assert wait_for_what_is_sent(widget, widget.show("P1", language="en"), sender) == (True, 0)
