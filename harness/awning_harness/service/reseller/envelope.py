"""The shape of this API's answers: `error` false and fields, or `error` true, errorCode and errorMsg.

Reseller API, Response envelope. Errors have HTTP status 200 unless an assumption says otherwise; with a
`callback` the same JSON is the argument of a call.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from awning.contract.reseller_errors import RESELLER_ERRORS, UNAUTHORIZED
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.envelope import Answer, Failure

JAVASCRIPT = b"application/javascript; charset=utf-8"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An error of the API: its code, its message, and what is beside them."""

    code: int
    message: str
    fields: dict[str, Any]


class Refusal(Exception):
    """An answer with `error: true`. A code of the table brings its own message."""

    def __init__(
        self, code: int, message: str | None = None, *, fields: dict[str, Any] | None = None
    ) -> None:
        listed = _LISTED.get(code)
        text = message or (listed.message if listed else None) or _UNSTATED.get(code, "Bad Request")
        super().__init__(text)
        self.said = Said(code=code, message=text, fields=fields or {})


def bad(message: str) -> Refusal:
    return Refusal(BAD_REQUEST, message)


def missing(what: str) -> Refusal:
    return Refusal(NOT_FOUND, f"{what} not found")


def success(fields: dict[str, Any]) -> Answer:
    return Answer(body=msgspec.json.encode({"error": False, **fields}))


def refused(refusal: Refusal, assumptions: Assumptions) -> Answer:
    """The answer to a refusal, under the assumptions in force."""
    said = refusal.said
    code = said.code if said.code in _LISTED else _OTHER.get(assumptions["reseller-other-codes"], said.code)
    status = 200 if assumptions["reseller-error-status"] == "200" else _fitting(said.code)
    return Answer(status=status, body=_error(code, said.message, said.fields), error_code=code)


def failed(failure: Failure) -> Answer:
    """A failure below the API (a fault, a body too large), in this API's envelope and with its own status."""
    code = failure.status if failure.code is None else failure.code
    return Answer(
        status=failure.status,
        body=_error(code, failure.message, {}),
        headers=failure.headers,
        error_code=code,
    )


def is_callback(name: str) -> bool:
    """Whether `name` is an identifier, or a few of them joined by dots: nothing else becomes part of a script."""
    return _CALLBACK.fullmatch(name) is not None


def as_call(answer: Answer, callback: str) -> Answer:
    """`answer` as JSONP. The two separators that end a line in older JavaScript, but not in JSON, are escaped."""
    text = answer.body.replace("\u2028".encode(), b"\\u2028").replace("\u2029".encode(), b"\\u2029")
    return replace(answer, body=b"%b(%b);" % (callback.encode(), text), content_type=JAVASCRIPT)


def _fitting(code: int) -> int:
    if code in _LISTED:
        return _STATUS.get(code, BAD_REQUEST)
    return code if code in {NOT_FOUND, BAD_REQUEST} else BAD_REQUEST


def _error(code: int, message: str, fields: dict[str, Any]) -> bytes:
    return msgspec.json.encode({"error": True, "errorCode": code, "errorMsg": message, **fields})
