"""The control calls: websites, apps and instances; resellers; the clock; faults; assumptions and the log.

Each handler gets the simulated service, the body's fields (not for a GET) and the values in the path. It returns the
fields of the response.
"""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar, cast

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.endpoints import ENDPOINTS
from awning.contract.reseller_calls import RESELLER_CALLS
from awning.diagnostics import did_you_mean
from awning_harness.service.clock import EARLIEST, LATEST
from awning_harness.service.envelope import Failure
from awning_harness.service.service import DEFAULT_EMAIL, DEFAULT_LANGUAGES, Service

T = TypeVar("T")
LARGEST_NUMBER = 2**53


class Body:
    """The fields of a body. Raises Failure (400) when a field has an unknown name or the wrong type."""

    def __init__(self, fields: dict[str, Any], known: Iterable[str]) -> None:
        names = tuple(known)
        for name in fields:
            if name not in names:
                hint = did_you_mean(name, names) or f"there are {', '.join(names)}"
                raise Failure(400, f'unknown field "{name}": {hint}')
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) is not None

    def need(self, name: str, kind: type[T]) -> T:
        """Return the field `name`, of type `kind`.

        Raises Failure (400) when it is null or absent, of another type, or a whole number whose absolute value is above
        LARGEST_NUMBER.
        """
        if name not in self:
            raise Failure(400, f"{name} is required")
        return self.take(name, kind, cast("T", None))

    def take(self, name: str, kind: type[T], default: T) -> T:
        """Return the field `name`, of type `kind`; `default` if null or absent.

        Raises Failure (400) for another type, and for a whole number whose absolute value is above LARGEST_NUMBER.
        """
        value = self._fields.get(name)
        if value is None:
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise Failure(400, f"{name} must be {_WORDS[kind]}")
        if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise Failure(400, f"{name} must be smaller")
        return value

    def number(self, name: str, default: float) -> float:
        """Return the field `name`, an integer or a float; `default` if null or absent.

        Raises Failure (400) for another value.
        """
        value = self._fields.get(name)
        return (
            self.take(name, float, default)
            if isinstance(value, str | float)
            else self.take(name, int, int(default))
        )

    def texts(self, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """Return the field `name`, a list of strings; `default` if null or absent.

        Raises Failure (400) for another value.
        """
        values = self.take(name, list, None)
        if values is None:
            return default
        if not all(isinstance(value, str) for value in values):
            raise Failure(400, f"{name} must be a list of strings")
        return tuple(values)


_WORDS: dict[type, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}


def add_website(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """Handle `POST websites`: create a website."""
    body = Body(fields, ("languages", "brandname", "email", "email_confirmed"))
    brandname = body.take("brandname", str, "") if "brandname" in body else None
    website = service.create_website(
        languages=body.texts("languages", DEFAULT_LANGUAGES),
        brandname=brandname,
        owner_email=body.take("email", str, DEFAULT_EMAIL),
        owner_email_confirmed=body.take("email_confirmed", bool, True),
    )
    return {"website_id": website.id, "url": service.website_url(website.id)}


def purge_website(service: Service, fields: dict[str, Any], website_id: int) -> dict[str, Any]:
    """Handle `POST websites/<id>/purge`: the website's cache expires now. Raises LookupError for an unknown website."""
    Body(fields, ())
    if service.website(website_id) is None:
        raise LookupError(f"there is no website {website_id}")
    service.defaults.purge_website(website_id)
    return {}


def add_app(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """Handle `POST apps`: the body is the manifest."""
    app_id, api_key = service.register_app(fields)
    return {"app_id": app_id, "api_key": api_key}


def resubmit_app(service: Service, fields: dict[str, Any], app_id: int) -> dict[str, Any]:
    """Handle `PUT apps/<id>`: the body is the whole new manifest."""
    service.resubmit_app(app_id, fields)
    return {"app_id": app_id}


def add_instance(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """Handle `POST instances`: install an app on a website."""
    body = Body(fields, ("app_id", "website_id", "state"))
    app_id, website_id = body.need("app_id", int), body.need("website_id", int)
    return {"authCode": service.install(app_id, website_id, state=body.take("state", str, "installed"))}


def reset(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """Handle `POST reset`: delete everything except the present assumptions. The clock returns to the real time."""
    Body(fields, ())
    service.reset()
    return {}


_COMMON = ("email", "password", "websites", "approved", "fee_paid", "ai_pricing")
_GIVEN = ("domain", "company")
"""Settings that a control call can change, but the reseller cannot."""


def add_reseller(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """Handle `POST resellers`: create a reseller."""
    body = Body(fields, _COMMON)
    reseller_id = service.resellers.create(
        email=body.need("email", str),
        password=body.need("password", str),
        websites=body.take("websites", int, 0),
        approved=body.take("approved", bool, True),
        fee_paid=body.take("fee_paid", bool, True),
        ai_pricing=body.take("ai_pricing", str, "free"),
    )
    return {"reseller_id": reseller_id}


def change_reseller(service: Service, fields: dict[str, Any], reseller_id: int) -> dict[str, Any]:
    """Handle `PATCH resellers/<id>`: change the fields in the body."""
    body = Body(fields, (*_COMMON, "ai_default_limit", "type", *_GIVEN))
    kinds: dict[str, type[Any]] = {
        "email": str,
        "password": str,
        "websites": int,
        "approved": bool,
        "fee_paid": bool,
        "ai_pricing": str,
        "ai_default_limit": int,
    }
    values = {name: body.take(name, kind, None) for name, kind in kinds.items()}
    settings = {name: body.take(name, str, "") for name in _GIVEN if name in body}
    if "type" in body:
        settings["type"] = str(body.take("type", int, 0))
    service.resellers.change(reseller_id, **values, settings=settings)
    return {"reseller_id": reseller_id}


def change_website(
    service: Service, fields: dict[str, Any], reseller_id: int, website_id: int
) -> dict[str, Any]:
    """Handle `PATCH resellers/<id>/websites/<website>`: set `status`.

    1 means enabled, 4 means suspended (observed), and any other number disabled.
    """
    status = Body(fields, ("status",)).need("status", int)
    service.resellers.set_status(reseller_id, website_id, status)
    return {"website_id": website_id, "status": status}


def spend(service: Service, fields: dict[str, Any], reseller_id: int) -> dict[str, Any]:
    """Handle `POST resellers/<id>/spend`: a website uses AI.

    The response has `monthly` and `extra`, the numbers of credits that were used, and `unspent`, the number that was
    missing.
    """
    body = Body(fields, ("website_id", "credits"))
    website_id, wanted = body.need("website_id", int), body.need("credits", int)
    return asdict(service.resellers.spend(reseller_id, website_id, wanted))


def show_clock(service: Service) -> dict[str, Any]:
    """Handle `GET clock`."""
    return {"now": service.clock.now().isoformat(), "frozen": service.clock.frozen}


def set_clock(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """Handle `PUT clock`: set the clock to `now` plus `advance` seconds. By default, `now` is the clock's present time.

    `now` is in ISO 8601, and in UTC if it has no offset. If `frozen` is true, the clock stands still. By default,
    `frozen` is false; with `advance`, it stays as it is. When the body has neither `now` nor `advance`, and `frozen` is
    not true, the clock returns to the real time.

    Raises Failure (400) when the time is malformed or outside the clock's limits.
    """
    body = Body(fields, ("now", "advance", "frozen"))
    frozen = body.take("frozen", bool, service.clock.frozen if "advance" in body else False)
    try:
        if "now" in body or "advance" in body or frozen:
            service.clock.set(_instant(service, body), frozen=frozen)
        else:
            service.clock.release()
    except OverflowError as error:
        raise Failure(400, f"the clock can only be set from {EARLIEST.year} to {LATEST.year}") from error
    return show_clock(service)


def _instant(service: Service, body: Body) -> datetime:
    instant = service.clock.now()
    if "now" in body:
        try:
            instant = datetime.fromisoformat(body.need("now", str))
        except ValueError as error:
            raise Failure(400, "now must be a date and time, such as 2026-03-01T12:00:00Z") from error
        instant = instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return instant + timedelta(seconds=body.number("advance", 0))


def show_faults(service: Service) -> dict[str, Any]:
    """Handle `GET faults`."""
    return {"faults": service.faults.listing()}


def set_faults(service: Service, rules: Any) -> dict[str, Any]:
    """Handle `PUT faults`: the body is the list of all rules; an empty list removes them.

    The random choices of each rule begin again from its seed.

    Raises Failure (400) when the body is not a list, and BadFault when a rule is invalid.
    """
    if not isinstance(rules, list):
        raise Failure(400, "the body must be a list of faults")
    service.faults.put(rules, {e.operation for e in ENDPOINTS} | {call.operation for call in RESELLER_CALLS})
    return show_faults(service)


def show_requests(service: Service) -> dict[str, Any]:
    """Handle `GET requests`: the newest calls, oldest first, without secrets."""
    return {"requests": [request.as_json() for request in service.requests()]}


def show_assumptions(service: Service) -> dict[str, Any]:
    """Handle `GET assumptions`."""
    return {
        "assumption_set": service.assumptions.assumption_set,
        "assumption_sets": ASSUMPTION_SETS,
        "assumptions": service.assumptions.listing(),
    }


def take_assumption_set(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """Handle `PUT assumptions` with `assumption_set`: set every assumption to its value in that set."""
    service.assumptions.take_set(Body(fields, ("assumption_set",)).need("assumption_set", str))
    return show_assumptions(service)


def set_assumption(service: Service, fields: dict[str, Any], assumption_id: str) -> dict[str, Any]:
    """Handle `PUT assumptions/<name>`: set one assumption to `value`."""
    value = Body(fields, ("value",)).need("value", str)
    service.assumptions.set(assumption_id, value)
    return {"id": assumption_id, "value": value}
