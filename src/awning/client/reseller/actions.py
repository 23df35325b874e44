"""The actions of a reseller. Each function checks its arguments and returns the action as a value.

Nothing is sent until `client.run(action)`, with the synchronous or the asynchronous client. A function raises
ConfigurationError when an argument is wrong.

A change whose response is lost is never sent again automatically. Instead, the values that it changes are read. If they
have changed, the action took effect. If not, the action failed; its error is `unclear` when the request may still
arrive. When the values cannot be read, or do not show the change, the error is `unclear`, too.

A refusal in the envelope means that nothing was changed, unless its error code means that the server failed.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Any, Generic, TypeVar, cast

from awning.client.flow import call
from awning.client.operation import Flow
from awning.client.reseller import operations
from awning.client.reseller.authorization import ResellerSession
from awning.client.reseller.operations import Authorized
from awning.client.reseller.resources import FREE, Balance, Domain, Settings, Website
from awning.client.secret import Secret, checked_secret
from awning.contract.hosts import ascii_host
from awning.contract.reseller_calls import CALLBACK_PARAMETER, SUBSCRIPTIONS, TOKEN_PARAMETER
from awning.contract.reseller_errors import LEAST_ADDITION, LEAST_LIMIT, MOST_CREDITS
from awning.contract.reseller_fields import ASSUMED_SETTABLE, OBSERVED_SETTABLE, READ_ONLY_SETTINGS
from awning.diagnostics import did_you_mean
from awning.errors import BadAnswer, ConfigurationError, Refused, ServiceError, Unauthorized, Unreachable

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


DEFAULT_LIMIT = "aiDefaultLimit"
LONGEST_DOMAIN = 253
LONGEST_NUMBER = 12
SETTABLE = (*OBSERVED_SETTABLE, *ASSUMED_SETTABLE)
WWW = "www."
_TRANSPORT = {TOKEN_PARAMETER, CALLBACK_PARAMETER}
"""Parameters with a meaning for every call. A setting with one of these names would be taken for the parameter."""


def websites(zone: tzinfo = UTC) -> Action[tuple[Website, ...]]:
    """List all websites. `zone` is the time zone of the service's dates."""
    return Action(operation=operations.websites(zone))


def website(number: int, zone: tzinfo = UTC) -> Action[Website]:
    return Action(operation=operations.website(_number(number), zone))


def enable(number: int) -> Action[None]:
    return _change(number, operations.enable(_number(number)), lambda now: now.enabled)


def disable(number: int) -> Action[None]:
    return _change(number, operations.disable(_number(number)), lambda now: not now.enabled)


def enable_premium(number: int, subscription: str) -> Action[None]:
    """Put a website on a paid plan. Raises ConfigurationError when there is no such plan."""
    if subscription not in SUBSCRIPTIONS:
        hint = did_you_mean(subscription, SUBSCRIPTIONS) or f"there are {', '.join(SUBSCRIPTIONS)}"
        raise ConfigurationError(f'unknown subscription "{subscription}"', hint=hint)
    operation = operations.enable_premium(_number(number), subscription)
    return _change(number, operation, lambda now: now.plan == subscription)


def disable_premium(number: int) -> Action[None]:
    return _change(number, operations.disable_premium(_number(number)), lambda now: now.plan == FREE)


def set_limit(number: int, amount: int) -> Action[None]:
    """Set the monthly AI credits (Reseller API, AI credit rules, 1 to 3)."""
    operation = operations.set_limit(_number(number), _credits(amount, LEAST_LIMIT))
    return _change(number, operation, lambda now: now.ai_limit == amount)


def add_credits(number: int, amount: int) -> Action[None]:
    """Add extra AI credits (Reseller API, AI credit rules, 4).

    A failed call is not repeated, except after a refused token, because each call adds credits.

    To learn whether an unclear call took effect, the credits and their expiry date are compared. Each addition changes
    the date, even when the website uses some credits meanwhile.
    """
    operation = operations.add_credits(_number(number), _credits(amount, LEAST_ADDITION))

    def done(before: Website, now: Website) -> bool:
        moved = now.ai_extra_until is not None and now.ai_extra_until != before.ai_extra_until
        return moved or now.ai_extra > before.ai_extra

    read = operations.website(number, UTC)
    return Action(operation=operation, read_back=ReadBack(read=read, done=done, compares=True))


