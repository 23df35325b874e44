"""Disables and enables a widget in shops, through the reserved key of their app data (`awning.data_schema`).

Only the value of the reserved key changes. Snippets are not written. So a widget is not disabled at an instance whose
snippets were built without the kill switch: that instance is refused.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from awning.build_record import BuildRecord
from awning.data_schema import disabled_widgets, with_disabled
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.publish.cell_outcome import CellOutcome, Ending
from awning.publish.data.change import NOT_AN_OBJECT, DataRunChange, refused
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import RunKind, RunTask
from awning.publish.release.releases import Releases
from awning.publish.requests import ServiceRequest
from awning.publish.stores import Stores

NO_SWITCH = "{} was built without the kill switch: publish a build that has it"
RAW = "in {} the widget is a script of its own, which the runtime does not start"


@dataclass(slots=True, kw_only=True)
class WidgetSwitch(DataRunChange):
    """Disables or enables one widget.

    `current` is the record of the workspace's build, if there is one.
    """

    widget: str
    disable: bool
    current: BuildRecord | None = None
    _stores: Stores = field(init=False, repr=False)
    _reasons: dict[str | None, str | None] = field(default_factory=dict, init=False)

    @property
    def what(self) -> str:
        return f"{'disable' if self.disable else 'enable'} {self.widget}"

    def task(self, request: ServiceRequest) -> RunTask:
        return request.task(RunKind.SWITCH)

    def prepare(self, request: ServiceRequest, stores: Stores) -> None:  # noqa: ARG002 - see DataRunChange
        """Check that a build has the widget, and that it can be disabled (`check_widget`)."""
        check_widget(self, stores.releases)
        self._stores = stores

    def refusal(self, instance: Instance) -> str | None:
        return self._reason_against(instance) if self.disable else None

    def wanted(self, instance: Instance, stored: Any) -> Any:  # noqa: ARG002 - see DataRunChange
        if not isinstance(stored, dict):
            return refused(NOT_AN_OBJECT)
        before = disabled_widgets(stored)
        if (self.widget in before) is self.disable:
            return Ending(outcome=CellOutcome.UNCHANGED)
        after = {*before, self.widget} if self.disable else {*before} - {self.widget}
        return with_disabled(stored, after)

    def _reason_against(self, instance: Instance) -> str | None:
        """Return why the snippets of an instance cannot disable the widget; None when no reason is known."""
        records = self._stores.journal.cells(instance.key).values()
        published = {r.contents["body"].published for r in records if "body" in r.contents} - {None}
        for sha256 in published or {None}:
            if sha256 not in self._reasons:
                self._reasons[sha256] = self._reason_of(sha256)
            if self._reasons[sha256] is not None:
                return self._reasons[sha256]
        return None

    def _reason_of(self, sha256: str | None) -> str | None:
        """Return why one snippet cannot disable the widget; None when no reason is known.

        The hash None stands for the current build.
        """
        record, name = self.current, "the build in dist/"
        if sha256 is not None:
            text = self._stores.releases.text(sha256)
            number = None if text is None else self._stores.newest_release_with(text)
            if number is None:
                return None
            record, name = self._stores.releases.record(number), f"release {number}, which it has,"
        if record is None:
            return None
        if any(widget.raw for widget in record.widgets if widget.name == self.widget):
            return RAW.format(name.rstrip(","))
        return None if record.kill_switch else NO_SWITCH.format(name)


def check_widget(switch: WidgetSwitch, releases: Releases) -> None:
    """Check that some build has the widget. Before disabling it, also check that the runtime starts it.

    The newest build that has the widget counts. Raises ConfigurationError when a check fails.
    """
    names: set[str] = set()
    for record in _records(switch.current, releases):
        widget = next((widget for widget in record.widgets if widget.name == switch.widget), None)
        if widget is None:
            names |= {widget.name for widget in record.widgets}
        elif widget.raw and switch.disable:
            raise ConfigurationError(
                f'the widget "{switch.widget}" cannot be disabled: its script subscribes by itself, '
                "and the runtime does not start it",
                hint="export a slot from widget.ts, or publish a build without the widget",
            )
        else:
            return
    hint = did_you_mean(switch.widget, names) or (f"widgets: {', '.join(sorted(names))}" if names else None)
    raise ConfigurationError(
        f'no build has a widget "{switch.widget}"', hint=hint or "run: awning build; or publish a build first"
    )


def _records(current: BuildRecord | None, releases: Releases) -> Iterator[BuildRecord]:
    """Yield the records of the current build and of all releases, newest first."""
    if current is not None:
        yield current
    for release in reversed(releases.all()):
        yield releases.record(release.number)
