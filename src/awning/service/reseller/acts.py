"""What a reseller may do, one value per call: judged before it is sent, read back when its result is unclear.

An act is described, not done: `client.run(act)` does it, over either driver. A changing act whose answer is lost
is never sent again by itself; it is read back, and then it is known to be done. What is not there may
still be under way when it had no answer; then the problem says so (`unclear`).

A refusal in the envelope is definite: nothing was changed. Only the codes of a server in trouble are not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any, Generic, TypeVar, cast

from awning.contract.reseller_calls import SUBSCRIPTIONS
from awning.contract.reseller_errors import LEAST_ADDITION, LEAST_LIMIT, MOST_CREDITS
from awning.contract.reseller_fields import ASSUMED_SETTABLE, OBSERVED_SETTABLE
from awning.diagnostics import did_you_mean
from awning.errors import BadAnswer, ConfigurationError, Refused, ServiceError, Unauthorized, Unreachable
from awning.service.flow import call
from awning.service.operation import Flow
from awning.service.reseller import operations
from awning.service.reseller.names import ascii_domain, same_domain
from awning.service.reseller.operations import Authorized
from awning.service.reseller.records import FREE, Balance, Domain, Settings, Website
from awning.service.reseller.session import Session
from awning.service.secret import Secret

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
GATEWAY = frozenset({502, 503, 504})
SETTABLE = (*OBSERVED_SETTABLE, *ASSUMED_SETTABLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """How to learn whether a change took place: read, and judge what was before and what is now.

    `compares` says that `before` is needed, and so is read ahead of the change.
    """

    read: Authorized[Any]
    done: Callable[[Any, Any], bool]
    compares: bool = False


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
            return (yield from session.send(self.operation))
        except ServiceError as problem:
            if check is None or not problem.unclear:
                raise
            yield from _judged(problem, check, before, session)
        return cast("T_co", None)  # what is read back has no result of its own


def _judged(problem: ServiceError, check: ReadBack, before: Any, session: Session) -> Flow[None]:
    """Return when the change took place after all; raise what is known otherwise."""
    try:
        now = yield from session.send(check.read)
    except ServiceError:
        problem.hint = "whether it was done could not be read back: look before you repeat it"
        raise problem from None
    if check.done(before, now):
        return
    problem.unclear = _under_way(problem)
    if problem.unclear:
        problem.hint = "read back: not done so far, but it may still arrive; look again before you repeat it"
    elif not isinstance(problem, Refused):
        problem.hint = "read back: it was not done; nothing was changed"
    raise problem


def _under_way(problem: ServiceError) -> bool:
    """Whether the call may yet take effect: it had no answer, or a page of something between us and the service."""
    if isinstance(problem, Unreachable):
        return True
    return isinstance(problem, BadAnswer) and problem.status in GATEWAY


def websites(zone: tzinfo = UTC) -> Act[tuple[Website, ...]]:
    """All websites. `zone` is the one the service writes its dates in."""
    return Act(operation=operations.websites(zone))


def website(number: int, zone: tzinfo = UTC) -> Act[Website]:
    return Act(operation=operations.website(_number(number), zone))


def enable(number: int) -> Act[None]:
    return _change(number, operations.enable(_number(number)), lambda now: now.enabled)


def disable(number: int) -> Act[None]:
    return _change(number, operations.disable(_number(number)), lambda now: not now.enabled)


def enable_premium(number: int, subscription: str) -> Act[None]:
    if subscription not in SUBSCRIPTIONS:
        hint = did_you_mean(subscription, SUBSCRIPTIONS) or f"there are {', '.join(SUBSCRIPTIONS)}"
        raise ConfigurationError(f'unknown subscription "{subscription}"', hint=hint)
    operation = operations.enable_premium(_number(number), subscription)
    return _change(number, operation, lambda now: now.plan == subscription)


def disable_premium(number: int) -> Act[None]:
    return _change(number, operations.disable_premium(_number(number)), lambda now: now.plan == FREE)


def set_limit(number: int, amount: int) -> Act[None]:
    """Set the monthly AI credits (AI credit rules, 1 to 3)."""
    operation = operations.set_limit(_number(number), _credits(amount, LEAST_LIMIT))
    return _change(number, operation, lambda now: now.ai_limit == amount)


def add_credits(number: int, amount: int) -> Act[None]:
    """Add extra AI credits (AI credit rules, 4). Two of these are two additions: it is never repeated blindly.

    An addition moves the date until which the extra credits are valid, also when some are used meanwhile.
    """
    operation = operations.add_credits(_number(number), _credits(amount, LEAST_ADDITION))

    def done(before: Website, now: Website) -> bool:
        moved = now.ai_extra_until is not None and now.ai_extra_until != before.ai_extra_until
        return moved or now.ai_extra > before.ai_extra

    read = operations.website(number, UTC)
    return Act(operation=operation, read_back=ReadBack(read=read, done=done, compares=True))


def login(number: int) -> Act[str]:
    """A link that logs in once."""
    return Act(operation=operations.login(_number(number)))


def domains(number: int) -> Act[tuple[Domain, ...]]:
    return Act(operation=operations.domains(_number(number)))


def add_domain(number: int, name: str) -> Act[None]:
    """Attach a domain, given without www (Limits). It may be international."""
    wanted = ascii_domain(name)

    def done(_before: object, now: tuple[Domain, ...]) -> bool:
        return any(same_domain(domain.name, wanted) for domain in now)

    read_back = ReadBack(read=operations.domains(_number(number)), done=done)
    return Act(operation=operations.add_domain(number, name.strip()), read_back=read_back)


def remove_domain(number: int, domain_id: int) -> Act[None]:
    def done(_before: object, now: tuple[Domain, ...]) -> bool:
        return all(domain.id != domain_id for domain in now)

    read_back = ReadBack(read=operations.domains(_number(number)), done=done)
    return Act(operation=operations.remove_domain(number, _number(domain_id)), read_back=read_back)


def settings() -> Act[Settings]:
    return Act(operation=operations.settings())


def set_settings(values: Mapping[str, str]) -> Act[None]:
    """Change settings. Names that the service does not take are refused here: it would leave them in silence."""
    for name in values:
        if name not in SETTABLE:
            hint = did_you_mean(name, SETTABLE) or f"there are {', '.join(SETTABLE)}"
            raise ConfigurationError(f'the setting "{name}" cannot be changed', hint=hint)
    if not values:
        raise ConfigurationError("there is no setting to change", hint="such as brand=Name")

    def done(_before: object, now: Settings) -> bool:
        known = {**now.values, **now.others}
        return all(str(known.get(name)) == value for name, value in values.items())

    read_back = ReadBack(read=operations.settings(), done=done)
    return Act(operation=operations.set_settings(values), read_back=read_back)


def balance() -> Act[Balance]:
    return Act(operation=operations.balance())


@dataclass(frozen=True, slots=True)
class SetPassword:
    """Change the account's password; an unclear result is tried out, by obtaining a token with it."""

    new: Secret

    def flow(self, session: Session) -> Flow[None]:
        if not self.new:
            raise ConfigurationError("the new password is empty")
        try:
            yield from session.send(operations.set_password(self.new))
        except ServiceError as problem:
            if not problem.unclear:
                raise
            yield from self._tried(problem, session)
        session.password = self.new

    def _tried(self, problem: ServiceError, session: Session) -> Flow[None]:
        try:
            session.token = yield from call(operations.authorize(session.email, self.new), session.calling)
        except Unauthorized:
            problem.unclear = _under_way(problem)
            problem.hint = "tried out: the old password is still valid"
            if problem.unclear:
                problem.hint += " so far; the change may still arrive"
            raise problem from None
        except ServiceError:
            raise problem from None


def _change(number: int, operation: Authorized[None], done: Callable[[Website], bool]) -> Act[None]:
    """A change of a website that shows in its record."""
    read_back = ReadBack(read=operations.website(number, UTC), done=lambda _before, now: done(now))
    return Act(operation=operation, read_back=read_back)


def _number(number: int) -> int:
    if type(number) is not int or number < 1:  # True is an int too
        raise ConfigurationError(f"{number!r} is not the number of a website or domain")
    return number


def _credits(amount: int, least: int) -> int:
    """A whole number in its range (Limits)."""
    if type(amount) is not int or not least <= amount <= MOST_CREDITS:
        raise ConfigurationError(f"credits must be a whole number from {least} to {MOST_CREDITS}")
    return amount
