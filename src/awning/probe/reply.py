"""What a call brought, without a judgement: a probe also looks at refusals, and at what the client would refuse."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec

from awning.client import Response
from awning.client.secret import printable

ABSENT = object()
"""The value of a field that a response does not have."""
_SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A response. `fields` is its JSON object; None for anything else."""

    status: int
    fields: Mapping[str, Any] | None

    @property
    def is_success(self) -> bool:
        return (
            self.status in range(200, 300) and self.fields is not None and self.fields.get("error") is False
        )

    @property
    def is_refusal(self) -> bool:
        """Whether the service understood the call and refused it. A response without an error body is neither."""
        return self.fields is not None and self.fields.get("error") is True

    @property
    def is_unauthorized(self) -> bool:
        return HTTPStatus.UNAUTHORIZED in {self.status, self.code}

    @property
    def code(self) -> Any:
        return ABSENT if self.fields is None else self.fields.get("error_code", ABSENT)

    def value(self, name: str) -> Any:
        return ABSENT if self.fields is None else self.fields.get(name, ABSENT)

    def shown(self, name: str | None = None) -> str:
        """Return what came, in words. A text is only counted, because it may be a person's or a secret."""
        if self.fields is None:
            return f"HTTP {self.status} without a JSON object"
        if not self.is_success:
            code = "no error_code" if self.code is ABSENT else f"error_code {describe(self.code)}"
            return f"HTTP {self.status}, {code}"
        return f"HTTP {self.status}" if name is None else f"{name}: {describe(self.value(name))}"


def reply_of(response: Response) -> Reply:
    try:
        fields = msgspec.json.decode(response.body.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        fields = None
    return Reply(status=response.status, fields=fields if isinstance(fields, dict) else None)


def describe(value: Any) -> str:
    if value is ABSENT:
        return "no such field"
    if isinstance(value, str) and value:
        return f"a text of {len(value.encode('utf-8', 'surrogatepass')):,} bytes"
    if isinstance(value, dict | list) and value:
        return "an object" if isinstance(value, dict) else "a list"
    return _short(value)


def _short(value: Any) -> str:
    return printable(json.dumps(value), limit=_SHOWN)
