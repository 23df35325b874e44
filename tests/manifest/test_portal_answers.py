"""The possible responses of a portal to a submission, as a table."""

import json

import pytest
from manifests import SECRET

from awning.client import NoResponse, Response, Secret
from awning.errors import BadAnswer, Refused, Unreachable
from awning.manifest.portal import portal_access, submit


class Portal:
    """A transport with a scripted response."""

    def __init__(self, status=200, body=None, broken=None):
        self.answer = broken or Response(status=status, body=json.dumps(body).encode())
        self.sent = []

    def send(self, operation):
        self.sent.append(operation)
        return self.answer


ACCESS = portal_access("http://127.0.0.1:9/", Secret(SECRET))
NEW = {"error": False, "app_id": 3, "api_key": "SVC-1", "approved": False, "findings": []}


def test_responses_to_a_new_app_and_a_new_version_are_read():
    submission = submit(new := Portal(body=NEW), ACCESS, {"app_secret": SECRET})
    assert (submission.app_id, submission.api_key, submission.approved) == (3, Secret("SVC-1"), False)
    submission = submit(again := Portal(body={"error": False, "app_id": 3, "approved": True}), ACCESS, {}, 3)
    assert (submission.api_key, submission.approved) == (None, True)
    assert [portal.sent[0].path for portal in (new, again)] == ["/apps/", "/apps/3"]
    assert SECRET not in repr(new.sent) + repr(submission)


def refusal(*findings):
    return {"error": True, "error_code": 400, "error_message": "Faults", "findings": list(findings)}


def test_findings_lose_secrets_and_control_characters():
    finding = {"field": "app_secret", "severity": "error", "message": f"{SECRET} is weak\x1b[2J\n!"}
    [cleaned] = submit(Portal(400, refusal(finding)), ACCESS, {}).findings
    assert SECRET not in cleaned.message
    assert cleaned.message.isprintable()


def test_findings_of_an_accepted_manifest_lose_secrets_and_control_characters():
    message = f"{SECRET} is weak\x1b[2J, and SVC-1 is new"
    finding = {"field": "app_secret", "severity": "warning", "message": message}
    [cleaned] = submit(Portal(body={**NEW, "findings": [finding]}), ACCESS, {}).findings
    assert cleaned.message.startswith("*** is weak")
    assert cleaned.message.endswith("[2J, and *** is new")
    assert cleaned.message.isprintable()


BAD = {
    "no findings": (400, refusal(), Refused),
    "findings of another shape": (400, refusal("x"), Refused),
    "warnings alone": (400, refusal({"field": "a", "severity": "warning", "message": ""}), Refused),
    "no app_id": (200, {"error": False}, BadAnswer),
    "app_id true": (200, {**NEW, "app_id": True}, BadAnswer),
    "a key that is no text": (200, {**NEW, "api_key": 5}, BadAnswer),
    "findings that are no list": (200, {**NEW, "findings": {"a": 1}}, BadAnswer),
    "a finding without a field": (200, {**NEW, "findings": [{}]}, BadAnswer),
    "an array": (200, [], BadAnswer),
}


@pytest.mark.parametrize("case", BAD)
def test_unexpected_response_raises_an_error(case):
    status, body, kind = BAD[case]
    with pytest.raises(kind):
        submit(Portal(status, body), ACCESS, {})


@pytest.mark.parametrize(("sent", "hint"), [(True, "may have accepted"), (False, None)])
def test_missing_response_raises_unreachable(sent, hint):
    with pytest.raises(Unreachable) as raised:
        submit(Portal(broken=NoResponse(why="closed", sent=sent)), ACCESS, {})
    assert raised.value.hint is hint is None or hint in raised.value.hint
