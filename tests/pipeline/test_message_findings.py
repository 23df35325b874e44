"""Calls of `t` in scripts and templates: the key has a text, and the text gets its arguments."""

import shutil

import pytest

from awning.pipeline.incremental import inspect_workspace

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
OPEN = (
    't("hello", values)', 't("hello", { ...values })', "t(key)", "t(`h${e}`)", 't("left", { [name]: 1 })',
    't(x ? "hello" : "plain", { name })',
)  # fmt: skip
"""Calls whose arguments are uncertain, or fit one of two messages."""


def with_messages(*, script="", view=""):
    files = {"messages_en_toml": EN, "messages_lv_toml": LV, "view_html_j2": f"<p>\n{view}</p>\n"}
    if script:
        files["widget_ts"] = (
            'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
            f"export default afterPrice(({{ t }}) =>\n  view({{ t, x: {script} }}));\n"
        )
    return files


SCRIPTS = {script: rules for script, _, rules in CASES} | {script: [] for script in OPEN}
VIEWS = {view: rules for _, view, rules in CASES} | {
    '{{ t("hello", title=nam, nam=1) }}': ["error message-arguments"],
    '{{ t("hello",\n  nam = 1) }}': ["error message-arguments"],
    '{{ t("hello" if x else "plain", name=name) }}': [],
    '{{ t("plain" if x else ("hello" if y else "left"), name=1, count=2) }}': [],
    '{{ t("helo" if x else "plain") }}': ["error message-missing"],
    '{{ t("plain" if x else "hello") }}': ["error message-arguments"],
    '{{ t("helo" ~ x) }}': [],
    '{{ t("helo" if x) }}': [],
}
SCRIPTS['t("hello", { nam })'] = ["error message-arguments"]


@pytest.fixture
def of_script(findings_of):
    return lambda script: of_messages(findings_of(SCRIPTS, lambda case: with_messages(script=case))[script])


@pytest.fixture
def of_view(findings_of):
    return lambda view: of_messages(findings_of(VIEWS, lambda case: with_messages(view=case))[view])


def of_messages(findings):
    return [finding for finding in findings if finding.rule in {"message-missing", "message-arguments"}]


def test_hint_names_the_message_files_of_a_widget_without_any(project):
    project.add_widget("note", view_html_j2='<p>{{ t("hello") }}</p>\n')
    shutil.rmtree(project.root / "widgets/note/messages")
    [finding] = inspect_workspace(project.root, types=False).counted()
    assert finding.rule == "message-missing"
    assert 'write messages/en.toml and messages/lv.toml, with: hello = "…"' in finding.hint


@pytest.mark.parametrize("script", SCRIPTS)
def test_message_calls_in_a_script_are_checked(of_script, script):
    findings = of_script(script)
    assert [f"{finding.severity} {finding.rule}" for finding in findings] == SCRIPTS[script]
    column = 29 if "nam:" in script or "nam }" in script else 18
    assert {place_of(finding) for finding in findings} <= {f"widget.ts:4:{column}"}


USES = {
    '{{ t("hello" if t else "plain", name=1) }}': {"left", "soon"},
    '{% set key = "hello" if t else "plain" %}{{ t(key, name=1) }}': {"left", "soon"},
    '{{ t("so" ~ "on", count=1) }}': {"hello", "left", "plain", "soon"},
    '{{ t("hello", name="plain") }}': {"left", "plain", "soon"},
}
"""Views, and the messages that nothing in them uses."""


@pytest.mark.parametrize("view", USES)
def test_message_whose_key_a_template_may_compute_is_used(project, view):
    project.add_widget("note", **with_messages(view=view))
    found = inspect_workspace(project.root, types=False).counted()
    unused = {finding.message.split('"')[1] for finding in found if finding.rule == "message-unused"}
    assert unused == USES[view]


@pytest.mark.parametrize(
    ("of_script", "view", "unused"),
    [
        ("`size-${item.id}`", "{{ text }}", {"color-red"}),
        ("`${item.id}-red`", "{{ text }}", {"size-one", "size-two"}),
        ("'color-' + item.id", "{{ text }}", {"size-one", "size-two"}),
        ("`${item.id}-${item.name}`", "{{ text }}", {"color-red", "size-one", "size-two"}),
        ("`size-${item.id} of ${item.name}`", "{{ text }}", {"color-red", "size-one", "size-two"}),
        ("''", "{{ t('size-' ~ text) }}", {"color-red"}),
    ],
)
def test_message_that_a_computed_key_may_name_is_used(project, of_script, view, unused):
    script = 'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n\n'
    script += f"export default afterPrice(({{ t, item }}) => view({{ t, text: {of_script} }}));\n"
    project.add_widget("note", widget_ts=script, view_html_j2=f"<p>{view}</p>\n")
    for language in ("en", "lv"):
        text = 'size-one = "1"\nsize-two = "2"\ncolor-red = "red"\n'
        project.add_file(f"widgets/note/messages/{language}.toml", text)
    found = inspect_workspace(project.root, types=False).counted()
    named = {finding.message.split('"')[1] for finding in found if finding.rule == "message-unused"}
    assert named == unused


@pytest.mark.parametrize("view", VIEWS)
def test_message_calls_in_a_template_are_checked(of_view, view):
    findings = of_view(view)
    assert [f"{finding.severity} {finding.rule}" for finding in findings] == VIEWS[view]
    assert {finding.place.line for finding in findings} <= ({2} if "\n" not in view else {3})


def place_of(finding):
    return str(finding.place).partition("/")[2].partition("/")[2]


MISSPELT = '"nam" is passed: did you mean "name"? One of the two is misspelt.'


@pytest.mark.parametrize(
    ("view", "place"),
    [
        ('{{ t("hello", nam=1) }}', "view.html.j2:2:15"),
        ('{{ t("hello", title=nam, nam=1) }}', "view.html.j2:2:26"),
        ('{{ t("hello",\n  nam = 1) }}', "view.html.j2:3:3"),
    ],
)
def test_misspelt_argument_in_a_template_is_reported_at_its_place(of_view, view, place):
    findings = [finding for finding in of_view(view) if finding.severity == "error"]
    assert [(place_of(finding), finding.hint) for finding in findings] == [(place, MISSPELT)]


@pytest.mark.parametrize("script", ['t("hello", { nam: 1 })', 't("hello", { nam })'])
def test_misspelt_argument_in_a_script_has_a_hint(of_script, script):
    assert [finding.hint for finding in of_script(script)] == [MISSPELT]


def test_argument_of_the_text_is_not_taken_for_a_misspelling(project):
    en = 'pair = "{name} and {names}"\n'
    project.add_widget(
        "note", messages_en_toml=en, messages_lv_toml=en, view_html_j2='{{ t("pair", name=1) }}'
    )
    (finding,) = (
        finding
        for finding in inspect_workspace(project.root, types=False).counted()
        if finding.rule == "message-arguments"
    )
    assert (finding.place.column, finding.hint) == (6, 't("pair", names=...)')


def test_hint_has_the_syntax_of_the_call(of_script, of_view):
    assert of_script('t("hello")')[0].hint == 't("hello", { name: ... })'
    assert of_view('{{ t("hello") }}')[0].hint == 't("hello", name=...)'