def login(number: int) -> Action[str]:
    """Get a one-time link that logs in to the website."""
    return Action(operation=operations.login(_number(number)))


def domains(number: int) -> Action[tuple[Domain, ...]]:
    return Action(operation=operations.domains(_number(number)))


def add_domain(number: int, name: str) -> Action[None]:
    """Attach a domain. Its name may be international, but must not begin with www (Reseller API, Limits)."""
    wanted = _ascii_domain(name)

    def done(_before: object, now: tuple[Domain, ...]) -> bool:
        return any(_is_same_domain(domain.name, wanted) for domain in now)

    read_back = ReadBack(read=operations.domains(_number(number)), done=done)
    return Action(operation=operations.add_domain(number, name.strip()), read_back=read_back)


def remove_domain(number: int, domain_id: int) -> Action[None]:
    def done(_before: object, now: tuple[Domain, ...]) -> bool:
        return all(domain.id != domain_id for domain in now)

    read_back = ReadBack(read=operations.domains(_number(number)), done=done)
    return Action(operation=operations.remove_domain(number, _number(domain_id)), read_back=read_back)


def settings() -> Action[Settings]:
    return Action(operation=operations.settings())


def set_settings(values: Mapping[str, str], *, any_name: bool = False) -> Action[None]:
    """Change settings.

    Raises ConfigurationError without any setting, for a value that is not valid, and for a name that cannot be set. A
    service would ignore a read-only name silently (observed); `any_name` sends it all the same, since another service
    may take it.

    The specification does not list the names that the service accepts. So the settings are read back after a success,
    and running the action raises Refused when one does not have its new value. Unknown names (`unknown_settings`) are
    sent and compared, too. If the service does not return one, the Refused is `unclear`, and so is the error of a
    change that fails in the middle. If the read-back fails, the success counts.
    """
    wanted = {name: _setting(name, value, any_name=any_name) for name, value in values.items()}
    if not wanted:
        raise ConfigurationError("there is no setting to change", hint="such as brand=Name")

    def missed(now: Settings) -> list[str]:
        known = {**now.values, **now.others}
        return [
            name for name, value in wanted.items() if known.get(name) is None or str(known[name]) != value
        ]

    def done(_before: object, now: Settings) -> bool:
        return not missed(now)

    def otherwise(now: Settings) -> Refused:
        names = missed(now)
        taken = [name for name in wanted if name not in names]
        unseen = [name for name in names if name not in now.values and name not in now.others]
        sentence = f"settings/set: the service answered with success, but did not take {', '.join(names)}"
        return Refused(
            f"{sentence}; it took {', '.join(taken)}" if taken else sentence,
            call="settings/set",
            error_code=0,
            status=200,
            unclear=bool(unseen),
            hint=f"the settings that the service returns have no {', '.join(unseen)}" if unseen else None,
        )

    read_back = ReadBack(read=operations.settings(), done=done, otherwise=otherwise)
    return Action(operation=operations.set_settings(wanted), read_back=read_back)


