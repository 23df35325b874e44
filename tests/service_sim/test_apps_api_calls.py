"""Every row of the Endpoints table: the response, with right and with wrong credentials."""

import pytest

from awning.contract.endpoints import ENDPOINTS, Endpoint
from awning_harness.service.operations import OPERATIONS

PAYLOADS = {
    "set_snippet": {"snippet": "<i>a</i>"},
    "set_head_snippet": {"snippet": "<i>a</i>"},
    "set_data": {"data": {"a": 1}},
}
UNAUTHORIZED = b'{"error": true, "error_code": 401, "error_message": "Unauthorized"}'
rows = pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: row.path.strip("/"))


def path_of(row: Endpoint) -> str:
    return row.path.replace("<language>", "en")


def payload_of(row: Endpoint):
    return PAYLOADS.get(row.operation, ...)


def test_endpoints_and_operations_match():
    assert set(OPERATIONS) == {row.operation for row in ENDPOINTS}


@rows
def test_a_call_returns_error_false_and_its_fields(caller, row):
    status, answer = caller.call(row.method, path_of(row), payload_of(row))
    assert status == 200
    assert answer.pop("error") is False
    assert set(answer) == set(row.response)


@pytest.mark.parametrize(
    "wrong",
    [
        {"authorization": ""},
        {"authorization": "ApiKey"},
        {"authorization": "ApiKey SVC-00000000000000000000000000000000"},
        {"authorization": "Bearer {key}"},
        {"authorization": "ApiKey {key}é"},
        {"query": ""},
        {"query": "authCode="},
        {"query": "authCode=wrong"},
        {"query": "authCode={code}&authCode=other"},
        {"query": "code={code}"},
        {"query": "%FF=%FF&authCode=%FF"},
    ],
    ids=lambda wrong: next(iter(wrong.items()))[1] or "empty " + next(iter(wrong)),
)
@pytest.mark.parametrize("row", [ENDPOINTS[0], ENDPOINTS[-1]], ids=lambda row: row.path.strip("/"))
def test_missing_and_wrong_credentials_get_the_same_response(caller, row, wrong):
    """Each call refuses the key of another app, below: what a credential is does not depend on the call."""
    credentials = {k: v.format(key=caller.api_key, code=caller.auth_code) for k, v in wrong.items()}
    answer = caller.answer(row.method, path_of(row), **credentials)
    assert (answer.status, answer.body) == (401, UNAUTHORIZED)


@rows
def test_the_key_of_another_app_is_unauthorized(caller, row):
    _, other_key = caller.service.register_app({"app_title": "Other"})
    assert caller.answer(row.method, path_of(row), authorization=f"ApiKey {other_key}").status == 401


@rows
def test_wrong_method_is_405_with_the_allowed_method(caller, row):
    wrong = "POST" if row.method == "GET" else "GET"
    answer = caller.answer(wrong, path_of(row))
    assert answer.status == 405
    assert dict(answer.headers)[b"allow"] == row.method.encode()


@pytest.mark.parametrize(
    "query",
    ["authCode={}", "authcode={}", "AUTHCODE={}", "a=1&authCode={}&b=%26", "authCode={0}&authcode={0}"],
)
def test_auth_code_parameter_can_be_in_any_case(caller, query):
    assert caller.call("GET", "/apps/languages/", query=query.format(caller.auth_code))[0] == 200


@pytest.mark.parametrize("scheme", ["ApiKey ", "apikey ", "APIKEY   "])
def test_authorization_scheme_can_be_in_any_case(caller, scheme):
    assert caller.call("GET", "/apps/languages/", authorization=scheme + caller.api_key)[0] == 200


@pytest.mark.parametrize(
    "path",
    ["/apps/", "/apps/nothing/", "/", "/apps/user/extra/", "/apps/get_snippet/a/b/", "/apps/get_snippet//"],
)
def test_an_unknown_path_is_404_in_the_envelope(caller, path):
    status, answer = caller.call("GET", path)
    assert status == 404
    assert answer == {"error": True, "error_code": 404, "error_message": "Not Found"}


def test_final_slash_is_optional(caller):
    assert caller.call("GET", "/apps/languages")[0] == 200
    assert caller.call("GET", "/apps/get_snippet/lv")[0] == 200


@pytest.mark.parametrize(
    "name", [row.operation for row in ENDPOINTS if row.method == "POST" and not row.required]
)
@pytest.mark.parametrize("body", [b"", b"  ", b"{}", b"[]"])
def test_an_empty_body_is_accepted(caller, name, body):
    assert caller.answer("POST", f"/apps/{name}/", body).status == 200


def test_account_calls_return_owner_and_website(service, caller):
    website = service.create_website(
        languages=["en"], brandname='Rīga & "Co"', owner_email="a@example.com", owner_email_confirmed=False
    )
    caller.auth_code = service.install(caller.app_id, website.id)
    assert caller.call("GET", "/apps/user/")[1]["user"] == {
        "email": "a@example.com",
        "email_confirmed": False,
    }
    assert caller.call("GET", "/apps/website/")[1]["website"] == {
        "url": service.website_url(website.id),
        "brandname": 'Rīga & "Co"',
    }
    assert caller.call("GET", "/apps/languages/")[1]["languages"] == ["en"]


def test_app_info_is_the_manifest_without_its_secret(caller):
    info = caller.call("GET", "/apps/app_info/")[1]["info"]
    assert info["app_title"] == "Delivery"
    assert info["app_display_title"] == {"lv": "Delivery", "en": "Delivery"}
    assert "app_secret" not in info
