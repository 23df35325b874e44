"""What a reseller may do, one value per call: judged before it is sent, read back when its result is unclear.

An act is described, not done: `client.run(act)` does it, over either driver; `act` says how.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo

from awning.client.flow import call
from awning.client.operation import Flow
from awning.client.reseller import operations
from awning.client.reseller.act import Act, ReadBack, under_way
from awning.client.reseller.names import ascii_domain, same_domain
from awning.client.reseller.operations import Authorized
from awning.client.reseller.records import FREE, Balance, Domain, Settings, Website
from awning.client.reseller.session import Session
from awning.client.secret import Secret
from awning.contract.reseller_calls import CALLBACK_PARAMETER, SUBSCRIPTIONS, TOKEN_PARAMETER
from awning.contract.reseller_errors import LEAST_ADDITION, LEAST_LIMIT, MOST_CREDITS
from awning.contract.reseller_fields import ASSUMED_SETTABLE, OBSERVED_SETTABLE, READ_ONLY_SETTINGS
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError, Refused, ServiceError, Unauthorized

DEFAULT_LIMIT = "aiDefaultLimit"
LONGEST_NUMBER = 12
SETTABLE = (*OBSERVED_SETTABLE, *ASSUMED_SETTABLE)
_TRANSPORT = {TOKEN_PARAMETER, CALLBACK_PARAMETER}
"""Parameters of every call, which a setting of that name would replace."""


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
    """Change settings. Names that can only be read are refused here: the service would leave them in silence.

    Which names it takes is not shown, so what it says it did is read back; what it left is a Refused. Names that
    nobody knows are sent as they are (`unknown_settings`), and read back where the service shows them.
    """
    wanted = {name: _setting(name, value) for name, value in values.items()}
    if not wanted:
        raise ConfigurationError("there is no setting to change", hint="such as brand=Name")

    def done(_before: object, now: Settings) -> bool:
        known = {**now.values, **now.others}
        unseen = {name for name in unknown_settings(wanted) if name not in known}
        return all(str(known.get(name)) == value for name, value in wanted.items() if name not in unseen)

    def otherwise() -> Refused:
        names = " or ".join(wanted)
        sentence = f"settings/set: the service answered with success, but did not take {names}"
        return Refused(sentence, call="settings/set", error_code=0, status=200)

    read_back = ReadBack(read=operations.settings(), done=done, otherwise=otherwise)
    return Act(operation=operations.set_settings(wanted), read_back=read_back)


def unknown_settings(names: Iterable[str]) -> tuple[str, ...]:
    """Those of which nobody has seen that the service takes them."""
    return tuple(name for name in names if name not in SETTABLE)


def _setting(name: str, value: str) -> str:
    """The value as it is sent."""
    if name in READ_ONLY_SETTINGS:
        raise ConfigurationError(
            f'the setting "{name}" cannot be changed', hint=f"there are {', '.join(SETTABLE)}"
        )
    if not name or name in _TRANSPORT:
        raise ConfigurationError(f'"{name}" is not the name of a setting')
    if name != DEFAULT_LIMIT:
        return value
    digits = value.isascii() and value.isdecimal() and len(value) <= LONGEST_NUMBER
    return str(_credits(int(value) if digits else -1, LEAST_LIMIT, what=name))


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
            problem.unclear = under_way(problem)
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


def _credits(amount: int, least: int, *, what: str = "credits") -> int:
    """A whole number in its range (Limits)."""
    if type(amount) is not int or not least <= amount <= MOST_CREDITS:
        raise ConfigurationError(f"{what} must be a whole number from {least} to {MOST_CREDITS}")
    return amount
