"""The checked-in descriptions are current, valid, complete, and served with the running service's addresses."""

import json
import re
from pathlib import Path

import pytest
from asgi_calls import ask
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from awning.contract.descriptions import DESCRIPTIONS, text_of, write
from awning.contract.endpoints import ENDPOINTS
from awning.contract.reseller_calls import RESELLER_CALLS
from awning_harness.service.portal.portal import portal_application

DOCS = Path(__file__).parents[2] / "docs"
METHODS = {"get", "post"}


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_checked_in_files_are_current(name, tmp_path):
    checked_in = (DOCS / name).read_text(encoding="utf-8")
    again = "python -m awning.contract.descriptions docs"
    assert checked_in == text_of(DESCRIPTIONS[name]()), f"write it again: {again}"
    write(tmp_path)
    assert (tmp_path / name).read_text(encoding="utf-8") == checked_in


def test_every_description_file_is_generated():
    folders = ("openapi", "asyncapi")
    assert {f"{folder}/{path.name}" for folder in folders for path in (DOCS / folder).iterdir()} == set(
        DESCRIPTIONS
    )


def calls(document):
    for path, item in document["paths"].items():
        for method in METHODS & set(item):
            shared = item.get("parameters", [])
            yield path, method, item[method], [*shared, *item[method].get("parameters", [])]


def walk(value):
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from walk(inner)


OPENAPI = [name for name in DESCRIPTIONS if DESCRIPTIONS[name]().get("openapi")]


@pytest.mark.parametrize("name", OPENAPI)
def test_the_description_is_valid(name):
    document = DESCRIPTIONS[name]()
    ids = [call["operationId"] for _, _, call, _ in calls(document)]
    assert len(ids) == len(set(ids))
    for path, _, call, parameters in calls(document):
        assert sorted(p["name"] for p in parameters if p["in"] == "path") == sorted(
            re.findall(r"{(\w+)}", path)
        )
        assert "200" in call["responses"]
    registry = Registry().with_resource("", Resource.opaque(document))
    for value in walk(document):
        if isinstance(value, dict) and isinstance(value.get("$ref"), str):
            registry.resolver().lookup(value["$ref"])
        if isinstance(value, dict) and "schema" in value:
            Draft202012Validator.check_schema(value["schema"])
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    schemes = document["components"]["securitySchemes"]
    assert {name for need in document["security"] for name in need} == set(schemes)


def test_every_call_is_described():
    described = {(path, method) for path, method, _, _ in calls(DESCRIPTIONS["openapi/apps.json"]())}
    assert described == {(e.path.replace("<language>", "{language}"), e.method.lower()) for e in ENDPOINTS}
    described = {path for path, _, _, _ in calls(DESCRIPTIONS["openapi/reseller.json"]())}
    assert described == {re.sub(r"<(\w+)>", r"{\1}", call.path) for call in RESELLER_CALLS}


def test_observed_calls_are_marked():
    marked = {
        call["operationId"]
        for _, _, call, _ in calls(DESCRIPTIONS["openapi/apps.json"]())
        if call.get("x-observed")
    }
    assert marked == {"app_info", "set_head_snippet", "get_head_snippet", "get_head_snippet_in_language"}


def served(service, path):
    answer = ask(portal_application(service), "GET", path)
    assert (answer.status, answer.content_type) == (200, b"application/json")
    return json.loads(answer.body)


@pytest.mark.parametrize(("name", "address"), [("apps", "apps_url"), ("reseller", "reseller_url")])
def test_portal_serves_the_description_with_its_own_address(service, name, address):
    description = served(service, f"/openapi/{name}.json")
    [server] = description.pop("servers")
    assert server["variables"]["base_url"]["default"] == getattr(service.addresses, address)
    expected = DESCRIPTIONS[f"openapi/{name}.json"]()
    del expected["servers"]
    assert description == expected


def test_portal_serves_the_description_of_events(service):
    assert served(service, "/asyncapi/events.json") == DESCRIPTIONS["asyncapi/events.json"]()
