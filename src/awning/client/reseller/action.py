"""One action of a reseller. The effect of a change is read back when its result is unclear.

A change whose response is lost is never sent again automatically. Instead, the values that it changes are read. If they
have changed, the action took effect. If not, the action failed; its error is `unclear` when the request may still
arrive. When the values cannot be read, or do not show the change, the error is `unclear`, too.

A refusal in the envelope means that nothing was changed, unless its error code means that the server failed.
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
    """Tests whether a change took effect.

    `read` reads the values that the change affects. `done` gets the values before and after the change, and returns
    whether it took effect. The values before are read only if `compares` is True; else `done` gets None for them.

    `otherwise` gets the values after the change, and makes the error for a change that the service confirmed, but did
    not make in full. The error is `unclear` when the values cannot show the change. Without `otherwise`, a confirmed
    change is not read back.
    """

    read: Authorized[Any]
    done: Callable[[Any, Any], bool]
    compares: bool = False
    otherwise: Callable[[Any], Refused] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Generic[T_co]):
    """The description of one action of a reseller."""

    operation: Authorized[T_co]
    read_back: ReadBack | None = None

    def flow(self, session: ResellerSession) -> Flow[T_co]:
        """Send the action. Raises a ServiceError when it fails, ConfigurationError as `ResellerSession.send` does.

        When a ServiceError is `unclear`, the change may have been made. Otherwise it was not made, or not completely:
        the service may confirm a change of several settings, and change only some of them.
        """
        check, before = self.read_back, None
        if check is not None and check.compares:
            before = yield from session.send(check.read)
        try:
            result = yield from session.send(self.operation)
        except ServiceError as problem:
            if check is None or not problem.unclear:
                raise
            yield from _judged(problem, check, before, session)
            return cast("T_co", None)  # an action with a read-back has no result
        if check is not None and check.otherwise is not None:
            try:
                now = yield from session.send(check.read)
            except ServiceError:
                return result  # the value cannot be read, so the confirmation counts
            if not check.done(before, now):
                raise check.otherwise(now)
        return result


def _judged(problem: ServiceError, check: ReadBack, before: Any, session: ResellerSession) -> Flow[None]:
    """Read the values back, and raise `problem` with a hint, unless the change took effect in spite of it."""
    try:
        now = yield from session.send(check.read)
    except ServiceError:
        problem.hint = "the read-back failed: look whether the change was made before you repeat it"
        raise problem from None
    if check.done(before, now):
        return
    problem.unclear = under_way(problem)
    partly = None if check.otherwise is None else check.otherwise(now)
    amount = "nothing" if partly is None else "not everything"
    if problem.unclear:
        problem.hint = (
            f"{amount} has changed so far, but the call may still arrive: look again before you repeat it"
        )
    elif partly is not None and partly.unclear:
        problem.unclear, problem.hint = True, partly.hint
    else:
        problem.hint = f"the read-back shows that {amount} was changed"
    raise problem


def under_way(problem: ServiceError) -> bool:
    """Return whether the call may still take effect: there was no response, or the error page of a gateway."""
    if isinstance(problem, Unreachable):
        return True
    return isinstance(problem, BadAnswer) and problem.status in GATEWAY
