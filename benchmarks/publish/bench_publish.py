"""The processor time of a publish, per call and per cell, compared with plain aiohttp in the same run.

    python benchmarks/publish/bench_publish.py [--instances 2500] [--in-flight 64] [--snippet-bytes 4096]
                                               [--latency-ms 0] [--repeats 3]

The service is another process, which answers from memory with as little work as possible. The baseline sends the same
number of set_snippet calls with aiohttp alone. The other rows are:

    httpx      the same calls with httpx
    script     the same calls one after another, with http.client
    calls      `call` with the aiohttp transport: what operations, flows and the reading of responses add
    same, same again   aiohttp alone with the calls of a publish: languages, read, write, read back; or languages, read
    publish    a whole publish: languages, read, write, read back, journal; 4 cells per instance
    again      the same publish once more, with nothing to change

The script prints one JSON document. `cpu_us_per_call` is the time per HTTP call, `ratio_per_call` its ratio to the
baseline's. `cpu_us_per_cell` is the time per cell, `http_us_per_cell` that of the same calls by aiohttp alone,
`journal_us_per_cell` that of the journal's thread, and `own_us_per_cell` what remains without these two.
`of_concurrency` is the ratio of the calls per second to the most that the requests in flight allow at this latency.
`peak_mb` is the peak memory of the process so far.
"""

import argparse
import asyncio
import http.client
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
import httpx

from awning.build_record import FILE_NAME, BuildRecord, BuiltSnippet
from awning.client import Calling, Limits, Secret, apps, apps_access, call
from awning.client.async_client import AsyncTransport, run_with
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.pacing import Pace
from awning.publish.release.build_files import BuildFiles, sha256_of
from awning.publish.requests import PublishRequest
from awning.publish.run import publish
from awning.publish.state.store import StateDir

LANGUAGES = ("lv", "en", "de")
PEERS = 20_000
"""The most cells with which httpx and, without a latency, the script are measured too. httpx takes 4 ms a call."""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class Shelf(asyncio.Protocol):
    """Answers get_snippet, set_snippet and languages from memory.

    It cannot read chunked bodies, which our client does not send.
    """

    def __init__(self, contents: dict[tuple[str, str | None], bytes], latency_s: float = 0.0) -> None:
        self._contents = contents
        self._latency_s = latency_s
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].decode("latin-1")
            fields = (x.partition(":") for x in head.split("\r\n"))
            length = next((int(v) for k, _, v in fields if k.lower() == "content-length"), 0)
            if len(self._buffer) < end + 4 + length:
                return
            body, self._buffer = self._buffer[end + 4 : end + 4 + length], self._buffer[end + 4 + length :]
            answer = self._answer(head.split(" ", 2)[1], body)
            if self._latency_s:
                later = asyncio.get_running_loop().call_later
                later(self._latency_s, self._transport.write, HEAD % len(answer) + answer)
            else:
                self._transport.write(HEAD % len(answer) + answer)

    def _answer(self, target: str, body: bytes) -> bytes:
        url = urlsplit(target)
        code = parse_qs(url.query)["authCode"][0]
        call_, language, *_ = [*url.path.removeprefix("/v1/apps/").split("/"), "", ""]
        if call_ == "set_snippet":
            fields = json.loads(body)
            self._contents[code, fields.get("language")] = json.dumps(
                {"error": False, "snippet": fields["snippet"]}
            ).encode()
            return b'{"error":false}'
        if call_ == "languages":
            return b'{"error":false,"languages":["lv","en","de"]}'
        return self._contents.get((code, language or None), b'{"error":false,"snippet":null}')


def serve(pipe: Connection, latency_s: float = 0.0) -> None:
    async def run() -> None:
        contents: dict[tuple[str, str | None], bytes] = {}
        server = await asyncio.get_running_loop().create_server(
            lambda: Shelf(contents, latency_s), "127.0.0.1", 0, backlog=512
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
    """Send the calls of the baseline: by aiohttp alone. Each response is decoded, and its error flag checked."""
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


async def raw_publish(base_url: str, codes: list[str], text: str, at_once: int, *, writes: bool) -> None:
    """Send the calls of a publish by aiohttp alone. Each response is decoded, and its error flag checked."""
    headers = {"Authorization": "ApiKey k", "Content-Type": "application/json"}
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=at_once), headers=headers
    ) as session:

        async def read(path: str, code: str) -> Any:
            async with session.get(f"{base_url}/apps/{path}?authCode={code}") as response:
                fields = json.loads(await response.read())
            assert not fields["error"]
            return fields

        async def one(code: str) -> None:
            await read("languages/", code)
            for language in (None, *LANGUAGES):
                path = f"get_snippet/{language}/" if language else "get_snippet/"
                await read(path, code)
                if not writes:
                    continue
                wanted = {"snippet": f"{language}{text}", **({"language": language} if language else {})}
                url = f"{base_url}/apps/set_snippet/?authCode={code}"
                async with session.post(url, data=json.dumps(wanted).encode()) as response:
                    assert not json.loads(await response.read())["error"]
                assert (await read(path, code))["snippet"] == wanted["snippet"]

        await in_flight(at_once, (partial(one, code) for code in codes))


