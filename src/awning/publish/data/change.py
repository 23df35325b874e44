"""What a change wants of one instance's app data."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from awning.client.secret import escaped
from awning.data_schema import shown_path
from awning.data_schema.schema_part import Path
from awning.diagnostics import first_few
from awning.publish.cell_flow import PublishFlow
from awning.publish.cell_outcome import Cause, CellOutcome, Ending
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import RunTask
from awning.publish.requests import ServiceRequest
from awning.publish.stores import Stores

NAMED = 8
"""The most settings that a reason names."""
TOO_DEEP = "the stored app data nest too deeply"
NOT_AN_OBJECT = "the stored app data are not a JSON object"


class AppDataChange(ABC):
    """A change of the app data of instances."""

    def refusal(self, instance: Instance) -> str | None:  # noqa: ARG002 - for those that override it
        """Return why the instance cannot be changed, without reading its app data; None when it can."""
        return None

    @abstractmethod
    def deciding(self, instance: Instance, stored: Any) -> PublishFlow[Any]:
        """Return what is to be stored instead of `stored`, or an `Ending` when nothing is to be written.

        `stored` are decoded app data. A string is stored as it is, any other value as JSON.
        """


class DataRunChange(AppDataChange):
    """A change that is a run of its own. `prepare` is called once, before the first instance."""

    @property
    @abstractmethod
    def what(self) -> str:
        """What the change does, for the journal."""

    @abstractmethod
    def task(self, request: ServiceRequest) -> RunTask:
        """Return what the run does as data, for the journal."""

    def prepare(self, request: ServiceRequest, stores: Stores) -> None:
        """Read from the journal what the change needs. Raises ConfigurationError when the change is not possible."""

    @abstractmethod
    def wanted(self, instance: Instance, stored: Any) -> Any:
        """Return what `deciding` returns, at once."""

    def deciding(self, instance: Instance, stored: Any) -> PublishFlow[Any]:
        yield from ()
        return self.wanted(instance, stored)


def refused(reason: str, cause: Cause = Cause.OTHER) -> Ending:
    """Return the ending of an instance that the change must not write to."""
    return Ending(outcome=CellOutcome.REFUSED, reason=reason, cause=cause)


def listed(paths: Sequence[Path]) -> str:
    """Return the names of settings, safe for a terminal: the first few, and how many more there are."""
    return escaped(first_few([shown_path(path) or "the stored text" for path in paths], NAMED))
