"""A script of a test build leads to the author's line, in every language."""

import pytest
from project import Project
from vlq import place_of

from awning.pipeline.phases import build_workspace
from awning.pipeline.script_origin import ScriptOrigins
from awning.pipeline.write.maps import BuiltScript
from awning.workspace.messages import pseudo_workspace

VIEW = """\
<div class="𝄞 at-1">
  <p class="at-2">{{ t("hello") }}</p>
  {{ value.first }}<b>“𝄞”</b>{{ value.second }}<u class="at-3"></u>
  <i class="at-4"></i>
</div>
"""
SCRIPT = """\
import { afterPrice } from "awning";
import view from "./view.html.j2";
export default afterPrice(({ t, item }: any) =>
  `<!-- 𝄞 <!-- ${item.at_4}
  -->` + item.at_5 + view({ t, value: item.at_6 }),
);
"""
PATHS = ("body", "en/body", "lv/body", "widgets/note/body", "widgets/note/en/body", "widgets/note/lv/body")
MARKS = {
    "at-1": ("view.html.j2", 1),
    "at-2": ("view.html.j2", 2),
    "at-3": ("view.html.j2", 3),
    "at-4": ("view.html.j2", 4),
    "at_4": ("widget.ts", 4),
    "at_5": ("widget.ts", 5),
    "at_6": ("widget.ts", 5),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    root = tmp_path_factory.mktemp("built") / "shop"
    texts = f'hello = "{"ilgi 𝄞 " * 30}"\n'
    return Project(root).add_widget("note", view_html_j2=VIEW, widget_ts=SCRIPT, messages_lv_toml=texts)


@pytest.fixture(scope="module")
def builds(project, tmp_path_factory):
    """A folder with test builds: the snippets that ship, a dev build, the pseudo-language."""
    folder = tmp_path_factory.mktemp("builds")
    workspaces = {"ships": project.read(), "dev": project.read(), "pseudo": pseudo_workspace(project.read())}
    for name, workspace in workspaces.items():
        build_workspace(workspace, out=folder / name, dev=name == "dev", for_tests=True)
    return folder


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("build", ["ships", "dev"])
def test_place_in_a_script_leads_to_the_authors_line(builds, build, path):
    script = BuiltScript.read(builds / build, f"{path}.html")
    for mark, (name, line) in MARKS.items():
        at, column = place_of(script.code, mark)
        place = script.place(at + 1, column + 1)
        assert (place.path, place.line) == (f"widgets/note/{name}", line), mark


@pytest.mark.parametrize(("unit", "language"), [("app", None), ("app", "lv"), ("note", "en")])
def test_place_in_a_development_script_leads_to_the_authors_line(builds, project, unit, language):
    folder = ("" if unit == "app" else f"widgets/{unit}/") + (f"{language}/" if language else "")
    script = BuiltScript.read(builds / "dev", f"{folder}body.html")
    origins = ScriptOrigins(project.root)
    for mark, (name, line) in MARKS.items():
        at, column = place_of(script.code, mark)
        place = origins.place(unit=unit, language=language, line=at + 1, column=column + 1)
        assert (place.path, place.line) == (f"widgets/note/{name}", line), mark


def test_place_is_exact_after_an_escaped_comment(builds):
    """`safe_script` makes the script longer than the one that its source map describes."""
    script = BuiltScript.read(builds / "ships", "body.html")
    assert script.code.count(r"\x3c!--") == 2
    at, column = place_of(script.code, "at_4")
    place = script.place(at + 1, column + 1)
    line = SCRIPT.split("\n")[place.line - 1]
    assert line[place.column - 2 :].startswith("at_4")  # 𝄞 before it counts as two columns
    assert script.line_at(place) == line


def test_pseudo_language_leads_to_the_authors_line(builds):
    (folder,) = (path for path in (builds / "pseudo/widgets/note").iterdir() if path.is_dir())
    script = BuiltScript.read(builds / "pseudo", f"widgets/note/{folder.name}/body.html")
    at, column = place_of(script.code, "at_5")
    assert script.place(at + 1, column + 1).line == 5


@pytest.mark.parametrize("place", [(0, 1), (1, 0), (1, 100_000), (100, 1)])
def test_place_outside_of_the_script_has_no_source(builds, place):
    assert BuiltScript.read(builds / "ships", "body.html").place(*place) is None


def test_build_for_tests_has_the_snippets_of_a_build(project, builds):
    """A build without `for_tests` has the same snippets, no file for tests, and only the source maps listed here."""
    project.build()
    shipped = project.tree()
    tested = {
        path.relative_to(builds / "ships").as_posix(): path.read_bytes()
        for path in (builds / "ships").rglob("*")
        if path.is_file()
    }
    maps = {path for path in shipped | tested if path.startswith("maps/")}
    assert {path: shipped[path] for path in shipped.keys() - maps} == {
        path: tested[path] for path in tested.keys() - maps
    }
    assert maps & shipped.keys() == {
        f"maps/{path}.js.map" for path in ("body", "en/body", "lv/body", "widgets/note/body")
    }


def test_script_without_source_map_has_no_places(project):
    project.build()
    script = BuiltScript.read(project.root / "dist", "widgets/note/en/body.html")
    assert (script.source_map, script.place(1, 1)) == (None, None)
    assert BuiltScript.read(project.root / "dist", "head.html") is None
