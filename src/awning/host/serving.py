"""Runs the server with uvicorn, in this process or in several, until it is interrupted."""

import logging
import os
import signal
import socket
import threading
import time
from typing import Any
from weakref import WeakKeyDictionary

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.host.settings import Settings, to_environ

BACKLOG = 128
WORKER_STARTS_WITHIN_S = 60
"""A worker process that does not answer for so long is killed. A worker answers only after its imports.

With uvicorn's 5 s, a machine that takes longer for them would start its workers again and again.
"""
SERVER: dict[str, Any] = {
    "http": "awning.host.connection:Connection",
    "log_config": None,
    "log_level": "warning",
    "access_log": False,  # the access log has query strings, which hold authCodes
    "proxy_headers": False,
    "server_header": False,
    "ws": "none",
    "lifespan": "on",
    "timeout_graceful_shutdown": 20,
    "timeout_worker_healthcheck": WORKER_STARTS_WITHIN_S,
}


def listen(address: str, port: int) -> socket.socket:
    """Open a listening socket. Raises ConfigurationError when the port cannot be used."""
    # Nagle's algorithm delays a response by 44 ms. asyncio turns it off only for sockets made with IPPROTO_TCP.
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # on Windows, SO_REUSEADDR would let two programs listen on one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise ConfigurationError(
            f"cannot listen on {address}, port {port}: {error.strerror}", hint="name another --port, or 0"
        ) from error
    return listening


def serve(app: ASGIApp, listening: socket.socket) -> Exit:
    """Serve in this process. Returns the exit code when the server ends."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    config = uvicorn.Config(app, **SERVER)
    # uvicorn stops cleanly, then raises the signal again. This handler ignores SIGTERM; Ctrl-C is caught below.
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return Exit.DONE


def serve_in_processes(workers: int, settings: Settings, listening: socket.socket) -> Exit:
    """Serve in several processes. They get the settings in environment variables, and read the secrets themselves."""
    os.environ.update(to_environ(settings))
    config = uvicorn.Config("awning.host:from_environment", factory=True, workers=workers, **SERVER)
    Supervisor(config, sockets=[listening]).run()
    return Exit.DONE


class Supervisor(Multiprocess):
    """Acts on signals and on ended workers also while it waits for the answer of a worker.

    uvicorn's own supervisor would only wait, as long as the worker may take.
    """

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self.should_exit = _ShouldExit(self.signal_queue)
        self._asked_at: WeakKeyDictionary[Process, float] = WeakKeyDictionary()

    def keep_subprocess_alive(self) -> None:
        """Show uvicorn only the workers that have ended. It replaces them without a wait."""
        running = [process for process in self.processes if self._is_running(process)]
        self.processes = [process for process in self.processes if process not in running]
        super().keep_subprocess_alive()
        self.processes += running

    def _is_running(self, process: Process) -> bool:
        """Ask a worker whether it runs, but do not wait. Kills it when its answer to the last question is late."""
        if not process.process.is_alive():
            return False
        while process.parent_conn.poll():
            process.parent_conn.recv()
            self._asked_at.pop(process, None)
        if process not in self._asked_at:
            process.parent_conn.send(b"ping")
            self._asked_at[process] = time.monotonic()
        if time.monotonic() - self._asked_at[process] < self.config.timeout_worker_healthcheck:
            return True
        process.process.kill()
        process.join()
        return False


class _ShouldExit(threading.Event):
    """Tells also of a signal to exit that the supervisor has not handled yet.

    After SIGHUP, uvicorn looks only at this event until a new worker is ready.
    """

    def __init__(self, signals: list[int]) -> None:
        super().__init__()
        self._signals = signals

    def is_set(self) -> bool:
        return super().is_set() or not {signal.SIGINT, signal.SIGTERM}.isdisjoint(self._signals)
