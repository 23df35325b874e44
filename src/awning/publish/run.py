"""One `publish apply` or `publish rollback`, from lock to summary.

An interruption (Ctrl-C, SIGTERM) sets the run's `stop` and `hurry`. Then calls under way get `grace_s` seconds to end.
Another process that pauses or cancels the run sets only `stop`: cells whose write was sent end. The journal and the
summary are also complete after an interruption.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial

from awning.build_record import shorten_fingerprint
from awning.client.flow import Sender
from awning.errors import ConfigurationError, DatabaseUnusable
from awning.publish.apply import Job, apply
from awning.publish.cell_outcome import Summary
from awning.publish.cells import ownership_of
from awning.publish.data.migrating import MigrationSide
from awning.publish.data.writes import unfinished_writes
from awning.publish.event_loop import run_in_loop, stopping
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import JournalUnwritable
from awning.publish.journal.journal_entry import RunKind
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import writes_under_way
from awning.publish.notices import RolledBack, SchemaChange
from awning.publish.pacing import HostPace
from awning.publish.plan.apply_plan import apply_plan
from awning.publish.release.build_files import Build
from awning.publish.release.releases import Builds
from awning.publish.release.schema_changes import find_schema_change
from awning.publish.requests import FleetSettings, PublishRequest, Rollback
from awning.publish.rollback import roll_back, why_nothing_is_back
from awning.publish.run_status import OpenRun, opening_run
from awning.publish.runner import RunSettings
from awning.publish.state.server import StateServer
from awning.publish.state.store import StateStore
from awning.publish.stores import Stores
from awning.publish.waves.gate import Gate, GateCheck
from awning.publish.waves.rollout import WaveLoop
from awning.publish.waves.run_state import Rollout, RunRecord, RunState, RunStates, continued_run
from awning.publish.waves.wave import choose_now, wave_of

LOOK_S = 1.0
"""Seconds between two checks whether another process has paused or cancelled the run."""


def publish(request: PublishRequest, state: StateStore) -> Summary:
    """Publish or roll back, until all cells have ended or the run stops. A build without a release first gets one.

    Raises Busy when another publish runs or an installation takes too long, JournalUnwritable when the journal cannot
    be written or the lock is lost, and DatabaseUnusable when the journal is damaged. Raises ConfigurationError when a
    health gate needs reports that the build does not send, when a fleet has no PostgreSQL database, when the release
    was taken back, or when the waves cannot be used.
    """
    gate = request.rollout.gate if request.rollout else Gate()
    if gate.most_health_loss is not None and not request.files.record.beacon_sample_rate:
        raise ConfigurationError(
            "--gate-health needs to know how often widgets render, and this build does not report that",
            hint="set beacon_sample_rate beside beacon in pyproject.toml, then build again",
        )
    if request.fleet is not None and not isinstance(state, StateServer):
        raise ConfigurationError(
            "a fleet needs AWNING_DATABASE_URL",
            hint="the workers share a PostgreSQL database: set it to postgresql://USER@HOST/NAME on each machine",
        )
    with opening_run(state) as opened:
        stores = opened.stores
        release, _ = stores.releases.create(
            request.files, operator=request.operator, revision=request.revision
        )
        build = request.files.build(heads=request.heads, release=release.number)
        summary = run_in_loop(_publish(request, build, opened))
        stores.windows.keep_only(stores.runs.with_open_gate())
        ended = sum(stores.journal.totals(summary.run).values())
        if ended != sum(summary.totals.values()):
            message = f"the journal has the endings of {ended} cells, and {summary.totals} were counted"
            raise JournalUnwritable(message, hint="awning publish log --verify; then run it again")
        return summary


async def _publish(request: PublishRequest, build: Build, opened: OpenRun) -> Summary:
    """Publish or roll back."""
    settings = request.settings()
    transport = request.transport()
    with stopping(settings.stop, settings.hurry):
        async with JournalWriter(opened.written, opened.held) as writer, transport:
            host = HostPace(settings.pace, throttled=request.watcher.throttled)
            publisher = _Publisher(request, build, opened, settings, writer, transport.send, host)
            if request.rollback is None:
                return await publisher.apply()
            return await publisher.roll_back(request.rollback, request.instances)


@dataclass(frozen=True, slots=True)
class _Publisher:
    """One publish: a rollback, or an apply, which is rolled back if it is stopped and its rollout says so."""

    request: PublishRequest
    build: Build
    opened: OpenRun
    settings: RunSettings
    writer: JournalWriter
    send: Sender
    host: HostPace

    @property
    def stores(self) -> Stores:
        return self.opened.stores

    async def apply(self) -> Summary:
        request, states = self.request, self.stores.runs
        release = self.build.release or 0
        self._refuse_taken_back(release)
        continued = continued_run(
            states,
            request.rollout,
            release=release,
            base_url=request.access.base_url,
            is_whole=request.is_whole,
        )
        rollout = continued.rollout if continued else request.rollout or Rollout()
        if request.rollout is not None:
            rollout = replace(request.rollout, waves=rollout.waves)
        rollout = replace(rollout, waves=choose_now(rollout.waves, request.instances))
        rolled_back = self._rolled_back(release, states.rolled_back_by(release))
        if rolled_back is not None:
            request.watcher.announce(rolled_back.before_apply("this apply"))
        change = self._schema_change()
        run = self._begin(release, rollout, continued)
        loop = self._wave_loop(run, release, rollout, continued) if rollout.waves else None
        async with _obeying(states, run, self.settings.stop, self.host):
            job = self._job(run, request.instances, loop)
            summary = await self._apply(replace(job, interruption=partial(states.interruption, run)))
        summary = await self._close(summary, states.get(run))
        return replace(summary, rolled_back=rolled_back, schema_change=change)

    def _schema_change(self) -> SchemaChange | None:
        """Tell the operator where stored app data may not fit the build, and return it; None where nothing changed."""
        request = self.request
        planned = None if request.plan is None else {key for key, _ in request.plan.instances()}
        instances = (i for i in request.instances if planned is None or i.key in planned)
        change = find_schema_change(request.files, instances, self.stores)
        for sentence in change.sentences() if change else ():
            request.watcher.announce(sentence)
        return change

    def _refuse_taken_back(self, release: int) -> None:
        """Raise ConfigurationError when a gate stopped the release's newest run, and this apply has no waves."""
        back = self.stores.runs.taken_back(release)
        if back is not None and self.request.rollout is None:
            raise ConfigurationError(
                f"release {release} was taken back by run {back.taken_back_by}: "
                f"run {back.run} stopped at {back.reason}",
                hint="build again; or publish it in waves once more, with --waves",
            )

    def _begin(self, release: int, rollout: Rollout, continued: RunRecord | None) -> int:
        """Begin a run in the journal and in the states of the runs. Returns its number."""
        request = self.request
        address = request.access.base_url
        run = self.stores.journal.begin(
            f"release {release}, build {shorten_fingerprint(self.build.fingerprint)}, to {address}",
            operator=request.operator,
            task=request.task(RunKind.PUBLISH, release=release),
        )
        if continued is not None and rollout.waves:
            passed = f"{continued.passed} of {len(rollout.waves)} waves have passed"
            request.watcher.announce(f"run {run} continues run {continued.run}: {passed}")
        self.stores.runs.begin(
            run,
            release=release,
            base_url=address,
            rollout=rollout,
            is_whole=request.is_whole,
            continues=continued,
            settings=request.fleet.to_text() if request.fleet else None,
        )
        return run

    def _wave_loop(self, run: int, release: int, rollout: Rollout, continued: RunRecord | None) -> WaveLoop:
        request, states = self.request, self.stores.runs
        request.watcher.expect(sum(wave_of(i, rollout.waves) is not None for i in request.instances))
        gate = GateCheck(
            gate=rollout.gate,
            run=run,
            release=release,
            continues=states.chain(continued) if continued else (),
            facts={
                "AWNING_RUN": str(run),
                "AWNING_RELEASE": str(release),
                "AWNING_BASE_URL": request.access.base_url,
            },
            windows=self.stores.windows,
            stop=self.settings.stop,
        )
        passed = continued.passed if continued else 0
        return WaveLoop(
            run=run,
            waves=rollout.waves,
            passed=passed,
            states=states,
            gate=gate,
            watcher=request.watcher,
        )

    async def _apply(self, job: Job) -> Summary:
        if self.request.fleet is not None:
            return await self._lead(job, self.request.fleet)
        if self.request.plan is None:
            return await apply(job, self.send, self.writer)
        return await apply_plan(job, self.send, self.writer, self.request.plan, self.stores)

    async def _lead(self, job: Job, settings: FleetSettings) -> Summary:
        """Wait until no earlier write can be under way, then let the workers of the fleet publish."""
        from awning.publish.fleet.controller import FleetRun, run_fleet  # noqa: PLC0415 - the extra `fleet`

        of_data = job.data.settled_at if job.data else {}
        settled_at = max([*job.settled_at.values(), *of_data.values()], default=0.0)
        wait_s = settled_at - job.settings.calling.now()
        if wait_s > 0:
            self.request.watcher.announce(
                f"writes of an earlier run may be under way: waiting {wait_s:.0f} s"
            )
            await asyncio.sleep(wait_s)
        state = self.stores.state
        assert isinstance(state, StateServer), "checked before the run began"  # noqa: S101
        fleet = FleetRun(job=job, state=state, settings=settings, held=self.opened.held, stores=self.stores)
        return await run_fleet(fleet, self.writer)

    async def _close(self, summary: Summary, record: RunRecord) -> Summary:
        """Record how the run ended. Roll it back if it was stopped and its rollout says so (`rolls_back`)."""
        states = self.stores.runs
        if summary.interrupted and record.state is not RunState.RUNNING:
            return replace(summary, interrupted=False, stopped=f"it was {record.state.value}")
        if summary.interrupted:
            states.stop(record.run, RunState.PAUSED if record.is_whole else RunState.ENDED, "interrupted")
        elif summary.stopped is None:
            states.end(record.run)
        elif record.rollout.rolls_back and not summary.waits:
            states.stop(record.run, RunState.PAUSED, f"{summary.stopped}; it is being taken back")
            first, waves = states.chain(record)[-1], record.rollout.waves[: summary.wave + 1]
            self.request.watcher.announce(
                f"{summary.stopped}: what was written since run {first} is taken back"
            )
            written = (i for i in self.request.instances if wave_of(i, waves) is not None)
            self.request.watcher.restart()
            back = await self.roll_back(Rollback(previous=True, before_run=first), written)
            states.take_back(record.run, summary.stopped, by_run=back.run)
            return replace(summary, taken_back=back)
        else:
            states.stop(record.run, RunState.PAUSED if record.is_whole else RunState.ENDED, summary.stopped)
        return summary

    async def roll_back(self, rollback: Rollback, instances: Iterable[Instance]) -> Summary:
        """Take instances back, as the operator asked for, or because a gate stopped the run."""
        states, is_asked = self.stores.runs, self.request.rollback is not None
        what = f"back to {_back_to(rollback, self.build)}, at {self.request.access.base_url}"
        release = None if rollback.previous else self.build.release
        task = self.request.task(RunKind.ROLLBACK, release=release, before_run=rollback.before_run)
        run = self.stores.journal.begin(what, operator=self.request.operator, task=task)
        is_whole = is_asked and self.request.is_whole
        if is_whole:
            states.end_all("rolled back")
        job = self._job(run, instances, None)
        summary = await roll_back(job, self.send, self.writer, rollback, build=self.build, stores=self.stores)
        if is_asked and summary.skipped_all and not summary.interrupted:
            why = why_nothing_is_back(self.stores.journal, rollback.before_run, before=run)
            summary = replace(summary, nothing_back=why)
        is_any_back = bool(summary.counts.releases)
        if not (is_whole and is_any_back):
            return summary
        return replace(summary, rolled_back=self._take_back(rollback, run))

    def _take_back(self, rollback: Rollback, run: int) -> RolledBack | None:
        """Store which release the rollback has taken back from all instances, and return it; None for no release.

        When the database of the releases was lost, the release of the newest run is not there: then nothing is stored,
        because a later release gets the same number.
        """
        states, newest = self.stores.runs, self.stores.runs.newest_whole()
        fingerprints = {release.number: release.fingerprint for release in self.stores.releases.all()}
        if newest is None or newest.release not in fingerprints:
            return None
        release = states.roll_back(run, to=rollback.to, before_run=rollback.before_run)
        if release is None:
            return None
        return RolledBack(release=release, fingerprint=fingerprints[release], run=run)

    def _rolled_back(self, release: int, by_run: int | None) -> RolledBack | None:
        if by_run is None:
            return None
        fingerprint = self.stores.releases.get(release).fingerprint
        return RolledBack(release=release, fingerprint=fingerprint, run=by_run)

    def _job(self, run: int, instances: Iterable[Instance], loop: WaveLoop | None) -> Job:
        request, stores = self.request, self.stores
        doubts = writes_under_way(stores.journal, timeout_s=request.limits.total_s)
        return Job(
            run=run,
            build_of=Builds(self.build, stores.releases, heads=request.heads).of,
            instances=instances,
            settings=self.settings,
            ownership=ownership_of(self.build, stores, overwrite_foreign=request.overwrite_foreign),
            is_versioned=stores.releases.describe_versions(),
            host=self.host,
            loop=loop,
            journal=stores.journal,
            acknowledgements=stores.acknowledgements,
            settled_at=doubts.snippets,
            data=MigrationSide(
                locks=self.opened.locks,
                settled_at=doubts.data,
                unfinished=unfinished_writes(stores.journal),
            ),
            watcher=request.watcher,
        )


@asynccontextmanager
async def _obeying(states: RunStates, run: int, stop: asyncio.Event, host: HostPace) -> AsyncIterator[None]:
    """Set `stop` when another process pauses or cancels the run. Store the lowered rate for `publish status`."""

    async def watch() -> None:
        goes_on, stored = True, None
        while goes_on:
            await asyncio.sleep(LOOK_S)
            with suppress(DatabaseUnusable):  # if the database stays unusable, the run itself fails
                goes_on = states.state_of(run) is RunState.RUNNING
                if host.lowered_to != stored:
                    stored = host.lowered_to
                    states.lower_rate(run, stored)
        stop.set()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


def _back_to(rollback: Rollback, build: Build) -> str:
    if not rollback.previous:
        return f"release {build.release}"
    run = rollback.before_run
    return "what was there before" if run is None else f"what was there before run {run}"
