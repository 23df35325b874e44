"""Valid and invalid calls of both APIs get described responses under every assumption."""

import json
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import pytest
from asgi_calls import ask

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.assumptions.apps import APPS_ASSUMPTIONS
from awning.contract.assumptions.reseller import RESELLER_ASSUMPTIONS
from awning.contract.reseller_calls import RESELLER_CALLS
from awning_harness.service import Service
from awning_harness.service.apps_api import AppsApi
from awning_harness.service.reseller.api import ResellerApi

MANIFEST = {"app_title": "Notes", "app_secret": "planted-canary-s3cret"}
CALLS = [
    ("POST", "/apps/installed/", ...),
    ("GET", "/apps/get_snippet/", ...),
    ("GET", "/apps/get_data/", ...),
    ("POST", "/apps/set_snippet/", {"snippet": "<b>x</b>\n"}),
    ("POST", "/apps/set_snippet/", {"snippet": "<b>lv</b>", "language": "lv"}),
    ("POST", "/apps/set_snippet/", {"snippet": "", "language": None}),
    ("POST", "/apps/set_snippet/", {"snippet": None}),
    ("POST", "/apps/set_snippet/", {"snippet": "x" * 70_000}),
    ("POST", "/apps/set_snippet/", {"snippet": 5}),
    ("POST", "/apps/set_snippet/", {"snippet": "x", "language": "fr"}),
    ("POST", "/apps/set_snippet/", {"snippet": "x", "language": "?"}),
    ("POST", "/apps/set_snippet/", ...),
    ("GET", "/apps/get_snippet/", ...),
    ("GET", "/apps/get_snippet/lv/", ...),
    ("GET", "/apps/get_snippet/en/", ...),
    ("GET", "/apps/get_snippet/?/", ...),
    ("POST", "/apps/set_head_snippet/", {"snippet": "<style></style>"}),
    ("GET", "/apps/get_head_snippet/", ...),
    ("GET", "/apps/get_head_snippet/lv/", ...),
    ("POST", "/apps/set_data/", {"data": {"a": {"b": 1}}}),
    ("GET", "/apps/get_data/", ...),
    ("POST", "/apps/set_data/", {"data": {}}),
    ("GET", "/apps/get_data/", ...),
    ("POST", "/apps/set_data/", {"data": []}),
    ("GET", "/apps/get_data/", ...),
    ("POST", "/apps/set_data/", {"data": "text"}),
    ("GET", "/apps/get_data/", ...),
    ("POST", "/apps/set_data/", {"data": 5}),
    ("POST", "/apps/set_data/", "not an object"),
    ("GET", "/apps/user/", ...),
    ("GET", "/apps/website/", ...),
    ("GET", "/apps/languages/", ...),
    ("GET", "/apps/app_info/", ...),
    ("POST", "/apps/installed/", ...),
    ("POST", "/apps/delete/", ...),
    ("GET", "/apps/user/", ...),
]


@dataclass
class App:
    service: Service
    key: str
    code: str

    def answer(self, method, path, payload=..., *, key=None, query=None):
        return ask(
            AppsApi(self.service),
            method,
            "/v1" + path,
            query=f"authCode={quote(self.code)}" if query is None else query,
            headers=((b"authorization", f"ApiKey {key or self.key}".encode()),),
            body=b"" if payload is ... else json.dumps(payload).encode(),
        )


@pytest.fixture
def app(service):
    website = service.create_website(languages=["lv", "en"])
    number, key = service.register_app(MANIFEST)
    return App(service, key, service.install(number, website.id, state="installing"))


APPS_WORLDS = [(a.id, value) for a in APPS_ASSUMPTIONS for value in a.alternatives] + [
    (None, name) for name in ASSUMPTION_SETS
]


def assume(service, assumption, value):
    if assumption is None:
        service.assumptions.take_set(value)
    else:
        service.assumptions.set(assumption, value)


