"""SIGKILL at random moments of a run of 200 cells, then another run: nothing is lost, and few writes are repeated."""

import threading
from collections import Counter, defaultdict
from contextlib import closing

import pytest
from kept_in import both
from publishers import LONG_S, Moments, Publisher
from volumes import volume

from awning.client import Secret
from awning.contract import Exit
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.state.server import state_at
from awning.publish.waves.run_state import RunStates

pytestmark = pytest.mark.usefixtures("processes")


CELLS = 200
LANGUAGES = ("lv", "en", "de")
CALLS = CELLS * 3
APPLY = ("publish", "apply", "--json", "--progress", "none", "--pace", "0", "--timeout", "1")
LEAD = ("publish", "apply", "--fleet", "--lease", "1", "--pace", "0", "--timeout", "1", "--json")
WORK = ("publish", "work", "--at-once", "2")
IN_SERIES = 10
"""The number of kills in one series, half of them with each kind of store."""
AGAIN = 5
"""The most applies until every cell is right. On a busy machine a call may have no answer within a second."""


@pytest.fixture
def shops(shelf, served, workspace, kept_in, monkeypatch):
    """The state store of 50 shops with four cells each."""
    monkeypatch.setenv("AWNING_BASE_URL", served)
    if kept_in.url is not None:
        monkeypatch.setenv("AWNING_DATABASE_URL", kept_in.url.reveal())
    state = state_at(workspace / ".awning/state", kept_in.url)
    codes = [f"shop-{number}" for number in range(CELLS // 4)]
    shelf.languages = {code: list(LANGUAGES) for code in codes}
    with closing(Inventory.open(state)) as inventory:
        inventory.put([inventory.instance(code) for code in codes])
    return state


def built(rebuild, number):
    texts = {language: f"<b>{number} {language}</b>" for language in (None, *LANGUAGES)}
    rebuild(texts)
    return texts


def check_journal(state, shelf):
    """Check that the chain holds, each write at the service has an intent, and that no cell ends with an intent."""
    with closing(Journal.open(state)) as journal:
        assert journal.verify() is None
        noted = Counter(
            (entry["instance"], entry["language"], journal.snippet(entry["after"]))
            for entry in list(journal.entries())
            if entry["kind"] == "intent"
        )
        assert "intent" not in {entry["kind"] for entry in journal.latest()}
    written = Counter((state.hash_of(Secret(code)), lang, text) for code, lang, text in shelf.writes)
    assert written <= noted


def repeated(writes):
    """Return how many writes repeat an earlier write: the same cell and the same body."""
    return sum(count - 1 for count in Counter(writes).values())


def assert_in_order(writes):
    """Check that no older body was written over a newer one. A body begins with the number of its build."""
    numbers = defaultdict(list)
    for code, language, text in writes:
        numbers[code, language].append(int(text.removeprefix("<b>").split()[0]))
    assert all(series == sorted(series) for series in numbers.values())


@both
@pytest.mark.parametrize("series", range(-(-volume("publish-kills") // IN_SERIES)))
def test_killed_run_is_completed_by_the_next(series, kept_in, shops, shelf, rebuild):
    kills = -(-min(IN_SERIES, volume("publish-kills")) // 2)
    moments = Moments(shelf, calls=CALLS, seed=series)
    killed = 0
    for number in range(1, kills + 1):
        texts = built(rebuild, number)
        publisher = Publisher.start(*APPLY)
        moments.once(publisher.kill)
        killed += publisher.wait().code < 0
        moments.never()
        for _ in range(AGAIN):
            ended = Publisher.start(*APPLY).wait()
            if ended.code != Exit.PARTLY:
                break
        assert (ended.code, ended.err) == (0, "")
        assert all(shelf.body(code) == texts for code in shelf.languages)
        assert repeated(shelf.writes) <= killed
    assert killed >= kills / 2, "a run that ends before it is killed tests nothing"
    assert_in_order(shelf.writes)
    check_journal(shops, shelf)


@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
def test_run_whose_database_restarts_is_completed_by_the_next(kept_in, shops, shelf, rebuild):
    """The service answers nothing until the database has stopped, or the run could end before that."""
    moments = Moments(shelf, calls=CALLS, seed=1)
    for number in range(1, volume("publish-database-restarts") + 1):
        texts = built(rebuild, number)
        stopped, restarted = threading.Event(), threading.Event()

        def restart(stopped=stopped, restarted=restarted):
            kept_in.server.stop()
            stopped.set()
            kept_in.server.start()
            restarted.set()

        def hold(*_call, stopped=stopped):
            assert stopped.wait(LONG_S)

        def begin(restart=restart, hold=hold):
            shelf.before = hold
            threading.Thread(target=restart).start()
            hold()

        publisher = Publisher.start(*APPLY)
        moments.once(begin)
        ended = publisher.wait()
        assert "Traceback" not in ended.err
        assert ended.code in {Exit.PARTLY, Exit.USAGE}, ended
        assert restarted.wait(LONG_S)
        moments.never()
        for _ in range(AGAIN):
            ended = Publisher.start(*APPLY).wait()
            if ended.code != Exit.PARTLY:
                break
        assert (ended.code, ended.err) == (0, "")
        assert all(shelf.body(code) == texts for code in shelf.languages)
        assert repeated(shelf.writes) == 0
    assert_in_order(shelf.writes)
    check_journal(shops, shelf)


@pytest.fixture
def workers(processes):
    """`workers()` returns two running workers. It starts new ones in place of those that were killed."""
    running = []

    def start():
        for worker in [worker for worker in running if not worker.is_running]:
            worker.wait()
            running.remove(worker)
        while len(running) < 2:
            running.append(Publisher.start(*WORK))
        return running

    yield start
    for worker in running:
        worker.kill()
        worker.wait()


@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
@pytest.mark.parametrize("victim", ["worker", "controller", "database"])
def test_run_of_a_fleet_loses_nothing(victim, kept_in, shops, shelf, rebuild, workers, workspace):
    rounds = max(1, volume("fleet-kills") // 3)
    moments = Moments(shelf, calls=500, seed=rounds)
    for number in range(1, rounds + 1):
        texts = built(rebuild, number)
        ready = workers()
        controller = Publisher.start(*LEAD)
        done = threading.Event()

        def act(ready=ready, controller=controller, done=done):
            if victim == "worker":
                ready[0].kill()
            elif victim == "controller":
                controller.kill()
            else:
                kept_in.server.stop()
                kept_in.server.start()
            done.set()

        moments.once(lambda act=act: threading.Thread(target=act).start())
        ended = controller.wait()
        assert "Traceback" not in ended.err
        assert done.wait(LONG_S)
        moments.never()
        again = APPLY if victim == "controller" else LEAD
        for _ in range(AGAIN):
            if ended.code == Exit.DONE:
                break
            workers()
            ended = Publisher.start(*again).wait()
        assert ended.code == Exit.DONE, ended.err
        assert all(shelf.body(code) == texts for code in shelf.languages)
        with closing(RunStates.open(shops)) as states:
            assert states.unfinished() is None
    assert len(shelf.writes) <= rounds * (200 + 64)
    assert_in_order(shelf.writes)
    check_journal(shops, shelf)
    assert not (workspace / ".awning").exists(), "all state is in the database that the machines share"
