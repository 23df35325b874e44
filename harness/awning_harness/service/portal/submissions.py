"""Submitting a manifest, submitting it again, approval (Apps Integration API, Integration process)."""

from typing import Any

from awning.contract.manifest_rules import Allowed, Finding, check_manifest, read_manifest_json
from awning_harness.service.envelope import Answer, success, write_json
from awning_harness.service.portal.pages import Visit, page, redirect, wants_json

FAULTY = "The manifest has faults"


def show_apps(visit: Visit) -> Answer:
    return page(visit, "apps.html", findings=(), text="")


def show_app(visit: Visit, app_id: int) -> Answer:
    app = visit.service.app(app_id)
    return page(visit, "app.html", app=app, api_key=None, findings=(), text="")


def submit(visit: Visit) -> Answer:
    """A new app: the API key is shown now and never again."""
    manifest, text, findings = _submitted(visit)
    if _refused(findings):
        if wants_json(visit.request):
            return _faulty(findings)
        return page(visit, "apps.html", status=400, findings=findings, text=text)
    app_id, api_key = visit.service.register_app(manifest, approved=False)
    if wants_json(visit.request):
        told = {"app_id": app_id, "api_key": api_key, "approved": False}
        return success({**told, "findings": [f.as_json() for f in findings]})
    return page(visit, "app.html", app=visit.service.app(app_id), api_key=api_key, findings=findings, text="")


def resubmit(visit: Visit, app_id: int) -> Answer:
    """A new version of an app; it waits for approval again. Without app_secret the secret stays as it was."""
    app = visit.service.app(app_id)
    manifest, text, findings = _submitted(visit, kept_secret=app.sealed_secret is not None)
    if _refused(findings):
        if wants_json(visit.request):
            return _faulty(findings)
        return page(visit, "app.html", status=400, app=app, api_key=None, findings=findings, text=text)
    visit.service.submit_version(app_id, manifest)
    if wants_json(visit.request):
        return success({"app_id": app_id, "approved": False, "findings": [f.as_json() for f in findings]})
    return redirect(f"/apps/{app_id}/")


def approve(visit: Visit, app_id: int) -> Answer:
    visit.service.approve_app(app_id)
    return (
        success({"app_id": app_id, "approved": True})
        if wants_json(visit.request)
        else redirect(f"/apps/{app_id}/")
    )


def _submitted(visit: Visit, *, kept_secret: bool = False) -> tuple[Any, str, list[Finding]]:
    """The manifest, its text where it came in the form's field `manifest`, and what is wrong with it.

    A new version may leave the secret out (`kept_secret`). Here apps are tried out, so http is taken on this machine.
    """
    sent = visit.request.body if wants_json(visit.request) else visit.form().get("manifest", "").encode()
    text = "" if wants_json(visit.request) else sent.decode()
    manifest, faults = read_manifest_json(sent)
    allowed = Allowed(
        loopback=True,
        without_secret=kept_secret and isinstance(manifest, dict) and "app_secret" not in manifest,
        samples=visit.service.assumptions["sample-manifests"] == "accepted",
    )
    return manifest, text, faults or check_manifest(manifest, allowed)


def _refused(findings: list[Finding]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def _faulty(findings: list[Finding]) -> Answer:
    body = {
        "error": True,
        "error_code": 400,
        "error_message": FAULTY,
        "findings": [finding.as_json() for finding in findings],
    }
    return Answer(status=400, body=write_json(body).encode(), error_code=400)
