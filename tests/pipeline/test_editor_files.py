"""The files for editors exist after a build, and agree with the validation."""

import json
import re

import pytest

from awning.contract import SLOTS
from awning.workspace.shapes import STATE, TOOL_AWNING, WIDGET, editor_schemas
from awning.workspace.validation import IDENTIFIER, TEXT


def test_a_build_leaves_types_and_schemas_for_the_editor(project):
    project.add_widget().build()
    types = project.root / ".awning/types"
    assert (types / "runtime/index.ts").is_file()
    assert (types / "types/template.d.ts").is_file()
    assert json.loads((types / "widget.schema.json").read_text()) == editor_schemas()["widget.schema.json"]


def test_deleted_editor_files_are_written_again(project):
    project.add_widget().build()
    (project.root / ".awning/types/stamp").unlink()
    (project.root / ".awning/types/runtime/index.ts").unlink()
    project.build()
    assert (project.root / ".awning/types/runtime/index.ts").is_file()


@pytest.mark.parametrize(
    ("name", "is_identifier"),
    [
        ("größe", True),
        ("ārējs", True),
        ("$a1_", True),
        ("1a", False),
        ("a-b", False),
        ("a b", False),
        ("", False),
    ],
)
def test_editors_and_the_reader_accept_the_same_names_of_globals(name, is_identifier):
    assert IDENTIFIER.accepts(name) == is_identifier
    in_editors = re.compile(IDENTIFIER.schema["pattern"], re.ASCII)  # \d and \w are ASCII in JavaScript
    assert (in_editors.search(name) is not None) == is_identifier


def test_schemas_have_every_key_that_is_read():
    schemas = editor_schemas()
    assert list(schemas["widget.schema.json"]["properties"]) == [key.name for key in WIDGET.keys]
    assert schemas["widget.schema.json"]["properties"]["slot"]["enum"] == list(SLOTS)
    assert list(schemas["tool-awning.schema.json"]["properties"]) == [key.name for key in TOOL_AWNING.keys]
    allowed_globals = schemas["widget.schema.json"]["properties"]["globals"]
    assert (allowed_globals["propertyNames"], allowed_globals["additionalProperties"]) == (
        IDENTIFIER.schema,
        TEXT.schema,
    )
    state = schemas["states.schema.json"]["properties"]["state"]["items"]
    assert state["required"] == [key.name for key in STATE.keys if key.required]
