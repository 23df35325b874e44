"""A build that fails reports all diagnostics at once and leaves dist/ as it was."""

import threading
from contextlib import suppress
from pathlib import Path

import pytest

from awning.errors import ConfigurationError, Faulty, ProgramUnusable
from awning.pipeline.incremental import build
from awning.pipeline.write.folder import replace_folder, write_folder

BROKEN = {
    "message used in a script": (
        {
            "widget_ts": 'import { afterPrice } from "awning";\n// t("no")\n'
            'export default afterPrice(({ t }) => t("helo"));\n'
        },
        "message-missing",
        "widgets/note/widget.ts",
        3,
    ),
    "placeholder in a script": (
        {
            "widget_ts": 'import { afterPrice } from "awning";\n'
            'export default afterPrice(() => "{{svc_app_data}}");\n'
        },
        "placeholder-literal",
        "widgets/note/widget.ts",
        2,
    ),
    "placeholder that the minifier joins": (
        {
            "widget_ts": 'import { afterPrice } from "awning";\n'
            'export default afterPrice(() => "{{svc" + "_app_data}}");\n'
        },
        "placeholder-literal",
        "widgets/note/widget.ts",
        0,
    ),
    "placeholder in a message": (
        {
            "messages_en_toml": 'hello = "{{svc_language}}"\n',
            "messages_lv_toml": 'hello = "{{svc_language}}"\n',
        },
        "placeholder-literal",
        "widgets/note/messages/en.toml",
        1,
    ),
    "placeholder in a style": (
        {"style_css": '.a::before { content: "{{svc_language}}" }'},
        "placeholder-literal",
        "widgets/note/style.css",
        1,
    ),
}


@pytest.mark.parametrize("case", BROKEN, ids=str)
def test_each_fault_is_reported_at_its_place_and_dist_is_unchanged(project, case):
    project.add_widget("note").build()
    before = project.tree()
    files, rule, path, line = BROKEN[case]
    project.add_widget("note", **files)
    with pytest.raises(Faulty) as raised:
        project.build()
    diagnostics = [d for d in raised.value.diagnostics if d.rule.startswith(rule)]
    assert diagnostics, raised.value.message
    assert (diagnostics[0].place.path, diagnostics[0].place.line) == (path, line), diagnostics[0].render()
    assert project.tree() == before


def test_faults_of_templates_and_scripts_are_reported_at_once(project):
    project.add_widget("one", view_html_j2="{{ x|nosuch }}").add_widget(
        "two", widget_ts="export default (;\n"
    )
    with pytest.raises(Faulty) as raised:
        project.build()
    assert {d.place.path for d in raised.value.diagnostics} == {
        "widgets/one/view.html.j2",
        "widgets/two/widget.ts",
    }


@pytest.mark.usefixtures("processes")
def test_a_missing_esbuild_is_a_configuration_error(project, tmp_path):
    with pytest.raises(ProgramUnusable):
        project.add_widget().build(environ={"AWNING_ESBUILD": str(tmp_path / "nowhere")})


@pytest.mark.parametrize("folder", ["", "widgets", "other"])
def test_out_does_not_replace_a_folder_without_a_build(project, folder):
    project.add_widget().add_file("other/precious.txt", "x")
    with pytest.raises(ConfigurationError, match="would replace"):
        project.build(out=project.root / folder if folder else project.root)
    assert (project.root / "other/precious.txt").exists()


@pytest.mark.parametrize("folder", ["widgets/note/out", "widgets/new", ".awning/out", ".awning/cache/out"])
def test_out_inside_sources_or_cache_is_refused(project, folder):
    project.add_widget()
    with pytest.raises(ConfigurationError, match="reads or stores there"):
        project.build(out=project.root / folder)
    assert not (project.root / folder).exists()


def test_out_may_be_new_empty_or_an_earlier_build(project, tmp_path):
    out = tmp_path / "deep" / "out"
    project.add_widget().build(out=out)
    project.build(out=out)
    assert (out / "body.html").is_file()
    assert not (project.root / "dist").exists()


def test_build_keeps_the_readme_in_dist_and_replaces_all_other_files(project):
    project.add_file("dist/README.md", "kept").add_file("dist/old.txt", "gone").add_widget().build()
    assert project.dist("README.md") == "kept"
    assert not (project.root / "dist/old.txt").exists()


