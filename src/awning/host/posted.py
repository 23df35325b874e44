"""Reads a posted form, and computes a digest of app data, which shows whether they have changed."""

import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request

from awning.data_schema import without_reserved

LARGEST = 256 * 1024
MOST_FIELDS = 5000
FORM = "application/x-www-form-urlencoded"
Posted = Mapping[str, Sequence[str]]


class BadForm(Exception):
    """The request holds no form, or a form that has too many bytes or fields."""


async def read_posted(request: Request) -> Posted:
    """Return the texts of a form by name.

    Raises BadForm when the request holds no form, or one that has too many bytes or fields.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != FORM:
        raise BadForm
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            raise BadForm
    try:
        return parse_qs(
            body.decode("ascii"), keep_blank_values=True, errors="replace", max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise BadForm from None


def digest_of(data: Any, key: bytes) -> str:
    """Return a keyed hash of the app data, by which the server notices that they have changed since the form was shown.

    The form has the hash. Without a key, a short secret among the data could be guessed from it. The reserved key is
    left out, so the form stays valid when the publisher disables a widget meanwhile.
    """
    settings = json.dumps(without_reserved(data), sort_keys=True)
    return hmac.new(key, settings.encode(), "sha256").hexdigest()[:32]


def first_text(posted: Posted, name: str) -> str:
    """Return the first text with this name; "" when there is none."""
    return next(iter(posted.get(name, ())), "")
