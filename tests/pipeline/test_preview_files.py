"""`dist/preview/`: which states the settings form can show, with what other hosts answer."""

import json
from base64 import b64decode

from awning.pipeline.incremental import build
from awning.preview_record import FORM, FRAME, STATES
from awning.publish.release.build_files import read_files

STATES_TOML = """\
[[state]]
name = "mug"
title = "A mug"
payload = "P2"
fetch = { "https://answers.example/a" = "answer.json" }

[[state]]
name = "other-data"
title = "Only the data differ"
payload = "P2"
data = { text = "x" }
shows = { en = ["x"] }
fetch = { "https://answers.example/a" = "answer.json" }

[[state]]
name = "wrong"
title = "There is no such product"
payload = "P999"

[[state]]
name = "dirham"
title = "Right to left"
payload = { item = { id = "7" } }
theme = "rtl"
"""
SCHEMA = '{"type": "object", "properties": {"text": {"type": "string"}}}'


def states_of(project):
    return json.loads(project.dist(STATES))["states"]


def test_states_that_differ_only_in_data_are_one_and_impossible_ones_are_left_out(project):
    project.add_widget("note", states_toml=STATES_TOML, data_schema_json=SCHEMA, answer_json='{"a": 1}')
    build(project.root, types=False, allow_errors=True)
    mug, dirham = states_of(project)
    assert (mug["name"], dirham["name"]) == ("mug", "dirham")
    assert mug["events"]["lv"]["params"]["page"] == {"language": "lv", "page": "catalog"}
    assert [dirham["events"][language]["direction"] for language in ("en", "lv")] == ["rtl", "rtl"]
    assert dirham["events"]["en"]["params"]["item"] == {"id": "7"}
    assert b64decode(mug["answers"]["https://answers.example/a"]["body"]) == b'{"a": 1}'
    project.add_file("widgets/note/answer.json", '{"a": 2}')
    build(project.root, types=False, allow_errors=True)
    assert b64decode(states_of(project)[0]["answers"]["https://answers.example/a"]["body"]) == b'{"a": 2}'


def test_preview_is_not_published_and_a_build_without_states_has_none(project):
    project.add_widget("note", states_toml=STATES_TOML.partition("\n\n")[0], answer_json="1")
    record = build(project.root, types=False).record
    dist = project.root / "dist"
    assert json.loads((dist / STATES).read_text())["fingerprint"] == record.fingerprint
    assert {path for path in read_files(dist).texts if path.startswith("preview")} == set()
    first = [(dist / name).read_bytes() for name in (STATES, FRAME, FORM)]
    project.add_file("manifest.toml", (project.root / "manifest.toml").read_text() + "\n")
    build(project.root, types=False)
    assert [(dist / name).read_bytes() for name in (STATES, FRAME, FORM)] == first
    (project.root / "widgets/note/states.toml").unlink()
    build(project.root, types=False)
    assert not (dist / "preview").exists()
