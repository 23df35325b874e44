"""A release holds a build in whole, under a number that never changes."""

import json
import os
from contextlib import closing

import pytest
from sqlalchemy import text

from awning.errors import ConfigurationError, DatabaseUnusable
from awning.publish.operator import source_revision
from awning.publish.release.build_files import read_build, read_files
from awning.publish.release.difference import compare, difference_lines
from awning.publish.release.releases import Releases


@pytest.fixture
def releases(state):
    with closing(Releases.open(state)) as releases:
        yield releases


def test_stamp_alone_is_no_change_of_a_widget(dist, rebuild):
    def stamped(digit):
        rebuild({None: f"<!--awning {digit * 12}--><b>1</b>"})
        record = json.loads((dist / "build.json").read_text())
        record["fingerprint"] = digit * 64
        record["snippets"].append({**record["snippets"][0], "unit": "price"})
        (dist / "build.json").write_text(json.dumps(record))
        return change(dist, {"price": {}}, maps={})

    assert compare(stamped("1"), stamped("2"))["widgets"] == []


def test_release_returns_the_build_byte_for_byte(releases, dist):
    release, is_new = releases.create(read_files(dist), operator="me@here", note="first")
    assert (release.number, is_new, release.note, release.created_by) == (1, True, "first", "me@here")
    stored = releases.files(1)
    assert stored.texts == read_files(dist).texts
    assert stored.build(heads=False) == read_build(dist)


def test_same_content_is_released_once(releases, dist, rebuild):
    releases.create(read_files(dist), operator="me")
    rebuild({None: "<b>2</b>"})
    second, _ = releases.create(read_files(dist), operator="me")
    again, is_new = releases.create(read_files(dist), operator="me", note="another")
    assert (second.number, again, is_new) == (2, second, False)
    assert [r.number for r in releases.all()] == [1, 2]


def test_build_with_another_schema_is_another_release(releases, dist):
    releases.create(read_files(dist), operator="me")
    (dist / "data.schema.json").write_text('{"properties": {"w": {"properties": {"on": {}}}}}')
    assert releases.create(read_files(dist), operator="me")[0].number == 2


def test_build_that_allows_another_global_is_another_release(releases, dist):
    old = change(dist, {"price": {}}, maps={})
    releases.create(old, operator="me")
    record = json.loads((dist / "build.json").read_text())
    record["widgets"][0]["globals"] = ["dataLayer"]
    (dist / "build.json").write_text(json.dumps(record))
    new = read_files(dist)
    assert releases.create(new, operator="me")[0].number == 2
    assert releases.record(2).widgets[0].globals == ("dataLayer",)
    assert [(w["name"], w["change"]) for w in compare(old, new)["widgets"]] == [("price", "changed")]


def test_release_is_complete_after_dist_changed(releases, dist, rebuild):
    build = read_build(dist)
    releases.create(read_files(dist), operator="me")
    rebuild({None: "<b>2</b>"})
    assert releases.files(1).build(heads=False) == build


def test_unknown_release_is_refused(releases):
    with pytest.raises(ConfigurationError, match="there is no release 7"):
        releases.files(7)


def test_damaged_release_is_refused(releases, dist, state):
    releases.create(read_files(dist), operator="me")
    with closing(state.connect("state")) as database, database.writing() as connection:
        connection.execute(text("UPDATE release_text SET text = 'x' WHERE text LIKE '<b>en%'"))
    with pytest.raises(DatabaseUnusable, match=r"en/body\.html of release 1 is damaged"):
        releases.files(1)


def test_release_hashes_hold_every_text_as_bytes_and_as_a_page_shows_it(releases, dist):
    releases.create(read_files(dist), operator="me")
    build = read_build(dist)
    assert {s.sha256 for cell in build.snippets.values() for s in cell} <= releases.hashes()


def test_verbs_create_list_and_compare(awning, workspace, rebuild):
    code, out, _ = awning("release", "create", "--note", "first", "--json")
    first = json.loads(out)
    assert (code, first["release"], first["note"], first["new"]) == (0, 1, "first", True)
    assert awning("release", "create")[1] == "release 1 (it has the same content)\n"
    rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>"})
    assert awning("release", "create")[1] == "release 2\n"
    listed = json.loads(awning("release", "list", "--json")[1])["releases"]
    assert [(r["release"], r["note"]) for r in listed] == [(2, ""), (1, "first")]
    assert set(listed[0]) == {"release", "fingerprint", "created", "by", "revision", "note"}
    sizes = {
        s["path"]: s["after"] for s in json.loads(awning("release", "diff", "1", "2", "--json")[1])["sizes"]
    }
    assert sizes == {
        "body.html": {"bytes": 8, "gzip": 0},
        "lv/body.html": {"bytes": 11, "gzip": 0},
        "en/body.html": None,
    }
    assert awning("release", "diff", "2")[2] == "there is no difference\n"
    assert awning("release", "diff", "2", "9")[0] == 2


def test_operator_may_be_named(awning, workspace, monkeypatch):
    monkeypatch.setenv("AWNING_OPERATOR", "deploy bot")
    assert json.loads(awning("release", "create", "--json")[1])["by"] == "deploy bot"


def test_revision_is_that_of_git_or_none(tmp_path):
    assert source_revision(tmp_path) is None or "GIT_DIR" in os.environ
    assert source_revision(tmp_path / "missing") is None


def change(dist, widgets, *, maps, schema=None):
    record = json.loads((dist / "build.json").read_text())
    record["widgets"] = [
        {
            "name": n,
            "title": n,
            "slots": [],
            "languages": [],
            "sources": [{"path": p, "sha256": h} for p, h in s.items()],
        }
        for n, s in widgets.items()
    ]
    (dist / "build.json").write_text(json.dumps(record))
    (dist / "maps").mkdir(exist_ok=True)
    content = {"sources": list(maps), "sourcesContent": list(maps.values())}
    (dist / "maps" / "body.js.map").write_text(json.dumps(content))
    (dist / "data.schema.json").write_text(json.dumps({"properties": schema or {}}))
    return read_files(dist)


def test_difference_shows_source_lines_settings_and_runtime(dist, rebuild):
    old = change(
        dist,
        {"price": {"widgets/price/widget.ts": "1"}, "gone": {}},
        maps={"widgets/price/widget.ts": "one\ntwo\n", "jsrc/runtime/run.ts": "1"},
        schema={"price": {"properties": {"on": {"type": "boolean"}, "old": {}}}},
    )
    rebuild({None: "<b>2</b>"})
    record = json.loads((dist / "build.json").read_text())
    record["snippets"].append({**record["snippets"][0], "unit": "price"})
    (dist / "build.json").write_text(json.dumps(record))
    new = change(
        dist,
        {"price": {"widgets/price/widget.ts": "2"}, "new": {}},
        maps={"widgets/price/widget.ts": "one\nthree\n", "jsrc/runtime/run.ts": "2"},
        schema={"price": {"properties": {"on": {"type": "string"}, "fresh": {}}}},
    )
    difference = compare(old, new)
    assert [(w["name"], w["change"]) for w in difference["widgets"]] == [
        ("gone", "gone"),
        ("new", "new"),
        ("price", "changed"),
    ]
    lines = list(difference_lines(difference))
    assert "    -two" in lines
    assert "    +three" in lines
    assert difference["settings"] == {"price.fresh": "new", "price.old": "gone", "price.on": "changed"}
    assert difference["runtime"] == ["jsrc/runtime/run.ts"]
    assert list(difference_lines(compare(new, new))) == []
