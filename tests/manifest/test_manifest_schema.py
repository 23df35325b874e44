"""The JSON Schema for editors refuses nothing that `check_manifest` accepts."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from manifests import MANIFEST, SECRET, changed
from volumes import volume

from awning.contract.manifest_fields import MANIFEST_FIELDS
from awning.contract.manifest_kinds import Allowed
from awning.contract.manifest_rules import check_manifest
from awning.workspace.shapes import editor_schemas

SCHEMA = editor_schemas()["manifest.schema.json"]
VALIDATOR = Draft202012Validator(SCHEMA)
TOP = [field.name for field in MANIFEST_FIELDS if "." not in field.name and field.name != "app_secret"]


def test_schema_is_valid_and_accepts_a_valid_manifest():
    VALIDATOR.check_schema(SCHEMA)
    assert VALIDATOR.is_valid(MANIFEST)


FAULTY = [
    {"app_type": "PLUGIN"},
    {"app_version": "1.2"},
    {"app_tab_mode": "new"},
    {"app_permissions": []},
    {"app_icon": ...},
    {"app_vendor.tos_url": ...},
    {"app_vendor.tos_url": {"x!": "https://a.example"}},
    {"app_vendor.support_email": "me"},
    {"app_title": {"en": "A"}},
    {"app_description_full": {}},
    {"app_install_url": "/install"},
    {"app_secret": SECRET},
]


@pytest.mark.parametrize("changes", FAULTY, ids=str)
def test_schema_refuses_a_faulty_manifest(changes):
    assert not VALIDATOR.is_valid(changed(changes))


LEAVES = st.sampled_from(
    ["", "A", "https://a.example", "http://localhost:1", "1.2.3", "a@b.example", "self", None, 5]
)
VALUES = (
    LEAVES | st.dictionaries(st.sampled_from(["lv", "pt-BR", "x!"]), LEAVES, max_size=2) | st.just(["FULL"])
)


@settings(max_examples=volume("manifest"))
@given(st.dictionaries(st.sampled_from(TOP), VALUES, max_size=3), st.text(max_size=3))
def test_schema_accepts_every_manifest_without_findings(changes, unknown):
    manifest = {f"x{unknown}": 1, **MANIFEST, **{k: v for k, v in changes.items() if v is not None}}
    if not any(
        finding.severity == "error"
        for finding in check_manifest(manifest, Allowed(loopback=True, without_secret=True))
    ):
        assert VALIDATOR.is_valid(manifest), changes


def test_manifest_of_this_repository_is_valid():
    text = (Path(__file__).parents[2] / "manifest.toml").read_text(encoding="utf-8")
    assert VALIDATOR.is_valid(tomllib.loads(text))
    assert check_manifest(tomllib.loads(text), Allowed(without_secret=True)) == []
