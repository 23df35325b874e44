"""Checks each response against its description: the schema of its call and status, without undescribed fields."""

import json

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from awning.contract.descriptions import DESCRIPTIONS
from awning_harness.service import Service


def closed(value):
    """Return a copy of a schema whose objects allow no undescribed fields. Objects without `properties` stay open."""
    if isinstance(value, list):
        return [closed(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    copy = {name: closed(inner) for name, inner in value.items()}
    return {**copy, "additionalProperties": False} if isinstance(value.get("properties"), dict) else copy


class Described:
    """Checks responses against the description of one API."""

    def __init__(self, name):
        text = json.dumps(closed(DESCRIPTIONS[name]()))
        self.document = json.loads(text.replace('"#/', '"urn:it#/'))
        self._registry = Registry().with_resource("urn:it", Resource.opaque(self.document))

    def path_of(self, path):
        """Return the path of the description that matches `path`. Raises LookupError when none does."""
        for template in sorted(self.document["paths"], key=lambda t: t.count("{")):
            parts, path_parts = template.split("/"), path.split("/")
            if len(parts) == len(path_parts) and all(
                p == g or p[:1] == "{" for p, g in zip(parts, path_parts, strict=True)
            ):
                return template
        raise LookupError(path)

    def check(self, method, path, answer):
        call = self.document["paths"][self.path_of(path)][method.lower()]
        status = str(answer.status)
        described = call["responses"].get(status) or call["responses"][f"{status[0]}XX"]
        while "$ref" in described:
            described = self.document["components"]["responses"][described["$ref"].rpartition("/")[2]]
        schema = described["content"]["application/json"]["schema"]
        assert answer.content_type.startswith(b"application/json")
        value = json.loads(answer.body)
        Draft202012Validator(schema, registry=self._registry).validate(value)
        return value


@pytest.fixture(scope="session")
def apps_described():
    return Described("openapi/apps.json")


@pytest.fixture(scope="session")
def reseller_described():
    return Described("openapi/reseller.json")


@pytest.fixture
def service():
    simulated = Service()
    yield simulated
    simulated.close()
