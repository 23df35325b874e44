"""Calls of `view({ ... })` are compared with the variables that the template reads."""

import re
from pathlib import Path

import pytest

from awning.check.variables import variable_findings
from awning.rules import PAGES
from awning.script.file import ScriptFile
from awning.template.compile import compile_template

DOCS = Path(__file__).parents[2] / "docs"
PAGE = PAGES / "template-variables.md"
TEMPLATE = """\
<p>{{ title }}{{ note|default("") }}</p>
{% if sold %}{{ t("sold") }}{% else %}{{ left }}{% endif %}
{% for line in lines %}{{ line.name }}{{ line.sku|default("") }}{% endfor %}
{{ shop.city }}"""
NAMED = re.compile('reads (?:no )?"(.+?)"')
NAMED_TYPE = re.compile(r'declares "(\w+)" as (\w+) .* and (\w+) is passed')
REST = "t, lines, shop"
FULL = f"title, sold, left, {REST}"


def found_in(script, template=TEMPLATE, path="widgets/a/widget.ts"):
    view = "widgets/a/view.html.j2"
    reads = compile_template(template, path=view).reads
    return list(variable_findings(ScriptFile(path=path, text=script), {view: reads}, {view: template}))


def severities_and_names(arguments, before=""):
    """Each diagnostic as its severity and variable, as in `error title`."""
    script = f'import view from "./view.html.j2";\n{before}view({arguments});\n'
    return [f"{diagnostic.severity} {NAMED.search(diagnostic.message)[1]}" for diagnostic in found_in(script)]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (f"{{ {FULL} }}", []),
        (f"{{ {FULL}, note: 1 }}", []),
        (f"{{ sold, left, {REST} }}", ["error title"]),
        ("", ["error left", "error lines", "error shop", "error sold", "error title"]),
        (f"{{ {FULL}, extra: 1 }}", ["warning extra"]),
        (f"{{ titel: 1, sold, left, {REST} }}", ["error title"]),
        (f'{{ "title": 1, sold, left() {{}}, {REST} }}', []),
        # variables that the template reads only if another variable is true, or only if it is false
        (f"{{ title, sold: true, {REST} }}", []),
        (f'{{ title, sold: "yes", {REST} }}', []),
        (f"{{ title, sold: false, {REST} }}", ["error left"]),
        ("{ title, sold: false, left, lines, shop }", []),
        ("{ title, sold: 0, left, lines, shop }", []),
        ("{ title, sold: isSold, lines, shop, t }", ["error left"]),
        # attributes
        ("{ title, sold, left, t, lines: [{ name, sku }, line], shop: { city } }", []),
        ("{ title, sold, left, t, lines: [{ sku }], shop: {} }", ["error lines.name", "error shop.city"]),
        ("{ title, sold, left, t, shop, lines: all.map((one) => ({ nam: one.name })) }", ["error lines.name"]),
        ("{ title, sold, left, t, lines, shop: { city, zip: 1 } }", ["warning shop.zip"]),
        ("{ title, sold, left, t, lines: all.filter(Boolean), shop: (find() ?? {}) }", []),
        ("{ title, sold, left, t, shop, lines: all.map((one) => { return { nam: 1 }; }) }", []),
        # arguments that do not show which names they pass: no name is reported as missing
        ("context", []),
        ("{ ...context }", []),
        ("{ ...context, titel: 1 }", ["warning titel"]),
        ("{ [name]: 1 }", []),
        ("{ title } as Context", []),
        ("...all", []),
    ],
)  # fmt: skip
def test_missing_and_unknown_arguments_of_a_call_are_reported(arguments, expected):
    assert sorted(severities_and_names(arguments)) == expected


