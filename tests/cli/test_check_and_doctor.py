"""`awning check` and `awning doctor`: their diagnostics, their output and their exit codes."""

import re
import subprocess

import pytest

from awning.contract.assumptions import ASSUMPTIONS

FINDING = {"rule", "severity", "path", "line", "column", "message", "hint", "docs"}


def test_check_of_a_clean_workspace_finds_nothing(project, awning):
    project.add_widget()
    result = awning("check")
    assert (result.code, result.out, result.err) == (0, "", "nothing found\n")


def test_check_reports_unused_messages_as_warnings_and_exits_0(project, awning):
    both = 'hello = "a"\nunused = "b"\nindirect = "c"\n'
    script = (
        'import { afterPrice } from "awning";\nconst key = "indirect";\n'
        "export default afterPrice(({ t }) => t(key) + t('hello'));\n"
    )
    project.add_widget(messages_en_toml=both, messages_lv_toml=both, widget_ts=script)
    (project.root / "widgets/note/view.html.j2").unlink()
    result = awning("check", "--format", "json")
    assert awning("check", "--json").out == result.out
    assert awning("check", "--json", "--format", "sarif").code == 2
    (finding,) = result.json["findings"]
    assert result.code == 0
    assert set(finding) == FINDING
    assert (finding["rule"], finding["severity"]) == ("message-unused", "warning")
    assert finding["path"] == "widgets/note/messages/en.toml"


def test_check_reports_templates_and_messages_at_once(project, awning):
    project.add_widget("one", view_html_j2="{{ x|nosuch }}").add_widget("two", view_html_j2='{{ t("helo") }}')
    result = awning("check")
    assert result.code == 1
    assert re.search(r"widgets/one/view\.html\.j2:1:\d+: error\[template-", result.out)
    assert "widgets/two/view.html.j2:1:" in result.out
    assert 'did you mean "hello"?' in result.out


def test_check_prints_errors_then_warnings_then_notes(project, awning):
    both = 'hello = "a"\n'
    head = "// awning-ignore no-eval: the text is a constant\ndocument.title;\n"
    project.add_widget("one", head_js=head, style_css="p { colour: red }\n", messages_lv_toml=both)
    project.add_widget("two", style_css="p { colour: red }\n", view_html_j2='{{ t("hello") }}')
    warned = awning("check")
    project.add_widget("zed", view_html_j2='{{ t("helo") }}')
    refused = awning("check")
    lines = [re.match(r"widgets/(\w+)/.*: (\w+)\[", line) for line in refused.out.splitlines()]
    assert [line.groups() for line in lines if line] == [
        ("zed", "error"),
        ("one", "warning"),
        ("two", "warning"),
        ("one", "note"),
    ]
    assert "awning explain style-warning: " in warned.err
    assert "awning explain message-missing: " in refused.err


def test_check_of_one_widget_ignores_the_others(project, awning):
    project.add_widget("one", view_html_j2="{{ x|nosuch }}").add_widget("two")
    assert awning("check", "widgets/two").code == 0
    assert awning("check", "widgets/one", "widgets/two").code == 1


def test_check_reports_a_workspace_that_cannot_be_read(project, awning):
    project.add_widget(widget_toml="titel = 1\n")
    result = awning("check", "--format", "json")
    assert result.code == 1
    assert [finding["rule"] for finding in result.json["findings"]] == ["missing-key", "unknown-key"]


def test_linked_widget_folder_belongs_to_the_workspace(project, awning, tmp_path):
    project.add_widget("one").add_widget("two", view_html_j2="{{ x|nosuch }}")
    (project.root / "widgets/two").rename(tmp_path / "elsewhere")
    (project.root / "widgets/two").symlink_to(tmp_path / "elsewhere")
    assert awning("build").code == 1
    assert awning("check", "widgets/one").code == 0
    for path in ("widgets/two", "widgets/two/widget.ts", "../shop/widgets/../widgets/two"):
        result = awning("check", path)
        assert "no workspace" not in result.err
        assert result.code == (0 if path.endswith(".ts") else 1)
    assert "widgets/two/view.html.j2:1:" in awning("check", "widgets/two").out


def test_check_of_a_missing_path_exits_2(project, awning):
    project.add_widget()
    assert awning("check", "widgets/nowhere").code == 2


def test_a_file_outside_of_a_workspace_must_be_utf_8_too(awning, tmp_path):
    (tmp_path / "loose.js").write_bytes(b"f(1);\n// \xff\n")
    result = awning("check", "loose.js", cwd=tmp_path)
    assert result.code == 1
    assert "loose.js:2:4: error[file-encoding]" in result.out


@pytest.mark.usefixtures("processes")
def test_doctor_lists_tools_widgets_and_languages(project, awning):
    project.add_widget()
    document = awning("doctor", "--json").json
    checks = {check["name"]: check for check in document["checks"]}
    assert document["ok"] is True
    assert checks["esbuild"]["state"] == "ok"
    assert checks["widgets"]["found"] == "note"
    assert checks["languages"]["found"] == "en, lv"