def unknown_settings(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that are not in SETTABLE, the list of settings that a service accepts (observed or assumed)."""
    return tuple(name for name in names if name not in SETTABLE)


def _setting(name: str, value: str, *, any_name: bool) -> str:
    """Return the value of a setting in the form in which it is sent. Raises ConfigurationError if it cannot be set."""
    if name in READ_ONLY_SETTINGS and not any_name:
        raise ConfigurationError(
            f'the setting "{name}" cannot be changed', hint=f"there are {', '.join(SETTABLE)}"
        )
    if not name or name in _TRANSPORT:
        raise ConfigurationError(f'"{name}" is not the name of a setting')
    if name != DEFAULT_LIMIT:
        return value
    digits = value.isascii() and value.isdecimal() and len(value) <= LONGEST_NUMBER
    return str(_credits(int(value) if digits else -1, LEAST_LIMIT, what=name))


def balance() -> Action[Balance]:
    return Action(operation=operations.balance())


@dataclass(frozen=True, slots=True)
class SetPassword:
    """Changes the account's password. Raises TypeError when the new one is not a Secret.

    When the result is unclear, a token is requested with the new password as a test.
    """

    new: Secret

    def __post_init__(self) -> None:
        checked_secret(self.new, "the new password")

    def flow(self, session: ResellerSession) -> Flow[None]:
        """Send the change.

        Raises ConfigurationError when the new password is empty, or as `ResellerSession.send` does. Raises ServiceError
        when the change failed or its result is unknown; `unclear` is true when it is unknown.
        """
        if not self.new:
            raise ConfigurationError("the new password is empty")
        try:
            yield from session.send(operations.set_password(self.new))
        except ServiceError as problem:
            if not problem.unclear:
                raise
            yield from self._tried(problem, session)
        session.password = self.new

    def _tried(self, problem: ServiceError, session: ResellerSession) -> Flow[None]:
        """Log in with the new password as a test. Raises `problem` unless the service accepts it.

        Without an e-mail, the service would refuse any password, so there is no test.

        The session continues with the token of the test login. A token that it obtained before is invalidated.
        """
        if not session.email:
            raise problem
        before = session.token if session.obtained else None
        try:
            yield from session.log_in(self.new)
        except Unauthorized:
            problem.unclear = under_way(problem)
            problem.hint = "a test login shows that the old password is still valid"
            if problem.unclear:
                problem.hint += " so far; the change may still arrive"
            raise problem from None
        except ServiceError:
            raise problem from None
        if before is not None:
            with suppress(ServiceError):  # harmless: the change may have invalidated the token, or it expires
                yield from call(operations.logout()(before), session.calling)


def _change(number: int, operation: Authorized[None], done: Callable[[Website], bool]) -> Action[None]:
    """Return the action of a change whose effect can be read from the website's record."""
    read_back = ReadBack(read=operations.website(number, UTC), done=lambda _before, now: done(now))
    return Action(operation=operation, read_back=read_back)


def _number(number: int) -> int:
    if type(number) is not int or number < 1:  # `isinstance` would accept True
        raise ConfigurationError(f"{number!r} is not the number of a website or domain")
    return number


def _credits(amount: int, least: int, *, what: str = "credits") -> int:
    """Return `amount`. Raises ConfigurationError when it is not a whole number in its range (Reseller API, Limits)."""
    if type(amount) is not int or not least <= amount <= MOST_CREDITS:
        raise ConfigurationError(f"{what} must be a whole number from {least} to {MOST_CREDITS}")
    return amount


def _ascii_domain(name: str) -> str:
    """Return `name` in lower case and ASCII. Raises ConfigurationError when it is not a domain, or begins with www."""
    text = name.strip().lower()
    try:
        plain = ascii_host(text)
    except ValueError:  # UnicodeError is one
        plain = ""
    labels = plain.split(".")
    if len(labels) <= 1 or not all(map(_is_label, labels)) or len(plain) > LONGEST_DOMAIN:
        raise ConfigurationError(f"{name!r} is not a domain name", hint="such as shop.example")
    if plain.startswith(WWW):
        raise ConfigurationError("the domain must be given without www", hint=text.removeprefix(WWW))
    return plain


def _is_same_domain(listed: str, plain: str) -> bool:
    """Return whether `listed`, a domain as the service writes it, is `plain`, a domain in lower case and ASCII."""
    try:
        return _ascii_domain(listed) == plain
    except ConfigurationError:
        return False


def _is_label(label: str) -> bool:
    return (
        bool(label)
        and label.replace("-", "a").isalnum()
        and not (label.startswith("-") or label.endswith("-"))
    )
