"""Hooks: an app's own code that runs after an installation, a change of settings, or an uninstallation.

    def welcome(instance): ...
    app = application(settings, hooks=Hooks(on_installed=welcome))

A hook is a function or a coroutine function. It is called after the change at the service. After a crash,
`on_installed` may be called a second time, and the other hooks may not be called at all. An exception of a hook is
logged and does not change the visitor's response.
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
    """The instance that a hook gets. `key` is the keyed hash of the authCode, as in the inventory and the journal."""

    key: str
    code: Secret
    url: str | None
    brand: str | None


def _do_nothing(*_: object) -> None:
    """Do nothing. This is the default hook."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    on_installed: Callable[[HostedInstance], object] = _do_nothing
    on_settings_saved: Callable[[HostedInstance, Mapping[str, Json]], object] = _do_nothing
    on_uninstalled: Callable[[HostedInstance], object] = _do_nothing


async def call_hook(hook: Callable[..., object], *arguments: object) -> None:
    """Call a hook. A plain function runs in a thread, because it may block."""
    try:
        if inspect.iscoroutinefunction(hook):
            await hook(*arguments)
        else:
            result = await asyncio.to_thread(hook, *arguments)
            if inspect.isawaitable(result):
                await result
    except (Exception, SystemExit):  # noqa: BLE001 - a hook is foreign code, and must not change the response
        LOG.exception("a hook failed: %s", getattr(hook, "__name__", type(hook).__name__))
