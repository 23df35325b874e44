"""Uninstalling from the settings page: the service first, then our own memory.

The intention is noted before the call. So when the answer is lost or we crash in between, a later refusal of the
code is known to be our own doing and the removal is brought to its end; a refusal that comes out of the blue is not.
"""

from http import HTTPStatus

from awning.client import Secret, apps
from awning.errors import Refused, ServiceError, Unauthorized
from awning.host.hooks import tell
from awning.host.host import Host, hosted
from awning.host.log import LOG
from awning.host.records import Installation

GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}


async def uninstall(host: Host, found: Installation) -> None:
    """POST /apps/delete/, then mark it removed. Raises a ServiceError; nothing is forgotten then."""
    async with host.turn(found.key):
        begun = found.removing_at is not None
        await host.kept(host.records.note, found.key, removing_at=host.clock())
        try:
            await host.run(apps.delete(found.code))
        except ServiceError as problem:
            if not await _is_gone(host, found.code, problem, begun=begun):
                if not problem.unclear:
                    await host.kept(host.records.note, found.key, removing_at=None)
                raise
        await host.kept(host.forget, found, now=host.clock())
    LOG.info("uninstalled: %s", found.key)
    await tell(host.hooks.on_uninstalled, hosted(found))


async def _is_gone(host: Host, code: Secret, problem: ServiceError, *, begun: bool) -> bool:
    """Whether the instance is uninstalled all the same."""
    if is_refusal_of_code(problem):
        return begun
    if not problem.unclear:
        return False
    try:
        await host.run(apps.languages(code))
    except ServiceError as unread:
        return is_refusal_of_code(unread)
    return False


def is_refusal_of_code(problem: ServiceError) -> bool:
    """Whether the service does not know the code (any more). It says the same of a wrong API key."""
    return isinstance(problem, Unauthorized) or (isinstance(problem, Refused) and problem.status in GONE)
