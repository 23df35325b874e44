"""Reads the app data of instances, and compares them with the data schema. Writes nothing."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Self

from awning.client import Calling, Flow, Secret, apps, call, decode_app_data, encode_app_data
from awning.contract import Exit
from awning.data_schema import Misfit, SchemaPart, app_misfits
from awning.errors import ConfigurationError, Refused, ServiceError
from awning.publish.cell_flow import PublishFlow
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, ending_of
from awning.publish.cells import Cell
from awning.publish.inventory.inventory import Instance
from awning.publish.runner import CellWork


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDataCheck:
    """The check of one instance's app data: where they do not fit the schema, or why they could not be read.

    `hint` is what the operator can do about `error`, `cause` the kind of it. `is_refused` is whether the service
    refused the call.
    """

    instance: Instance
    misfits: tuple[Misfit, ...] = ()
    error: str | None = None
    hint: str | None = None
    cause: Cause | None = None
    is_refused: bool = False

    @property
    def fits(self) -> bool:
        return self.error is None and not self.misfits


@dataclass(frozen=True, slots=True, kw_only=True)
class AppData:
    """The stored app data: `raw` as the service returned them, and `values` decoded (`app_data_of`)."""

    raw: Any
    values: Any

    @classmethod
    def of(cls, raw: Any) -> Self:
        """Decode what the service returned. Data that are nested too deeply stay in their stored form."""
        try:
            return cls(raw=raw, values=decode_app_data(raw))
        except RecursionError:
            return cls(raw=raw, values=raw)

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


@dataclass(slots=True)
class AppDataWork(CellWork[AppDataCheck]):
    """Reads the app data of each instance, and compares them with `schema`. `checks` are by the key of the instance."""

    schema: SchemaPart
    calling: Calling
    checks: dict[str, AppDataCheck] = field(default_factory=dict, init=False)

    def cell(self, cell: Cell) -> PublishFlow[AppDataCheck]:
        instance = cell.instance
        try:
            data = yield from app_data_of(instance.code, self.calling)
        except ServiceError as problem:
            return AppDataCheck(
                instance=instance,
                error=str(problem),
                hint=problem.hint,
                cause=ending_of(problem).cause,
                is_refused=problem.exit_code is Exit.REFUSED,
            )
        return AppDataCheck(instance=instance, misfits=tuple(app_misfits(data, self.schema)))

    def not_run(self, cell: Cell, ending: Ending) -> AppDataCheck:
        is_refused = ending.outcome is CellOutcome.REFUSED
        reason = ending.reason or "it could not be read"
        return AppDataCheck(
            instance=cell.instance, error=reason, cause=ending.cause or Cause.OTHER, is_refused=is_refused
        )

    def ended(self, cell: Cell, result: AppDataCheck) -> None:
        self.checks[cell.instance.key] = result


def exit_code_of(checks: Sequence[AppDataCheck]) -> Exit:
    """Return 1 when app data do not fit; else 6 when the service refused every read, 5 when a read failed, else 0."""
    if any(check.misfits for check in checks):
        return Exit.FINDINGS
    if all(check.fits for check in checks):
        return Exit.DONE
    return Exit.REFUSED if all(check.is_refused for check in checks) else Exit.PARTLY
