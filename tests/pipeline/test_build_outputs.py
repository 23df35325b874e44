"""The files of dist/: their names, the record, the placeholders, the same bytes every time."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from awning.build_record import read_build_record
from awning.errors import ConfigurationError, Faulty
from awning.pipeline.phases import build_workspace

SCHEMA = '{"type": "object", "properties": {"days": {"type": "integer", "default": 3}}}'


SHAPE = """\
body.html
build.json
data.schema.json
en/body.html
en/head.html (empty)
head.html (empty)
lv/body.html
lv/head.html (empty)
manifest.json
maps/body.js.map
maps/en/body.js.map
maps/lv/body.js.map
maps/widgets/note/body.js.map
report.html
widgets/note/body.html
widgets/note/en/body.html
widgets/note/en/head.html (empty)
widgets/note/head.html (empty)
widgets/note/lv/body.html
widgets/note/lv/head.html (empty)"""


def test_dist_has_the_documented_files(project):
    project.add_widget("note").build()
    assert project.tree_text() == SHAPE


def test_fingerprint_tells_migrations_apart_and_leaves_builds_without_them(project):
    project.add_widget("note")
    folder = project.root / "widgets/note"
    (folder / "data.schema.json").write_text('{"x-version": 2, "properties": {"days": {"type": "integer"}}}')
    builds = [project.build()]
    for days in (1, 2):
        (folder / "data.migrate.ts").write_text(f"export const migrate = () => ({{ days: {days} }});\n")
        builds.append(project.build())
    (folder / "data.migrate.ts").unlink()
    builds.append(project.build())
    first, one, two, again = (build.fingerprint for build in builds)
    assert len({first, one, two}) == 3
    assert again == first


def test_record_lists_the_files_of_dist(project):
    record = project.add_widget("note").build()
    assert read_build_record(project.root / "dist") == record
    for snippet in record.snippets:
        content = (project.root / "dist" / snippet.path).read_bytes()
        assert hashlib.sha256(content).hexdigest() == snippet.sha256
        assert len(content) == snippet.bytes
    assert len(record.fingerprint) == 64
    assert project.dist("body.html").startswith(f"<!--awning {record.fingerprint[:12]}-->")
    assert record.widgets[0].sources[-1].path == "widgets/note/widget.ts"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"schema_version": 1', '"schema_version": 2', "schema_version has the unknown value 2"),
        ('"gzip": ', '"gzip": "x", "was": ', "snippets[0].gzip must be a whole number, not a string"),
        ('"sha256"', '"sha"', "snippets[0].sha256 is required"),
        ('"fingerprint": ', '"fingerprint" ', "it is not JSON: expected ':' (line 4, column 17)"),
    ],
)
def test_broken_record_is_reported_with_the_field(project, old, new, reason):
    project.add_widget("note").build()
    file = project.root / "dist" / "build.json"
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(ConfigurationError) as caught:
        read_build_record(project.root / "dist")
    assert str(caught.value) == f"{file} is not a build record: {reason}"


def test_record_has_the_globals_that_a_widget_may_leave(project):
    toml = 'title = "A"\nslot = "after-price"\n\n[globals]\ndataLayer = "analytics reads it"\n'
    record = project.add_widget("note", widget_toml=toml).build()
    assert record.widgets[0].globals == ("dataLayer",)
    assert read_build_record(project.root / "dist") == record


def test_snippet_of_a_language_has_only_its_own_texts(project):
    project.add_widget("note").build()
    assert "Hello en" in project.dist("body.html")
    assert "Hello lv" in project.dist("body.html")
    assert "Hello lv" in project.dist("lv/body.html")
    assert "Hello en" not in project.dist("lv/body.html")


def test_widget_is_left_out_of_languages_that_it_does_not_list(project):
    toml = 'title = "A"\nslot = "after-price"\nlanguages = ["en"]\n'
    project.add_widget("note", widget_toml=toml).build()
    assert "Hello en" in project.dist("en/body.html")
    assert project.dist("lv/body.html") == ""


def test_placeholders_are_in_snippets_that_read_data_once_each(project):
    project.add_widget("note", data_schema_json=SCHEMA).add_widget("plain").build()
    body = project.dist("body.html")
    assert body.count("{{svc_app_data}}") == 1
    assert body.count("{{svc_language}}") == 1
    assert "{{svc_" not in project.dist("widgets/plain/body.html")


def test_manifest_has_the_default_snippets_and_no_secret(project):
    project.add_widget("note").build()
    manifest = json.loads(project.dist("manifest.json"))
    assert manifest["app_default_snippet"] == project.dist("body.html")
    assert "app_default_head_snippet" not in manifest
    assert "app_secret" not in manifest


def test_app_data_schema_has_the_part_of_each_widget(project):
    refers = '{"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "string"}}}'
    project.add_widget("note", data_schema_json=SCHEMA).add_widget("other", data_schema_json=refers)
    project.add_widget("plain").build()
    schema = json.loads(project.dist("data.schema.json"))
    assert list(schema["properties"]) == ["note", "other"]
    assert schema["properties"]["other"]["$id"] == "other"


def test_style_is_scoped_lowered_and_in_the_snippet(project):
    project.add_widget("note", style_css=".a { &:hover { color: red } }").build()
    style = project.dist("body.html").partition("<style>")[2].partition("</style>")[0]
    assert re.fullmatch(r"\.aw-[0-9a-f]{6} \.a:hover\{color:red\}", style)


def test_style_of_a_shadow_root_is_in_the_script(project):
    toml = 'title = "A"\nslot = "after-price"\nisolation = "shadow"\n'
    project.add_widget("note", widget_toml=toml, style_css=".only { color: red }").build()
    assert "<style>" not in project.dist("body.html").partition("<script>")[0]
    assert ".only{color: red}" in project.dist("body.html")


def test_a_head_script_is_the_same_in_every_language(project):
    project.add_widget("note").add_file("widgets/note/head.ts", "(window as any).early = 1;\n").build()
    assert "early" in project.dist("head.html")
    assert project.dist("head.html") == project.dist("lv/head.html")
    assert "early" not in project.dist("body.html")


def test_head_that_differs_by_language_needs_head_snippet_calls(project):
    toml = 'title = "A"\nslot = "after-price"\nlanguages = ["en"]\n'
    project.add_widget("note", widget_toml=toml).add_file("widgets/note/head.ts", "document.title;\n")
    with pytest.raises(Faulty, match="head-language"):
        project.build()
    project.add_file(
        "pyproject.toml",
        '[tool.awning]\nlanguages = ["en", "lv"]\n[tool.awning.profiles.default]\nhead_snippets = true\n',
    )
    project.build()
    assert project.dist("lv/head.html") == ""


def test_dialect_is_used_in_the_script(project):
    project.add_widget("note").add_file(
        "pyproject.toml",
        '[tool.awning]\nlanguages = ["en"]\n[tool.awning.profiles.default.dialect]\n'
        'global_object = "abcPlugins"\nevent_prefix = "abc-"\n',
    )
    project.build()
    assert "abcPlugins.subscribeEvent" in project.dist("body.html")
    assert "abc-content-after-" in project.dist("body.html")
    assert "svcPlugins" not in project.dist("body.html")


def test_widgets_can_be_built_alone(project):
    record = project.add_widget("note").add_widget("other").build("note")
    assert {snippet.unit for snippet in record.snippets} == {"note"}
    assert not (project.root / "dist/body.html").exists()
    assert "app_default_snippet" not in json.loads(project.dist("manifest.json"))


def test_an_unknown_widget_is_a_usage_error(project):
    with pytest.raises(ConfigurationError) as raised:
        project.add_widget("note").build("notes")
    assert raised.value.hint == 'did you mean "note"?'


def test_building_twice_gives_the_same_bytes(project):
    project.add_widget("note", data_schema_json=SCHEMA, style_css=".a{}").build()
    first = project.tree()
    shutil.rmtree(project.root / ".awning")
    project.build()
    assert project.tree() == first


BUILD = (
    "import sys, pathlib; from awning.workspace.reader import read_workspace; "
    "from awning.pipeline.phases import build_workspace; "
    "build_workspace(read_workspace(pathlib.Path(sys.argv[1])))"
)


VALUES = ("one", "two", "three", "four", "five", "six")
WITH_VALUES = (
    'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
    f"export default afterPrice(({{ t }}) => view({{ t, {', '.join(f'{name}: 1' for name in VALUES)} }}));\n"
)


@pytest.mark.usefixtures("processes")
def test_output_and_types_do_not_depend_on_folder_locale_or_hash_seed(project, tmp_path):
    view = "{{ t('hello') }}" + "".join(f"{{{{ {name} }}}}" for name in VALUES)
    files = {"widget_ts": WITH_VALUES, "view_html_j2": view, "data_schema_json": SCHEMA, "style_css": ".a{}"}
    project.add_widget("note", **files).add_widget("other").build()
    elsewhere = replace(project, root=tmp_path / "elsewhere with blanks" / "ābols")
    left_out = shutil.ignore_patterns("dist", ".awning")
    shutil.copytree(project.root, elsewhere.root, ignore=left_out, dirs_exist_ok=True)
    environ = {**os.environ, "PYTHONHASHSEED": "77", "LC_ALL": "C", "TZ": "Asia/Tokyo"}
    subprocess.run([sys.executable, "-c", BUILD, str(elsewhere.root)], env=environ, check=True)
    for folder in ("dist", ".awning/types/widgets"):
        assert elsewhere.tree(folder) == project.tree(folder) != {}


def test_no_output_contains_the_path_of_the_workspace(project):
    project.add_widget("note").build()
    place = str(project.root.parent).encode()
    assert [path for path, content in project.tree().items() if place in content] == []


def test_maps_lead_to_the_authors_files(project):
    project.add_widget("note").build()
    sources = json.loads(project.dist("maps/body.js.map"))["sources"]
    assert "widgets/note/widget.ts" in sources
    assert all(source.startswith(("widgets/", "jsrc/", "(generated)/")) for source in sources)


def test_exceeded_budget_is_an_error_that_can_be_allowed(project):
    toml = 'title = "A"\nslot = "after-price"\nbudget = 10\n'
    record = project.add_widget("note", widget_toml=toml).build()
    assert record.snippet("body").gzip > 10


def test_included_template_is_found_in_the_widget_and_in_shared(project):
    project.add_widget("note", view_html_j2='{% include "parts/a.html.j2" %}{% include "b.html.j2" %}')
    project.add_file("widgets/note/parts/a.html.j2", "<i>beside</i>")
    project.add_file("widgets/_shared/b.html.j2", "<i>shared</i>").build()
    assert "<i>beside</i>" in project.dist("body.html")
    assert "<i>shared</i>" in project.dist("body.html")
    project.add_file("widgets/_shared/b.html.j2", "<i>changed</i>").build()
    assert "<i>changed</i>" in project.dist("body.html")


def test_the_report_shows_every_widget_and_escapes_titles(project):
    toml = 'title = "A <b> & c"\nslot = "after-price"\nbudget = 9000\n'
    project.add_widget("note", widget_toml=toml).build()
    report = project.dist("report.html")
    assert "A &lt;b&gt; &amp; c" in report
    assert "widgets/note/body.html" in report
    assert "$" not in report


def test_the_report_draws_a_snippet_against_its_budget(project):
    """A bar is as long as its snippet is large. The bar of a snippet over its budget passes the mark."""
    toml = 'title = "A"\nslot = "after-price"\nbudget = %d\n'
    weight = project.add_widget("note", widget_toml=toml % 9000).build().snippet("body", unit="note").gzip
    project.add_file("widgets/note/widget.toml", toml % (weight * 2)).build()
    assert _bar_of("widgets/note/body.html", project) == ("width:50.0%", "left:100.0%")
    project.add_file("widgets/note/widget.toml", toml % (weight // 2)).build()
    width, mark = _bar_of("widgets/note/body.html", project)
    assert width == "width:100.0%"
    assert 49 < float(mark.removeprefix("left:").removesuffix("%")) <= 50


def _bar_of(path, project):
    """How long the bar of a snippet is, and where the mark of its budget stands."""
    rows = BeautifulSoup(project.dist("report.html"), "html.parser").select("tr")
    [row] = [row for row in rows if row.th.get_text() == path]
    return row.select_one(".bar i")["style"], row.select_one(".bar b")["style"]


def test_build_for_development_is_readable_and_has_no_maps(project):
    project.add_widget("note")
    build_workspace(project.read(), dev=True)
    assert "widget_default = afterPrice(" in project.dist("body.html")
    assert not (project.root / "dist/maps").exists()
