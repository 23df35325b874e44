"""The event loop of a run: signals that stop it, and fewer garbage collections."""

import asyncio
import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopping(stop: asyncio.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set `stop`. On Windows, whose loop has no signals, Ctrl-C raises KeyboardInterrupt."""
    loop = asyncio.get_running_loop()
    installed: list[signal.Signals] = []
    try:
        for number in SIGNALS:
            loop.add_signal_handler(number, stop.set)
            installed.append(number)
    except (NotImplementedError, RuntimeError, ValueError):
        pass  # not the main thread, or no signals on this platform
    try:
        yield
    finally:
        for number in installed:
            loop.remove_signal_handler(number)


@contextmanager
def reduce_collections() -> Iterator[None]:
    """Collect garbage rarely: collections take a tenth of a run's processor time.

    A run makes many short-lived objects and hardly any cycles.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's event loop when it is installed; None for Python's own."""
    if find_spec("uvloop") is None:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return factory
