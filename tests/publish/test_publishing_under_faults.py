"""Every fault of the simulated service, on 30 % of all calls: reports are correct, and repeated runs converge.

Faults that end a call with the same error share those calls. A run has some sixty calls, so on 1 % of them a fault
would mostly not occur. Reads are repeated, so a write that cannot be read back is in `test_publishing_cells.py`.
"""

import os
import threading
import time
from collections import defaultdict
from contextlib import closing
from dataclasses import replace

import pytest
from fault_effects import every_fault, is_slow, outcome_of, rule_of
from listed_results import Listed

from awning.client import Limits, Secret, apps_access
from awning.contract import Exit
from awning.errors import Unauthorized
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.pacing import Pace
from awning.publish.release.build_files import read_files
from awning.publish.requests import PERSISTENT, PublishRequest
from awning.publish.run import publish
from awning.publish.state.store import StateDir
from awning_harness.service import serve

BRIEF_S, PATIENT_S = 0.5, 2.0
"""The client's timeouts under a slow fault, and under any other, where a busy machine must not cause a timeout."""
OPERATIONS = ("set_snippet", "get_snippet", "languages")


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture
def shops(running, tmp_path):
    """Ten instances in a new service and inventory."""
    running.service.reset()
    app_id, key = running.service.register_app({"app_title": "Test"})
    inventory = Inventory.open(state := StateDir(tmp_path / "state"))
    for _ in range(10):
        website = running.service.create_website(languages=("lv", "en"))
        inventory.put([inventory.instance(running.service.install(app_id, website.id))])
    instances = inventory.all()
    inventory.close()
    return state, instances, apps_access(running.apps_url, Secret(key))


def shown(running, instance):
    """Return the body snippets of the website's pages, by language."""
    website = running.service.instance(instance.code.reveal()).website_id
    return {lang: running.service.page_snippets(website, lang)[0].body for lang in ("lv", "en")}


@pytest.fixture
def settle(running, monkeypatch):
    """Wait until every call with a fault has ended, also calls whose client has given up."""
    draw, drawn = running.service.faults.draw, []

    def counted(operation):
        rule = draw(operation)
        if rule is not None:
            drawn.append(rule.name)
        return rule

    monkeypatch.setattr(running.service.faults, "draw", counted)

    def wait():
        pause, latest = threading.Event(), time.monotonic() + 60
        while sum(1 for r in running.service.requests() if r.fault) < len(drawn):
            assert time.monotonic() < latest, "a call was never performed"
            pause.wait(0.01)

    return wait


def kind_of(fault):
    """Return what the client reports of a call that meets the fault."""
    if is_slow(fault.effect, BRIEF_S):
        return "too late"
    error = outcome_of(fault.effect, BRIEF_S).error
    return error.__name__ if error else "an answer"


def faults_by_kind():
    faults = defaultdict(list)
    for fault in every_fault(BRIEF_S):
        faults[kind_of(fault)].append(fault)
    return faults


def request_of(dist, shops, results, *, timeout_s=PATIENT_S):
    _, instances, access = shops
    return PublishRequest(
        files=read_files(dist),
        overwrite_foreign=True,
        watcher=Listed(results),
        instances=instances,
        access=access,
        environ=os.environ,
        pace=Pace(per_instance=None),
        limits=Limits(total_s=timeout_s),
        retry=replace(PERSISTENT, first_s=0.01),
    )


APPLIES = 5


@pytest.mark.parametrize(("kind", "faults"), faults_by_kind().items(), ids=faults_by_kind())
def test_applies_under_faults_report_the_truth_and_make_every_reachable_instance_right(
    kind, faults, running, shops, rebuild, dist, settle
):
    """One instance is never reachable. No page ever has a snippet that is neither the old one nor the new one.

    Each apply reads the languages of all instances again, so it may fail where an earlier apply succeeded.
    """
    state, instances, access = shops
    with closing(Inventory.open(state)) as inventory:
        gone = inventory.instance("uninstalled")
    shops = state, (*instances, gone), access
    reachable = {(instance.key, language) for instance in instances for language in ("lv", "en")}
    texts = {"lv": "<b>lv 1</b>" + "x" * 5000, "en": "<b>en 1</b>"}
    rebuild(texts)
    publish(request_of(dist, shops, []), state)
    wanted = {language: text.replace("1", "2") for language, text in texts.items()}
    rebuild(wanted)
    share = 0.3 / len(faults)
    rules = [rule_of(fault, share=share, seed=seed) for seed, fault in enumerate(faults)]
    running.service.faults.put(rules, OPERATIONS)
    timeout_s = BRIEF_S if kind == "too late" else PATIENT_S
    made_right = set()
    for number in range(APPLIES):
        results = []
        summary = publish(request_of(dist, shops, results, timeout_s=timeout_s), state)
        settle()
        assert len(results) == sum(summary.totals.values()) == 2 * len(shops[1])
        is_right = {(r.key, r.language): r.ending.outcome in {"applied", "unchanged"} for r in results}
        surely_not = {(r.key, r.language) for r in results if r.ending.outcome in {"failed", "refused"}}
        assert not any(right for (key, _), right in is_right.items() if key == gone.key)
        for instance in instances:
            for language, text in shown(running, instance).items():
                cell = instance.key, language
                assert text in {texts[language], wanted[language]}
                assert text == wanted[language] or not is_right[cell]
                assert number or text == texts[language] or cell not in surely_not
        listed = {(r.key, r.language) for r in summary.failures}
        assert listed == {cell for cell, right in is_right.items() if not right}
        made_right |= is_right.keys() - listed
        if made_right == reachable:
            break
    # A key that is refused stops a run, so that no number of applies is sure to be enough.
    if kind != Unauthorized.__name__:
        assert made_right == reachable, [result.ending for result in summary.failures]
    running.service.faults.put([], OPERATIONS)
    assert publish(request_of(dist, (state, instances, access), []), state).exit_code is Exit.DONE
    assert all(shown(running, instance) == wanted for instance in instances)
    with closing(Journal.open(state)) as journal:
        of_instances = [entry for entry in journal.latest() if entry["instance"] != gone.key]
        assert {entry["outcome"] for entry in of_instances} <= {"applied", "unchanged"}
