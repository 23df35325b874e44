"""A worker in a process is suspended during an installation: another one takes over, and each cell is written once.

`test_several_at_once.py` has concurrent requests and workers, without processes.
"""

import http.client
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import psycopg
import pytest
from kept_in import both

from awning_harness.service import serve

pytestmark = pytest.mark.usefixtures("processes")

QUICK = """
import os, sys, uvicorn
from dataclasses import replace
from awning.client.transport import steady_clock
from awning.host.host import Host
from awning.host.serving import SERVER, listen
from awning.host import application, from_environ
from awning.host.turn import Timing

def clock():
    return steady_clock() + (3600 if os.path.exists(os.environ["SLEPT"]) else 0)

Host.__init__.__kwdefaults__["steady"] = clock
settings = replace(from_environ(os.environ), turns=Timing(beat_s=0.1, hold_s=60, watch_s=0.8))
with listen("127.0.0.1", 0) as listening:
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(application(settings), **SERVER)).run(sockets=[listening])
"""
"""A worker that takes a turn over sooner than usual, so that a test need not wait.

It loses its own turn only while it is suspended, for an hour by its clock, and not because the machine is busy. Its
`hold_s` is longer than `watch_s`, against the rule of `turn.py`: nobody comes who could take a second turn over.
"""


def slept(world):
    """Return the path of a file. From its creation on, the clocks of the workers are an hour ahead."""
    return world.state.with_name("slept")


@contextmanager
def worker(world, running):
    environ = {
        **os.environ,
        "AWNING_BASE_URL": running.apps_url,
        "AWNING_API_KEY": world.api_key,
        "AWNING_APP_SECRET": world.settings().app_secret.reveal(),
        "AWNING_STATE_DIR": str(world.state),
        "AWNING_DATABASE_URL": world.database.reveal() if world.database else "",
        "AWNING_PUBLIC_URL": "http://127.0.0.1",
        "AWNING_DIST": str(world.dist),
        "SLEPT": str(slept(world)),
    }
    with subprocess.Popen(
        [sys.executable, "-c", QUICK], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


def stop_between_writes(world, process):
    """Suspend a worker while no worker is in the middle of a transaction that writes.

    A worker that is suspended in such a transaction would keep its locks until it continues. The locks are held until
    the worker has stopped: its other threads go on until its main thread has got the signal.
    """
    with no_writer(world):
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)


@contextmanager
def no_writer(world):
    """Hold the locks of every table."""
    with ExitStack() as stack:
        if world.database is None:
            for file in sorted(world.state.glob("*.sqlite")):
                connection = stack.enter_context(closing(sqlite3.connect(file, timeout=10)))
                connection.execute("BEGIN IMMEDIATE")
        else:
            connection = stack.enter_context(psycopg.connect(world.database.reveal()))
            stack.callback(connection.rollback)
            lock_tables(connection)
        yield


def lock_tables(connection):
    """Lock the tables one by one. If a worker waits for one of them while it holds another, let it go first."""
    for _ in range(30):
        connection.execute("SET LOCAL lock_timeout = '1s'")
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'awning'").fetchall()
        try:
            for (table,) in sorted(tables):
                connection.execute(f'LOCK TABLE awning."{table}" IN EXCLUSIVE MODE')
        except (psycopg.errors.DeadlockDetected, psycopg.errors.LockNotAvailable):
            connection.rollback()
        else:
            return
    raise TimeoutError("a worker keeps a table locked")


def visit(port, address):
    """The status of the response; 0 when the connection is closed without one."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        try:
            connection.request("GET", address, headers={"Host": "127.0.0.1"})
            return connection.getresponse().status
        except (http.client.HTTPException, ConnectionError):
            return 0


@both
def test_another_worker_takes_over_a_suspended_installation(world, ask, monkeypatch):
    """A suspended worker that continues later changes nothing."""
    code, log = world.new_code(), world.service.log

    def written():
        return [call.operation for call in log.all() if call.operation == "set_snippet"]

    with (
        serve(world.service) as running,
        worker(world, running) as (first, port),
        worker(world, running) as (_, other_port),
        ThreadPoolExecutor(1) as pool,
    ):
        ended, add = threading.Event(), log.add

        def add_and_stop(**fields):
            """Signal the worker while it waits for the response to its first write."""
            add(**fields)
            if written() and not ended.is_set():
                stop_between_writes(world, first)
                ended.set()

        monkeypatch.setattr(log, "add", add_and_stop)
        visiting = pool.submit(visit, port, ask("/install", code))
        assert ended.wait(60)
        assert visit(other_port, ask("/install", code)) == 302
        assert len(written()) == 3, "each cell once, whoever wrote it"
        calls = len(log.all())
        slept(world).touch()
        first.send_signal(signal.SIGCONT)
        assert visiting.result(timeout=60) == 503
        assert len(log.all()) == calls, "not even a read"
    assert world.installed(code)
