"""How long a test waits for the responses of other hosts."""

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


def answer_late(storefront, *delays):
    """Answer `fetch` after these delays; without any, never."""
    storefront.answer(NEAR, {})
    responses = {NEAR: storefront.other_hosts.responses[NEAR] if delays else None}
    storefront.other_hosts.to_fetch = FetchAnswers(responses=responses, delays=delays)


def ask(page, script, last=NEAR):
    """Run JavaScript that sends requests, and wait until the browser has told of the last one, a moment later."""
    with page.page.expect_request(lambda request: request.url == last):
        page.evaluate(script)


def test_delayed_response_comes_after_one_to_a_later_request_and_is_waited_for(storefront):
    answer_late(storefront, 600, 0)  # a busy machine takes more than 200 ms to tell of the second request
    page = storefront.product()
    for _ in range(2):
        ask(page, ASK_TWICE, f"{NEAR}?2")
        page.settle()
        assert page.evaluate("document.body.dataset.arrived") == "21"


@pytest.mark.parametrize("delays", [(), (60_000,)])
def test_host_that_is_silent_or_slow_holds_up_no_test(storefront, delays):
    answer_late(storefront, *delays)
    page = storefront.product()
    ask(page, ASK_TWICE, f"{NEAR}?2")
    page.settle()
    assert storefront.other_hosts.unanswered() == [f"{NEAR}?1", f"{NEAR}?2"]


def test_page_that_is_closed_needs_no_delayed_response(storefront):
    answer_late(storefront, 100)
    page = storefront.product()
    ask(page, ASK_TWICE, f"{NEAR}?2")
    other = page.page.context.new_page()
    page.page.close()
    other.wait_for_timeout(300)


def test_answer_that_was_given_up_is_waited_for_when_it_is_asked_for_again(storefront):
    answer_late(storefront, 2600, 200)
    page = storefront.product()
    ask(page, ASK)
    page.settle()
    storefront.tab.page.wait_for_function(ARRIVED)
    ask(page, ASK)
    page.settle()
    assert page.evaluate(ARRIVED)
