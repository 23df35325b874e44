"""What this API's responses consist of: a body with `error` false and fields, or `error` true, errorCode and errorMsg.

Source: Reseller API, Response envelope. A Refusal has HTTP status 200 unless an assumption changes that. A Failure,
which happens outside of the call, has its own status. With the parameter `callback`, the JSON is the argument of a
function call (JSONP), if an assumption allows that.

Dates, months and amounts of money are written as this API does. Dates are in one time zone, which is an assumption. In
the code and the database, amounts are whole cents, and the costs of AI credits are millionths of the currency's unit.
The API writes a currency code followed by the amount (Reseller API, Balance).
"""

import re
from datetime import datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

import msgspec

from awning.contract.reseller_errors import RESELLER_ERRORS, UNAUTHORIZED
from awning.contract.reseller_fields import DATETIME_FORMAT
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.envelope import Failure, ServiceResponse


def local(instant: datetime, assumptions: Assumptions) -> datetime:
    return instant.astimezone(_zone(assumptions["reseller-time-zone"]))


def written(instant: datetime | None, assumptions: Assumptions) -> str | None:
    """Return the instant as `YYYY-MM-DD HH:MM:SS`; None when `instant` is None."""
    return None if instant is None else local(instant, assumptions).strftime(DATETIME_FORMAT)


def month_of(instant: datetime, assumptions: Assumptions) -> str:
    """Return the month in a form such as `2026-03`. These strings sort in the order of the months."""
    return local(instant, assumptions).strftime("%Y-%m")


@cache
def _zone(offset: str) -> tzinfo | None:
    return datetime.strptime(offset, "%z").tzinfo


_FORMS = {"spaced": "{code} {amount:.2f}", "joined": "{code}{amount:.2f}", "grouped": "{code} {amount:,.2f}"}


def millionths(credits_used: int, price: str) -> int:
    """Return the cost of credits in millionths of the currency's unit.

    Only the cost of a whole month is rounded to cents.
    """
    return int(credits_used * Decimal(price) * 1_000_000)


def rounded_cents(cost_millionths: int) -> int:
    """Return the cost in cents, rounded half up."""
    return int((Decimal(cost_millionths) / 10_000).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def cents_of(amount: str) -> int:
    return int(Decimal(amount) * 100)


def money(cents: int, assumptions: Assumptions) -> str:
    """Return an amount such as `EUR 12.34`, in the currency and the form that the assumptions name."""
    form = _FORMS[assumptions["money-format"]]
    return form.format(code=assumptions["currency"], amount=Decimal(cents) / 100)


JAVASCRIPT = "application/javascript; charset=utf-8"
NOT_FOUND = 404
BAD_REQUEST = 400
_STATUS = {UNAUTHORIZED: 401, 601: 403}
_OTHER = {"generic": 500, "zero": 0}
_LISTED = {error.code: error for error in RESELLER_ERRORS}
_UNSTATED = {
    508: "AI credits are free of charge: extra credits cannot be added",
    509: "More AI credits than the plan has",
    601: "The signup fee is not paid",
}
_CALLBACK = re.compile(r"[A-Za-z_$][\w$]{0,127}(?:\.[A-Za-z_$][\w$]{0,127}){0,4}", re.ASCII)


class Refusal(Exception):
    """The call fails: the API turns this exception into a response with `error: true`.

    Without `message`, the specification's message for the code is used. If the specification has none, awning's is.
    """

    def __init__(
        self, code: int, message: str | None = None, *, fields: dict[str, Any] | None = None
    ) -> None:
        listed = _LISTED.get(code)
        text = message or (listed.message if listed else None) or _UNSTATED.get(code, "Bad Request")
        super().__init__(text)
        self.code = code
        self.message = text
        self.fields = fields or {}


def bad_request(message: str) -> Refusal:
    return Refusal(BAD_REQUEST, message)


def not_found(what: str) -> Refusal:
    return Refusal(NOT_FOUND, f"{what} not found")


def success(fields: dict[str, Any]) -> ServiceResponse:
    return ServiceResponse(msgspec.json.encode({"error": False, **fields}))


def refusal_response(refusal: Refusal, assumptions: Assumptions) -> ServiceResponse:
    """Return the response for a refusal, under the assumptions in force."""
    code = refusal.code
    if code not in _LISTED:
        code = _OTHER.get(assumptions["reseller-other-codes"], code)
    status = 200 if assumptions["reseller-error-status"] == "200" else _status_of(refusal.code)
    return ServiceResponse(_error(code, refusal.message, refusal.fields), status, error_code=code)


def failure_response(failure: Failure) -> ServiceResponse:
    """Return the response for a failure outside of the call (for example a body that is too large), with its status."""
    code = failure.status if failure.code is None else failure.code
    body = _error(code, failure.message, {})
    return ServiceResponse(body, failure.status, failure.headers, error_code=code)


def is_callback(name: str) -> bool:
    """Return whether `name` is an identifier, or up to five joined by dots. Other texts could inject JavaScript."""
    return _CALLBACK.fullmatch(name) is not None


def as_call(response: ServiceResponse, callback: str) -> ServiceResponse:
    """Return `response` as JSONP. U+2028 and U+2029 are escaped, because they end a line in older JavaScript."""
    text = bytes(response.body).replace("\u2028".encode(), b"\\u2028").replace("\u2029".encode(), b"\\u2029")
    body = b"%b(%b);" % (callback.encode(), text)
    return ServiceResponse(body, response.status_code, media_type=JAVASCRIPT)


def _status_of(code: int) -> int:
    if code in _LISTED:
        return _STATUS.get(code, BAD_REQUEST)
    return code if code in {NOT_FOUND, BAD_REQUEST} else BAD_REQUEST


def _error(code: int, message: str, fields: dict[str, Any]) -> bytes:
    return msgspec.json.encode({"error": True, "errorCode": code, "errorMsg": message, **fields})
