"""The processor time of a publish, per call and per cell, compared with plain aiohttp in the same run.

    python benchmarks/publish/bench_publish.py [--instances 2500] [--in-flight 64] [--snippet-bytes 4096]

The service is another process, which answers from memory with as little work as possible. The baseline sends the same
number of set_snippet calls with aiohttp alone. Each of the other rows has a state directory of its own:

    calls      `call` with the aiohttp transport: what operations, flows and the reading of responses add
    publish    a whole publish: languages, read, write, read back, journal; 4 cells per instance
    again      the same publish once more, with nothing to change

The script prints one JSON document. `cpu_us_per_call` is the time per HTTP call, `cpu_us_per_cell` the time per cell.
`own_us_per_cell` is the time per cell without its calls, at the cost of a call in the baseline.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp

from awning.build_record import FILE_NAME, BuildRecord, BuiltSnippet
from awning.client import Calling, Limits, Secret, apps, apps_access, call
from awning.client.async_client import AsyncTransport, run_with
from awning.publish import BuildFiles, Inventory, Pace, StateDir
from awning.publish.release.record import sha256_of
from awning.publish.run import PublishRequest, publish

REPEATS = 3
LANGUAGES = ("lv", "en", "de")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class Shelf(asyncio.Protocol):
    """Answers get_snippet, set_snippet and languages from memory. It reads only whole requests, as our client sends
    them.
    """

    def __init__(self, kept: dict[tuple[str, str | None], bytes]) -> None:
        self._kept = kept
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].decode("latin-1")
            length = next(
                int(v)
                for k, _, v in (x.partition(":") for x in head.split("\r\n"))
                if k.lower() == "content-length"
            )
            if len(self._buffer) < end + 4 + length:
                return
            body, self._buffer = self._buffer[end + 4 : end + 4 + length], self._buffer[end + 4 + length :]
            answer = self._answer(head.split(" ", 2)[1], body)
            self._transport.write(HEAD % len(answer) + answer)

    def _answer(self, target: str, body: bytes) -> bytes:
        url = urlsplit(target)
        code = parse_qs(url.query)["authCode"][0]
        call_, language, *_ = [*url.path.removeprefix("/v1/apps/").split("/"), "", ""]
        if call_ == "set_snippet":
            fields = json.loads(body)
            self._kept[code, fields.get("language")] = json.dumps(
                {"error": False, "snippet": fields["snippet"]}
            ).encode()
            return b'{"error":false}'
        if call_ == "languages":
            return b'{"error":false,"languages":["lv","en","de"]}'
        return self._kept.get((code, language or None), b'{"error":false,"snippet":null}')


def serve(pipe: Connection) -> None:
    async def run() -> None:
        kept: dict[tuple[str, str | None], bytes] = {}
        server = await asyncio.get_running_loop().create_server(
            lambda: Shelf(kept), "127.0.0.1", 0, backlog=512
        )
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


async def in_flight(at_once: int, jobs: Iterator[Callable[[], Awaitable[object]]]) -> None:
    async def worker() -> None:
        for job in jobs:
            await job()

    await asyncio.gather(*[worker() for _ in range(at_once)])


async def raw(base_url: str, codes: list[str], body: bytes, at_once: int) -> None:
    """The baseline: aiohttp alone, which decodes the response and checks its error flag."""
    headers = {"Authorization": "ApiKey k", "Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=at_once)) as session:

        async def one(code: str) -> None:
            url = f"{base_url}/apps/set_snippet/?authCode={code}"
            async with session.post(url, data=body, headers=headers) as response:
                assert not json.loads(await response.read())["error"]

        await in_flight(at_once, (partial(one, code) for code in codes for _ in range(4)))


async def flows(base_url: str, codes: list[str], snippet: str, at_once: int) -> None:
    access = apps_access(base_url, Secret("k"))
    calling = Calling(access=access)
    async with AsyncTransport(access, limits=Limits(connections=at_once)) as transport:

        async def one(code: str) -> None:
            await run_with(call(apps.set_snippet(Secret(code), snippet), calling), transport.send)

        await in_flight(at_once, (partial(one, code) for code in codes for _ in range(4)))


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Processor and wall seconds of the cheapest of three runs, because the machine may be busy."""
    found = []
    for _ in range(REPEATS):
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        found.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(found)


