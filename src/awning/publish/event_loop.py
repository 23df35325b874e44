"""The event loop of a run: signals stop the run, and garbage is collected less often."""

import asyncio
import gc
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

T = TypeVar("T")

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run_in_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in an event loop of its own, and return its result."""
    with reduce_collections(), asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(coroutine)


@contextmanager
def stopping(*events: asyncio.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set these events in the block. Afterwards, the handlers before the block are back.

    On Windows the event loop has no signal handlers, so Ctrl-C raises KeyboardInterrupt there.
    """

    def stop() -> None:
        for event in events:
            event.set()

    loop = asyncio.get_running_loop()
    replaced = {}
    try:
        for number in SIGNALS:
            handler = signal.getsignal(number)
            loop.add_signal_handler(number, stop)
            replaced[number] = handler
    except (NotImplementedError, RuntimeError, ValueError):
        pass  # not the main thread, or no signal handlers on this platform
    try:
        yield
    finally:
        for number, handler in replaced.items():
            loop.remove_signal_handler(number)  # this sets the default action
            if handler is not None:  # None: a handler that Python did not set
                signal.signal(number, handler)


@contextmanager
def reduce_collections() -> Iterator[None]:
    """Collect garbage less often in this block.

    A run makes many short-lived objects and hardly any reference cycles. With Python's default thresholds, collections
    took a tenth of its processor time.
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
    """Return uvloop's event loop factory if it is installed; None means Python's own."""
    if find_spec("uvloop") is None:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return factory
