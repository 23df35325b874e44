"""`awning new` and `awning add widget`: new files build in any language and overwrite nothing."""

import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from project import Project

from awning.contract import SLOTS
from awning.pipeline.incremental import inspect_workspace
from awning.workspace.reader import read_workspace


def rules_of(workspace):
    return [diagnostic.rule for diagnostic in inspect_workspace(workspace, environ={}).counted()]


@pytest.mark.parametrize("slot", list(SLOTS))
def test_a_new_workspace_builds_and_has_no_findings(awning, tmp_path, slot):
    workspace = tmp_path / "my-app"
    result = awning("new", workspace, "--slot", slot)
    assert result.code == 0
    assert str(workspace / "pyproject.toml") in result.out.splitlines()
    assert awning("build", cwd=workspace).code == 0
    assert inspect_workspace(workspace, environ={}).counted() == ()


def test_new_and_add_list_their_files_as_json(awning, tmp_path):
    app = tmp_path / "app"
    made = awning("new", app, "--json")
    assert (made.code, made.json["folder"]) == (0, str(app))
    assert {"AGENTS.md", "pyproject.toml", "widgets/stock-note/widget.ts"} <= set(made.json["files"])
    assert all((app / file).is_file() for file in made.json["files"])
    added = awning("add", "widget", "note", "--slot", "after-price", "--json", cwd=app).json
    assert (added["widget"], added["remarks"], added["findings"]) == ("note", [], [])
    assert "widgets/note/widget.ts" in added["files"]
    assert awning("add", "ci", "gitlab", "--json", cwd=app).json["files"] == [
        ".gitlab-ci.yml",
        "requirements.txt",
    ]
    (tmp_path / "old.html").write_text("<script>document.write(1)</script>")
    brought = awning(
        "add", "widget", "old", "--from", tmp_path / "old.html", "--slot", "after-price", "--json", cwd=app
    )
    assert "widgets/old/body.html" in brought.json["files"]
    assert "document-write" in {finding["rule"] for finding in brought.json["findings"]}


def test_agents_of_a_new_workspace_are_told_of_each_file_of_a_widget(awning, tmp_path):
    awning("new", tmp_path / "app")
    text = (tmp_path / "app/AGENTS.md").read_text(encoding="utf-8")
    names = {path.name for path in (tmp_path / "app/widgets/stock-note").iterdir()} - {"messages"}
    assert {name for name in names if f"`{name}`" not in text and not name.endswith(".py")} == set()
    assert len(text.split()) < 500


def test_readme_of_a_new_workspace_has_the_install_commands_of_the_guide(awning, tmp_path):
    awning("new", tmp_path / "app")
    says = (tmp_path / "app/README.md").read_text(encoding="utf-8")
    guide = (Path(__file__).parents[2] / "docs/tutorial.md").read_text(encoding="utf-8")
    install = "pip install --find-links wheelhouse 'awning[harness]'"
    for command in (". .venv/bin/activate", "python3 build.py", install):
        assert f"`{command}`" in says
        assert f"`{command}`" in guide


def test_a_new_workspace_is_named_after_its_folder(awning, tmp_path):
    awning("new", tmp_path / 'größe "1" $x_app')
    manifest = tomllib.loads((tmp_path / 'größe "1" $x_app/manifest.toml').read_text(encoding="utf-8"))
    assert manifest["app_title"] == "Größe 1 x app"


@pytest.mark.parametrize("slot", list(SLOTS))
def test_added_widget_has_messages_in_the_languages_of_the_workspace(awning, tmp_path, slot):
    project = Project(tmp_path / "many", languages=("lv", "en", "de", "ru", "ja", "xx")).add_widget()
    result = awning("add", "widget", "size-guide", "--slot", slot, cwd=project.root)
    assert result.code == 0
    widget = next(w for w in read_workspace(project.root, environ={}).widgets if w.name == "size-guide")
    assert set(widget.messages) == set(project.languages)
    assert (widget.title, widget.slots) == ("Size guide", (slot,))
    assert set(rules_of(project.root)) == {"message-untranslated"}, "of ja and xx, which awning cannot write"
    assert awning("build", cwd=project.root).code == 0


@pytest.fixture
def shop_with_a_new_language(project):
    project.add_widget("note").add_widget("other")
    settings = project.root / "pyproject.toml"
    settings.write_text(settings.read_text().replace('"lv"', '"lv", "de"'))
    return project


@pytest.mark.parametrize("options", [("--slot", "after-cart"), ("--slot", "after-cart", "--bare")])
def test_widget_is_added_in_a_language_that_the_other_widgets_lack(shop_with_a_new_language, awning, options):
    result = awning("add", "widget", "size-guide", *options)
    assert result.code == 0
    assert "widgets/size-guide/messages/de.toml" in result.out.splitlines()
    assert "widgets/note/messages/de.toml is missing" in result.err
    assert "copy en.toml to it" in result.err
    assert "widgets/size-guide is added" in result.err
    for widget in shop_with_a_new_language.widgets:
        shop_with_a_new_language.add_file(f"widgets/{widget}/messages/de.toml", 'hello = "Hallo"\n')
    assert awning("build").code == 0


def test_snippet_is_brought_in_when_the_widgets_lack_a_language(shop_with_a_new_language, awning, tmp_path):
    script = 'svcPlugins.subscribeEvent("svc-content-after-cart", (_event, init) => init().setContent("<p>Hi</p>"));'
    (tmp_path / "old.html").write_text(f"<script>{script}</script>\n")
    result = awning("add", "widget", "old", "--from", tmp_path / "old.html")
    assert result.code == 0
    assert "widgets/old/widget.toml" in result.out.splitlines()


