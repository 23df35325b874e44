"""A controller and its workers publish to every instance, also when workers are killed, stopped or away."""

import asyncio
import json
import signal
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing, contextmanager
from secrets import token_hex
from urllib.parse import urlsplit

import pytest
from plain_dist import write_dist
from publishers import wait_for
from sqlalchemy import Engine, event
from warm_python import AWNING, WarmProcess

from awning.client import Secret
from awning.contract import Exit
from awning.errors import DatabaseUnusable
from awning.publish.fleet.chunks import Chunks, Fenced
from awning.publish.fleet.queue import JobQueue
from awning.publish.fleet.shared_rate import EXPIRES_S, SharedRate
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind
from awning.publish.state.cipher import CodeCipher
from awning.publish.state.server import StateServer
from awning.publish.waves.run_state import Rollout, RunState, RunStates

pytestmark = pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)

pytest.importorskip("procrastinate")
CODES = [f"code-{number:03}" for number in range(120)]
QUICK = """
from awning.cli import main
from awning.publish.fleet import controller
controller.LOOK_S, controller.LONELY_S = 0.1, 1.0
main()
"""
"""A controller that looks at its chunks more often than usual, and is lonely sooner."""
ONCE = ("--timeout", "3", "--json")
TEXT = {None: "<b>1</b>"}
STATE_KEY = "a-key-of-32-characters-for-a-test"


@pytest.fixture
def state(kept_in):
    return StateServer(kept_in.url)


@pytest.fixture
def shops(awning, served, shelf, state, rebuild, monkeypatch, request):
    """120 instances, or as many as the parameter says, in PostgreSQL, on a service in memory."""
    codes = CODES[: getattr(request, "param", None)]
    monkeypatch.setattr("awning.publish.fleet.controller.LOOK_S", 0.1)
    monkeypatch.setenv("AWNING_DATABASE_URL", state.url.reveal())
    monkeypatch.setenv("AWNING_BASE_URL", served)
    shelf.languages = {code: [] for code in codes}
    with closing(Inventory.open(state)) as inventory:
        inventory.put(inventory.instance(code, name=code.replace("code", "shop")) for code in codes)
    rebuild(TEXT)
    return shelf


@pytest.fixture
def worker(processes, shops):
    """Start a worker; it is stopped after the test."""
    started = []

    def start(*words, program=AWNING):
        process = WarmProcess([*program, "publish", "work", *words])
        started.append(process)
        assert "is ready" in process.stderr.readline()
        return process

    yield start
    for process in started:
        process.send_signal(signal.SIGCONT)
        process.terminate()
    wait_for_ends(started)


def wait_for_ends(processes):
    """Wait for all until one common time. With a time for each, hung ones could take longer than a test may."""
    until = time.monotonic() + 120
    with ExitStack() as waits:
        for process in processes:
            waits.callback(lambda each=process: each.communicate(timeout=max(0, until - time.monotonic())))


def published(shelf):
    return {code for code in CODES if shelf.body(code) == TEXT}


def test_workers_that_start_at_once_all_get_the_tables_of_the_queue(state):
    async def opened() -> None:
        async with JobQueue(state.url):
            pass

    async def main() -> None:
        await asyncio.gather(*(opened() for _ in range(8)))

    asyncio.run(main())