def test_build_leaves_no_temporary_files_beside_dist(project):
    project.add_widget().build()
    project.build()
    assert sorted(entry.name for entry in project.root.iterdir()) == [
        ".awning",
        "dist",
        "manifest.toml",
        "pyproject.toml",
        "widgets",
    ]


def test_a_write_that_fails_leaves_the_old_folder(tmp_path):
    out = tmp_path / "dist"
    write_folder(out, {"a": b"1"})
    with pytest.raises(ConfigurationError):
        write_folder(out, {"a": b"2", "a/b": b"3"})
    assert [(file.name, file.read_bytes()) for file in out.iterdir()] == [("a", b"1")]
    assert [entry.name for entry in tmp_path.iterdir()] == ["dist"]


def test_output_folder_is_replaced_on_systems_without_atomic_exchange(tmp_path, monkeypatch):
    monkeypatch.setattr("awning.pipeline.write.folder._exchange", lambda first, second: False)
    for content in ("1", "2"):
        new = tmp_path / "new"
        new.mkdir()
        (new / "a").write_text(content)
        replace_folder(new, tmp_path / "dist")
    assert (tmp_path / "dist/a").read_text() == "2"
    assert [entry.name for entry in tmp_path.iterdir()] == ["dist"]


def test_two_builds_at_once_do_not_disturb_each_other(project):
    project.add_widget("note").add_widget("other").build()
    expected = project.tree()
    errors = []

    def run():
        try:
            project.build()
        except Exception as error:  # noqa: BLE001 - whatever it is, the test must see it
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert project.tree() == expected


def test_file_may_replace_a_folder(project):
    project.add_widget("note").add_file("widgets/note/parts/a.ts", "export const a = 1;\n").build()
    (project.root / "widgets/note/parts/a.ts").unlink()
    (project.root / "widgets/note/parts").rmdir()
    project.add_file("widgets/note/parts.ts", "export const a = 1;\n").build()
    project.add_file("widgets/note/parts/a.ts", "export const a = 1;\n").build()


def test_build_with_a_circular_link_ends(project):
    project.add_widget("note")
    (project.root / "widgets/note/again").symlink_to(project.root / "widgets")
    assert build(project.root).record.widgets


def test_dist_that_is_a_link_stays_a_link(project, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (project.root / "dist").symlink_to(tmp_path / "elsewhere")
    project.add_widget().build()
    project.build()
    assert (project.root / "dist").is_symlink()
    assert (tmp_path / "elsewhere/body.html").is_file()


@pytest.mark.parametrize(
    "link",
    [
        ".awning",
        ".awning/cache",
        ".awning/types",
        ".awning/cache/results.sqlite",
        ".awning/cache/build.lock",
        ".awning/types/widgets",
        ".awning/types/runtime",
        ".awning/types/runtime/index.ts",
        ".awning/types/widget.schema.json",
    ],
)
def test_build_writes_and_deletes_nothing_where_a_link_leads(project, tmp_path, link):
    project.add_widget("note")
    theirs = tmp_path / "theirs"
    is_file = Path(link).suffix in {".ts", ".json", ".lock", ".sqlite"}
    if is_file:
        theirs.write_text("kept")
    else:
        (theirs / "sub").mkdir(parents=True)
        (theirs / "sub/file.txt").write_text("kept")
    (project.root / link).parent.mkdir(parents=True, exist_ok=True)
    (project.root / link).symlink_to(theirs)
    with suppress(Faulty):
        project.build()
    with suppress(Faulty):
        project.build()
    left = sorted(path.relative_to(theirs).as_posix() for path in theirs.rglob("*"))
    assert left == ([] if is_file else ["sub", "sub/file.txt"])
    assert (theirs if is_file else theirs / "sub/file.txt").read_text() == "kept"


def test_link_in_the_cache_that_leads_out_is_reported(project):
    project.add_widget("note")
    (project.root / ".awning").mkdir()
    (project.root / ".awning/cache").symlink_to("/")
    with pytest.raises(Faulty) as raised:
        project.build()
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.rule, diagnostic.place.path) == ("file-outside", ".awning/cache")
    assert "remove the link" in diagnostic.hint


def test_state_folder_may_be_a_link(project, tmp_path):
    project.add_widget("note")
    (project.root / ".awning").mkdir()
    (project.root / ".awning/state").symlink_to(tmp_path)
    project.build()
