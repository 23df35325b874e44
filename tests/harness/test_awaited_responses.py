"""How long a test waits for the responses of other hosts."""

import pytest

from awning_harness.visit.hosts.other_hosts import HAS_RECEIVED, OtherHosts

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