@pytest.fixture
def worker_role(kept_in):
    """A database role that may not make schemas, as its name and the URL with which it connects."""
    name, password = f"worker_{token_hex(4)}", token_hex(8)
    url = urlsplit(kept_in.url.reveal())
    database = url.path.removeprefix("/")
    kept_in.server.run(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
    yield name, Secret(url._replace(netloc=f"{name}:{password}@{url.hostname}:{url.port}").geturl())
    kept_in.server.run(f"DROP OWNED BY {name}", database)
    kept_in.server.run(f"DROP ROLE {name}")


async def jobs_to_do(url: Secret) -> frozenset[int]:
    async with JobQueue(url) as queue:
        return await queue.todo()


def test_role_that_may_not_make_schemas_gets_the_tables_in_an_existing_one(kept_in, worker_role):
    name, url = worker_role
    database = urlsplit(kept_in.url.reveal()).path.removeprefix("/")
    kept_in.server.run(f"CREATE SCHEMA awning_jobs AUTHORIZATION {name}", database)
    assert asyncio.run(jobs_to_do(url)) == frozenset()


def test_role_that_may_not_make_the_schema_is_told_its_name(worker_role):
    _, url = worker_role
    with pytest.raises(DatabaseUnusable) as refusal:
        asyncio.run(jobs_to_do(url))
    assert "make the schema awning_jobs" in refusal.value.hint


def test_database_that_cannot_be_reached_is_unusable_for_jobs(state):
    url = urlsplit(state.url.reveal())
    nowhere = Secret(url._replace(netloc=f"{url.username}:{url.password}@127.0.0.1:1").geturl())
    with pytest.raises(DatabaseUnusable, match="cannot be reached or used for jobs"):
        asyncio.run(jobs_to_do(nowhere))


def test_suspended_worker_loses_its_locks_on_jobs_after_four_seconds(state):
    async def setting() -> dict[str, str]:
        async with JobQueue(state.url) as queue:
            return await queue._app.connector.execute_query_one_async(
                "SHOW idle_in_transaction_session_timeout"
            )

    assert asyncio.run(setting()) == {"idle_in_transaction_session_timeout": "4s"}


def test_workers_with_encrypted_codes_write_once_to_every_instance(awning, shops, worker, state, monkeypatch):
    pytest.importorskip("cryptography")
    monkeypatch.setenv("AWNING_STATE_KEY", STATE_KEY)
    # Opening the inventory encrypts the stored authCodes.
    Inventory.open(StateServer(state.url, CodeCipher(Secret(STATE_KEY)))).close()
    worker()
    worker()
    code, out, err = awning("publish", "apply", "--fleet", "--pace", "0", "--json")
    document = json.loads(out)
    assert (code, document["totals"]["applied"], len(document["cells"])) == (0, 120, 120), err
    assert published(shops) == set(CODES)
    assert sum(call == "set_snippet" for call, _ in shops.calls) == 120


@pytest.fixture
def controller(processes, shops):
    """Start an apply by the fleet as a process of its own."""
    started = []

    def start(*words):
        command = ["-c", QUICK, "publish", "apply", "--fleet", "--pace", "0", "--lease", "2", *ONCE, *words]
        started.append(WarmProcess(command))
        return started[-1]

    yield start
    for process in started:
        process.kill()
    wait_for_ends(started)


@pytest.fixture
def slowed(shops):
    """Let each write take a while. Yields the authCodes that were written to, in order."""
    written = []

    def slow(call, code, turn):
        if call == "set_snippet":
            written.append(code)
            time.sleep(0.02)

    shops.before = slow
    return written


def led(awning, *words):
    """Apply by the fleet, with the controller in this process. Returns its exit code and document.

    No worker is lost here, so the lease is longer than a busy machine stands still.
    """
    ended = awning("publish", "apply", "--fleet", "--pace", "0", "--lease", "60", *ONCE, *words)
    assert "cells" in ended.json, ended
    return ended.code, ended.json


def ended(process):
    out, err = process.communicate(timeout=120)
    document = json.loads(out)
    assert "cells" in document, (document, err)
    return process.returncode, document, err


MIGRATE = """{ migrate: (stored) => {
  if (stored.cents < 0) throw new Error("too little");
  return { price: stored.cents / 100 };
} }"""


def test_fleet_migrates_app_data_also_when_a_worker_is_killed(shops, worker, controller, slowed, dist):
    write_dist(dist, TEXT, migrations={"bar": MIGRATE})
    part = {"type": "object", "x-version": 2, "properties": {"price": {"type": "number"}}}
    (dist / "data.schema.json").write_text(json.dumps({"properties": {"bar": part}}))
    shops.data = {code: json.dumps({"bar": {"cents": 100}}) for code in CODES}
    shops.data["code-007"] = '{"bar": {"cents": -1}}'
    lost = worker("--at-once", "2")
    # With 2 s, a busy machine makes the other worker lose its own chunks.
    running = controller("--lease", "10")
    wait_for(lambda: len(shops.sets) > 10)
    lost.kill()
    worker("--at-once", "2")
    code, document, err = ended(running)
    outcomes = Counter(row["outcome"] for row in document["cells"] if row.get("app_data"))
    assert (code, outcomes["applied"] + outcomes["unchanged"], sum(outcomes.values())) == (5, 119, 119), err
    assert "lost workers wait again" in err
    assert [row["instance"] for row in document["cells"] if row["outcome"] == "refused"] == ["shop-007"]
    assert published(shops) == set(CODES) - {"code-007"}
    stored = {code: json.loads(text) for code, text in shops.data.items()}
    assert stored.pop("code-007") == {"bar": {"cents": -1}}
    assert all(data == {"bar": {"_version": 2, "price": 1}} for data in stored.values())


def test_stopped_worker_that_wakes_up_begins_no_new_write(shops, worker, controller, slowed, state):
    """A worker is suspended until the run has ended. Then it may finish the requests that it was sending, not more."""
    sleeper, _ = worker("--name", "sleeper"), worker("--name", "awake")
    running = controller()
    wait_for(lambda: len(slowed) > 10)
    sleeper.send_signal(signal.SIGSTOP)
    code, document, err = ended(running)
    assert (code, len(document["cells"])) == (0, 120), err
    before = len(shops.calls)
    with closing(Journal.open(state)) as journal:
        entries = journal.mark().seq
        sleeper.send_signal(signal.SIGCONT)
        sleeper.terminate()  # it lets its chunks come to their end
        assert sleeper.communicate(timeout=60)[1].endswith("worker sleeper has ended\n")
        assert journal.mark().seq == entries
        assert journal.verify() is None
        intents = Counter(e["instance"] for e in journal.entries() if e["kind"] == EntryKind.INTENT)
    late = Counter(
        state.hash_of(Secret(code)) for call, code in shops.calls[before:] if call == "set_snippet"
    )
    assert all(late[key] < intents[key] for key in late), "the other worker had an intent of its own"
    assert published(shops) == set(CODES)


def test_paused_run_of_a_fleet_is_continued(awning, shops, worker, controller, state):
    written, is_paused, has_ended = [], threading.Event(), threading.Event()

    def slow(call, code, turn):
        """Hold the writes until the run is paused, then slow them until the worker has noticed."""
        if call == "set_snippet" and not has_ended.is_set():
            written.append(code)
            if len(written) > 10:
                is_paused.wait(60)
                time.sleep(0.2)

    shops.before = slow
    worker("--at-once", "1")
    running = controller()
    wait_for(lambda: len(written) > 10)
    seen = []

    def worker_has_a_chunk():
        """Between two chunks, the worker has none."""
        seen.append(json.loads(awning("publish", "status", "--json")[1])["run"])
        return len(seen[-1]["workers"]) == 1

    wait_for(worker_has_a_chunk)
    status = seen[-1]
    assert status["state"] == "running"
    assert sum(status["chunks"].values()) == 5
    assert awning("publish", "pause", str(status["run"]))[0] == 0
    is_paused.set()
    code, document, err = ended(running)
    assert (code, document["stopped"]) == (Exit.PARTLY, "it was paused"), err
    assert len(published(shops)) < len(CODES)
    has_ended.set()
    assert led(awning)[0] == 0
    assert published(shops) == set(CODES)


def test_fleet_publishes_in_waves(awning, shops, worker):
    worker()
    code, document = led(awning, "--waves", "20%,100%", "--gate-command", "exit 1")
    assert (code, "wave 1 of 2" in document["stopped"]) == (Exit.PARTLY, True)
    assert 5 <= len(published(shops)) <= 60
    assert led(awning, "--waves", "20%,100%", "--gate-command", "exit 0")[0] == 0
    assert published(shops) == set(CODES)


def test_refused_key_stops_the_fleet(awning, shops, worker, refused):
    shops.before = lambda call, code, turn: refused(401, "Unauthorized")
    worker()
    code, document = led(awning)
    assert (code, "chunks in a row failed: unauthorized" in document["stopped"]) == (Exit.PARTLY, True)


def test_operator_is_told_when_no_worker_is_there(shops, controller):
    running = controller()
    line = next(line for line in running.stderr if "no worker takes the chunks" in line)
    assert "AWNING_DATABASE_URL" in line


NOTING = """
import os, time
from awning.cli import main
from awning.publish.fleet.shared_rate import SharedRate

take = SharedRate.take

def noted(rate):
    began = time.monotonic()
    grant = take(rate)
    with open(os.environ["GRANTS"], "a") as file:
        file.write(f"{began} {time.monotonic()} {grant.calls}\\n")
    return grant

SharedRate.take = noted
main()
"""
"""A worker that notes the calls that it takes from the run's rate, and between which times."""


@pytest.mark.parametrize("shops", [60], indirect=True)
def test_all_workers_together_keep_the_rate(awning, shops, worker, tmp_path, monkeypatch):
    """The calls of a second were taken in it, or shortly before. When they arrive depends on the machine, too."""
    grants = tmp_path / "grants"
    monkeypatch.setenv("GRANTS", str(grants))
    worker(program=("-c", NOTING))
    worker(program=("-c", NOTING))
    assert led(awning, "--host-pace", "80")[0] == 0
    taken = [tuple(map(float, line.split())) for line in grants.read_text().splitlines()]
    assert len(shops.calls) <= sum(calls for _, _, calls in taken)
    most = max(
        sum(calls for began, ended, calls in taken if start <= began and ended <= start + 1 + EXPIRES_S)
        for start, *_ in taken
    )
    assert most <= 80


def test_fleet_without_a_database_is_refused(awning, shops, monkeypatch):
    monkeypatch.delenv("AWNING_DATABASE_URL")
    code, _, err = awning("publish", "apply", "--fleet")
    assert (code, "AWNING_DATABASE_URL" in err) == (Exit.USAGE, True)
    code, _, err = awning("publish", "work")
    assert (code, "AWNING_DATABASE_URL" in err) == (Exit.USAGE, True)


@contextmanager
def chunk_of(state):
    with closing(RunStates.open(state)) as states, closing(Chunks.open(state)) as chunks:
        states.begin(1, release=1, base_url="", rollout=Rollout(), is_whole=True, continues=None)
        chunks.make(1, 0, [["@1", "@2"]])
        yield states, chunks


def test_chunk_has_one_owner(state):
    with chunk_of(state) as (_, chunks):
        claimed = chunks.claim(1, 1, worker="w", lease_s=60)
        assert claimed.instances == ("@1", "@2")
        assert chunks.claim(1, 1, worker="v", lease_s=60) is None


def test_claim_that_is_not_renewed_is_fenced_off(state):
    with chunk_of(state) as (_, chunks):
        first = chunks.claim(1, 1, worker="w", lease_s=-1)
        assert [lost.number for lost in chunks.take_back_lost(1)] == [1]
        second = chunks.claim(1, 1, worker="v", lease_s=60)
        assert second.claims == 2
        with pytest.raises(Fenced):
            chunks.renew(first.fence, lease_s=60)
        assert chunks.renew(second.fence, lease_s=60)


def test_claim_in_a_suspended_transaction_keeps_nobody_waiting(state):
    with chunk_of(state) as (_, chunks):
        claimed = chunks.claim(1, 1, worker="w", lease_s=-1)
        with chunks._database.writing() as connection:
            claimed.fence.check(connection)
            assert chunks.take_back_lost(1) == []
        assert [lost.number for lost in chunks.take_back_lost(1)] == [1]


def test_next_publish_fences_off_every_claim(state):
    with chunk_of(state) as (states, chunks):
        claimed = chunks.claim(1, 1, worker="w", lease_s=60)
        states.fence_all()
        with pytest.raises(Fenced):
            chunks.renew(claimed.fence, lease_s=60)


def test_paused_run_gives_out_no_chunk_and_lets_those_under_way_end(state):
    with chunk_of(state) as (states, chunks):
        chunks.make(1, 0, [["@3"]])
        claimed = chunks.claim(1, 1, worker="w", lease_s=60)
        states.stop(1, "paused", "by the operator")
        assert chunks.claim(1, 2, worker="w", lease_s=60) is None
        assert chunks.renew(claimed.fence, lease_s=60) is False


def test_fenced_run_gives_out_no_chunk(state):
    with chunk_of(state) as (states, chunks):
        states.fence_all()
        assert chunks.claim(1, 1, worker="w", lease_s=60) is None
        assert states.unfinished().state == "paused"


def test_busy_workers_do_not_keep_an_operator_from_pausing(state):
    """Eight threads keep checking their fences in transactions, as writers of a journal do."""
    with chunk_of(state) as (states, chunks):
        chunks.make(1, 0, [[f"@{n}"] for n in range(8)])
        fences = [chunks.claim(1, n, worker="w", lease_s=60).fence for n in range(1, 9)]
        ended = threading.Event()

        def write(fence):
            with closing(Chunks.open(state)) as own:
                while not ended.is_set():
                    with own._database.writing() as connection:
                        fence.check(connection)
                        time.sleep(0.05)

        writers = [threading.Thread(target=write, args=(fence,)) for fence in fences]
        for writer in writers:
            writer.start()
        try:
            states.stop(1, RunState.PAUSED, "by the operator")
        finally:
            ended.set()
            for writer in writers:
                writer.join()
        assert states.get(1).state == "paused"


OF_A_WORKER = {
    "claim": lambda chunks, _: chunks.claim(1, 2, worker="w", lease_s=60),
    "renew": lambda chunks, fence: chunks.renew(fence, lease_s=60),
    "end": lambda chunks, fence: chunks.end(fence, Counter(), 0),
    "take": lambda chunks, _: SharedRate(chunks._database, 1, 10.0).take(),
    "silence": lambda chunks, _: SharedRate(chunks._database, 1, None).silence(1.0),
    "lower": lambda chunks, _: SharedRate(chunks._database, 1, None).lower(),
}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("write", OF_A_WORKER.values(), ids=OF_A_WORKER)
def test_worker_that_is_suspended_loses_its_locks_after_four_seconds(write, state):
    """The test reads the database's setting at the end of each transaction."""
    settings = []

    def read_setting(connection):
        driver = connection.connection.driver_connection
        settings.append(driver.execute("SHOW idle_in_transaction_session_timeout").fetchone()[0])

    with chunk_of(state) as (_, chunks):
        chunks.make(1, 0, [["@3"]])
        SharedRate(chunks._database, 1, None).make()
        fence = chunks.claim(1, 1, worker="w", lease_s=60).fence
        event.listen(Engine, "commit", read_setting)
        try:
            write(chunks, fence)
        finally:
            event.remove(Engine, "commit", read_setting)
    assert settings == ["4s"]


def test_chunk_whose_job_was_lost_gets_another(shops, controller, worker, state):
    """As if a worker had fetched the jobs and died before it claimed a chunk."""
    running = controller()
    with closing(Chunks.open(state)) as chunks:
        wait_for(lambda: len(chunks.waiting(1)) == 5 and all(chunks.waiting(1).values()))
        with chunks._database.writing() as connection:
            connection.exec_driver_sql("SET LOCAL search_path TO awning_jobs, pg_catalog")
            connection.exec_driver_sql("UPDATE procrastinate_jobs SET status = 'doing'")
    worker()
    code, _, err = ended(running)
    assert (code, published(shops)) == (0, set(CODES)), err
