"""The clock, set by control calls."""

from datetime import UTC, datetime, timedelta
from typing import Any

from awning_harness.service.clock import EARLIEST, LATEST
from awning_harness.service.control.body import Body
from awning_harness.service.envelope import Failure
from awning_harness.service.service import Service


def show_clock(service: Service) -> dict[str, Any]:
    """`GET clock`"""
    return {"now": service.clock.now().isoformat(), "frozen": service.clock.frozen}


def set_clock(service: Service, fields: dict[str, Any]) -> dict[str, Any]:
    """`PUT clock` with `now` (ISO 8601, UTC where no offset is given), or `advance` (seconds), or neither.

    `frozen` true lets it stand still. Neither of the others and not frozen: back to the real time.
    """
    body = Body(fields, ("now", "advance", "frozen"))
    frozen = body.take("frozen", bool, service.clock.frozen if "advance" in body else False)
    try:
        if "now" in body or "advance" in body or frozen:
            service.clock.set(_instant(service, body), frozen=frozen)
        else:
            service.clock.release()
    except OverflowError as error:
        raise Failure(400, f"the clock does not go that far: {EARLIEST.year} to {LATEST.year}") from error
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
