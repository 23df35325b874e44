"""Two publishers that begin at once: one works, the other is refused at once, without waiting for the first."""

import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing

import pytest
from kept_in import both
from publishers import LONG_S, Publisher

from awning.contract import Exit
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.state.server import state_at

pytestmark = pytest.mark.usefixtures("processes")


APPLY = ("publish", "apply", "--pace", "0")
ROUNDS = 3


@both
def test_one_of_two_publishers_works_and_the_other_is_refused(
    kept_in, shelf, served, workspace, rebuild, monkeypatch
):
    """The service answers only after the refused publisher has ended, so that one cannot have waited for the other."""
    monkeypatch.setenv("AWNING_BASE_URL", served)
    if kept_in.url is not None:
        monkeypatch.setenv("AWNING_DATABASE_URL", kept_in.url.reveal())
    state = state_at(workspace / ".awning/state", kept_in.url)
    with closing(Inventory.open(state)) as inventory:
        inventory.put([inventory.instance("code-a", name="shop")])
    answering = threading.Event()

    def when_answering(*_call):
        assert answering.wait(LONG_S)

    shelf.before = when_answering
    with ThreadPoolExecutor(2) as threads:
        for number in range(1, ROUNDS + 1):
            rebuild({None: f"<b>{number}</b>"})
            answering.clear()
            publishers = [Publisher.start(*APPLY) for _ in range(2)]
            ends = [threads.submit(publisher.wait) for publisher in publishers]
            (refused, *_), (working, *_) = wait(ends, LONG_S, FIRST_COMPLETED)
            answering.set()
            assert refused.result().code == Exit.FINDINGS, refused.result()
            assert "another publish is running" in refused.result().err
            assert working.result().code == 0, working.result()
            assert shelf.body("code-a")[None] == f"<b>{number}</b>"
    assert len(shelf.writes) == ROUNDS
    with closing(Journal.open(state)) as journal:
        assert [run["how"] for run in journal.runs()] == ["finished"] * ROUNDS
