"""Sessions of the settings page, and the requests in them. A verified request opens a session for a few hours.

The cookie holds 32 random bytes. Its `Path` is the path of the session's page, so the sessions of two shops in two tabs
do not mix. The database holds only a digest of the bytes. The form's token is derived from the cookie, so another site
cannot forge a form.
"""

import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from awning.data_schema import without_reserved
from awning.host.host import Host, ServedBuild
from awning.host.host_records import Installation, SettingsSession

COOKIE = "awning-session"


def cookie_name(host: Host) -> str:
    """Return the name of the cookie. Over https it has a prefix that browsers accept only over https (RFC 6265bis)."""
    return f"__Secure-{COOKIE}" if host.settings.secure else COOKIE


async def open_session(
    host: Host, *, key: str, language: str, return_link: str | None, notice: str = ""
) -> Response:
    """Begin a session and redirect the browser to its page.

    The redirect removes the signed address from the address bar.
    """
    value = secrets.token_urlsafe(32)
    session = SettingsSession(
        id=secrets.token_urlsafe(12),
        digest=sha256(value.encode()).hexdigest(),
        key=key,
        language=language,
        return_link=return_link,
        begun_at=host.clock(),
    )
    ended_before = host.clock() - host.settings.session_s
    await host.run_blocking(host.records.add_session, session, ended_before=ended_before)
    path = f"{host.settings.prefix}/settings/{session.id}/"
    response = RedirectResponse(f"{path}?notice={notice}" if notice else path, 303)
    response.set_cookie(
        cookie_name(host),
        value,
        max_age=int(host.settings.session_s),
        path=path,
        secure=host.settings.secure,
        httponly=True,
        samesite="lax",
    )
    return response


async def find_session(host: Host, request: Request) -> SettingsSession | None:
    """Return the session of a request; None when it does not exist, when it has ended, or when the cookie is wrong."""
    value = request.cookies.get(cookie_name(host), "")
    session = await host.run_blocking(host.records.session, request.path_params["session"])
    if session is None or host.clock() - session.begun_at > host.settings.session_s:
        return None
    digest = sha256(value.encode("utf-8", "replace")).hexdigest()
    return session if hmac.compare_digest(digest, session.digest) else None


def form_token(host: Host, request: Request) -> str:
    """Return the token of the page's forms."""
    value = request.cookies.get(cookie_name(host), "")
    return hmac.new(value.encode("utf-8", "replace"), b"awning form", "sha256").hexdigest()


def foreign_reason(host: Host, request: Request, token: str) -> str | None:
    """Return why a form was not sent by its own page; None when it was.

    The token must be right. An Origin header must name this server; it may be missing, because some clients omit it.
    """
    origin = request.headers.get("origin")
    if origin is not None and origin.lower() != host.settings.origin:
        return f"its Origin is not {host.settings.origin}"
    is_right = hmac.compare_digest(token.encode("utf-8", "replace"), form_token(host, request).encode())
    return None if is_right else "its token is missing or wrong"


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
