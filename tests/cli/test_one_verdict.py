"""`awning check`, `awning build` and `awning dev` report the same errors, with place and hint."""

import json
from functools import partial

import pytest

from awning.errors import Faulty
from awning.pipeline.incremental import build
from awning.pipeline.watch import watch_workspace

WIDGET = "widgets/note/"
TITLE = 'title = "Note"\n'
SLOT = 'slot = "after-price"\n'
SCRIPT = (
    'import { afterPrice } from "awning";\n'
    'import view from "./view.html.j2";\n'
    "export default afterPrice(({ t }) => view({ t }));\n"
)
RAW_HTML = (
    'svcPlugins.subscribeEvent("svc-content-after-price", (event, init, params) => {\n'
    "  init();\n"
    '  document.querySelector("#note")!.innerHTML = params.item.name;\n'
    "});\n"
)

# More inputs, without the command line: tests/check/test_bad_inputs.py.
BAD = {
    "an unclosed string": ("widget.toml", SLOT + 'title = "Note\n', 2, "toml-syntax", "Illegal character"),
    "an unknown filter": ("view.html.j2", '<p>\n{{ t("hello")|uper }}</p>', 2, "template-filter", "uper"),
    "unsafe innerHTML": ("widget.ts", RAW_HTML, 3, "raw-html", "innerHTML"),
    "a wrong language of the app": (
        "../../pyproject.toml",
        '[tool.awning]\nlanguages = ["en", "latvian"]\n',
        2,
        "language-code",
        "latvian",
    ),
    "a placeholder in a script": (
        "widget.ts",
        SCRIPT + 'console.log("{{svc_language}}");\n',
        4,
        "placeholder-literal",
        "placeholder of the service",
    ),
    "a script that is none": ("widget.ts", "export default (;\n", 1, "script-error", "Unexpected"),
}


def errors(findings):
    return [
        (finding["rule"], finding["path"], finding["line"])
        for finding in findings
        if finding["severity"] == "error"
    ]


@pytest.mark.parametrize("case", BAD)
def test_check_build_and_dev_report_the_same_error_for_each_fault(project, awning, case):
    project.add_widget("note")
    name, content, line, rule, cause = BAD[case]
    file = project.root / WIDGET / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    path = file.resolve().relative_to(project.root.resolve()).as_posix()

    checked, built = awning("check", "--format", "json"), awning("build", "--json")
    assert (checked.code, built.code) == (1, 1)
    findings = checked.json["findings"]
    assert errors(findings) == errors(built.json["diagnostics"]) == [(rule, path, line)]
    (error,) = [finding for finding in findings if finding["severity"] == "error"]
    assert cause in error["message"]
    assert error["hint"]
    assert not (project.root / "dist").exists()

    dev = partial(build, project.root, out=project.root.parent / "dev", dev=True)
    turn = next(watch_workspace(project.root, lambda session: dev(session=session)))
    assert isinstance(turn.error, Faulty)
    assert errors(finding.as_json() for finding in turn.error.diagnostics) == [(rule, path, line)]


RAW = {"widget_ts": RAW_HTML}


def test_check_writes_nothing(project, awning):
    project.add_widget("note", style_css=".a { color: red }").add_widget("raw", **RAW)
    before = project.tree(".")
    for arguments in (("check",), ("check", "widgets/note"), ("check", "widgets/raw/widget.ts")):
        awning(*arguments)
        assert project.tree(".") == before
    awning("build", "--allow-errors")
    before = project.tree(".")
    project.add_file("widgets/note/view.html.j2", "<p>new</p>")
    before["widgets/note/view.html.j2"] = b"<p>new</p>"
    awning("check")
    assert project.tree(".") == before


def test_allowed_errors_are_built_and_marked(project, awning):
    project.add_widget("note", **RAW)
    assert awning("build").code == 1
    assert not (project.root / "dist").exists()
    allowed = awning("build", "--allow-errors")
    assert allowed.code == 0
    assert "error[raw-html]" in allowed.err
    assert "1 error allowed: awning publish apply refuses this build" in allowed.err
    assert json.loads(project.dist("build.json"))["allowed_errors"] == 1
    before = project.tree()
    assert awning("build").code == 1
    assert project.tree() == before
    project.add_file("widgets/note/widget.ts", RAW_HTML.replace("innerHTML", "textContent"))
    assert awning("build").code == 0
    assert "allowed_errors" not in project.dist("build.json")


@pytest.mark.parametrize("case", ["an unknown filter", "a script that is none", "an unclosed string"])
def test_fatal_diagnostic_cannot_be_allowed(project, awning, case):
    name, content, *_ = BAD[case]
    project.add_widget("note").add_file(WIDGET + name, content)
    refused = awning("build", "--allow-errors")
    assert refused.code == 1
    assert "--allow-errors does not cover the following errors" in refused.err
    assert not (project.root / "dist").exists()


def test_head_script_with_another_name_is_checked_as_a_head_script(project, awning):
    project.add_widget("note", widget_toml=TITLE + SLOT + 'head = "early.ts"\n')
    project.add_file(WIDGET + "early.ts", "document.body.lang = 'en';\n")
    [(rule, *_)] = errors(awning("check", "--format", "json").json["findings"])
    assert rule == "early-dom"


