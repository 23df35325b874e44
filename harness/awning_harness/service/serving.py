"""What the commands that run a server share: the options of its address, and serving until a signal."""

import asyncio
import contextlib
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import click

from awning.contract import Exit
from awning_harness.service.listeners import LOOPBACK


def listen_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--listen` and `--allow-host`, passed as `listen` and `allow_hosts`."""
    listen = click.option(
        "--listen",
        metavar="ADDRESS",
        default=LOOPBACK,
        show_default=True,
        help="The IPv4 address to listen on, such as 0.0.0.0 in a container. Others than loopback need --allow-host.",
    )
    allow = click.option(
        "--allow-host",
        "allow_hosts",
        metavar="NAME",
        multiple=True,
        help="Accept requests for this host name, too. Repeatable. By default, only loopback names are accepted.",
    )
    return listen(allow(command))


async def until_signalled(serve: Callable[[asyncio.Event], Awaitable[None]]) -> int:
    """Let `serve` serve until the event is set: at Ctrl-C (exit code 130) or SIGTERM (0)."""
    stop, code = asyncio.Event(), Exit.DONE

    def interrupt() -> None:
        nonlocal code
        code = Exit.INTERRUPTED
        stop.set()

    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, interrupt)
        loop.add_signal_handler(signal.SIGTERM, stop.set)
    await serve(stop)
    return int(code)
