"""Calls that Schemathesis makes from the descriptions, valid and invalid, over HTTP: no 500, no undescribed shapes.

Each call is sent under one of the assumption sets, mostly with valid credentials. If a call makes its own authCode or
token invalid, the test replaces it, so that the next call is not refused for that reason. `tests/volumes.toml` has the
number of calls. Schemathesis takes seconds to import and to read the descriptions, so only these tests do that.
"""

import json
import re
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from types import SimpleNamespace
from uuid import uuid4

import pytest
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.descriptions import DESCRIPTIONS
from awning_harness.service import serve

NAMES = ("openapi/apps.json", "openapi/reseller.json")
METHODS = ("get", "post", "put", "patch", "delete")
CALLS = [
    (name, method, path)
    for name in NAMES
    for path, item in DESCRIPTIONS[name]()["paths"].items()
    for method in METHODS
    if method in item
]
EACH = -(-volume("generated-calls") // len(CALLS))


@cache
def schema(name):
    import schemathesis  # noqa: PLC0415 - see above

    return schemathesis.openapi.from_dict(DESCRIPTIONS[name]())


def validate(case, response):
    from schemathesis.checks import not_a_server_error  # noqa: PLC0415
    from schemathesis.specs.openapi import checks  # noqa: PLC0415

    case.validate_response(
        response,
        checks=[
            not_a_server_error,
            checks.status_code_conformance,
            checks.content_type_conformance,
            checks.response_headers_conformance,
            checks.response_schema_conformance,
        ],
    )


class Apps:
    """One app on one website, and the credentials of its instance."""

    def __init__(self, running):
        self.url, self._service = running.apps_url, running.service
        self._website = self._service.create_website(languages=["lv", "en"])
        self._app, self._key = self._service.register_app(
            {"app_title": "Notes", "app_secret": "planted-canary-s3cret"}
        )
        self.renew()

    def renew(self):
        self._code = self._service.install(self._app, self._website.id, state="installing")

    def credentials(self):
        return {"headers": {"Authorization": f"ApiKey {self._key}"}, "params": {"authCode": self._code}}

    def known(self):
        return {"places": {"language": "lv"}, "values": {}}


class Reseller:
    """A reseller with two websites, and its token."""

    def __init__(self, running):
        self.url, self._service = running.reseller_url, running.service
        self._number = 0
        self.renew()

    def renew(self):
        self._number += 1
        self._account = {"email": f"reseller{self._number}@example.com", "password": "planted-canary horse"}
        number = self._service.resellers.create(**self._account, websites=2, ai_pricing="priced")
        self._site = self._service.resellers.sites(number)[0].id
        self._token = self._asked("authorize", **self._account)["apiToken"]
        token = self.credentials()["params"]
        self._asked(f"website/{self._site}/domain/add", **token, domain=_new_domain())
        [domain] = self._asked(f"website/{self._site}/domains", **token)["domains"]
        self._domain = domain["domainID"]

    def credentials(self):
        return {"params": {"apiToken": self._token}}

    def known(self):
        places = {"website": self._site, "subscription": "premiumplus", "domain": self._domain}
        return {"places": places, "values": {**self._account, "domain": _new_domain()}}

    def _asked(self, call, **fields):
        return requests.post(f"{self.url}/api/{call}/", data=fields, timeout=20).json()


def _new_domain():
    return f"shop-{uuid4()}.example"


NOTHING = {"places": {}, "values": {}}
WORLDS = dict(zip(NAMES, (Apps, Reseller), strict=True))
ENDING = ("/delete/", "/authorize/logout/", "/password/set/", "/remove/")


@contextmanager
def made(name):
    with serve() as running, requests.Session() as session:
        yield SimpleNamespace(api=WORLDS[name](running), service=running.service, session=session)


def with_known(fields, known):
    """The parameters, with the valid values of `known` for those that it names."""
    return (
        {name: known.get(name, value) for name, value in fields.items()}
        if isinstance(fields, dict)
        else fields
    )


def mix_in(case, known, extra):
    """The case with existing ids and valid credentials, and with some unexpected parameters."""
    case.path_parameters = with_known(case.path_parameters, known["places"])
    case.query = {**extra, **with_known(case.query or {}, known["values"])}
    case.body = with_known(case.body, known["values"])


def send(world, case, credentials):
    kwargs = case.as_transport_kwargs(base_url=world.api.url)
    kwargs["params"] = {**(kwargs.get("params") or {}), **credentials.get("params", {})}
    kwargs["headers"] = {**(kwargs.get("headers") or {}), **credentials.get("headers", {})}
    return world.session.request(**kwargs, timeout=20, allow_redirects=False)


def plain(response):
    """The response with a body of JSON, also if it was a script that calls a callback."""
    body, kind = response.content, response.headers["content-type"].encode()
    if kind.startswith(b"application/javascript"):
        body = re.fullmatch(rb"[\w$.]+\((.*)\);", body, re.DOTALL)[1]
        kind = b"application/json"
    return SimpleNamespace(status=response.status_code, body=body, content_type=kind)


@pytest.mark.parametrize(("name", "method", "path"), CALLS, ids=lambda part: part.removeprefix("openapi/"))
def test_every_answer_is_described(name, method, path, apps_described, reseller_described):
    from schemathesis import GenerationMode  # noqa: PLC0415

    operation = schema(name)[path][method]
    described = dict(zip(NAMES, (apps_described, reseller_described), strict=True))[name]
    cases = operation.as_strategy() | operation.as_strategy(GenerationMode.NEGATIVE)

    with made(name) as world:

        @settings(max_examples=EACH, database=None, suppress_health_check=list(HealthCheck))
        @given(
            case=cases,
            taken=st.sampled_from(ASSUMPTION_SETS),
            known=st.sampled_from([True, True, True, False]),
            real=st.sampled_from([True, True, False]),
            extra=st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3),
        )
        def asked(case, taken, known, real, extra):
            world.service.assumptions.take_set(taken)
            world.service.clock.advance(timedelta(seconds=1))
            mix_in(case, world.api.known() if real else NOTHING, extra)
            response = send(world, case, world.api.credentials() if known else {})
            validate(case, response)
            body = described.check(operation.method, operation.path, plain(response))
            if known and not body["error"] and operation.path.endswith(ENDING):
                world.api.renew()

        asked()
        served = [request for request in world.service.requests() if request.status == 500]
    assert served == []


def test_an_undescribed_shape_is_reported():
    """The check reports a 500, a status or content type that is not described, and a field of another type."""
    case = schema("openapi/apps.json")["/apps/user/"]["get"].Case()
    for status, kind, body in [
        (500, "application/json", {"error": True, "error_code": 500, "error_message": "x"}),
        (302, "application/json", {}),
        (200, "text/html", {"error": False}),
        (200, "application/json", {"error": False, "user": {"email": 1, "email_confirmed": True}}),
    ]:
        response = requests.Response()
        response.status_code, response._content = status, json.dumps(body).encode()
        response.headers["content-type"] = kind
        response.request = requests.Request("GET", "http://127.0.0.1/apps/user/").prepare()
        with pytest.raises(BaseException, match=r"(?i)server error|undocumented|undefined|violates|fail"):
            validate(case, response)
