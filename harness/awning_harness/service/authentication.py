"""Authenticates a call: the authCode in the query identifies the instance, the API key in the header its app.

Source: Apps Integration API, Server-side calls. A code is looked up by its digest. The digests of keys are compared in
constant time, and the check takes equally long for an unknown code.
"""

import hmac
import sqlite3

from starlette.requests import Request

from awning.contract.endpoints import AUTH_CODE_PARAMETER, AUTH_SCHEME
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.envelope import Failure, single_header, unauthorized
from awning_harness.service.store import instances
from awning_harness.service.store.instances import Instance, InstanceState
from awning_harness.service.vault import digest

_NOBODY = digest("")


def authenticate(db: sqlite3.Connection, request: Request, assumptions: Assumptions) -> Instance:
    """Return the calling instance.

    Raises Failure when the key or the code is missing or wrong, or the app was uninstalled.
    """
    key = api_key(request, any_case=assumptions["auth-scheme-case"] == "any")
    code = auth_code(
        request,
        any_case=assumptions["auth-code-case"] == "any",
        last_counts=assumptions["auth-code-twice"] == "last",
    )
    installation = instances.find_by_code(db, digest(code or ""))
    key_digest = installation[1] if installation else _NOBODY
    matches = hmac.compare_digest(digest(key or ""), key_digest)
    if not (installation and matches and key and code):
        raise unauthorized()
    instance = installation[0]
    if instance.state is InstanceState.UNINSTALLED:
        raise (
            Failure(410, "The app was uninstalled")
            if assumptions["after-delete"] == "gone"
            else unauthorized()
        )
    return instance


def api_key(request: Request, *, any_case: bool) -> str | None:
    """Return the key of `Authorization: ApiKey <key>`; None when there is none.

    With `any_case`, the scheme may be in upper or lower case (RFC 9110, 11.1).
    """
    scheme, _, key = (single_header(request, "authorization") or "").partition(" ")
    is_ours = scheme.lower() == AUTH_SCHEME.lower() if any_case else scheme == AUTH_SCHEME
    return key.strip() or None if is_ours else None


def auth_code(request: Request, *, any_case: bool, last_counts: bool) -> str | None:
    """Return the parameter authCode; None when it is missing.

    Of several different values, the last one counts, or without `last_counts` none.
    """
    wanted = AUTH_CODE_PARAMETER.lower()
    codes = [
        value
        for name, value in request.query_params.multi_items()
        if (name.lower() == wanted if any_case else name == AUTH_CODE_PARAMETER)
    ]
    return codes[-1] if codes and (last_counts or len(set(codes)) == 1) else None
