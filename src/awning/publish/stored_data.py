"""Reads the stored app data of all instances, at the publisher's pace. Writes nothing."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from awning.client import Access, Calling, NoResponse, Operation, Response, apps, call, decode_app_data
from awning.client.async_client import AsyncTransport, Sender, run_with
from awning.client.retry import retry_after_s
from awning.errors import Refused, ServiceError
from awning.publish.inventory import Instance
from awning.publish.pacing import HostPace, Pace, Window


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredData:
    """The stored data of one instance, {} when nothing is stored; or the error that kept it from being read."""

    instance: Instance
    data: Any = None
    problem: ServiceError | None = None


def read_stored_data(
    instances: Sequence[Instance], access: Access, environ: Mapping[str, str]
) -> tuple[StoredData, ...]:
    """Read the data of each instance, in their order. `environ` names the proxies."""

    async def run() -> tuple[StoredData, ...]:
        transport = AsyncTransport(access, environ=environ)
        async with transport:
            reader = _Reader(Calling(access=access), transport.send)
            return tuple(await asyncio.gather(*map(reader.read, instances)))

    with asyncio.Runner() as runner:
        return runner.run(run())


class _Reader:
    """Reads instances at one host's pace."""

    def __init__(self, calling: Calling, send: Sender) -> None:
        self._calling = calling
        self._send = send
        self._pace = Pace()
        self._host = HostPace(self._pace)

    async def read(self, instance: Instance) -> StoredData:
        own = Window(self._pace.per_instance)

        async def send(operation: Operation[object]) -> Response | NoResponse:
            await self._host.turn(own)
            async with self._host.slots:
                reply = await self._send(operation)
            wait_s = retry_after_s(reply, now=self._calling.now())
            self._host.record(reply, wait_s, patience_s=self._calling.retry.patience_s)
            return reply

        try:
            stored = await run_with(call(apps.get_data(instance.code), self._calling), send)
            return StoredData(instance=instance, data=decode_app_data(stored))
        except Refused as problem:
            # A 404 means that nothing was ever stored (assumed: not shown in the specification).
            if problem.status == HTTPStatus.NOT_FOUND:
                return StoredData(instance=instance, data={})
            return StoredData(instance=instance, problem=problem)
        except ServiceError as problem:
            return StoredData(instance=instance, problem=problem)