async def raw_httpx(base_url: str, codes: list[str], body: bytes, at_once: int) -> None:
    """Send the same calls with httpx."""
    headers = {"Authorization": "ApiKey k", "Content-Type": "application/json"}
    limits = httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    async with httpx.AsyncClient(headers=headers, limits=limits, timeout=30) as client:

        async def one(code: str) -> None:
            response = await client.post(f"{base_url}/apps/set_snippet/?authCode={code}", content=body)
            assert not json.loads(response.content)["error"]

        await in_flight(at_once, (partial(one, code) for code in codes for _ in range(4)))


def script(base_url: str, codes: list[str], body: bytes) -> None:
    """Send the same calls, one after another, as a script of ten lines does."""
    url = urlsplit(base_url)
    headers = {"Authorization": "ApiKey k", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(url.netloc)
    for code in codes:
        for _ in range(4):
            connection.request("POST", f"{url.path}/apps/set_snippet/?authCode={code}", body, headers)
            assert not json.loads(connection.getresponse().read())["error"]
    connection.close()


class JournalTime:
    """The processor time of all appends to journals."""

    def __init__(self) -> None:
        self.seconds = 0.0
        append = Journal.append

        def timed(journal: Journal, *arguments: Any) -> None:
            began = time.thread_time()
            append(journal, *arguments)
            self.seconds += time.thread_time() - began

        Journal.append = timed  # type: ignore[method-assign, assignment]


def measured(work: Callable[[], object], journal: JournalTime, repeats: int) -> tuple[float, float, float]:
    """Return the processor, wall and journal seconds of the cheapest of some runs, because the machine may be busy."""
    runs = []
    for _ in range(repeats):
        journal.seconds = 0.0
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        runs.append((time.process_time() - cpu, time.perf_counter() - wall, journal.seconds))
    return min(runs)


def build_files(text: str) -> BuildFiles:
    """Return a build in which each snippet is its language followed by `text`."""
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


def main() -> None:  # noqa: C901, PLR0915 - one row after another
    parser = argparse.ArgumentParser()
    parser.add_argument("--instances", type=int, default=2500)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--snippet-bytes", type=int, default=4096)
    parser.add_argument("--latency-ms", type=float, default=0.0)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(
        target=serve, args=(theirs, options.latency_ms / 1000), daemon=True
    )
    server.start()
    base_url = f"http://127.0.0.1:{ours.recv()}/v1"
    codes = [f"code-{number:06}" for number in range(options.instances)]
    text = ("<b>ā</b>" * options.snippet_bytes)[: options.snippet_bytes]
    body = json.dumps({"snippet": text}).encode()
    calls = cells = 4 * len(codes)
    rows: dict[str, dict[str, float]] = {}
    journal = JournalTime()

    def row(name: str, work: Callable[[], object], calls: int, cells: int | None) -> None:
        cpu, wall, journal_s = measured(work, journal, options.repeats)
        rows[name] = {
            "calls": calls,
            "wall_s": round(wall, 2),
            "cpu_us_per_call": round(cpu * 1e6 / calls, 1),
            "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        }
        if options.latency_ms:
            allowed = options.in_flight * 1000 / options.latency_ms
            rows[name]["of_concurrency"] = round(calls / wall / allowed, 3)
        if cells:
            same = rows["same again" if name == "again" else "same"]
            http_us = same["cpu_us_per_call"] * same["calls"] / cells
            journaled = journal_s * 1e6 / cells
            rows[name]["cells_per_s"] = round(cells / wall)
            rows[name]["cpu_us_per_cell"] = round(cpu * 1e6 / cells, 1)
            rows[name]["journal_us_per_cell"] = round(journaled, 1)
            rows[name]["http_us_per_cell"] = round(http_us, 1)
            rows[name]["own_us_per_cell"] = round(cpu * 1e6 / cells - http_us - journaled, 1)
        if "aiohttp" in rows:
            rows[name]["ratio_per_call"] = round(
                rows[name]["cpu_us_per_call"] / rows["aiohttp"]["cpu_us_per_call"], 2
            )

    # Run one quarter first, so that the baseline does not include imports and first connections.
    asyncio.run(raw(base_url, codes[: len(codes) // 4], body, options.in_flight))
    row("aiohttp", lambda: asyncio.run(raw(base_url, codes, body, options.in_flight)), calls, None)
    if cells <= PEERS:
        row("httpx", lambda: asyncio.run(raw_httpx(base_url, codes, body, options.in_flight)), calls, None)
    if cells <= PEERS and not options.latency_ms:
        row("script", lambda: script(base_url, codes, body), calls, None)
    row("calls", lambda: asyncio.run(flows(base_url, codes, text, options.in_flight)), calls, None)
    turns = count()

    def same(*, writes: bool) -> Callable[[], object]:
        def work() -> None:
            names = [f"same-{next(turns) if writes else 0}-{code}" for code in codes]
            asyncio.run(raw_publish(base_url, names, text, options.in_flight, writes=writes))

        return work

    row("same", same(writes=True), len(codes) + 3 * cells, None)
    row("same again", same(writes=False), len(codes) + cells, None)
    files = build_files(text)
    with tempfile.TemporaryDirectory() as folder:
        runs = count()

        def run(*, fresh: bool) -> Callable[[], object]:
            def work() -> None:
                state = StateDir(Path(folder) / "state")
                inventory = Inventory.open(state)
                # New codes: the service has no snippets of theirs yet.
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
    print(
        json.dumps(
            {
                "cells": cells,
                "in_flight": options.in_flight,
                "latency_ms": options.latency_ms,
                "rows": rows,
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