@pytest.mark.usefixtures("processes")
def test_doctor_never_shows_a_secret(project, awning):
    project.add_widget()
    secrets = {
        "AWNING_API_KEY": "SVC-0123",
        "AWNING_APP_SECRET": "planted-canary-hush",
        "AWNING_BASE_URL": "https://me:pw@x.example/v1",
    }
    result = awning("doctor", **secrets)
    assert "set" in result.out
    assert not any(secret in result.out + result.err for secret in ("SVC-0123", "planted-canary-hush", "pw"))


def checks_of(result):
    return {check["name"]: check for check in result.json["checks"]}


@pytest.mark.usefixtures("processes")
def test_doctor_reads_secrets_from_the_same_sources_as_other_verbs(awning, tmp_path):
    (tmp_path / "key").write_text("the-key-of-this-app")
    result = awning("doctor", "--json", AWNING_API_KEY_FILE=str(tmp_path / "key"))
    assert checks_of(result)["AWNING_API_KEY"]["found"].startswith("set, by AWNING_API_KEY_FILE")
    assert "the-key-of-this-app" not in result.out
    result = awning("doctor", "--json", AWNING_API_KEY_FILE=str(tmp_path / "none"))
    assert checks_of(result)["AWNING_API_KEY"]["state"] == "warning"


@pytest.mark.usefixtures("processes")
def test_doctor_checks_the_database_instead_of_the_state_directory(project, awning):
    result = awning(
        "doctor", "--json", AWNING_DATABASE_URL="postgresql://a:planted-canary-0452@127.0.0.1:9/app"
    )
    assert (result.code, "state" in checks_of(result)) == (1, False)
    assert "the server does not answer" in checks_of(result)["database"]["found"]
    assert "canary" not in result.out
    assert (
        checks_of(awning("doctor", "--json", AWNING_DATABASE_URL="mysql://a/b"))["database"]["state"]
        == "missing"
    )


@pytest.mark.usefixtures("processes")
def test_doctor_exits_1_when_a_required_tool_is_missing(project, awning, tmp_path):
    project.add_widget()
    result = awning("doctor", AWNING_ESBUILD=str(tmp_path / "nowhere"))
    assert result.code == 1
    assert "x esbuild" in result.out


@pytest.mark.usefixtures("processes")
def test_doctor_reports_errors_of_the_workspace(project, awning):
    project.add_widget(widget_toml="titel = 1\n")
    result = awning("doctor")
    assert result.code == 1
    assert "run: awning check" in result.out


@pytest.mark.usefixtures("processes")
def test_doctor_succeeds_outside_of_a_workspace(awning):
    result = awning("doctor", cwd="/")
    assert result.code == 0
    assert "! workspace" in result.out


@pytest.mark.usefixtures("processes")
def test_doctor_names_the_browser_of_the_harness(project, awning, tmp_path):
    project.add_widget()
    (browser,) = (check for check in awning("doctor", "--json").json["checks"] if check["name"] == "browser")
    assert browser["state"] == "ok"
    result = awning("doctor", AWNING_BROWSER=str(tmp_path / "nowhere"))
    assert result.code == 1
    assert "x browser" in result.out


def test_doctor_lists_every_assumption(awning):
    assumptions = awning("doctor", "--assumptions", "--json").json["assumptions"]
    assert [assumption["id"] for assumption in assumptions] == list(ASSUMPTIONS)


def test_doctor_lists_the_question_and_answers_of_each_assumption(awning):
    assumptions = awning("doctor", "--assumptions", "--json").json["assumptions"]
    assert {assumption["side"] for assumption in assumptions} == {"service", "browser", "pages"}
    for assumption in assumptions:
        assert assumption["question"].endswith((".", "?", ")"))
        assert assumption["source"]
        assert set(assumption["sets"]) == {"documented", "observed", "hostile"}
    text = awning("doctor", "--assumptions").out
    assert all(assumption["id"] in text for assumption in assumptions)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("named", [".awning/state", "kept/state", "./kept/../kept/state"])
def test_doctor_warns_when_git_clean_could_delete_the_state_directory(project, awning, named):
    project.add_widget()
    (project.root / named).mkdir(parents=True)
    (project.root / named / "state.sqlite").touch()

    def state(**environ):
        checks = {check["name"]: check for check in awning("doctor", "--json", **environ).json["checks"]}
        return checks["state"]["state"]

    assert state(AWNING_STATE_DIR=named) == "ok"
    subprocess.run(["git", "init", "-q"], cwd=project.root, check=True)
    assert state(AWNING_STATE_DIR=named) == "warning"
    assert state(AWNING_STATE_DIR=named, PATH="/nowhere") == "warning", "also where git itself is not found"