def build_files(text: str) -> BuildFiles:
    """A build whose snippets are `text` after their language."""
    texts = {f"{language or 'default'}.html": f"{language}{text}" for language in (None, *LANGUAGES)}
    snippets = tuple(
        BuiltSnippet(
            path=path,
            unit="app",
            place="body",
            language=None if path == "default.html" else path.removesuffix(".html"),
            bytes=len(content.encode()),
            gzip=0,
            sha256=sha256_of(content),
        )
        for path, content in texts.items()
    )
    record = BuildRecord(
        awning="0",
        fingerprint="0" * 64,
        title="",
        version="",
        languages=LANGUAGES,
        snippets=snippets,
        widgets=(),
        esbuild="",
    )
    return BuildFiles(record=record, texts=texts | {FILE_NAME: json.dumps(record.as_json())})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--instances", type=int, default=2500)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--snippet-bytes", type=int, default=4096)
    options = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    base_url = f"http://127.0.0.1:{ours.recv()}/v1"
    codes = [f"code-{number:06}" for number in range(options.instances)]
    text = ("<b>ā</b>" * options.snippet_bytes)[: options.snippet_bytes]
    body = json.dumps({"snippet": text}).encode()
    calls = cells = 4 * len(codes)
    rows: dict[str, dict[str, float]] = {}

    def row(name: str, work: Callable[[], object], calls: int, cells: int | None) -> None:
        cpu, wall = measured(work)
        rows[name] = {
            "calls": calls,
            "wall_s": round(wall, 2),
            "cpu_us_per_call": round(cpu * 1e6 / calls, 1),
        }
        if cells:
            per_call = rows["aiohttp"]["cpu_us_per_call"]
            rows[name]["cpu_us_per_cell"] = round(cpu * 1e6 / cells, 1)
            rows[name]["own_us_per_cell"] = round((cpu * 1e6 - calls * per_call) / cells, 1)
        if "aiohttp" in rows:
            rows[name]["ratio_per_call"] = round(
                rows[name]["cpu_us_per_call"] / rows["aiohttp"]["cpu_us_per_call"], 2
            )

    # Run one quarter first, so that the baseline does not include imports and first connections.
    asyncio.run(raw(base_url, codes[: len(codes) // 4], body, options.in_flight))
    row("aiohttp", lambda: asyncio.run(raw(base_url, codes, body, options.in_flight)), calls, None)
    row("calls", lambda: asyncio.run(flows(base_url, codes, text, options.in_flight)), calls, None)
    files = build_files(text)
    with tempfile.TemporaryDirectory() as folder:
        runs = count()

        def run(*, fresh: bool) -> Callable[[], object]:
            def work() -> None:
                state = StateDir(Path(folder) / "state")
                inventory = Inventory.open(state)
                # For new codes the service has no snippets yet.
                prefix = next(runs) if fresh else 0
                instances = [inventory.instance(f"{prefix}-{code}") for code in codes]
                inventory.close()
                session = PublishRequest(
                    files=files,
                    instances=instances,
                    access=apps_access(base_url, Secret("k")),
                    environ=os.environ,
                    pace=Pace(per_instance=None, in_flight=options.in_flight),
                    limits=Limits(connections=options.in_flight),
                )
                assert publish(session, state).totals["applied" if fresh else "unchanged"] == cells

            return work

        row("publish", run(fresh=True), len(codes) + 3 * cells, cells)
        row("again", run(fresh=False), len(codes) + cells, cells)
    server.terminate()
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            {"cells": cells, "in_flight": options.in_flight, "peak_mb": round(peak_mb), "rows": rows},
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
