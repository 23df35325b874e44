"""A fleet against one process: the same cells, the same service, the same PostgreSQL.

    python -m benchmarks.publish.fleet [--instances 5000] [--workers 3] [--latency-ms 0] [--kill]

It starts a PostgreSQL of its own from the operating system's package, and a service that answers from memory. One
process publishes 4 cells of each instance as `publish apply` does; then workers do, as processes of their own. With
`--kill`, a worker is killed when a third of the cells is written, and at the end one process publishes the same again,
and must find every cell unchanged. The progress is printed on standard error.

The script prints one JSON document. CPU is that of our own processes; the database's and the service's are not counted.
`ratio` is the CPU per cell of controller and workers to that of one process. `bytes_per_cell` is what the fleet's run
takes in the database, with indexes, by table; `connections` are the most that were open.
"""

import argparse
import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg
from benchmarks.publish.bench_publish import build_files, serve

from awning.client import Limits, Secret, apps_access
from awning.publish.inventory.inventory import Inventory
from awning.publish.pacing import Pace
from awning.publish.requests import FleetSettings, PublishRequest
from awning.publish.run import publish
from awning.publish.run_watcher import RunWatcher
from awning.publish.state.server import StateServer
from awning_harness.postgres_server import postgres_server

CELLS = 4
"""Cells of an instance: the website's and three languages."""
WORK = [sys.executable, "-c", "from awning.cli import main; main()", "publish", "work"]
Worker = subprocess.Popen[str]


def ignore(_cells: int) -> None:
    """Do nothing. `_cells` is the number of cells that have ended."""


class _Counter(RunWatcher):
    """Calls `ended` with the number of cells that have ended until now."""

    def __init__(self, ended: Callable[[int], None]) -> None:
        self._ended = ended
        self._total = 0

    def add(self, cells: int, wrong: int, instances: int) -> None:  # noqa: ARG002 - see RunWatcher
        self._total += cells
        self._ended(self._total)

    def announce(self, text: str) -> None:
        tell(text)


class Bench:
    """The service, and the options of all runs."""

    def __init__(self, base_url: str, options: argparse.Namespace) -> None:
        self.base_url = base_url
        self.options = options
        self.files = build_files(("<b>a</b>" * options.snippet_bytes)[: options.snippet_bytes])

    def publish(
        self,
        url: str,
        prefix: str,
        *,
        fleet: FleetSettings | None = None,
        ended: Callable[[int], None] = ignore,
        outcome: str = "applied",
    ) -> dict[str, float]:
        """Publish every cell. Returns `wall_s` and `cpu_s` of this process, `cells_per_s`, and `cpu_us` per cell.

        Raises SystemExit when a cell has another outcome than `outcome`.
        """
        state = StateServer(Secret(url))

        with closing(Inventory.open(state)) as inventory:
            numbers = range(self.options.instances)
            inventory.put(inventory.instance(f"{prefix}-{n:07}", name=f"shop-{n}") for n in numbers)
            request = PublishRequest(
                files=self.files,
                instances=inventory.all(),
                fleet=fleet,
                is_whole=True,
                access=apps_access(self.base_url, Secret("k")),
                environ=os.environ,
                pace=Pace(per_instance=None, in_flight=self.options.in_flight),
                limits=Limits(connections=self.options.in_flight, total_s=5.0),
                watcher=_Counter(ended),
            )
            began, cpu = time.perf_counter(), time.process_time()
            totals = publish(request, state).totals
            seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        cells = self.options.instances * CELLS
        if totals[outcome] != cells:
            raise SystemExit(f"{totals}: {cells} {outcome} were expected")
        return {"wall_s": seconds, "cpu_s": cpu, "cells_per_s": cells / seconds, "cpu_us": cpu * 1e6 / cells}

    @contextmanager
    def workers(self, url: str) -> Iterator[list[Worker]]:
        """Start workers, and end them after the block."""
        environ = {**os.environ, "AWNING_DATABASE_URL": url, "AWNING_API_KEY": "k"}
        command = [*WORK, "--at-once", str(self.options.at_once)]
        started = [
            subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
            for _ in range(self.options.workers)
        ]
        for worker in started:
            if worker.stderr is not None:
                next(line for line in worker.stderr if "is ready" in line)
        try:
            yield started
        finally:
            for worker in started:
                worker.send_signal(signal.SIGTERM)
            for worker in started:
                worker.communicate(timeout=60)


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def kill_at(worker: Worker, cells: int) -> Callable[[int], None]:
    """Return a function that kills a worker when it is called with `cells` or more."""

    def ended(total: int) -> None:
        if worker.poll() is None and total >= cells:
            worker.kill()
            worker.wait()
            tell(f"worker {worker.pid} is killed after {total:,} cells")

    return ended


class Watch:
    """Counts the connections of a database while a run goes on: `most` is their greatest number, without its own."""

    def __init__(self, url: str, ended: Callable[[int], None]) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._ended = ended
        self.most = 0

    def __call__(self, cells: int) -> None:
        own = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        row = self._connection.execute(own).fetchone()
        self.most = max(self.most, row[0] - 1 if row else 0)
        self._ended(cells)

    def sizes(self) -> dict[str, int]:
        """Return the bytes of each table with its indexes, without tables below 100 kB."""
        tables = """SELECT relname, pg_total_relation_size(c.oid) FROM pg_class c JOIN pg_namespace n
            ON n.oid = c.relnamespace WHERE nspname IN ('awning', 'awning_jobs') AND relkind = 'r'"""
        return {name: size for name, size in self._connection.execute(tables).fetchall() if size > 100_000}


def children_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--instances", type=int, default=5000)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--snippet-bytes", type=int, default=4096)
    parser.add_argument("--latency-ms", type=float, default=0.0)
    parser.add_argument("--lease-s", type=float, default=4.0)
    parser.add_argument("--kill", action="store_true")
    options = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    service = multiprocessing.get_context("spawn").Process(
        target=serve, args=(theirs, options.latency_ms / 1000), daemon=True
    )
    service.start()
    bench = Bench(f"http://127.0.0.1:{ours.recv()}/v1", options)
    with postgres_server(is_durable=True) as server:
        with server.database() as url:
            alone = bench.publish(url, "alone")
            tell(f"one process: {alone['cells_per_s']:,.0f} cells/s")
        with server.database() as url:
            before = children_s()
            with bench.workers(url) as workers:
                cells = options.instances * CELLS // 3
                watch = Watch(url, kill_at(workers[0], cells) if options.kill else ignore)
                fleet = bench.publish(
                    url,
                    "fleet",
                    fleet=FleetSettings(pace=Pace(per_instance=None), lease_s=options.lease_s, timeout_s=5.0),
                    ended=watch,
                )
            workers_us = (children_s() - before) * 1e6 / (options.instances * CELLS)
            tell(f"{options.workers} workers: {fleet['cells_per_s']:,.0f} cells/s")
            sizes = {name: round(size / (options.instances * CELLS)) for name, size in watch.sizes().items()}
            if options.kill:
                bench.publish(url, "fleet", outcome="unchanged")
                tell("every cell holds what was published")
    service.terminate()
    fleet["cpu_us"] += workers_us
    rows = {"one process": alone, "fleet": fleet}
    document = {
        "cells": options.instances * CELLS,
        "latency_ms": options.latency_ms,
        "rows": {name: {key: round(value, 2) for key, value in row.items()} for name, row in rows.items()},
        "ratio": round(fleet["cpu_us"] / alone["cpu_us"], 2),
        "bytes_per_cell": sizes,
        "connections": watch.most,
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