@pytest.mark.parametrize(("assumption", "value"), APPS_WORLDS)
def test_apps_api_responds_as_described(app, apps_described, assumption, value):
    assume(app.service, assumption, value)
    statuses = set()
    for method, path, payload in CALLS:
        answer = app.answer(method, path, payload)
        apps_described.check(method, path, answer)
        statuses.add(answer.status)
    assert 200 in statuses
    assert max(statuses) < 500


def test_missing_credentials_get_the_described_error(app, apps_described):
    answers = [app.answer("GET", "/apps/user/", key="wrong"), app.answer("GET", "/apps/user/", query="")]
    for answer in answers:
        error = apps_described.check("GET", "/apps/user/", answer)
        assert (answer.status, error["error_code"], error["error_message"]) == (401, 401, "Unauthorized")


def test_the_response_check_is_strict(app, apps_described):
    answer = app.answer("GET", "/apps/user/")
    for spoilt in (b'{"error":false}', b'{"error":false,"user":{"email":1}}', b'{"error":true,"user":{}}'):
        with pytest.raises(Exception, match="Failed validating"):
            apps_described.check("GET", "/apps/user/", type(answer)(body=spoilt))
    more = json.dumps({**json.loads(answer.body), "more": 1}).encode()
    with pytest.raises(Exception, match="more"):
        apps_described.check("GET", "/apps/user/", type(answer)(body=more))


EMAIL, PASSWORD = "reseller@example.com", "planted-canary horse"
GIVEN = {
    "authorize": [{"email": EMAIL, "password": PASSWORD}, {"email": EMAIL, "password": "wrong"}, {}],
    "ai_limit/set": [{"credits": 5}, {"credits": 1_000_000}, {"credits": "x"}],
    "ai_credits/add": [{"credits": 5}, {"credits": 0}],
    "domain/add": [{"domain": "shop.example"}, {"domain": "www.shop.example"}, {}],
    "settings/set": [{"company": "x", "contactName": "Me", "aiDefaultLimit": "7"}, {}],
    "password/set": [{"password": ""}, {"password": "another one"}],
}
LAST = ("authorize/logout", "password/set")
ORDER = sorted(RESELLER_CALLS, key=lambda call: (call.operation in LAST, "remove" in call.path))
RESELLER_WORLDS = [(a.id, v) for a in RESELLER_ASSUMPTIONS for v in a.alternatives] + [
    (None, name) for name in ASSUMPTION_SETS
]


@pytest.mark.parametrize("terms", [{"ai_pricing": "free"}, {"ai_pricing": "priced", "fee_paid": False}])
@pytest.mark.parametrize(("assumption", "value"), RESELLER_WORLDS)
def test_reseller_api_responds_as_described(service, reseller_described, assumption, value, terms):
    assume(service, assumption, value)
    number = service.resellers.create(email=EMAIL, password=PASSWORD, websites=2, **terms)
    site = service.resellers.sites(number)[0].id

    def call(path, fields, method="GET"):
        form = ((b"content-type", b"application/x-www-form-urlencoded"),)
        text = urlencode(fields)
        answer = ask(
            ResellerApi(service),
            method,
            path,
            query=text if method == "GET" else "",
            headers=form if method == "POST" else (),
            body=text.encode() if method == "POST" else b"",
        )
        return reseller_described.check(method, path, answer)

    token = call("/api/authorize/", GIVEN["authorize"][0])["apiToken"]
    refused = 0
    for row in ORDER:
        for website in (site, 999_999):
            path = row.path.replace("<website>", str(website)).replace("<subscription>", "premiumplus")
            path = path.replace("<domain>", "1")
            for turn, fields in enumerate(GIVEN.get(row.operation, [{}])):
                response = call(
                    path, {"apiToken": token, **fields} if row.token else fields, ("GET", "POST")[turn % 2]
                )
                refused += response["error"]
    assert call("/api/websites/", {})["errorCode"] == 401
    assert refused
