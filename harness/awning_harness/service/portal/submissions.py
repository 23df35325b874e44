"""Handles submissions of manifests, new versions and approvals (Apps Integration API, Integration process)."""

from typing import Any

from starlette.responses import Response

from awning.contract.manifest_fields import SECRET_FIELD
from awning.contract.manifest_kinds import Allowed
from awning.contract.manifest_rules import Finding, check_manifest, has_error, read_manifest_json
from awning_harness.service.envelope import ServiceResponse, is_json, success, write_json
from awning_harness.service.portal.pages import PortalCall, page, redirect

FAULTY = "The manifest has errors"


def show_apps(call: PortalCall) -> Response:
    return page(call, "apps.html", findings=(), text="")


def show_app(call: PortalCall, app_id: int) -> Response:
    app = call.service.app(app_id)
    return page(call, "app.html", app=app, api_key=None, findings=(), text="")


def submit(call: PortalCall) -> Response:
    """Add a new app, unless its manifest has errors. Only this response has the app's API key."""
    manifest, text, findings = _read_submission(call)
    if has_error(findings):
        if is_json(call.request):
            return _faulty(findings)
        return page(call, "apps.html", status=400, findings=findings, text=text)
    app_id, api_key = call.service.register_app(manifest, approved=False)
    if is_json(call.request):
        app = {"app_id": app_id, "api_key": api_key, "approved": False}
        return success({**app, "findings": [f.as_json() for f in findings]})
    return page(call, "app.html", app=call.service.app(app_id), api_key=api_key, findings=findings, text="")


def resubmit(call: PortalCall, app_id: int) -> Response:
    """Add a new version of an app, unless its manifest has errors. The version waits for approval.

    Without app_secret the secret does not change.
    """
    app = call.service.app(app_id)
    manifest, text, findings = _read_submission(call, has_secret=app.sealed_secret is not None)
    if has_error(findings):
        if is_json(call.request):
            return _faulty(findings)
        return page(call, "app.html", status=400, app=app, api_key=None, findings=findings, text=text)
    call.service.submit_version(app_id, manifest)
    if is_json(call.request):
        return success({"app_id": app_id, "approved": False, "findings": [f.as_json() for f in findings]})
    return redirect(f"/apps/{app_id}/")


def approve(call: PortalCall, app_id: int) -> Response:
    call.service.approve_app(app_id)
    return (
        success({"app_id": app_id, "approved": True})
        if is_json(call.request)
        else redirect(f"/apps/{app_id}/")
    )


def _read_submission(call: PortalCall, *, has_secret: bool = False) -> tuple[Any, str, list[Finding]]:
    """Return the manifest, its text in the form's field `manifest` ("" for a JSON request), and its findings.

    With `has_secret`, the manifest need not contain the secret, as for a new version. Addresses on this machine may be
    http, because developers try their apps with this portal.
    """
    body = call.body if is_json(call.request) else call.form().get("manifest", "").encode()
    text = "" if is_json(call.request) else body.decode()
    manifest, faults = read_manifest_json(body)
    allowed = Allowed(
        loopback=True,
        without_secret=has_secret and isinstance(manifest, dict) and SECRET_FIELD not in manifest,
        samples=call.service.assumptions["sample-manifests"] == "accepted",
    )
    return manifest, text, faults or check_manifest(manifest, allowed)


def _faulty(findings: list[Finding]) -> Response:
    body = {
        "error": True,
        "error_code": 400,
        "error_message": FAULTY,
        "findings": [finding.as_json() for finding in findings],
    }
    return ServiceResponse(write_json(body).encode(), 400, error_code=400)
