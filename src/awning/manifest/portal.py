"""Submits a manifest to the portal (Apps Integration API, Integration process, steps 2 and 5).

The specification does not show the portal's interface; this is the simulated portal's: JSON to `/apps/` for a new
app, to `/apps/<id>` for a new version. A refusal names the fields.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from awning.client.access import Access, checked_base_url
from awning.client.answers import Misshapen, read
from awning.client.operation import Answer, Broken, Fields, Operation, Repeat
from awning.client.secret import Secret, printable, redact
from awning.client.sync_driver import Wire
from awning.contract.manifest_rules import Finding
from awning.errors import BadAnswer, Refused, Unreachable

NAME = "submit manifest"
NOT_FOUND = 404


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What the portal said. `api_key` comes with a new app, once. Refused when `app_id` is None."""

    app_id: int | None
    approved: bool = False
    api_key: Secret | None = None
    findings: tuple[Finding, ...] = ()


def portal_access(portal_url: str, *secrets: Secret) -> Access:
    """The portal at `portal_url`. `secrets` are taken out of its messages."""
    address = checked_base_url(portal_url)  # http only on this machine: the manifest holds the secret
    return Access(base_url=address, headers=(("Content-Type", "application/json"),), secrets=secrets)


def submit(wire: Wire, access: Access, manifest: Mapping[str, Any], app_id: int | None = None) -> Submission:
    """Submit as a new app, or as the new version of the app `app_id`. Raises a ServiceError."""
    operation = Operation(
        name=NAME,
        method="POST",
        path="/apps/" if app_id is None else f"/apps/{app_id}",
        parse=_submission,
        repeat=Repeat.NEVER,
        body=json.dumps(manifest, ensure_ascii=False).encode(),
    )
    reply = wire.send(operation)
    refused = _refused(reply, access)
    if refused:
        return Submission(app_id=None, findings=refused)
    try:
        return read(operation, reply, access)
    except Unreachable as error:
        error.hint = (
            "the portal may have taken it: look there before submitting again" if error.unclear else None
        )
        raise
    except BadAnswer as error:
        error.hint = f"is {access.base_url} the portal?"
        raise
    except Refused as error:
        if error.status == NOT_FOUND and app_id is not None:
            error.hint = f"the portal does not know the app {app_id}: --new submits it as a new one"
        raise


def _refused(reply: Answer | Broken, access: Access) -> tuple[Finding, ...]:
    """The findings of an answer with `error: true`; none for anything else."""
    try:
        fields = json.loads(reply.body) if isinstance(reply, Answer) else {}
        given = fields["findings"] if fields["error"] is True else []
        found = tuple(_finding(one, access) for one in given)
    except (ValueError, KeyError, TypeError, RecursionError, Misshapen):
        return ()
    return found if any(one.severity == "error" for one in found) else ()


def _submission(fields: Fields) -> Submission:
    app_id, key, findings = fields.get("app_id"), fields.get("api_key"), fields.get("findings") or []
    if not isinstance(app_id, int) or isinstance(app_id, bool):
        raise Misshapen('"app_id" is not an integer')
    if not isinstance(key, str | None) or not isinstance(findings, list):
        raise Misshapen('"api_key" or "findings" is of another type')
    return Submission(
        app_id=app_id,
        approved=fields.get("approved") is True,
        api_key=Secret(key) if key else None,
        findings=tuple(_finding(one) for one in findings),
    )


def _finding(one: Any, access: Access | None = None) -> Finding:
    """A finding of the portal, safe to print: it may echo what it was sent."""
    if not isinstance(one, dict) or not isinstance(one.get("field"), str):
        raise Misshapen("a finding names no field")
    texts = [
        printable(redact(str(one.get(k) or ""), access.secrets if access else ()))
        for k in ("field", "message")
    ]
    match one.get("severity"):
        case "warning" | "note" as severity:
            return Finding(field=texts[0], message=texts[1], severity=severity)
        case _:
            return Finding(field=texts[0], message=texts[1])
