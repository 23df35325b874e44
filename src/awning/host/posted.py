"""A posted form as names and texts, and the digest that says which data it was filled from."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request

LARGEST = 256 * 1024
MOST_FIELDS = 5000
FORM = "application/x-www-form-urlencoded"
Posted = Mapping[str, Sequence[str]]


class BadForm(Exception):
    """What was posted is no form of ours."""


async def read_posted(request: Request) -> Posted:
    """The names and texts of a form. Raises BadForm for what no browser sends."""
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


def digest_of(stored: Any) -> str:
    """Which data a form was filled from; not a secret, and not the data."""
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:32]


def one(posted: Posted, name: str) -> str:
    return next(iter(posted.get(name, ())), "")
