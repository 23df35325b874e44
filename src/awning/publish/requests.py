"""The parameters of a publish: the service, the instances, the build, the pace."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import msgspec

from awning.client import Access, Calling, Limits, Retry
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import RunKind, RunTask
from awning.publish.pacing import Pace
from awning.publish.plan.saved_plan import SavedPlan
from awning.publish.release.build_files import BuildFiles
from awning.publish.run_watcher import RunWatcher
from awning.publish.runner import RunSettings
from awning.publish.waves.run_state import Rollout

if TYPE_CHECKING:
    from awning.client.async_client import AsyncTransport

PERSISTENT = Retry(attempts=6)
"""The retries of a run: more attempts than in other verbs, because a run takes long anyway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollback:
    """A rollback to the release `to`, which has the request's files; with `previous`, to an earlier text of each cell.

    The earlier text is what the cell held before the run `before_run`; when that is None, before its last write.
    """

    previous: bool
    to: int | None = None
    before_run: int | None = None
    accept_newer_data: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSettings:
    """How the workers of a run publish. The controller stores it in the database, without any secret.

    The limits of `pace` for the whole service are for all workers together, `pace.in_flight` is for each. A worker must
    renew its claim of a chunk within `lease_s` seconds, or it loses the chunk.
    """

    heads: bool = False
    overwrite_foreign: bool = False
    pace: Pace
    timeout_s: float = 30.0
    lease_s: float = 20.0
    chunk_instances: int = 25

    def to_text(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_text(cls, text: str) -> "FleetSettings":
        return msgspec.json.decode(text, type=cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """The service, the instances and the pace of a run. `environ` has the variables that name proxies.

    `only` has the keyed hashes of instances that were chosen by name, `labels` the labels that chose instances: for the
    journal, since `instances` decides.
    """

    access: Access
    environ: Mapping[str, str]
    instances: Iterable[Instance] = ()
    only: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    retry: Retry = PERSISTENT

    def task(self, kind: RunKind, *, release: int | None = None, before_run: int | None = None) -> RunTask:
        """Return what a run of the request does, for the journal."""
        return RunTask(kind=kind, release=release, before_run=before_run, only=self.only, labels=self.labels)

    def transport(self) -> "AsyncTransport":
        """Return the transport of the calls, which the run opens and closes."""
        from awning.client.async_client import AsyncTransport  # noqa: PLC0415 - imports aiohttp, a fifth of a second

        return AsyncTransport(self.access, limits=self.limits, environ=self.environ)

    def settings(self) -> RunSettings:
        calling = Calling(access=self.access, retry=self.retry)
        return RunSettings(calling=calling, pace=self.pace, late_s=self.limits.total_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRequest(ServiceRequest):
    """A build, and how it is published.

    `heads` is whether the service has calls for head snippets. `operator` is who publishes, `revision` the commit of
    the build's sources. With a `plan`, the cells of the plan are published. `instances` then only decide which wave
    each instance is in, and what a gate's rollback takes back.

    `is_whole` is whether `instances` are all of the inventory. Such a request continues the unfinished run of the same
    release and service, in the waves of that run. When `rollout` names other waves, `publish` raises
    ConfigurationError. With waves, `instances` is read more than once, so it must not be an iterator.

    With `fleet`, workers on other machines publish, and this process is their controller (`awning.publish.fleet`).
    """

    files: BuildFiles
    plan: SavedPlan | None = None
    rollout: Rollout | None = None
    fleet: FleetSettings | None = None
    is_whole: bool = False
    rollback: Rollback | None = None
    heads: bool = False
    overwrite_foreign: bool = False
    operator: str = ""
    revision: str | None = None
    watcher: RunWatcher = field(default_factory=RunWatcher)

    def task(self, kind: RunKind, *, release: int | None = None, before_run: int | None = None) -> RunTask:
        task = ServiceRequest.task(self, kind, release=release, before_run=before_run)
        return replace(task, is_planned=self.plan is not None)
