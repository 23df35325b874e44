"""SIGTERM interrupts a verb as Ctrl-C does, so that its temporary folders are removed and its processes end.

The default action of SIGTERM ends Python at once, and leaves both behind. A verb that serves until it is stopped has
signal handlers of its own, which replace this one.

A verb that another program talks to (`awning lsp`, `awning mcp`) waits for its standard input in a thread, which no
signal interrupts. So a signal ends that input instead.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import click


class Terminated(KeyboardInterrupt):
    """SIGTERM was received. Unlike Ctrl-C in a terminal, it does not reach the processes that a verb has started."""


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM raise Terminated in the block. After the block, the signal ends the process as it usually does.

    A coroutine of asyncio's Runner is cancelled instead, as after Ctrl-C, so that it can keep what it has. A second
    SIGTERM ends the process at once. A SIGTERM that is ignored or handled already stays so.
    """
    is_default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not is_default or threading.current_thread() is not threading.main_thread():
        yield
        return
    received = False

    def terminate(_number: int, frame: FrameType | None) -> None:
        nonlocal received
        received = True
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        interrupt = signal.getsignal(signal.SIGINT)
        if callable(interrupt) and interrupt is not signal.default_int_handler:
            interrupt(signal.SIGINT, frame)
        else:
            raise Terminated

    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if received:
            signal.raise_signal(signal.SIGTERM)


@contextmanager
def input_that_signals_end(program: str) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the standard input of the block, as `program` does by closing it.

    After the block, the signal has its usual effect. A second one has it at once.

    Raises ConfigurationError when standard input is closed.
    """
    if sys.stdin is None:
        from awning.errors import ConfigurationError  # noqa: PLC0415 - most runs do not fail

        raise ConfigurationError(
            "standard input is closed", hint=f"{program} starts this, and talks to it there"
        )
    if sys.stdin.isatty():
        click.echo(f"{program} starts this, and talks to it on standard input; Ctrl-C ends it", err=True)
    source = os.dup(0)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    received = 0

    def end(number: int, _frame: object) -> None:
        nonlocal received
        received = number
        _restore(usual)
        _end_input(writing)

    for number in usual:
        signal.signal(number, end)
    # A signal that comes just before the main thread begins to wait does not wake it. The end of its input does.
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    before = signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    threading.Thread(target=_end_when_woken, args=(woken, writing), daemon=True).start()
    threading.Thread(target=_copy, args=(source, writing), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(waking)
        _restore(usual)
        if received:
            signal.raise_signal(received)


def _restore(handlers: Mapping[signal.Signals, Any]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)


def _copy(source: int, target: int) -> None:
    with suppress(OSError):  # the other side has gone
        while data := os.read(source, 65_536):
            while data:
                data = data[os.write(target, data) :]
    _end_input(target)


def _end_when_woken(woken: int, writing: int) -> None:
    if os.read(woken, 1):
        _end_input(writing)
    os.close(woken)


def _end_input(writing: int) -> None:
    """End what is written to a pipe. The number stays taken, because another thread may still write to it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, writing)
    os.close(nowhere)
