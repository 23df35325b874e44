"""set_snippet and get_snippet with 64 requests in flight, compared with a bare ASGI server in the same run.

    python benchmarks/service/bench_service.py [--seconds 5] [--in-flight 64] [--snippet-bytes 4096] [--soak-minutes 5]

Server and client are two processes. The client writes ready-made requests to raw sockets, so its own cost is small and
the same for every row. The baseline is an application that reads the body and answers a constant, behind the same HTTP
server. The script prints one JSON document: requests per second, p50, p99, the ratio to the baseline, the server's
processor time per request and its memory. It also has the time from the start of `awning service` to its first
response.

`--soak-minutes` adds a run with a file store under the same load, in which reads and writes take turns. After each
minute it lists the server's memory and the size of its files. Neither may grow after the first minute.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from awning_harness.service.listeners import Listener, listening_socket
from awning_harness.service.server import Sockets, run_service
from awning_harness.service.service import Service

if TYPE_CHECKING:
    from collections.abc import Callable


def serve_bare(pipe: Connection) -> None:
    """Serve the baseline."""

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        headers = [(b"content-type", b"application/json"), (b"content-length", b"15")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"error":false}'})

    async def run() -> None:
        listener = listening_socket(0)
        await Listener(listener, app).open()
        pipe.send({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"})
        await asyncio.Event().wait()

    asyncio.run(run())


def serve_service(pipe: Connection, state: Path | None) -> None:
    service = Service(state)
    sockets = Sockets()
    service.addresses = sockets.addresses()
    website = service.create_website()
    app_id, key = service.register_app({"app_title": "Benchmark"})
    code = service.install(app_id, website.id)
    pipe.send({"url": service.addresses.apps_url, "key": key, "code": code})

    async def run() -> None:
        await run_service(service, sockets, asyncio.Event())

    asyncio.run(run())


def request(addresses: dict[str, Any], method: str, path: str, body: bytes = b"") -> bytes:
    url = urlsplit(addresses["url"])
    lines = [
        f"{method} {url.path}{path}?authCode={addresses.get('code', '')} HTTP/1.1",
        f"Host: {url.netloc}",
        f"Authorization: ApiKey {addresses.get('key', '')}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def load(addresses: dict[str, Any], wire: bytes, *, in_flight: int, seconds: float) -> dict[str, float]:
    """Keep `in_flight` connections busy for `seconds`. Every answer must be 200."""
    latencies: list[float] = []
    url = urlsplit(addresses["url"])
    end = time.perf_counter() + seconds

    async def one() -> None:
        reader, writer = await asyncio.open_connection(url.hostname, url.port)
        while (begun := time.perf_counter()) < end:
            writer.write(wire)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r")[0])
            await reader.readexactly(length)
            latencies.append(time.perf_counter() - begun)
        writer.close()

    begun = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(in_flight)))
    elapsed = time.perf_counter() - begun
    latencies.sort()
    return {
        "requests": len(latencies),
        "per_second": round(len(latencies) / elapsed),
        "p50_ms": round(latencies[len(latencies) // 2] * 1000, 2),
        "p99_ms": round(latencies[int(len(latencies) * 0.99)] * 1000, 2),
    }


def memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def cpu_seconds(pid: int) -> float:
    """Return the processor seconds that a process has used so far. A busy machine does not change this figure."""
    used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def measure(options: argparse.Namespace) -> dict[str, Any]:
    body = json.dumps({"snippet": "x" * options.snippet_bytes, "language": "lv"}).encode()
    rows: dict[str, Any] = {}
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        servers: dict[str, tuple[Callable[..., None], tuple[Path | None, ...]]] = {
            "bare": (serve_bare, ()),
            "memory": (serve_service, (None,)),
            "file": (serve_service, (Path(folder) / "state.db",)),
        }
        for name, (target, arguments) in servers.items():
            ours, theirs = context.Pipe()
            process = context.Process(target=target, args=(theirs, *arguments), daemon=True)
            process.start()
            addresses = ours.recv()
            assert process.pid is not None
            before = memory_mb(process.pid)
            for call, wire in (
                ("set_snippet", request(addresses, "POST", "/apps/set_snippet/", body)),
                ("get_snippet", request(addresses, "GET", "/apps/get_snippet/lv/")),
            ):
                begun = cpu_seconds(process.pid)
                measured = asyncio.run(
                    load(addresses, wire, in_flight=options.in_flight, seconds=options.seconds)
                )
                used = cpu_seconds(process.pid) - begun
                measured["server_cpu_us"] = round(used * 1e6 / measured.pop("requests"), 1)
                measured["memory_mb"] = memory_mb(process.pid)
                rows[f"{name} {call}"] = measured
            rows[f"{name} memory_mb before"] = before
            process.terminate()
            process.join()
    for name in ("memory", "file"):
        for call in ("set_snippet", "get_snippet"):
            ours_, anchor = rows[f"{name} {call}"], rows[f"bare {call}"]
            ours_["of_bare"] = round(ours_["per_second"] / anchor["per_second"], 2)
    return rows


def soak(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the memory and the size of the files after each minute of load on a file store."""
    body = json.dumps({"snippet": "x" * options.snippet_bytes, "language": "lv"}).encode()
    context = multiprocessing.get_context("spawn")
    samples: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = context.Pipe()
        server = context.Process(target=serve_service, args=(theirs, Path(folder) / "state.db"), daemon=True)
        server.start()
        addresses = ours.recv()
        pid = server.pid
        assert pid is not None
        calls = [
            request(addresses, "POST", "/apps/set_snippet/", body),
            request(addresses, "GET", "/apps/get_snippet/lv/"),
        ]

        def sample(minute: int, requests: float) -> None:
            size = sum(file.stat().st_size for file in Path(folder).iterdir())
            mb = {"memory_mb": memory_mb(pid), "files_mb": round(size / 1e6, 1)}
            samples.append({"minute": minute, "requests": requests, **mb})

        sample(0, 0)
        for minute in range(1, options.soak_minutes + 1):
            done = 0.0
            for wire in calls:
                done += asyncio.run(load(addresses, wire, in_flight=options.in_flight, seconds=30))[
                    "requests"
                ]
            sample(minute, done)
        server.terminate()
        server.join()
    return samples


def start(runs: int = 5) -> dict[str, Any]:
    """Return the milliseconds from the start of `awning service` to its first response (a 401), the best of some runs.

    The mean processor time of a run is given too, because a busy machine does not change it.
    """
    command = [str(Path(sys.executable).with_name("awning")), "service", "--port", "0", "--json"]
    took = []
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(runs):
        begun = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            url = urlsplit(json.loads(process.stdout.readline())["apps_url"])
            with socket.create_connection((url.hostname, url.port)) as connection:
                connection.sendall(f"GET {url.path}/apps/user/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                assert connection.recv(4096).startswith(b"HTTP/1.1 401")
            took.append(time.perf_counter() - begun)
            process.terminate()
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    return {"to_first_answer_ms": round(min(took) * 1000), "cpu_ms": round(cpu / runs * 1000)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--snippet-bytes", type=int, default=4096)
    parser.add_argument("--soak-minutes", type=int, default=0)
    options = parser.parse_args()
    rows = {"start": start(), **measure(options)}
    if options.soak_minutes:
        rows["soak"] = soak(options)
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
