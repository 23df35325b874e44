"""`awning build`: its table, its JSON, its exit codes and its error messages."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pytest


def test_build_prints_a_table_of_its_snippets(project, awning):
    result = awning("build") if project.add_widget() else None
    assert result.code == 0
    assert result.err == ""
    lines = result.out.splitlines()
    assert lines[0].split() == ["snippet", "raw", "gzip", "change"]
    assert [line.split()[0] for line in lines[1:-1]] == [
        "body.html",
        "en/body.html",
        "lv/body.html",
        "widgets/note/body.html",
    ]
    assert lines[-1].startswith("dist/: 1 widget, build ")


def test_table_shows_the_change_since_the_previous_build(project, awning):
    project.add_widget()
    awning("build")
    assert "nothing had changed" in awning("build").out
    project.add_file("widgets/note/style.css", ".a { color: rebeccapurple }")
    row = next(line for line in awning("build").out.splitlines() if line.startswith("body.html"))
    assert row.split()[-1].startswith("+")


def test_json_output_is_one_document_with_the_build_record(project, awning):
    project.add_widget()
    document = awning("build", "--json").json
    assert document["schema_version"] == 1
    assert (document["ok"], document["unchanged"], document["diagnostics"]) == (True, False, [])
    assert document["snippets"][1]["path"] == "body.html"
    assert awning("build", "--json").json["unchanged"] is True


def test_out_option_and_widget_names_select_folder_and_widgets(project, awning, tmp_path):
    project.add_widget("note").add_widget("other")
    result = awning("build", "note", "--out", tmp_path / "out")
    assert result.code == 0
    assert (tmp_path / "out/widgets/note/body.html").is_file()
    assert not (tmp_path / "out/widgets/other").exists()


def test_a_snippet_over_its_budget_is_not_written_and_exits_1(project, awning):
    project.add_widget(widget_toml='title = "A"\nslot = "after-price"\nbudget = 10\n')
    for _ in range(2):
        result = awning("build")
        assert result.code == 1
        assert "widgets/note/widget.toml:3:1: error[size-budget]: note weighs" in result.err
    assert not (project.root / "dist").exists()


BUDGET = 'title = "A"\nslot = "after-price"\nbudget = 10\n'


def size_budget(result):
    """Return the first part of the hint about the exceeded budget."""
    hint = (result.err + result.out).partition("error[size-budget]")[2].partition("hint: ")[2]
    return hint.partition("; ")[0]


@pytest.mark.parametrize("verb", ["build", "check"])
def test_exceeded_budget_of_a_widget_names_its_largest_files(project, awning, verb):
    project.add_widget(widget_toml=BUDGET, style_css='.text { background: url("./dots.svg") }')
    project.add_file("widgets/note/dots.svg", f"<svg><!--{'x' * 5000}--></svg>")
    project.add_file("widgets/note/fixtures/points.json", f'"{"x" * 9000}"')
    result = awning(verb)
    assert size_budget(result).startswith("largest files: dots.svg 5018, widget.ts ")
    assert "awning build --allow-errors" in result.err + result.out


@pytest.mark.parametrize("verb", ["build", "check"])
def test_exceeded_budget_of_a_widget_says_how_much_it_grew(project, awning, verb):
    before = project.add_widget().build().snippet("body", unit="note").gzip
    project.add_widget(widget_toml=BUDGET, style_css=".text { color: #123456; margin: 3px 5px 7px }\n")
    result = awning(verb)
    weight = int((result.err + result.out).partition("note weighs ")[2].split()[0])
    assert weight > before
    assert size_budget(result) == f"{weight - before} bytes more than in the build before"


@pytest.mark.parametrize("path", ["widgets/note/pictures/big.png", "widgets/_shared/big.png"])
def test_picture_is_named_by_every_budget_that_it_exceeds(project, awning, path):
    settings = project.root / "pyproject.toml"
    settings.write_text(settings.read_text() + "budget = 10\n")
    project.add_widget().build()
    import_ = "./pictures/big.png" if "note" in path else "../_shared/big.png"
    script = (
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        f'import big from "{import_}";\nexport default afterPrice(({{ t }}) => view({{ t }}) + big);\n'
    )
    project.add_widget(widget_toml=BUDGET, widget_ts=script)
    picture = project.root / path
    picture.parent.mkdir()
    picture.write_bytes(bytes(range(256)) * 200)
    out = awning("check").out
    hints = [line for line in out.splitlines() if "hint: " in line]
    assert len(hints) == 2
    assert all("big.png 51200" in hint for hint in hints)


def test_exceeded_budget_of_the_app_names_the_widgets_that_grew(project, awning):
    project.add_widget("note").add_widget("other").build()
    settings = project.root / "pyproject.toml"
    settings.write_text(settings.read_text() + "budget = 10\n")
    assert size_budget(awning("build")).startswith("heaviest alone: ")
    project.add_widget("other", style_css=".text { color: #123456; margin: 3px 5px 7px }\n").add_widget(
        "third"
    )
    first, second = size_budget(awning("build")).removeprefix("more than in the build before: ").split(", ")
    assert first.startswith("third +")
    assert first.endswith(" (new)")
    assert second.startswith("other +")


def test_baseline_holds_an_exceeded_budget_whatever_dist_has(project, awning):
    project.add_widget().build()
    project.add_widget(widget_toml=BUDGET, style_css=".text { color: #123456 }\n")
    assert awning("check", "--baseline", "b.json", "--update-baseline").code == 0
    assert awning("check", "--baseline", "b.json").code == 0
    shutil.rmtree(project.root / "dist")
    assert awning("check", "--baseline", "b.json").code == 0
    assert awning("check").code == 1


UNKNOWN_KEY = """\
widgets/note/widget.toml:1:1: error[unknown-key]: unknown key "titel" in widget.toml
    titel = "A"
    ^
  hint: did you mean "title"?"""

BAD = {
    "unknown key": ({"widget_toml": 'titel = "A"\nslot = "after-price"\n'}, UNKNOWN_KEY),
    "unresolved import": (
        {"widget_ts": 'import "left-pad";\n'},
        'widgets/note/widget.ts:1:8: error[unresolved-import]: Could not resolve "left-pad"',
    ),
}
"""A mistake that is found before anything is compiled, and one that the bundler finds. More: `test_one_verdict.py`."""


@pytest.mark.parametrize("case", BAD, ids=str)
def test_invalid_source_is_reported_with_its_place_and_dist_is_kept(project, awning, case):
    project.add_widget()
    awning("build")
    before = project.tree()
    files, text = BAD[case]
    project.add_widget(**files)
    result = awning("build")
    assert (result.code, result.out) == (1, "")
    assert text in result.err
    assert "error" in result.err.splitlines()[-1] or "hint" in result.err.splitlines()[-1]
    assert "Traceback" not in result.err
    assert project.tree() == before
    document = awning("build", "--json")
    assert document.code == 1
    assert document.json["ok"] is False
    assert document.json["diagnostics"][0]["rule"]


USAGE = {
    "no workspace": (("build",), "/", "no workspace here"),
    "unknown widget": (("build", "notes"), None, 'did you mean "note"?'),
    "a precious folder": (("build", "--out", "."), None, "would replace"),
    "an unknown option": (("build", "--nope"), None, "No such option"),
    "an unknown verb": (("biuld",), None, "No such command"),
}


@pytest.mark.parametrize("case", USAGE, ids=str)
def test_usage_and_configuration_errors_exit_2(project, awning, case):
    project.add_widget()
    arguments, cwd, text = USAGE[case]
    result = awning(*arguments, cwd=cwd)
    assert (result.code, result.out) == (2, "")
    assert text in result.err


def test_an_unknown_profile_exits_2(project, awning):
    project.add_widget()
    assert awning("build", AWNING_PROFILE="nowhere").code == 2


@pytest.mark.usefixtures("processes")
def test_a_missing_esbuild_exits_2(project, awning, tmp_path):
    project.add_widget()
    result = awning("build", AWNING_ESBUILD=str(tmp_path / "nowhere"))
    assert result.code == 2
    assert "AWNING_ESBUILD" in result.err


def test_profile_flag_overrides_the_environment(project, awning):
    table = "[tool.awning.profiles.{0}.dialect]\nevent_prefix = '{0}-'\n"
    text = '[tool.awning]\nlanguages = ["en"]\n' + table.format("one") + table.format("two")
    project.add_widget().add_file("pyproject.toml", text)
    awning("build", "--profile", "one", AWNING_PROFILE="two")
    assert "one-content-after-" in project.dist("body.html")
    awning("build", AWNING_PROFILE="two")
    assert "two-content-after-" in project.dist("body.html")


def test_unwritable_workspace_is_an_error_without_a_traceback(project, awning):
    project.add_widget().add_file(".awning", "a file where a folder must be")
    result = awning("build")
    assert result.code == 1
    assert result.err.startswith("error: ")
    assert "Traceback" not in result.err


@pytest.mark.usefixtures("processes")
def test_watch_rebuilds_after_a_change_and_ends_when_interrupted(project):
    project.add_widget()
    command = [sys.executable, "-c", "from awning.cli import main; main()", "build", "--watch", "--json"]
    with subprocess.Popen(
        command, cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as watching:
        assert json.loads(watching.stdout.readline())["ok"] is True
        project.add_file("widgets/note/widget.toml", "titel = 1\n")
        assert json.loads(watching.stdout.readline())["diagnostics"][0]["rule"] == "unknown-key"
        watching.send_signal(signal.SIGINT)
        assert watching.wait(120) == 130


IN_TMPDIR = (
    "from awning.pipeline import build_session; build_session._MEMORY_FOLDER = ''; "
    "from awning.cli import main; main()"
)


@pytest.mark.usefixtures("processes")
def test_terminated_watch_removes_its_folder_and_ends_by_the_signal(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("temporary")
    project.add_widget()
    command = [sys.executable, "-c", IN_TMPDIR, "build", "--watch", "--json"]
    environ = {**os.environ, "TMPDIR": str(folder)}
    with subprocess.Popen(
        command, cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ
    ) as watching:
        assert json.loads(watching.stdout.readline())["ok"] is True
        assert len([*folder.iterdir()]) == 1
        watching.terminate()
        assert watching.wait(120) == -signal.SIGTERM
    assert [*folder.iterdir()] == []
