"""One action of a reseller: sent once, and read back when its result is unclear.

A change whose response is lost is never sent again automatically. It is read back: what is there was done. What is not
there may still arrive when there was no response; then the error is `unclear`.

A refusal in the envelope means that nothing was changed, but for the codes of a failing server.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from awning.client.operation import Flow
from awning.client.reseller.authorization import ResellerSession
from awning.client.reseller.operations import Authorized
from awning.errors import BadAnswer, Refused, ServiceError, Unreachable

T_co = TypeVar("T_co", covariant=True)
GATEWAY = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """How to find out whether a change took place: `done` gets what was read before and after it.

    `compares` says that `done` needs the value before, so that it is read before the change. `otherwise` makes the
    error for a change that the service confirmed and did not make; without it, a success is not read back.
    """

    read: Authorized[Any]
    done: Callable[[Any, Any], bool]
    compares: bool = False
    otherwise: Callable[[], Refused] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Generic[T_co]):
    """One action of a reseller, described and not yet sent."""

    operation: Authorized[T_co]
    read_back: ReadBack | None = None

    def flow(self, session: ResellerSession) -> Flow[T_co]:
        """Send it. Raises a ServiceError; when that is not `unclear`, nothing was changed and nothing will be."""
        check, before = self.read_back, None
        if check is not None and check.compares:
            before = yield from session.send(check.read)
        try:
            result = yield from session.send(self.operation)
        except ServiceError as problem:
            if check is None or not problem.unclear:
                raise
            yield from _judged(problem, check, before, session)
            return cast("T_co", None)  # what is read back has no result of its own
        if check is not None and check.otherwise is not None:
            try:
                now = yield from session.send(check.read)
            except ServiceError:
                return result  # what was changed cannot be read, so the confirmation counts
            if not check.done(before, now):
                raise check.otherwise()
        return result


def _judged(problem: ServiceError, check: ReadBack, before: Any, session: ResellerSession) -> Flow[None]:
    """Return when the change took place after all. Raises `problem`, with what is known, when it did not."""
    try:
        now = yield from session.send(check.read)
    except ServiceError:
        problem.hint = "whether it was done could not be read back: look before you repeat it"
        raise problem from None
    if check.done(before, now):
        return
    problem.unclear = under_way(problem)
    if problem.unclear:
        problem.hint = "read back: not done so far, but it may still arrive; look again before you repeat it"
    else:
        problem.hint = "read back: it was not done; nothing was changed"
    raise problem


def under_way(problem: ServiceError) -> bool:
    """Whether the call may still take effect: it had no response, or a gateway's page."""
    if isinstance(problem, Unreachable):
        return True
    return isinstance(problem, BadAnswer) and problem.status in GATEWAY