DECLARED = (
    "{#def title: string, left: number, sold: boolean #}{{ title }}{% if not sold %}{{ left }}{% endif %}"
)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{ title: "a", left: 1, sold: true }', []),
        ("{ title: `${a}`, left: 1.5e3, sold: false }", []),
        ("{ title, left: item.stock, sold: !item.stock }", []),
        ('{ title: "a" as string, left: -1, sold: sold === 1 }', []),
        ('{ title: 5, left: "1", sold: 0 }', ["title number", "left string", "sold number"]),
        ("{ title: null, left: undefined, sold: null }", ["title null", "sold null"]),
        ("{ title: [], left: {}, sold: () => true }", ["title object", "left object", "sold function"]),
        ("{ title: true, left: (1), sold: [1].map((one) => (one)) }", ["title boolean"]),
        # declared variables are required, also with a default, unless a guard prevents the read
        ('{ title: "a", sold: true }', []),
        ('{ title: "a", sold: false }', ["left"]),
        ("{ sold: true }", ["title"]),
    ],
)
def test_literals_that_do_not_have_the_declared_type_are_reported(arguments, expected):
    diagnostics = found_in(f'import view from "./view.html.j2";\nview({arguments});\n', DECLARED)
    names = [re.findall(r'"(\w+)"|and (\w+) is passed', diagnostic.message) for diagnostic in diagnostics]
    assert [" ".join(name or kind for name, kind in pairs) for pairs in names] == expected
    assert {diagnostic.severity for diagnostic in diagnostics} <= {"error"}


def test_literal_of_the_wrong_type_is_shown_with_the_declared_type():
    (diagnostic,) = found_in(
        'import view from "./view.html.j2";\nview({ title: 5, sold: true });\n', DECLARED
    )
    assert str(diagnostic.place) == "widgets/a/widget.ts:2:8"
    assert diagnostic.message == (
        'the template declares "title" as string (it is read in widgets/a/view.html.j2:1), and number is passed'
    )
    assert diagnostic.hint == "pass a string, or remove the name from the template's {#def #}"


GIVE = "pass it, or give it a default in the template:"
CHOSEN = "{#def chosen: boolean, left: number #}\n{{ left }}"


def messages_of(body, arguments):
    script = f'import view from "./view.html.j2";\nview({{ {arguments} }});\n'
    return [
        f"{str(diagnostic.place).removeprefix('widgets/a/')} {diagnostic.severity} {diagnostic.hint}"
        for diagnostic in found_in(script, CHOSEN + body)
    ]


@pytest.mark.parametrize(
    ("body", "arguments", "expected"),
    [
        # `chosen` is declared and passed: the use in the template is misspelt, even if `chosen` is read too
        ("{% if chosn %}x{% endif %}", "chosen, left: 1", ['view.html.j2:2:17 error did you mean "chosen"?']),
        (
            "{{ chosen }}{% if chosn %}x{% endif %}",
            "chosen, left",
            ['view.html.j2:2:29 error did you mean "chosen"?'],
        ),
        # the script passes the name that is read: the declaration is misspelt, which the compiler reports
        ("{% if chosn %}x{% endif %}", "chosn, left", []),
        # the script passes a name that is neither declared nor read
        ("{{ chosen }}", "chosn, left", ['widget.ts:2:8 error "chosn" is passed: did you mean "chosen"?']),
        (
            "{{ chosen }}{{ titel }}",
            "chosen, left, title",
            ['widget.ts:2:22 error "title" is passed: did you mean "titel"?'],
        ),
        # a variable with a default is not required, so no similar name is suggested for it
        (
            "{{ chosn|default(1) }}",
            "chosen, left",
            ["widget.ts:2:8 warning remove it, or read it in the template"],
        ),
        # a list cannot be declared, so `chosens` is no misspelling of the declared `chosen`
        (
            "{{ chosen }}{% for one in chosens %}{{ one }}{% endfor %}",
            "chosen, left",
            [f'widget.ts:2:6 error {GIVE} {{{{ chosens|default("") }}}}'],
        ),
        # two similar names that are both read
        (
            "{{ chosen }}{{ lefts_over }}",
            "chosen, left",
            [f'widget.ts:2:6 error {GIVE} {{{{ lefts_over|default("") }}}}'],
        ),
    ],
)  # fmt: skip
def test_misspelling_is_reported_against_the_declared_and_passed_name(body, arguments, expected):
    assert messages_of(body, arguments) == expected


def test_a_misspelt_use_in_a_template_is_shown_with_its_line():
    (diagnostic,) = found_in(
        'import view from "./view.html.j2";\nview({ chosen, left });\n', CHOSEN + "{{ chosn }}"
    )
    assert diagnostic.message == '"chosn" is neither declared nor passed'
    assert diagnostic.excerpt == "{{ left }}{{ chosn }}"


