"""Where an app's own code joins in: after an installation, after saved settings, after an uninstallation.

    def welcome(instance): ...
    app = application(settings, hooks=Hooks(on_installed=welcome))

A hook may be a function or a coroutine function. It is called after the service has accepted, at least once (a
crash in between repeats it), and what it raises is logged and changes nothing for the visitor.
"""

import asyncio
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from awning.client import Secret
from awning.host.log import LOG

Json = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedInstance:
    """What a hook is told of an instance. `key` is its keyed hash, the same in the inventory and the journal."""

    key: str
    code: Secret
    url: str | None
    brand: str | None


def _nothing(*_: object) -> None:
    """The hook of an app that wants none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    on_installed: Callable[[HostedInstance], object] = _nothing
    on_settings_saved: Callable[[HostedInstance, Mapping[str, Json]], object] = _nothing
    on_uninstalled: Callable[[HostedInstance], object] = _nothing


async def tell(hook: Callable[..., object], *arguments: object) -> None:
    """Call a hook; a plain function in a thread of its own, since it may wait."""
    try:
        if inspect.iscoroutinefunction(hook):
            await hook(*arguments)
        else:
            result = await asyncio.to_thread(hook, *arguments)
            if inspect.isawaitable(result):
                await result
    except (Exception, SystemExit):  # noqa: BLE001 - it is somebody else's code, and the visitor's work is done
        LOG.exception("a hook failed: %s", getattr(hook, "__name__", type(hook).__name__))
