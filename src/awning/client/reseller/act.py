"""One call of a reseller: sent once, and read back when its result is unclear.

A changing act whose answer is lost is never sent again by itself; it is read back, and then it is known to be done.
What is not there may still be under way when it had no answer; then the problem says so (`unclear`).

A refusal in the envelope is definite: nothing was changed. Only the codes of a server in trouble are not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from awning.client.operation import Flow
from awning.client.reseller.operations import Authorized
from awning.client.reseller.session import Session
from awning.errors import BadAnswer, Refused, ServiceError, Unreachable

T_co = TypeVar("T_co", covariant=True)
GATEWAY = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """How to learn whether a change took place: read, and judge what was before and what is now.

    `compares` says that `before` is needed, and so is read ahead of the change. `otherwise` is what to raise when the
    service says that it was done and it was not; without it, a success is not read back.
    """

    read: Authorized[Any]
    done: Callable[[Any, Any], bool]
    compares: bool = False
    otherwise: Callable[[], Refused] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Act(Generic[T_co]):
    """One call of a reseller."""

    operation: Authorized[T_co]
    read_back: ReadBack | None = None

    def flow(self, session: Session) -> Flow[T_co]:
        """Do it. Raises a ServiceError; one that is not `unclear` changed nothing and never will."""
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
            yield from _confirmed(check, check.otherwise, before, session)
        return result


def _confirmed(
    check: ReadBack, otherwise: Callable[[], Refused], before: Any, session: Session
) -> Flow[None]:
    """Read an acknowledged change back. What cannot be read was acknowledged at least."""
    try:
        now = yield from session.send(check.read)
    except ServiceError:
        return
    if not check.done(before, now):
        raise otherwise()


def _judged(problem: ServiceError, check: ReadBack, before: Any, session: Session) -> Flow[None]:
    """Return when the change took place after all; raise what is known otherwise."""
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
    """Whether the call may yet take effect: it had no answer, or a page of something between us and the service."""
    if isinstance(problem, Unreachable):
        return True
    return isinstance(problem, BadAnswer) and problem.status in GATEWAY
