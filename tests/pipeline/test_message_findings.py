"""Calls of `t` in scripts and templates: the key has a text, and the text gets its arguments."""

import shutil

import pytest

from awning.pipeline import inspect_workspace

EN = """
hello = "Hello, {name}"
plain = "Plain"
[left]
one = "Only {count} left."
other = "Only {count} left."
[soon]
one = "Within the hour"
other = "Within hours"
"""
LV = EN.replace("[left]", '[left]\nzero = "Palikuši {count}."').replace("[soon]", '[soon]\nzero = "Drīz"')

CASES = (
    ('t("hello", { name })', '{{ t("hello", name=name) }}', []),
    ('t("plain")', '{{ t("plain") }}', []),
    ('t("left", { count: 3 })', '{{ t("left", count=3) }}', []),
    ('t("soon", { count: 3 })', '{{ t("soon", count=3) }}', []),
    ('t("helo", { name })', '{{ t("helo", name=name) }}', ["error message-missing"]),
    ('t("hello")', '{{ t("hello") }}', ["error message-arguments"]),
    ('t("hello", { nam: 1 })', '{{ t("hello", nam=1) }}', ["error message-arguments"]),
    ('t("left")', '{{ t("left") }}', ["error message-arguments"]),
    ('t("left", { n: 3 })', '{{ t("left", n=3) }}', ["error message-arguments"]),
    ('t("soon")', '{{ t("soon") }}', ["error message-arguments"]),
    ('t("plain", { name })', '{{ t("plain", name=name) }}', ["warning message-arguments"]),
    ('t("plain", { count: 3 })', '{{ t("plain", count=3) }}', ["warning message-arguments"]),
    ('t("hello", { name, title: 1 })', '{{ t("hello", name=1, title=1) }}', ["warning message-arguments"]),
)
OPEN = ('t("hello", values)', 't("hello", { ...values })', "t(key)", "t(`h${e}`)", 't("left", { [name]: 1 })')


def message_findings(project, *, script="", view=""):
    files = {"messages_en_toml": EN, "messages_lv_toml": LV, "view_html_j2": f"<p>\n{view}</p>\n"}
    if script:
        files["widget_ts"] = (
            'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
            f"export default afterPrice(({{ t }}) =>\n  view({{ t, x: {script} }}));\n"
        )
    project.add_widget("note", **files)
    findings = inspect_workspace(project.root).counted()
    return [finding for finding in findings if finding.rule in {"message-missing", "message-arguments"}]


def test_hint_names_the_message_files_of_a_widget_without_any(project):
    project.add_widget("note", view_html_j2='<p>{{ t("hello") }}</p>\n')
    shutil.rmtree(project.root / "widgets/note/messages")
    [finding] = inspect_workspace(project.root).counted()
    assert finding.rule == "message-missing"
    assert 'write messages/en.toml and messages/lv.toml, with: hello = "…"' in finding.hint


@pytest.mark.parametrize(("script", "rules"), [(script, rules) for script, _, rules in CASES])
def test_message_calls_in_a_script_are_checked(project, script, rules):
    findings = message_findings(project, script=script)
    assert [f"{finding.severity} {finding.rule}" for finding in findings] == rules
    misspelt = "nam:" in script
    assert [(finding.place.path, finding.place.line, finding.place.column) for finding in findings] == [
        ("widgets/note/widget.ts", 4, 29 if misspelt else 18) for _ in findings
    ]


@pytest.mark.parametrize(("view", "rules"), [(view, rules) for _, view, rules in CASES])
def test_message_calls_in_a_template_are_checked(project, view, rules):
    findings = message_findings(project, view=view)
    assert [f"{finding.severity} {finding.rule}" for finding in findings] == rules
    assert [(finding.place.path, finding.place.line) for finding in findings] == [
        ("widgets/note/view.html.j2", 2) for _ in findings
    ]


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"view": '{{ t("hello", nam=1) }}'}, "view.html.j2:2:15"),
        ({"view": '{{ t("hello", title=nam, nam=1) }}'}, "view.html.j2:2:26"),
        ({"view": '{{ t("hello",\n  nam = 1) }}'}, "view.html.j2:3:3"),
        ({"script": 't("hello", { nam: 1 })'}, "widget.ts:4:29"),
        ({"script": 't("hello", { nam })'}, "widget.ts:4:29"),
    ],
)
def test_misspelt_argument_is_reported_at_its_place(project, files, place):
    findings = [finding for finding in message_findings(project, **files) if finding.severity == "error"]
    assert [(str(finding.place), finding.hint) for finding in findings] == [
        (f"widgets/note/{place}", '"nam" is passed: did you mean "name"? One of the two is misspelt.')
    ]


def test_argument_of_the_text_is_not_taken_for_a_misspelling(project):
    en = 'pair = "{name} and {names}"\n'
    project.add_widget(
        "note", messages_en_toml=en, messages_lv_toml=en, view_html_j2='{{ t("pair", name=1) }}'
    )
    (finding,) = (
        finding
        for finding in inspect_workspace(project.root).counted()
        if finding.rule == "message-arguments"
    )
    assert (finding.place.column, finding.hint) == (6, 't("pair", names=...)')


@pytest.mark.parametrize("script", OPEN)
def test_uncertain_arguments_are_not_reported(project, script):
    assert message_findings(project, script=script) == []


def test_argument_of_either_possible_message_is_accepted(project):
    assert message_findings(project, script='t(x ? "hello" : "plain", { name })') == []


def test_hint_has_the_syntax_of_the_call(project):
    assert message_findings(project, script='t("hello")')[0].hint == 't("hello", { name: ... })'
    assert message_findings(project, view='{{ t("hello") }}')[0].hint == 't("hello", name=...)'
