"""The app data of one instance as they are read, and what a change wants of them. Writes nothing."""

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

from awning.client import AppDataTooDeep, Calling, Flow, Secret, apps, call, decode_app_data, encode_app_data
from awning.client.secret import escaped
from awning.data_schema import shown_path
from awning.data_schema.schema_part import Path
from awning.diagnostics import first_few
from awning.errors import ConfigurationError, Refused
from awning.publish.cell_flow import PublishFlow
from awning.publish.cell_outcome import Cause, CellOutcome, Ending
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import RunTask
from awning.publish.requests import ServiceRequest
from awning.publish.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class AppData:
    """The stored app data: `raw` as the service returned them, and `values` decoded (`app_data_of`).

    `is_deep` is whether they nest too deeply, so that `values` are a text.
    """

    raw: Any
    values: Any
    is_deep: bool = False

    @classmethod
    def of(cls, raw: Any) -> Self:
        """Decode what the service returned. Data that nest too deeply stay a text, which fits no schema."""
        try:
            return cls(raw=raw, values=decode_app_data(raw))
        except AppDataTooDeep as error:
            return cls(raw=raw, values=raw if isinstance(raw, str) else error.message, is_deep=True)

    @property
    def text(self) -> str | None:
        """The text with which the same data can be stored again; None when nothing is stored."""
        return None if self.raw is None else text_of(self.raw)


def text_of(values: Any) -> str:
    """Return app data as one text: equal for equal data. A string stays as it is, if it has a UTF-8 form."""
    try:
        if isinstance(values, str):
            values.encode()
            return values
        return encode_app_data(values)
    except (ConfigurationError, UnicodeEncodeError):
        return json.dumps(values, sort_keys=True)


def app_data_of(code: Secret, calling: Calling) -> Flow[Any]:
    """Return the stored app data of an instance, decoded; {} when nothing is stored (`read_app_data`)."""
    return (yield from read_app_data(code, calling)).values


def read_app_data(code: Secret, calling: Calling) -> Flow[AppData]:
    """Return the stored app data of an instance; {} when nothing is stored (assumed to give HTTP 404).

    With a base URL that lacks its version, every call gives HTTP 404. So this is then an error.
    Null, an empty text and an empty list also count as nothing. Data that are not JSON text, or are nested too deeply
    to decode, are returned in their stored form, which fits no schema. Raises ServiceError when the call fails.
    """
    try:
        return AppData.of((yield from call(apps.get_data(code), calling)))
    except Refused as problem:
        if problem.status != HTTPStatus.NOT_FOUND or not calling.access.versioned:
            raise
        return AppData(raw=None, values={})


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
