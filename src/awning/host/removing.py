"""Uninstalls an instance from its settings page: at the service first, then in the server's own records.

The server records the start of the removal before it calls the service. If the call succeeds, but its response is lost
or the server crashes, the service refuses the authCode at the next attempt. If a start is recorded, the refusal means
that the first call succeeded, and the removal is completed. Otherwise the refusal is an error.
"""

from http import HTTPStatus

from awning.client import Secret, apps
from awning.errors import Refused, ServiceError, Unauthorized
from awning.host.hooks import call_hook
from awning.host.host import Host, hosted_instance
from awning.host.host_records import Installation
from awning.host.log import LOG

GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}


async def uninstall(host: Host, installation: Installation) -> None:
    """Call POST /apps/delete/, mark the installation as removed, and call the app's hook.

    A failed call counts as a success when the instance is known to be uninstalled (`_is_uninstalled`). Otherwise raises
    ServiceError, and does not mark the installation.
    """
    async with host.turn(installation.key):
        begun = installation.removing_at is not None
        await host.run_blocking(host.records.update, installation.key, removing_at=host.clock())
        try:
            await host.run(apps.delete(installation.code))
        except ServiceError as problem:
            if not await _is_uninstalled(host, installation.code, problem, begun=begun):
                if not problem.unclear:
                    await host.run_blocking(host.records.update, installation.key, removing_at=None)
                raise
        await host.run_blocking(host.remove_installation, installation, now=host.clock())
    LOG.info("uninstalled: %s", installation.key)
    await call_hook(host.hooks.on_uninstalled, hosted_instance(installation))


async def _is_uninstalled(host: Host, code: Secret, problem: ServiceError, *, begun: bool) -> bool:
    """Return whether the instance is known to be uninstalled, although the call failed with `problem`.

    `begun` is whether an earlier attempt was recorded. If so, a refusal of the authCode means that the earlier attempt
    succeeded. If the effect of this call is not clear, the languages are read: the service refuses that for an
    uninstalled instance.
    """
    if is_refusal_of_code(problem):
        return begun
    if not problem.unclear:
        return False
    try:
        await host.run(apps.languages(code))
    except ServiceError as second_problem:
        return is_refusal_of_code(second_problem)
    return False


def is_refusal_of_code(problem: ServiceError) -> bool:
    """Return whether the service refuses the authCode as unknown. A wrong API key gets the same response."""
    return isinstance(problem, Unauthorized) or (isinstance(problem, Refused) and problem.status in GONE)