def test_widget_is_not_added_when_the_settings_have_errors(project, awning):
    project.add_widget().add_file("pyproject.toml", "[tool.awning]\nlanguages = 5\n")
    result = awning("add", "widget", "size-guide", "--slot", "after-cart")
    assert result.code == 1
    assert "languages" in result.err
    assert not (project.root / "widgets/size-guide").exists()


def test_existing_workspace_and_widget_are_not_overwritten(project, awning):
    project.add_widget("note")
    before = project.tree(".")
    for arguments in (("new", "."), ("add", "widget", "note", "--slot", "after-cart")):
        result = awning(*arguments)
        assert result.code == 2
        assert "exist" in result.err
    assert project.tree(".") == before


@pytest.mark.parametrize("name", ["Note", "a b", "../x", "app", "-x", "x" * 61, "ā"])
def test_invalid_name_is_refused(project, awning, name):
    project.add_widget()
    result = awning("add", "widget", "--slot", "after-cart", "--", name)
    assert result.code == 2
    assert "lower-case" in result.err


def test_an_unknown_slot_is_a_usage_error(project, awning):
    assert awning("add", "widget", "x", "--slot", "nowhere").code == 2


def test_the_first_widget_can_be_added_to_an_empty_workspace(project, awning):
    assert awning("add", "widget", "note", "--slot", "after-price").code == 0
    assert awning("build").code == 0


@pytest.mark.parametrize("names", [("app", "widgets"), ("app",), ("app", "widgets", "stock-note")])
def test_failed_scaffold_leaves_no_files(awning, tmp_path, names):
    file = tmp_path.joinpath("made", *names)
    file.parent.mkdir(parents=True)
    file.write_text("a file")
    before = sorted((tmp_path / "made").rglob("*"))
    result = awning("new", tmp_path / "made/app")
    assert result.code == 2
    assert "nothing was written" in result.err
    assert sorted((tmp_path / "made").rglob("*")) == before


@pytest.mark.parametrize("slot", list(SLOTS))
def test_bare_widget_has_only_the_required_files(project, awning, slot):
    result = awning("add", "widget", "note", "--slot", slot, "--bare")
    assert result.out.splitlines() == [
        f"widgets/note/{path}"
        for path in ("messages/en.toml", "messages/lv.toml", "view.html.j2", "widget.toml", "widget.ts")
    ]
    assert inspect_workspace(project.root, environ={}).counted() == ()
    assert awning("build").code == 0


@pytest.mark.parametrize(
    ("slot", "languages"),
    [
        ("after-price", "lv"),
        ("after-cart", "de fr-CH"),
        ("after-checkout", "  ja   en "),
        ("after-price", "pt-BR xx"),
    ],
)
def test_new_workspace_has_the_requested_languages(awning, tmp_path, slot, languages):
    workspace = tmp_path / "app"
    assert awning("new", workspace, "--slot", slot, "--languages", languages).code == 0
    assert read_workspace(workspace, environ={}).languages == tuple(languages.split())
    manifest = tomllib.loads((workspace / "manifest.toml").read_text(encoding="utf-8"))
    assert list(manifest["app_display_title"]) == languages.split()
    assert list(manifest["app_description_full"]) == languages.split()
    unwritten = {"ja", "xx"} & set(languages.split())
    assert rules_of(workspace) == ["message-untranslated"] * len(unwritten)
    assert awning("build", cwd=workspace).code == 0


def test_default_languages_without_a_terminal_are_english_and_latvian(awning, tmp_path):
    assert awning("new", tmp_path / "app").code == 0
    assert read_workspace(tmp_path / "app", environ={}).languages == ("en", "lv")


@pytest.mark.parametrize(
    ("languages", "message"),
    [
        ("", "needs a language"),
        ("en english", '"english" is not a language code'),
        ("en,lv", '"en,lv" is not a language code'),
        ("en lv en", '"en" is named twice'),
    ],
)
def test_invalid_languages_are_refused_and_nothing_is_written(awning, tmp_path, languages, message):
    result = awning("new", tmp_path / "app", "--languages", languages)
    assert result.code == 2
    assert message in result.err
    assert not (tmp_path / "app").exists()


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(("typed", "languages"), [("\n", ("en", "lv")), ("de lt\n", ("de", "lt"))])
def test_languages_are_prompted_for_at_a_terminal(tmp_path, typed, languages):
    ours, theirs = pty.openpty()
    command = [str(Path(sys.executable).with_name("awning")), "new", str(tmp_path / "app")]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as running:
        os.write(ours, typed.encode())
        assert running.wait() == 0
    assert b"Languages of the app" in os.read(ours, 10_000)
    os.close(ours)
    os.close(theirs)
    assert read_workspace(tmp_path / "app", environ={}).languages == languages


def test_new_workspace_has_template_types_before_its_first_build(awning, tmp_path):
    assert awning("new", tmp_path / "app", "--languages", "en").code == 0
    types = tmp_path / "app/.awning/types"
    assert (types / "widgets/stock-note/view.html.d.j2.ts").is_file()
    assert awning("add", "widget", "more", "--slot", "after-cart", cwd=tmp_path / "app").code == 0
    assert (types / "widgets/more/view.html.d.j2.ts").is_file()
