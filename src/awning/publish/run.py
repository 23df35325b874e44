"""One `publish apply`, from lock to summary.

An interruption (Ctrl-C, SIGTERM) sets the job's `stop`: running calls get a moment to end. The journal and the summary
are complete in any case.
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
from awning.client.async_client import AsyncTransport
from awning.publish.apply import Job, apply
from awning.publish.cell_outcome import CellResult, Summary
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import Journal
from awning.publish.journal.writer import JournalWriter
from awning.publish.pacing import Pace
from awning.publish.release.record import Build
from awning.publish.state.store import Held, StateStore

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRequest:
    """A build, its instances and the options of a run. `environ` names the proxies."""

    build: Build
    instances: Sequence[Instance]
    access: Access
    environ: Mapping[str, str]
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    retry: Retry = field(default_factory=Retry)
    progress: Callable[[CellResult], object] = id


def publish(request: PublishRequest, state: StateStore) -> Summary:
    """Publish to the end or to an interruption.

    Raises Busy when another publish runs, JournalUnwritable when the journal cannot be written, and DatabaseUnusable
    when it is damaged.
    """
    with state.lock_runs() as held:
        journal = Journal.open(state)
        try:
            journal.check()
            with _reduce_collections(), asyncio.Runner(loop_factory=_loop_factory()) as runner:
                return runner.run(_run(request, journal, held))
        finally:
            journal.close()


async def _run(request: PublishRequest, journal: Journal, held: Held) -> Summary:
    run = journal.begin(f"build {request.build.fingerprint[:12]} to {request.access.base_url}")
    job = Job(
        run=run,
        build=request.build,
        instances=request.instances,
        calling=Calling(access=request.access, retry=request.retry),
        pace=request.pace,
        progress=request.progress,
    )
    transport = AsyncTransport(request.access, limits=request.limits, environ=request.environ)
    with _stopping(job.stop):
        async with JournalWriter(journal, held) as writer, transport:
            return await apply(job, transport.send, writer)


@contextmanager
def _stopping(stop: asyncio.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set `stop`. On Windows, whose loop has no signals, Ctrl-C raises KeyboardInterrupt."""
    loop = asyncio.get_running_loop()
    installed: list[signal.Signals] = []
    try:
        for number in SIGNALS:
            loop.add_signal_handler(number, stop.set)
            installed.append(number)
    except (NotImplementedError, RuntimeError, ValueError):
        pass  # not the main thread, or no signals on this platform
    try:
        yield
    finally:
        for number in installed:
            loop.remove_signal_handler(number)


@contextmanager
def _reduce_collections() -> Iterator[None]:
    """Collect garbage rarely: collections take a tenth of a run's processor time.

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
    """uvloop's event loop when it is installed; None for Python's own."""
    if find_spec("uvloop") is None:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return factory
