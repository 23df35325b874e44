"""The options that the verbs of `awning publish` share: which instances, which build, how fast."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from awning.build_record import read_build_record, shorten_fingerprint
from awning.cli.report import Command, dist_option
from awning.cli.service_options import find_access, service_options
from awning.client import Limits
from awning.errors import ConfigurationError
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.manifest_head import UnwrittenHead, find_unwritten_head
from awning.publish.notices import RolledBack, SchemaChange
from awning.publish.operator import operator_name, source_revision
from awning.publish.pacing import Pace, pace_rules
from awning.publish.release.build_files import BuildFiles, read_files
from awning.publish.release.schema_changes import find_schema_change
from awning.publish.requests import FleetSettings, PublishRequest, ServiceRequest
from awning.publish.stores import Stores
from awning.workspace.reader import find_profile
from awning.workspace.root import find_workspace

_USUAL = Pace()


class NumberByOption(click.Command):
    """A command that takes the number of a run or a release by an option. The refusal of an extra number names it."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        extra = super().parse_args(ctx, args)
        if extra:
            numbers = [
                o.opts[0] for o in self.params if isinstance(o, click.Option) and o.name in {"run", "to"}
            ]
            meant = " or ".join(f"{ctx.command_path} {option} {extra[0]}" for option in numbers)
            hint = f". Did you mean: {meant}?" if extra[0].isdecimal() else ""
            ctx.fail(f"Got unexpected extra argument{'s' * (len(extra) > 1)} ({' '.join(extra)}){hint}")
        return extra


label_option = click.option(
    "--label", "labels", multiple=True, help="Only instances with this label. Repeatable: with all of them."
)


def instance_options(command: Command) -> Command:
    """Add the options that choose instances."""
    only = click.option(
        "--only", multiple=True, metavar="NAME", help="Only this instance (name or keyed hash). Repeatable."
    )
    return only(label_option(command))


class PaceOption(click.Option):
    """An option that only chooses a speed, so that a workspace's `.env` may set it."""

    is_harmless = True


def service_run_options(command: Command) -> Command:
    """Add the options that name the service, and limit the rate, the number and the time of requests.

    The command gets the rate and the number as `pace`.
    """

    @wraps(command)
    def paced(*arguments: Any, in_flight: int, **options: Any) -> Any:
        limits = {name: options.pop(rule.parameter) or None for name, rule in pace_rules().items()}
        return command(*arguments, pace=Pace(**limits, in_flight=in_flight), **options)

    rates = (
        click.option(
            rule.option,
            cls=PaceOption,
            type=click.FloatRange(min=0),
            default=getattr(_USUAL, name) or 0.0,
            show_default=getattr(_USUAL, name) is not None,
            help=rule.about,
        )
        for name, rule in pace_rules().items()
    )
    options = (
        service_options,
        *rates,
        click.option(
            "--in-flight",
            cls=PaceOption,
            type=click.IntRange(1, 1024),
            default=_USUAL.in_flight,
            show_default=True,
            help="The most open requests. Fewer while the service says that it has too many.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0.1),
            default=30.0,
            show_default=True,
            help="Seconds for one request.",
        ),
    )
    return add_options(options, paced)


def run_options(command: Command) -> Command:
    """Add the options of a run: service, instances, build, pace."""
    options = (
        instance_options,
        dist_option(),
        click.option("--release", type=click.IntRange(1), help="This release instead of the current build."),
        click.option(
            "--allow-errors", is_flag=True, help="Accept a build that was made with --allow-errors."
        ),
        service_run_options,
    )
    return add_options(options, command)


