"""The envelope of the Apps API: `error` false and the operation's fields, or `error` true with code and message.

Source: Apps Integration API, Response envelope and Errors. The control API has the same envelope, and so has the portal
when a program calls it.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from awning.contract.endpoints import UNAUTHORIZED_CODE, UNAUTHORIZED_MESSAGE

JSON = b"application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One whole HTTP response."""

    status: int = 200
    body: bytes = b""
    content_type: bytes = JSON
    headers: tuple[tuple[bytes, bytes], ...] = ()
    error_code: int | None = None
    """The error code in the body, for the log; None when the body has none."""


class Failure(Exception):
    """The call fails: the API turns this exception into a response with `error: true` and this HTTP status."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: int | None = None,
        headers: tuple[tuple[bytes, bytes], ...] = (),
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
_EMPTY_SUCCESS = Response(body=b'{"error":false}')
_CODES = {"status": None, "generic": 400, "zero": 0}


def success(fields: dict[str, Any]) -> Response:
    if not fields:
        return _EMPTY_SUCCESS
    return Response(body=msgspec.json.encode({"error": False, **fields}))


def failure_response(failure: Failure, *, codes: str = "status") -> Response:
    """Return the response for `failure`. `codes` is the value of the assumption `error-code`."""
    if failure.code == UNAUTHORIZED_CODE:
        return Response(
            status=401, body=UNAUTHORIZED_BODY, headers=failure.headers, error_code=UNAUTHORIZED_CODE
        )
    code = failure.code if failure.code is not None else _CODES[codes]
    if code is None:
        code = failure.status
    body = msgspec.json.encode({"error": True, "error_code": code, "error_message": failure.message})
    return Response(status=failure.status, body=body, headers=failure.headers, error_code=code)


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