def test_check_and_build_report_the_same_exceeded_budget(project, awning):
    project.add_widget("note", widget_toml=TITLE + SLOT + "budget = 100\n")
    checked, built = awning("check", "--format", "json"), awning("build", "--json")
    assert errors(checked.json["findings"]) == errors(built.json["diagnostics"])
    assert errors(built.json["diagnostics"]) == [("size-budget", "widgets/note/widget.toml", 3)]
    assert (checked.code, built.code) == (1, 1)


LANGUAGES = '[tool.awning]\nlanguages = ["en", "lv"]\n'


def test_workspace_baseline_applies_to_check_and_build(project, awning):
    project.add_widget("note", **RAW).add_file("pyproject.toml", LANGUAGES + 'baseline = "known.json"\n')
    assert awning("build").code == 2
    assert awning("check", "--update-baseline").code == 0
    for _ in range(2):
        assert awning("build", "--json").json["diagnostics"] == []
        assert awning("check", "--format", "json").json["findings"] == []
    (project.root / "known.json").write_text('{"schema_version": 1, "findings": {}}')
    assert awning("build").code == 1
    assert awning("check").code == 1


def test_baseline_does_not_accept_a_fatal_diagnostic(project, awning):
    project.add_widget("note", view_html_j2="{{ x|nosuch }}")
    assert awning("check", "--baseline", "known.json", "--update-baseline").code == 1
    assert awning("check", "--baseline", "known.json").code == 1


def test_suppression_applies_to_check_and_build(project, awning):
    silenced = RAW_HTML.replace(
        "  document.query", "  // awning-ignore raw-html: the shop's own word\n  document.query"
    )
    project.add_widget("note", widget_ts=silenced)
    assert awning("check").code == 0
    assert awning("build").code == 0


def test_comment_does_not_silence_a_fatal_diagnostic(project, awning):
    project.add_widget("note", view_html_j2="{# awning-ignore template-filter: no #}\n{{ x|nosuch }}")
    assert awning("check").code == 1
    assert awning("build").code == 1


def test_language_without_messages_in_any_widget_is_one_error(project, awning):
    for name in ("one", "two", "three"):
        project.add_widget(name)
    project.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["en", "lt"]\n')
    findings = awning("check", "--format", "json").json["findings"]
    assert errors(findings) == [("message-language", "pyproject.toml", 2)]
    assert len(findings) == 1
    assert findings[0]["hint"]


def test_misnamed_messages_file_is_one_error_naming_the_missing_language(project, awning):
    project.add_widget("note")
    (project.root / "widgets/note/messages/lv.toml").rename(project.root / "widgets/note/messages/lv_.toml")
    (finding,) = awning("check", "--format", "json").json["findings"]
    assert (finding["rule"], finding["path"]) == ("language-code", "widgets/note/messages/lv_.toml")
    assert '"lv"' in finding["hint"]


def test_check_and_build_show_errors_before_warnings(project, awning):
    project.add_widget("note", widget_ts=SCRIPT + 'eval("1");\n', style_css=".a { colr: red }\n")
    for verb in ("check", "build"):
        lines = (awning(verb).out + awning(verb).err).splitlines()
        shown = [line for line in lines if line.startswith("widgets/")]
        assert ["error[" in line for line in shown] == sorted(
            ("error[" in line for line in shown), reverse=True
        )
        assert any("warning[" in line for line in shown)
    severities = [item["severity"] for item in awning("build", "--json").json["diagnostics"]]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)


UNREAD = "scripts, styles, templates, types and sizes are not checked"
UNBUILT = "sizes are not checked"


@pytest.mark.parametrize(
    ("path", "content", "unchecked"),
    [
        ("widgets/note/widget.toml", 'titel = "Note"\n' + TITLE + SLOT, UNREAD),
        ("widgets/note/messages/en.toml", "hello = \n", UNREAD),
        ("pyproject.toml", "[tool.awning]\nlanguages = 3\n", UNREAD),
        ("manifest.toml", "[app_vendor]\nname = 3\n", UNREAD),
        ("widgets/note/widget.ts", SCRIPT + "\udcff", UNREAD),
        ("widgets/note/widget.ts", SCRIPT + "const = 1;\n", UNBUILT),
        ("widgets/note/view.html.j2", "<p>{{ t }</p>\n", UNBUILT),
        ("widgets/note/widget.ts", SCRIPT + 'eval("1");\n', None),
        ("widgets/note/widget.ts", SCRIPT, None),
    ],
)
def test_check_and_build_say_what_they_did_not_look_at(project, awning, path, content, unchecked):
    project.add_widget("note")
    (project.root / path).write_bytes(content.encode("utf-8", "surrogateescape"))
    for verb in ("check", "build"):
        said = [line for line in awning(verb).err.splitlines() if "not checked" in line]
        assert len(said) == (unchecked is not None)
        assert all(unchecked in line and "mend the errors first" in line for line in said)
    as_json = awning("check", "--format", "json")
    assert list(as_json.json) == ["schema_version", "findings"]
    assert ("not checked" in as_json.err) == (unchecked is not None)


def test_check_of_a_script_says_that_another_error_hides_its_types(project, awning):
    project.add_widget("note").add_file("widgets/note/states.toml", "[[state]\n")
    checked = awning("check", "widgets/note/widget.ts")
    assert checked.code == 0
    assert "types, styles and templates are not checked: widgets/note/states.toml:1" in checked.err
