"""`read_build` accepts a build only when it is complete and unchanged."""

import json

import pytest

from awning.errors import ConfigurationError, Faulty
from awning.publish.release.build_files import read_build


def edit(dist, change):
    path = dist / "build.json"
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))


def test_build_holds_bodies_by_language(build):
    assert build.languages == ("lv", "en")
    assert {language: [s.text for s in snippets] for language, snippets in build.snippets.items()} == {
        None: ["<b>{{svc_app_data}}</b>\n"],
        "lv": ["<b>lv ā</b>"],
        "en": ["<b>en</b>"],
    }


def test_heads_are_read_only_when_asked_for(rebuild, dist):
    rebuild({None: "b"}, {None: "h"})
    assert [s.place for s in read_build(dist).snippets[None]] == ["body"]
    assert [s.place for s in read_build(dist, heads=True).snippets[None]] == ["body", "head"]


def test_line_endings_are_preserved(rebuild, dist):
    rebuild({None: "a\r\nb\n"})
    assert read_build(dist).snippets[None][0].text == "a\r\nb\n"


def test_missing_build_is_refused_with_a_hint(tmp_path):
    with pytest.raises(ConfigurationError) as caught:
        read_build(tmp_path)
    assert caught.value.hint == "run: awning build"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema_version":2}'])
def test_invalid_build_record_is_refused(dist, text):
    (dist / "build.json").write_text(text)
    with pytest.raises(ConfigurationError, match="not a build record"):
        read_build(dist)


def test_changed_snippet_is_refused(dist):
    (dist / "lv" / "body.html").write_text("<b>changed</b>")
    with pytest.raises(Faulty, match="it is not what was built"):
        read_build(dist)


@pytest.mark.parametrize("damage", [lambda p: p.unlink(), lambda p: p.write_bytes(b"\xff")])
def test_missing_or_unreadable_snippet_is_refused(dist, damage):
    damage(dist / "en" / "body.html")
    with pytest.raises(Faulty, match="cannot be read"):
        read_build(dist)


def test_path_outside_the_build_is_refused(dist):
    edit(dist, lambda record: record["snippets"][0].update(path="../secret.html"))
    with pytest.raises(Faulty, match="outside the build"):
        read_build(dist)


def test_build_record_without_app_snippets_is_refused(dist):
    edit(dist, lambda record: record.update(snippets=[]))
    with pytest.raises(Faulty, match="no snippet of the app"):
        read_build(dist)


def test_build_with_errors_is_refused_without_allow_errors(dist):
    edit(dist, lambda record: record.update(allowed_errors=2))
    with pytest.raises(Faulty, match="it was built with 2 errors") as caught:
        read_build(dist)
    assert "--allow-errors" in caught.value.diagnostics[0].hint
    assert read_build(dist, allow_errors=True).snippets
