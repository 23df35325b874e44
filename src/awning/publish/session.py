"""One `publish apply` from lock to summary: opens what a run needs and closes it again.

Interruption (Ctrl-C, SIGTERM) sets the job's stop: calls under way get a moment to end. The
journal and the summary are complete all the same.
"""

import asyncio
import gc
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from awning.client import Access, Calling, Limits, Retry
from awning.client.async_driver import AsyncWire
from awning.publish.apply import Job, apply
from awning.publish.inventory import Instance
from awning.publish.journal import Journal
from awning.publish.ledger import Ledger
from awning.publish.outcome import CellResult, Summary
from awning.publish.pacing import Pace
from awning.publish.record import Build
from awning.publish.state import Held, State

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What to publish, to whom, how. `environ` is where proxies are named."""

    build: Build
    instances: Sequence[Instance]
    access: Access
    environ: Mapping[str, str]
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    retry: Retry = field(default_factory=Retry)
    progress: Callable[[CellResult], object] = id


def publish(session: Session, state: State) -> Summary:
    """Run to the end or to an interruption. Raises Busy, JournalUnwritable; DatabaseUnusable for a damaged journal."""
    with state.one_at_a_time() as held:
        journal = Journal.open(state)
        try:
            journal.check()
            with _rare_collections(), asyncio.Runner(loop_factory=_loop_factory()) as runner:
                return runner.run(_run(session, journal, held))
        finally:
            journal.close()


async def _run(session: Session, journal: Journal, held: Held) -> Summary:
    run = journal.begin(f"build {session.build.fingerprint[:12]} to {session.access.base_url}")
    job = Job(
        run=run,
        build=session.build,
        instances=session.instances,
        calling=Calling(access=session.access, retry=session.retry),
        pace=session.pace,
        progress=session.progress,
    )
    wire = AsyncWire(session.access, limits=session.limits, environ=session.environ)
    with _stopping(job.stop):
        async with Ledger(journal, held) as ledger, wire:
            return await apply(job, wire.send, ledger)


@contextmanager
def _stopping(stop: asyncio.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set `stop`. Where the loop has no signals (Windows), Ctrl-C raises as ever."""
    loop = asyncio.get_running_loop()
    installed: list[signal.Signals] = []
    try:
        for number in SIGNALS:
            loop.add_signal_handler(number, stop.set)
            installed.append(number)
    except (NotImplementedError, RuntimeError, ValueError):
        pass  # not the main thread, or no such thing here
    try:
        yield
    finally:
        for number in installed:
            loop.remove_signal_handler(number)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Look for garbage seldom and not among what is there already: a tenth of a run's processor time.

    A run makes many short-lived objects and hardly any cycles.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The event loop of uvloop where it is installed, else Python's own."""
    if find_spec("uvloop") is None:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return factory
