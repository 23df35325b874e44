"""Turns: a worker takes over from a dead one, and two workers never work on one instance at the same time."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field

import pytest
from kept_in import both

from awning.client import Secret
from awning.errors import DatabaseUnusable
from awning.host.host import Host
from awning.host.host_records import Beat, HostRecords
from awning.host.turn import CURRENT, Timing, TurnLost, Turns, Watch

TIMING = Timing()


def test_default_timing_keeps_its_promises():
    """A takeover happens within 5 s; the holder stops at least a second before a takeover is possible."""
    assert TIMING.watch_s + TIMING.again_s < 5
    assert TIMING.beat_s * 2 < TIMING.hold_s <= TIMING.watch_s - 1


@dataclass
class Clock:
    """The clock of one worker, set by tests. Clocks of two workers need not agree."""

    now: float = 1000.0

    def __call__(self):
        return self.now


@dataclass
class Worker:
    """One process with its own clock. While `away` is true, its database is unreachable."""

    records: HostRecords
    timing: Timing
    clock: Clock = field(default_factory=Clock)
    away: bool = False

    @property
    def turns(self):
        return Turns(records=self.records, act=self.act, timing=self.timing, clock=self.clock)

    async def act(self, act, *arguments):
        if self.away:
            raise DatabaseUnusable("the database is away")
        await asyncio.sleep(0)
        return act(*arguments)


SILENT = Timing(beat_s=3600, again_s=0)
"""The beats, which extend a turn, do not come by themselves: tests call `beat`."""


@pytest.fixture
def workers(world):
    """Two workers of one app; their clocks differ by a year."""
    with closing(HostRecords.open(world.kept())) as first, closing(HostRecords.open(world.kept())) as other:
        yield Worker(first, SILENT), Worker(other, SILENT, Clock(1000.0 + 3e7))


async def waiting(worker):
    """Start a task in which `worker` waits for the turn, and return it after its first look at the database."""
    looked = asyncio.Event()
    take = worker.records.take_turn

    def look(*arguments):
        seen = take(*arguments)
        looked.set()
        return seen

    worker.records.take_turn = look

    async def wait():
        async with worker.turns.turn("@a"):
            return

    task = asyncio.create_task(wait())
    await looked.wait()
    return task


async def looks_again(task, times=20):
    """Let the waiting worker look a few more times. Returns whether its wait has ended."""
    for _ in range(times):
        if task.done():
            return True
        await asyncio.sleep(0.002)
    return task.done()


@both
def test_turn_without_beats_is_taken_over_after_the_watch_time(workers):
    dead, other = workers
    assert dead.records.take_turn("@a", "dead") is None

    async def play():
        task = await waiting(other)
        other.clock.now += TIMING.watch_s - 0.1
        assert not await looks_again(task)
        other.clock.now += 0.2
        await task

    asyncio.run(play())


@both
def test_worker_keeps_its_turn_while_it_beats(workers):
    busy, other = workers

    async def play():
        async with busy.turns.turn("@a") as turn:
            task = await waiting(other)
            for _ in range(5):
                other.clock.now += TIMING.watch_s - 0.1
                assert not await looks_again(task, 5)
                assert await turn.beat()
                busy.clock.now += 1
            assert turn.left_s > 0
        await task

    asyncio.run(play())


@both
def test_suspended_worker_loses_its_turn(workers):
    """The worker is suspended at work. Another takes over and finishes. Then the first continues."""
    stopped, other = workers

    async def play():
        async with stopped.turns.turn("@a") as turn:
            task = await waiting(other)
            other.clock.now += TIMING.watch_s
            await task
            stopped.clock.now += TIMING.watch_s
            with pytest.raises(TurnLost):
                await turn.confirm()
            with pytest.raises(TurnLost):
                async with turn.limited(unclear=True):
                    pytest.fail("nothing is sent")
        assert stopped.records.take_turn("@a", "next") is None, "it is free"

    asyncio.run(play())


@both
def test_time_of_the_holder_ends_before_a_takeover_is_possible(workers):
    """Whatever the offset of the two clocks, the holder's time is over before a waiting worker may take over."""
    holder, other = workers

    async def play():
        async with holder.turns.turn("@a") as turn:
            watch = Watch(TIMING, other.clock)
            seen = other.records.take_turn("@a", "other")
            assert not watch.has_stopped(seen)
            for _ in range(50):
                holder.clock.now += 0.1
                other.clock.now += 0.1
                assert not (turn.left_s and watch.has_stopped(other.records.take_turn("@a", "other")))
            assert watch.has_stopped(other.records.take_turn("@a", "other"))

    asyncio.run(play())


@both
def test_suspended_worker_continues_a_turn_that_was_not_taken(workers):
    stopped, _ = workers

    async def play():
        async with stopped.turns.turn("@a") as turn:
            stopped.clock.now += 3600
            assert not turn.left_s
            await turn.confirm()
            assert turn.left_s == TIMING.hold_s

    asyncio.run(play())


