"""The envelope of the Apps API: `error` false and the operation's fields, or `error` true with code and message.

Source: Apps Integration API, Response envelope and Errors. The control API has the same envelope, and so has the portal
when a program calls it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from awning.contract.endpoints import UNAUTHORIZED_CODE, UNAUTHORIZED_MESSAGE

JSON = "application/json"
BODILESS = (204, 304)
_ALWAYS = ((b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff"))


class ServiceResponse(Response):
    """One whole response; a status of BODILESS has no body (RFC 9110).

    `error_code` is the error code in the body, for the log; None when the body has none.
    """

    media_type = JSON

    def __init__(
        self,
        content: bytes = b"",
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
        *,
        error_code: int | None = None,
    ) -> None:
        content = b"" if status_code in BODILESS else content
        super().__init__(content, status_code, headers, media_type)
        self.raw_headers += _ALWAYS
        self.error_code = error_code


class Failure(Exception):
    """The call fails: the API turns this exception into a response with `error: true` and this HTTP status."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code
        self.headers = headers


def unauthorized() -> Failure:
    """Return the failure for missing or wrong credentials. It is the same for a wrong key and a wrong authCode."""
    return Failure(401, UNAUTHORIZED_MESSAGE, code=UNAUTHORIZED_CODE)


UNAUTHORIZED_BODY = b'{"error": true, "error_code": 401, "error_message": "Unauthorized"}'
_EMPTY_SUCCESS = ServiceResponse(b'{"error":false}')
_CODES = {"status": None, "generic": 400, "zero": 0}


def success(fields: dict[str, Any]) -> ServiceResponse:
    if not fields:
        return _EMPTY_SUCCESS
    return ServiceResponse(msgspec.json.encode({"error": False, **fields}))


def failure_response(failure: Failure, *, codes: str = "status") -> ServiceResponse:
    """Return the response for `failure`. `codes` is the value of the assumption `error-code`."""
    if failure.code == UNAUTHORIZED_CODE:
        return ServiceResponse(UNAUTHORIZED_BODY, 401, failure.headers, error_code=UNAUTHORIZED_CODE)
    code = failure.code if failure.code is not None else _CODES[codes]
    if code is None:
        code = failure.status
    body = msgspec.json.encode({"error": True, "error_code": code, "error_message": failure.message})
    return ServiceResponse(body, failure.status, failure.headers, error_code=code)


def single_header(request: Request, name: str) -> str | None:
    """Return the value of the header `name`, or None when it is absent or repeated."""
    values = request.headers.getlist(name)
    return values[0] if len(values) == 1 else None


def is_json(request: Request) -> bool:
    """Return whether the body is said to be JSON."""
    return (single_header(request, "content-type") or "").partition(";")[0].strip().lower() == JSON


def read_json(body: bytes) -> Any:
    """Return the JSON value in `body`. Raises Failure (400) when it is not JSON in UTF-8."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Failure(400, "The body is not valid JSON") from error


def write_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def read_object(body: bytes) -> dict[str, Any]:
    """Return the JSON object in `body`. An empty body counts as an empty object.

    So does an empty list, because PHP writes an empty object in this way. Raises Failure (400) when the body is not a
    JSON object.
    """
    if not body.strip():
        return {}
    value = read_json(body)
    if value == []:
        return {}
    if not isinstance(value, dict):
        raise Failure(400, "The body must be a JSON object")
    return value