def add_options(options: Sequence[Callable[[Command], Command]], command: Command) -> Command:
    """Add options so that the help lists them in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def is_current(fingerprint: str) -> bool:
    """Return whether the workspace has the build with this fingerprint. `manifest submit` submits its manifest."""
    try:
        record = read_build_record(find_workspace(Path.cwd()) / "dist")
    except ConfigurationError:
        return False
    return record.fingerprint == fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBuild:
    """The build that a plan publishes, and the number of its release; None when it has none yet.

    `migrates` is whether it migrates app data. `rolled_back` is set when an operator has taken the release back from
    all instances.
    """

    fingerprint: str
    release: int | None
    rolled_back: RolledBack | None = None
    migrates: bool = False
    schema_change: SchemaChange | None = None
    """Where stored app data may not fit it, and are not migrated, as far as the releases and the journal tell."""

    def sentence(self, pinned: AbstractSet[int]) -> str:
        """Return the name of the build. `pinned` are the releases at which instances of the plan are held."""
        number = "not released yet" if self.release is None else f"release {self.release}"
        others = "; pinned instances keep their own release" if pinned - {self.release} else ""
        return f"build {shorten_fingerprint(self.fingerprint)}, {number}{others}"

    def as_json(self) -> dict[str, Any]:
        back = {} if self.rolled_back is None else {"rolled_back": self.rolled_back.as_json()}
        change = {} if self.schema_change is None else {"schema_change": self.schema_change.as_json()}
        return {"fingerprint": self.fingerprint, "release": self.release, **back, **change}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The values of the options that `run_options` adds. Except `pace`, each has the name of its option's parameter."""

    base_url: str | None
    profile: str | None
    only: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    dist: Path | None = None
    release: int | None = None
    allow_errors: bool = False
    pace: Pace
    timeout: float

    @property
    def heads(self) -> bool:
        """Whether the service has calls for head snippets."""
        return find_profile(self.profile, os.environ).head_snippets

    @property
    def address(self) -> str | None:
        """The base URL of the service; None when none is configured."""
        return self.base_url or find_profile(self.profile, os.environ).base_url

    def plan_build(self, files: BuildFiles, stores: Stores) -> PlanBuild:
        """Return the build of a plan, with its release."""
        fingerprint = files.record.fingerprint
        release = stores.releases.of_files(files)
        run = stores.runs.rolled_back_by(release.number) if release else None
        back = None
        if release is not None and run is not None:
            back = RolledBack(release=release.number, fingerprint=release.fingerprint, run=run)
        return PlanBuild(
            fingerprint=fingerprint,
            release=release.number if release else None,
            rolled_back=back,
            migrates=files.migration().is_versioned,
            schema_change=find_schema_change(files, self.each_instance(stores.inventory), stores),
        )

    def unwritten_head(self, files: BuildFiles, stores: Stores) -> UnwrittenHead | None:
        """Return the head snippet that a publish of the build does not write; None when the service has the calls."""
        if self.heads:
            return None
        head = find_unwritten_head(files, stores.releases)
        return None if head is None else replace(head, is_current=is_current(files.record.fingerprint))

    def request(self, files: BuildFiles, *, overwrite_foreign: bool = False) -> PublishRequest:
        """Return the request, still without instances.

        Raises ConfigurationError when the address or the key is missing or wrong, when the profile does not exist, or
        when there is no `--dist`, release or workspace. Raises Faulty when pyproject.toml has errors.
        """
        return PublishRequest(
            **self._service(),
            files=files,
            heads=self.heads,
            overwrite_foreign=overwrite_foreign,
            operator=operator_name(os.environ),
            revision=source_revision(self._dist.parent) if self.release is None else None,
        )

    def fleet_settings(self) -> FleetSettings:
        """Return the settings that a controller passes to the workers of a fleet."""
        return FleetSettings(
            heads=self.heads,
            pace=self.pace,
            timeout_s=self.timeout,
        )

    def service_request(self, instances: Iterable[Instance] = ()) -> ServiceRequest:
        """Return the request of a run that needs no build.

        Raises ConfigurationError when the address or the key is missing or wrong, or when the profile does not exist.
        Raises Faulty when pyproject.toml has errors.
        """
        return ServiceRequest(**self._service(), instances=instances)

    def _service(self) -> dict[str, Any]:
        limits = Limits(
            total_s=self.timeout, connect_s=min(10.0, self.timeout), connections=self.pace.in_flight
        )
        access = find_access(self.base_url, self.profile, os.environ)
        return {"access": access, "environ": os.environ, "pace": self.pace, "limits": limits}

    def files(self, stores: Stores) -> BuildFiles:
        """Return the files of the build or release.

        Raises ConfigurationError or Faulty when they are missing or damaged. Raises Faulty also for a build with
        errors, unless `--allow-errors` is given. Raises ConfigurationError for `--dist` with `--release`.
        """
        if self.release is None:
            return read_files(self._dist, allow_errors=self.allow_errors)
        if self.dist is not None:
            raise ConfigurationError("--dist and --release exclude each other", hint="leave one of them out")
        return stores.releases.files(self.release)

    @property
    def _dist(self) -> Path:
        return self.dist or find_workspace(Path.cwd()) / "dist"

    @property
    def is_whole(self) -> bool:
        """Whether the run publishes to all instances."""
        return not self.only and not self.labels

    def instances(self, inventory: Inventory) -> Iterable[Instance]:
        """Return the instances of the run. The result can be iterated several times.

        Without `--only`, they are read from the inventory at each iteration, and not held in memory.

        Raises ConfigurationError when a name in `--only` belongs to no instance. Without `--only`, raises it when the
        inventory never had an instance, or when it has instances, and none has the labels.
        """
        if self.only:
            return next(iter(self.pages(inventory)))
        inventory.check_known()
        if self.labels and inventory.count() and not any(inventory.pages(self.labels)):
            raise ConfigurationError(
                f"no instance has the label {' and '.join(self.labels)}",
                hint="awning instances list shows the labels",
            )
        return _Instances(inventory, self.labels, inventory.last_id())

    def each_instance(self, inventory: Inventory) -> Iterator[Instance]:
        """Return the instances of the run, which can be iterated once. Raises as `pages` does."""
        return (instance for page in self.pages(inventory) for instance in page)

    def pages(self, inventory: Inventory) -> Iterable[Sequence[Instance]]:
        """Return the instances of the run in pages.

        Raises ConfigurationError when a name in `--only` belongs to no instance, or when the inventory never had one.
        """
        if not self.only:
            inventory.check_known()
            return inventory.pages(self.labels)
        return [[i for i in inventory.chosen(self.only) if set(self.labels) <= set(i.labels)]]


@dataclass(frozen=True, slots=True)
class _Instances:
    """Reads the instances from the inventory at each iteration, up to the id `last`: later ones are left out."""

    inventory: Inventory
    labels: Sequence[str]
    last: int

    def __iter__(self) -> Iterator[Instance]:
        for page in self.inventory.pages(self.labels, last=self.last):
            yield from page