@both
def test_worker_stops_when_its_database_is_unreachable(workers):
    """The worker cannot find out whether another has taken over."""
    cut_off, _ = workers

    async def play():
        async with cut_off.turns.turn("@a") as turn:
            cut_off.away = True
            cut_off.clock.now += TIMING.hold_s
            with pytest.raises(DatabaseUnusable):
                await turn.confirm()
            cut_off.away = False

    asyncio.run(play())


def test_running_call_is_cancelled_when_the_turn_is_lost(workers):
    worker, other = workers

    async def play():
        async with worker.turns.turn("@a") as turn:
            other.records.take_turn("@a", "other", Beat(turn.holder, 0))

            async def call():
                async with turn.limited(unclear=True):
                    assert not await turn.beat()
                    await asyncio.Event().wait()

            with pytest.raises(TurnLost) as caught:
                await call()
            assert caught.value.unclear

    asyncio.run(play())


def test_beat_extends_the_limit_of_a_running_call(workers):
    worker, _ = workers

    async def play():
        async with worker.turns.turn("@a") as turn, turn.limited(unclear=True):
            [limit] = turn._limits
            before = limit.when()
            worker.clock.now += TIMING.hold_s - 0.1
            await turn.beat()
            assert limit.when() > before

    asyncio.run(play())


SUSPENDED = """
import asyncio, os, signal
from awning.client.transport import steady_clock
from awning.host.turn import Timing, Turn, Turns

class Records:
    def take_turn(self, key, holder, over):
        return None

async def act(function, *arguments):
    return function(*arguments)

turn = Turn("@a", Turns(records=Records(), act=act, timing=Timing(hold_s=0.5), clock=steady_clock))
asyncio.run(turn.take(None))
os.kill(os.getpid(), signal.SIGSTOP)
print(turn.left_s)
"""


@pytest.mark.usefixtures("processes")
def test_turn_ends_by_the_real_clock_while_its_process_is_suspended():
    with subprocess.Popen([sys.executable, "-c", SUSPENDED], stdout=subprocess.PIPE, text=True) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
        time.sleep(0.6)
        process.send_signal(signal.SIGCONT)
        assert process.communicate(timeout=60)[0] == "0.0\n"


def test_only_one_waiting_worker_takes_over(workers):
    first, other = workers
    first.records.take_turn("@a", "dead")
    seen = Beat("dead", 0)
    assert first.records.take_turn("@a", "one", seen) is None
    assert other.records.take_turn("@a", "other", seen) == Beat("one", 0)


def test_waiting_for_a_busy_turn_ends(workers):
    busy, other = workers

    async def play():
        async with busy.turns.turn("@a") as turn:
            task = await waiting(other)
            while not task.done():
                other.clock.now += TIMING.watch_s - 0.1
                await turn.beat()
                await looks_again(task, 5)
            with pytest.raises(TurnLost, match="still working"):
                await task
            await turn.confirm()

    asyncio.run(play())


def test_worker_without_its_turn_sends_nothing(world, ask, opened, fields):
    """For a settings form and an installation: the page asks to try again, and the form keeps its entries."""
    browser, url, _ = opened()
    entries = {**fields(browser.get(url)), "/bar/threshold": "42"}
    world.calls.clear()

    def lose(call, operation):
        turn = CURRENT.get()
        if turn is not None:
            with closing(HostRecords.open(world.kept())) as records:
                beat = records.take_turn(turn.key, "other")
                records.take_turn(turn.key, "other", beat)
            turn._until = 0.0

    world.spoil = lose
    seen = browser.post(url, entries)
    assert (seen.status, world.calls) == (503, ["get_data"])
    assert "42" in seen.text
    world.calls.clear()
    again = browser.get(ask("/install", world.new_code()))
    assert (again.status, world.calls) == (503, ["installed"])
    assert again.header("retry-after")


def test_installation_of_a_dead_worker_is_completed(world, ask, monkeypatch):
    """The new worker's clock stands still while it works, so on a busy machine it keeps its turn."""
    code, state, clock, take = world.new_code(), world.kept(), Clock(), HostRecords.take_turn
    patient = Timing(hold_s=60, watch_s=61, patience_s=600)
    with closing(HostRecords.open(state)) as records:
        records.take_turn(state.hash_of(Secret(code)), "dead")

    def take_or_wait(*arguments):
        seen = take(*arguments)
        clock.now += patient.watch_s if seen else 0
        return seen

    monkeypatch.setattr(HostRecords, "take_turn", take_or_wait)
    monkeypatch.setitem(Host.__init__.__kwdefaults__, "steady", clock)
    assert world.browser(turns=patient).get(ask("/install", code)).status == 302
    assert isinstance(world.data(code), dict)
