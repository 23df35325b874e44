"""The calls of the Reseller API, each described once (Reseller API, Endpoints).

They are form-encoded POSTs with the token, or e-mail and password, in the body, because URLs end up in logs. `actions`
checks the arguments before an operation is made.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from typing import TypeVar
from urllib.parse import quote, urlencode

from awning.client.operation import Fields, Operation, Repeat
from awning.client.reseller import resources
from awning.client.reseller.resources import Balance, Domain, Settings, Website
from awning.client.secret import Secret
from awning.contract.reseller_calls import DOMAIN, RESELLER_CALLS, SUBSCRIPTION, TOKEN_PARAMETER, WEBSITE

T = TypeVar("T")
Arguments = Mapping[str, str | Secret]
Authorized = Callable[[Secret], Operation[T]]
"""Makes an operation from the token. The token is known only when the operation is sent."""

_CALLS = {call.operation: call for call in RESELLER_CALLS}


def authorize(email: str, password: Secret) -> Operation[Secret]:
    """Get a new token. A repeated call is harmless."""
    arguments: Arguments = {"email": email, "password": password}
    return _operation("authorize", _token, arguments=arguments, repeat=Repeat.SAFE)


def logout() -> Authorized[None]:
    return partial(_with_token, _operation("authorize/logout", _nothing))


def websites(zone: tzinfo) -> Authorized[tuple[Website, ...]]:
    def parse(fields: Fields) -> tuple[Website, ...]:
        return tuple(resources.website(row, zone) for row in resources.listed(fields, "websites"))

    return partial(_with_token, _operation("websites", parse, repeat=Repeat.SAFE))


def website(number: int, zone: tzinfo) -> Authorized[Website]:
    def parse(fields: Fields) -> Website:
        return resources.website(resources.need(fields, "website", dict), zone)

    return _on(number, "website", parse, repeat=Repeat.SAFE)


def enable(number: int) -> Authorized[None]:
    return _on(number, "enable", _nothing)


def disable(number: int) -> Authorized[None]:
    return _on(number, "disable", _nothing)


def enable_premium(number: int, subscription: str) -> Authorized[None]:
    return _on(number, "enable_premium", _nothing, places={SUBSCRIPTION: subscription})


def disable_premium(number: int) -> Authorized[None]:
    return _on(number, "disable_premium", _nothing)


def set_limit(number: int, amount: int) -> Authorized[None]:
    return _on(number, "ai_limit/set", _nothing, arguments={"credits": str(amount)})


def add_credits(number: int, amount: int) -> Authorized[None]:
    return _on(number, "ai_credits/add", _nothing, arguments={"credits": str(amount)}, repeat=Repeat.NEVER)


def login(number: int) -> Authorized[str]:
    """Get a login link. Each call returns a new link, so a repeated call is harmless."""
    return _on(number, "login", lambda fields: resources.need(fields, "loginUrl", str), repeat=Repeat.SAFE)


def domains(number: int) -> Authorized[tuple[Domain, ...]]:
    def parse(fields: Fields) -> tuple[Domain, ...]:
        return tuple(resources.domain(row) for row in resources.listed(fields, "domains"))

    return _on(number, "domains", parse, repeat=Repeat.SAFE)


def add_domain(number: int, name: str) -> Authorized[None]:
    return _on(number, "domain/add", _nothing, arguments={"domain": name}, repeat=Repeat.NEVER)


def remove_domain(number: int, domain_id: int) -> Authorized[None]:
    return _on(number, "domain/remove", _nothing, places={DOMAIN: str(domain_id)})


def settings() -> Authorized[Settings]:
    return partial(_with_token, _operation("settings", resources.settings, repeat=Repeat.SAFE))


def set_settings(values: Mapping[str, str]) -> Authorized[None]:
    return partial(_with_token, _operation("settings/set", _nothing, arguments=values))


def balance() -> Authorized[Balance]:
    return partial(_with_token, _operation("balance", resources.balance, repeat=Repeat.SAFE))


def set_password(password: Secret) -> Authorized[None]:
    return partial(_with_token, _operation("password/set", _nothing, arguments={"password": password}))


def _on(
    number: int,
    name: str,
    parse: Callable[[Fields], T],
    *,
    arguments: Arguments | None = None,
    places: Mapping[str, str] | None = None,
    repeat: Repeat = Repeat.UNPROCESSED,
) -> Authorized[T]:
    """Return a call for one website. `places` maps further placeholders in the path to their values."""
    filled = {WEBSITE: str(number), **(places or {})}
    return partial(
        _with_token, _operation(name, parse, arguments=arguments or {}, places=filled, repeat=repeat)
    )


def _operation(
    name: str,
    parse: Callable[[Fields], T],
    *,
    arguments: Arguments | None = None,
    places: Mapping[str, str] | None = None,
    repeat: Repeat = Repeat.UNPROCESSED,
) -> Operation[T]:
    path = _CALLS[name].path
    for place, value in (places or {}).items():
        path = path.replace(place, quote(value, safe=""))
    return Operation(
        name=name,
        method="POST",
        path=path,
        parse=parse,
        repeat=repeat,
        body=_encoded(arguments or {}),
        secrets=tuple(value for value in (arguments or {}).values() if isinstance(value, Secret)),
    )


def _with_token(operation: Operation[T], token: Secret) -> Operation[T]:
    """Return the operation with the token in its body."""
    own = _encoded({TOKEN_PARAMETER: token})
    body = b"&".join(part for part in (own, operation.body) if part)
    return replace(operation, body=body, secrets=(token, *operation.secrets))


def _encoded(arguments: Arguments) -> bytes:
    """Return a form body, in which secrets are in plain text."""
    plain = {
        name: value.reveal() if isinstance(value, Secret) else value for name, value in arguments.items()
    }
    return urlencode(plain).encode()


def _token(fields: Fields) -> Secret:
    return Secret(resources.need(fields, "apiToken", str))


def _nothing(fields: Fields) -> None:
    """Return None, because the specification shows no field besides the error flag."""
