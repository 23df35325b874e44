"""SIGTERM interrupts a verb as Ctrl-C does, so that its temporary folders are removed and its processes end.

The default action of SIGTERM ends Python at once, and leaves both behind. A verb that serves until it is stopped has
signal handlers of its own, which replace this one.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Terminated(KeyboardInterrupt):
    """SIGTERM was received. Unlike Ctrl-C in a terminal, it does not reach the processes that a verb has started."""


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM raise Terminated in the block. After the block, the signal ends the process as it usually does.

    A second SIGTERM ends the process at once. A SIGTERM that is ignored or handled already stays so.
    """
    is_default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not is_default or threading.current_thread() is not threading.main_thread():
        yield
        return
    received = False

    def terminate(_number: int, _frame: object) -> None:
        nonlocal received
        received = True
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if received:
            signal.raise_signal(signal.SIGTERM)
