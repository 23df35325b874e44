"""A request for a settings page: its session, its instance, and what its form has posted."""

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request

from awning.data_schema import without_reserved
from awning.host.host import Host
from awning.host.host_records import Installation, SettingsSession
from awning.host.served_build import ServedBuild
from awning.host.sessions import find_session, form_token

LARGEST = 256 * 1024
MOST_FIELDS = 5000
DIGEST_DIGITS = 32
FORM = "application/x-www-form-urlencoded"
Posted = Mapping[str, Sequence[str]]


class BadForm(Exception):
    """The request holds no form, or a form that has too many bytes or fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsRequest:
    """A request for a settings page, with its session, instance, build and form token."""

    session: SettingsSession
    installation: Installation
    served: ServedBuild
    token: str


async def find_visit(host: Host, request: Request) -> SettingsRequest | None:
    """Return the request with its session and instance.

    Returns None when the request has no open session, or the instance is uninstalled.
    """
    session = await find_session(host, request)
    if session is None:
        return None
    installation = await host.run_blocking(host.records.installation, session.key)
    if installation is None or installation.removed_at is not None:
        return None
    served = await host.run_blocking(host.current.build)
    token = form_token(host, request)
    return SettingsRequest(session=session, installation=installation, served=served, token=token)


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


def first_text(posted: Posted, name: str) -> str:
    """Return the first text with this name; "" when there is none."""
    return next(iter(posted.get(name, ())), "")


def digest_of(data: Any, key: bytes) -> str:
    """Return a keyed hash of the app data, by which the server notices that they have changed since the form was shown.

    The form has the hash. Without a key, a short secret among the data could be guessed from it. The reserved key is
    left out, so the form stays valid when the publisher disables a widget meanwhile.
    """
    settings = json.dumps(without_reserved(data), sort_keys=True)
    return hmac.new(key, settings.encode(), "sha256").hexdigest()[:DIGEST_DIGITS]
