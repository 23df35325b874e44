"""The call that submits a manifest to the portal (Apps Integration API, Integration process, steps 2 and 5).

The specification does not show the portal's interface, so this module uses that of the simulated portal. It posts JSON
to `/apps/` for a new app, and to `/apps/<id>` for a new version. A refusal names the fields.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec import Struct

from awning.client.access import Access, checked_base_url
from awning.client.operation import Fields, NoResponse, Operation, Repeat, Response
from awning.client.responses import MalformedField, read
from awning.client.secret import Secret, printable, redact
from awning.client.sync_client import Transport
from awning.contract.manifest_rules import Finding, has_error
from awning.errors import BadAnswer, ConfigurationError, Refused, Unreachable
from awning.typed_values import Mismatch, convert, decode

NAME = "submit manifest"
NOT_FOUND = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalResponse:
    """The portal's response. `app_id` is None when the portal refused. Only the response to a new app has `api_key`."""

    app_id: int | None
    approved: bool = False
    api_key: Secret | None = None
    findings: tuple[Finding, ...] = ()


def checked_portal_url(url: str | None) -> str:
    """Return the portal's address without a final slash. Raises ConfigurationError when it is missing or not valid."""
    if not url:
        hint = "set AWNING_PORTAL_URL, or portal_url in the profile; `awning service` simulates one"
        raise ConfigurationError("no portal is named", hint=hint)
    return checked_base_url(url)


def portal_access(portal_url: str, *secrets: Secret) -> Access:
    """Return the access to the portal at `portal_url`. `secrets` are masked in the portal's texts.

    Raises ConfigurationError when the address is not valid, or when a secret must not be sent to it.
    """
    address = checked_base_url(portal_url)  # plain http only to this machine: the manifest holds the secret
    return Access(base_url=address, headers=(("Content-Type", "application/json"),), secrets=secrets)


def submit(
    transport: Transport, access: Access, manifest: Mapping[str, Any], app_id: int | None = None
) -> PortalResponse:
    """Submit a manifest as a new app, or as a new version of the app `app_id`.

    Raises a ServiceError when the portal gives no usable response, or refuses without naming a field.
    """
    operation = Operation(
        name=NAME,
        method="POST",
        path="/apps/" if app_id is None else f"/apps/{app_id}",
        parse=lambda fields: _response(fields, access),
        repeat=Repeat.NEVER,
        body=json.dumps(manifest, ensure_ascii=False).encode(),
    )
    reply = transport.send(operation)
    findings = _refusal_findings(reply, access)
    if findings:
        return PortalResponse(app_id=None, findings=findings)
    try:
        return read(operation, reply, access)
    except Unreachable as error:
        error.hint = (
            "the portal may have accepted the manifest: look there before submitting again"
            if error.unclear
            else None
        )
        raise
    except BadAnswer as error:
        error.hint = f"is {access.base_url} the portal?"
        raise
    except Refused as error:
        if error.status == NOT_FOUND and app_id is not None:
            error.hint = f"the portal does not know the app {app_id}: --new submits a new app"
        raise


class _Row(Struct):
    """A finding as the portal sends it."""

    field: str
    message: str = ""
    severity: Literal["error", "warning", "note"] = "error"

    def finding(self, secrets: tuple[Secret, ...]) -> Finding:
        """Return the finding without control characters and without `secrets`."""
        field, message = (printable(redact(text, secrets)) for text in (self.field, self.message))
        return Finding(field=field, message=message, severity=self.severity)


class _Refusal(Struct):
    """The response to a manifest with errors."""

    error: Literal[True]
    findings: tuple[_Row, ...]


class _Accepted(Struct):
    """The response to an accepted manifest."""

    app_id: int
    api_key: str | None = None
    approved: bool = False
    findings: tuple[_Row, ...] = ()


def _refusal_findings(reply: Response | NoResponse, access: Access) -> tuple[Finding, ...]:
    """Return the findings of a response with `error: true`, if one of them is an error.

    Otherwise the result is empty. It is also empty when a finding is malformed.
    """
    try:
        rows = decode(reply.body, _Refusal).findings if isinstance(reply, Response) else ()
    except Mismatch:
        return ()
    findings = tuple(row.finding(access.secrets) for row in rows)
    return findings if has_error(findings) else ()


def _response(fields: Fields, access: Access) -> PortalResponse:
    try:
        accepted = convert(fields, _Accepted)
    except Mismatch as mismatch:
        raise MalformedField(str(mismatch)) from None
    api_key = Secret(accepted.api_key) if accepted.api_key else None
    secrets = access.secrets if api_key is None else (*access.secrets, api_key)
    return PortalResponse(
        app_id=accepted.app_id,
        approved=accepted.approved,
        api_key=api_key,
        findings=tuple(row.finding(secrets) for row in accepted.findings),
    )