@pytest.mark.parametrize(
    "before",
    ["function f(view) { ", "const view = other; ", "const f = (view) => ", "const { view } = other; "],
)
def test_calls_of_a_redeclared_name_are_not_reported(before):
    end = " }" if before.endswith("{ ") else ""
    assert found_in(f'import view from "./view.html.j2";\n{before}view({{}});{end}\n') == []


def test_a_message_names_both_places():
    (diagnostic,) = found_in(
        f'import a from "./view.html.j2";\n// ä\na({{ title, "sold": 0, lefd: 1, {REST} }});\n'
    )
    assert (
        diagnostic.message == 'the template reads "left" (widgets/a/view.html.j2:2), which is not passed here'
    )
    assert str(diagnostic.place) == "widgets/a/widget.ts:3:23"
    assert diagnostic.hint == '"lefd" is passed: did you mean "left"?'


def test_template_in_another_folder_is_found_by_its_path():
    script = 'import view from "../view.html.j2";\nview({});\n'
    assert len(found_in(script, path="widgets/a/deep/part.js")) == 5
    assert found_in(script) == []


def test_unparsable_script_has_no_calls():
    assert found_in('import view from "./view.html.j2";\nview({}); ) {\n') == []


def test_examples_of_the_rule_page_are_true():
    wrong, right = (part.split("```html\n")[1] for part in PAGE.read_text().split("\nRight:\n"))
    for text, expected in ((wrong, ['"titel" is passed: did you mean "title"?']), (right, [])):
        template, script = re.fullmatch(r"(.*?)```\n\n```ts\n(.*?)```.*", text, re.DOTALL).groups()
        assert [diagnostic.hint for diagnostic in found_in(script, template)] == expected


def test_examples_of_the_type_rule_page_are_true():
    section = (DOCS / "typed-templates.md").read_text().split("\n## Declared types\n")[1].split("\n## ")[0]
    (template,) = re.findall(r"```html\n(.*?)```", section, re.DOTALL)
    right, wrong = re.findall(r"```ts\n(.*?)```", section, re.DOTALL)
    imported = 'import view from "./view.html.j2";\n'
    assert found_in(imported + right, template) == []
    assert [
        NAMED_TYPE.findall(diagnostic.message) for diagnostic in found_in(imported + wrong, template)
    ] == [
        [("title", "string", "null")],
        [("left", "number", "string")],
        [("sold_out", "boolean", "number")],
    ]


def test_a_warning_of_a_workspace_does_not_prevent_its_build(check, shop):
    shop.add_widget(view_html_j2="<p>{{ t('hello') }}{{ title }}</p>\n")
    result = check(cwd=shop.root)
    assert result.code == 1
    (finding,) = result.findings
    assert (finding["rule"], finding["path"]) == ("template-variables", "widgets/note/widget.ts")
    assert finding["docs"] == "docs/rules/template-variables.md"
    shop.build()


def test_a_misspelt_name_in_a_shared_template_is_reported_once(check, shop):
    view = '{#def chosen: boolean, left: number #}\n{{ chosen }}{{ left }}{% include "part.html.j2" %}\n'
    script = (
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export default afterPrice(({ item }) =>\n"
        "  item.stock ? view({ chosen: true, left: 1 }) : view({ chosen: false, left: 0 }));\n"
    )
    shop.add_widget(view_html_j2=view, widget_ts=script)
    shop.add_file("widgets/_shared/part.html.j2", "<p>\n{% if chosn %}x{% endif %}</p>\n")
    (finding,) = [row for row in check(cwd=shop.root).findings if row["severity"] == "error"]
    assert (finding["path"], finding["line"], finding["column"]) == ("widgets/_shared/part.html.j2", 2, 7)
    assert finding["hint"] == 'did you mean "chosen"?'
    assert "{% if chosn %}x" in check(cwd=shop.root, form="text").out


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ("{{ price|money }}", "pass currency: item.currency"),
        ("{{ day|date }}", "pass `language`, which every render function gets"),
        ("{{ size|number(2) }}", "pass `language`, which every render function gets"),
        ("{{ currency }}", '{{ currency|default("") }}'),
    ],
)
def test_missing_variable_of_a_filter_is_explained(value, advice):
    script = 'import view from "./view.html.j2";\nview({ price: 1, day: 1, size: 1 });\n'
    hints = [
        d.hint
        for d in found_in(script, template=value)
        if " is not passed here" in d.message or "which" in d.message
    ]
    assert [hint for hint in hints if advice in hint]
