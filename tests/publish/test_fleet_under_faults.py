"""Three workers publish while the simulated service has faults of every kind, on half of all calls."""

import json
import time
from contextlib import closing

import pytest
from fault_effects import every_fault, rule_of
from publishers import Publisher, wait_for

from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.pacing import GROWTH, KNOWN_LIMIT
from awning.publish.state.server import StateServer
from awning_harness.service import serve

pytest.importorskip("procrastinate")
pytestmark = pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)

APPLIES = 5
TIMEOUT_S = 1
FAULTS = every_fault(TIMEOUT_S)
APPLY = ("publish", "apply", "--fleet", "--lease", "3", "--pace", "0", "--timeout", f"{TIMEOUT_S}", "--json")
SHOPS = 40
ROUTES = ("set_snippet", "get_snippet", "languages")


@pytest.fixture
def running():
    with serve() as running:
        yield running


@pytest.fixture
def shops(running, kept_in, workspace, monkeypatch):
    """Forty instances in PostgreSQL, and one whose app was uninstalled. Yields the websites by authCode."""
    monkeypatch.setenv("AWNING_DATABASE_URL", kept_in.url.reveal())
    app_id, key = running.service.register_app({"app_title": "Test"})
    monkeypatch.setenv("AWNING_API_KEY", key)
    monkeypatch.setenv("AWNING_BASE_URL", running.apps_url)
    websites = {}
    for _ in range(SHOPS):
        website = running.service.create_website(languages=("lv", "en"))
        websites[running.service.install(app_id, website.id)] = website.id
    with closing(Inventory.open(StateServer(kept_in.url))) as inventory:
        inventory.put(inventory.instance(code) for code in (*websites, "uninstalled"))
    return websites


@pytest.fixture
def workers(processes, shops):
    started = [Publisher.start("publish", "work", "--at-once", "2") for _ in range(3)]
    yield started
    for worker in started:
        worker.kill()
        worker.wait()


@pytest.mark.usefixtures("workers")
def test_five_applies_by_three_workers_make_every_reachable_instance_right(running, kept_in, shops, rebuild):
    """Each apply reads the languages of all instances again, so it may fail where an earlier apply succeeded."""
    wanted = {"lv": "<b>lv</b>" + "x" * 3000, "en": "<b>en</b>"}
    rebuild(wanted)
    part = 0.5 / len(FAULTS)
    rules = [rule_of(fault, share=part, seed=seed) for seed, fault in enumerate(FAULTS)]
    running.service.faults.put(rules, ROUTES)
    made_right = set()
    for _ in range(APPLIES):
        ended = Publisher.start(*APPLY).wait()
        document = json.loads(ended.out)
        assert sum(document["totals"].values()) == len(document["cells"]) == 2 * (SHOPS + 1), ended.err
        pages = {code: page(running, website) for code, website in shops.items()}
        assert all(page[lang] in {wanted[lang], None} for page in pages.values() for lang in wanted)
        made_right |= {
            (cell["instance"], cell["language"])
            for cell in document["cells"]
            if cell["outcome"] in {"applied", "unchanged"}
        }
        if len(made_right) == 2 * SHOPS:  # all but those of the instance whose app was uninstalled
            break
    assert len(made_right) == 2 * SHOPS, document["cells"]
    pages = {code: page(running, website) for code, website in shops.items()}
    assert all(page == wanted for page in pages.values()), ended.err
    with closing(Journal.open(StateServer(kept_in.url))) as journal:
        assert journal.verify() is None


@pytest.fixture
def call_times(running, monkeypatch):
    draw, times = running.service.faults.draw, []

    def timed(operation):
        rule = draw(operation)
        times.append(time.monotonic())  # the test may now replace the faults
        return rule

    monkeypatch.setattr(running.service.faults, "draw", timed)
    return times


@pytest.mark.usefixtures("workers", "shops")
def test_too_many_calls_without_a_retry_after_lower_the_rate_of_all_workers(running, rebuild, call_times):
    """The other workers get the lower rate up to a second later, and all of them pause for a second."""
    rebuild({"lv": "<b>lv</b>"})
    running.service.faults.put([{"fault": "status", "status": 429}], ROUTES)
    publisher = Publisher.start("publish", "apply", "--pace", "0", "--fleet")
    try:
        wait_for(lambda: call_times)
        running.service.faults.put([], ROUTES)
        lowered = call_times[0] + 2.5
        wait_for(lambda: sum(at > lowered for at in call_times) >= 12)
    finally:
        publisher.kill()
        publisher.wait()
    later = [at for at in call_times if at > lowered][:12]
    highest_per_s = KNOWN_LIMIT + GROWTH * sum(at <= later[-1] for at in call_times)
    assert later[-1] - later[0] > 0.9 * (12 / highest_per_s - 1)  # the first calls of a rate may come at once


def page(running, website):
    """Return the body snippets of the website's pages, by language; None for an empty one."""
    return {lang: running.service.page_snippets(website, lang)[0].body or None for lang in ("lv", "en")}
