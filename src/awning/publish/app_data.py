"""Reads the app data of instances at the publisher's pace, and compares them with the data schema. Writes nothing."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from awning.client import (
    Access,
    Calling,
    Flow,
    NoResponse,
    Operation,
    Response,
    Secret,
    apps,
    call,
    decode_app_data,
)
from awning.client.async_client import AsyncTransport, Sender, run_with
from awning.client.retry import retry_after_s
from awning.contract import Exit
from awning.data_schema import Misfit, SchemaPart, app_misfits
from awning.errors import Refused, ServiceError
from awning.publish.inventory.inventory import Instance
from awning.publish.pacing import HostPace, Pace, Window


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDataResult:
    """The app data of one instance ({} when nothing is stored), or the error of the call that reads them."""

    instance: Instance
    data: Any = None
    problem: ServiceError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDataCheck:
    """The check of one instance's app data: where they do not fit the schema, or why they could not be read."""

    instance: Instance
    misfits: tuple[Misfit, ...] = ()
    problem: ServiceError | None = None

    @property
    def fits(self) -> bool:
        return self.problem is None and not self.misfits


def app_data_of(code: Secret, calling: Calling) -> Flow[Any]:
    """Return the stored app data of an instance, decoded; {} when nothing is stored (assumed to give HTTP 404).

    With a base URL that lacks its version, every call gives HTTP 404. So this is then an error.
    Null, an empty text and an empty list also count as nothing. Data that are not JSON text, or are nested too deeply
    to decode, are returned in their stored form, which fits no schema. Raises ServiceError when the call fails.
    """
    stored: Any = {}
    try:
        stored = yield from call(apps.get_data(code), calling)
        return decode_app_data(stored)
    except RecursionError:
        return stored
    except Refused as problem:
        if problem.status != HTTPStatus.NOT_FOUND or not calling.access.versioned:
            raise
        return {}


def check_app_data(
    instances: Sequence[Instance], schema: SchemaPart, access: Access, environ: Mapping[str, str]
) -> tuple[AppDataCheck, ...]:
    """Read the app data of each instance, and compare them with `schema`. The results are in the same order."""
    return tuple(
        AppDataCheck(
            instance=result.instance,
            misfits=() if result.problem else tuple(app_misfits(result.data, schema)),
            problem=result.problem,
        )
        for result in read_app_data(instances, access, environ)
    )


def exit_code_of(checks: Sequence[AppDataCheck]) -> Exit:
    """Return 1 when app data do not fit; else 6 when the service refused every read, 5 when a read failed, else 0."""
    if any(check.misfits for check in checks):
        return Exit.FINDINGS
    problems = [check.problem for check in checks if check.problem is not None]
    if not problems:
        return Exit.DONE
    all_refused = len(problems) == len(checks) and {p.exit_code for p in problems} == {Exit.REFUSED}
    return Exit.REFUSED if all_refused else Exit.PARTLY


def read_app_data(
    instances: Sequence[Instance], access: Access, environ: Mapping[str, str]
) -> tuple[AppDataResult, ...]:
    """Read the app data of the instances. The results are in the same order. `environ` has the proxy settings."""

    async def run() -> tuple[AppDataResult, ...]:
        transport = AsyncTransport(access, environ=environ)
        async with transport:
            reader = _Reader(Calling(access=access), transport.send)
            return tuple(await asyncio.gather(*map(reader.read, instances)))

    with asyncio.Runner() as runner:
        return runner.run(run())


class _Reader:
    """Reads the app data of instances. All reads share the limits of one host."""

    def __init__(self, calling: Calling, send: Sender) -> None:
        self._calling = calling
        self._send = send
        self._pace = Pace()
        self._host = HostPace(self._pace)

    async def read(self, instance: Instance) -> AppDataResult:
        own = Window(self._pace.rates("instance"))

        async def send(operation: Operation[object]) -> Response | NoResponse:
            await self._host.turn(own)
            async with self._host.slots:
                await self._host.ready()
                reply = await self._send(operation)
            wait_s = retry_after_s(reply, now=self._calling.now())
            self._host.record(reply, wait_s, patience_s=self._calling.retry.patience_s)
            return reply

        try:
            data = await run_with(app_data_of(instance.code, self._calling), send)
            return AppDataResult(instance=instance, data=data)
        except ServiceError as problem:
            return AppDataResult(instance=instance, problem=problem)
