"""Declared variables in the browser: values of the declared type render the reference's text, others are an error."""

import json
from random import Random
from typing import Any

import pytest
from grammar.values import number, text
from parity import JavaScript, by_reference
from volumes import volume

from awning.template.compile import compile_template

HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "' onmouseover='alert(1)",
    "&lt;b&gt; &#60;",
    "{{svc_app_data}}",
    "</textarea></title></style>",
    "javascript:alert(1)",
    "\u2028`${alert(1)}`",
]
PLACES = {
    "text": "<p>{{ s }}</p>",
    "attribute": "<p title=\"{{ s }}\" data-x='{{ s }}'></p>",
    "element of text": "<textarea>{{ s }}</textarea>",
    "chosen": "<p>{{ s if s else 'none' }}{{ s or 'none' }}{{ s and s }}</p>",
    "filtered": "<p>{{ s|trim }}{{ s|upper }}</p>",
    "joined": "<p>{{ s ~ '!' }}{{ '<' ~ s }}{{ s + s }}</p>",
}
BROKEN = [
    "null", "undefined", "5", "0", "NaN", "1e21", "true", "false", "[]", "['<b>']", "{}", "{ a: 1 }", "() => 1", "10n",
    "new String('<b>')", "{ toString: () => '<b>', valueOf: () => 1 }", "[5]", "location",
    "document.body.classList", "new URL('a:b')", "'5'", "'<b>'", "' 5 '", "''",
]  # fmt: skip
KEPT = {"string": {"'5'", "'<b>'", "' 5 '", "''"}, "number": {"5", "0", "1e21", "NaN"}}
PRINTING = {
    "string": [
        *PLACES.values(),
        "<a href='{{ s }}'></a>", "<a href='/{{ s }}'></a>", "<a href='/a{{ s }}'></a>", "<a href='?q={{ s }}'></a>",
        "<img src='{{ s }}'>", "<img srcset='{{ s }}'>", "<img srcset='a.jpg {{ s }}'>",
        "<i style='color: {{ s }}'></i>",
        "<i style='font-family: \"{{ s }}\"'></i>", "<a href='{{ x }}{{ s }}'></a>",
        "<iframe src='https://a.lv/{{ s }}'></iframe>",
    ],
    "number": [
        "<p>{{ s }}</p>", "<p title='{{ s }}'></p>", "<a href='?n={{ s }}'></a>", "<i style='width: {{ s }}px'></i>",
        "<p>{{ s + 1 }}</p>", "<p>{{ s * 2 }}</p>", "<p>{{ s ~ '' }}</p>", "<p>{{ -s }}</p>", "<p>{{ s < 3 }}</p>",
    ],
}  # fmt: skip
RENDER = """(values) => values.map((value) => {
  try { return renders[0]({ s: (0, eval)(`(${value})`), x: "x" }); } catch (error) { return null; }
})"""


def module(template: str, **options: Any) -> str:
    return compile_template(template, path="widgets/a/view.html.j2", **options).code


@pytest.mark.parametrize("place", PLACES)
def test_hostile_strings_are_escaped_as_by_the_reference(javascript: JavaScript, place: str) -> None:
    template = "{#def s: string #}" + PLACES[place]
    contexts: list[dict[str, Any]] = [{"s": value} for value in HOSTILE if "svc" not in value]
    (answers,) = javascript.render([module(template)], [contexts])
    expected = [by_reference(template, context).text for context in contexts]
    assert [answer.text for answer in answers] == expected
    ((placeholder,),) = javascript.render([module(template)], [[{"s": "{{svc_app_data}}"}]])
    assert "{{svc" not in (placeholder.text or "{{svc")


@pytest.mark.parametrize(
    ("kind", "body"), [(kind, body) for kind, bodies in PRINTING.items() for body in bodies]
)
def test_value_of_another_type_than_declared_is_not_printed(
    javascript: JavaScript, kind: str, body: str
) -> None:
    """`if`, `or` and `and` do not check the type of a falsy value: the text is the one for false."""
    code = module(f"{{#def s: {kind} #}}{body}")
    javascript.page.evaluate(javascript.script([code]))
    answers = javascript.page.evaluate(RENDER, BROKEN)
    boxed = {"new String('<b>')"} if kind == "string" else set()
    printed = {value for value, answer in zip(BROKEN, answers, strict=True) if answer is not None}
    false = {"null", "undefined", "0", "NaN", "false"} if body == PLACES["chosen"] else set()
    assert printed <= KEPT[kind] | false | boxed
    assert not any("<b>" in (answer or "") for answer in answers)


def test_declared_boolean_prints_only_true_and_false(javascript: JavaScript) -> None:
    javascript.page.evaluate(javascript.script([module("{#def s: boolean #}{{ s }}")]))
    assert set(javascript.page.evaluate(RENDER, BROKEN)) == {"True", "False"}


def test_declared_numbers_print_as_in_the_reference(javascript: JavaScript) -> None:
    template = "{#def s: number #}{{ s }}"
    values = [0, -0.0, 1, -1.5, 0.0001, 0.00009, 9999999999999998, 1e16, 1e21, -1e-7, 123456.789, 5e-324]
    (answers,) = javascript.render([module(template)], [[{"s": value} for value in values]])
    assert [answer.text for answer in answers] == [
        by_reference(template, {"s": value}).text for value in values
    ]


@pytest.mark.parametrize(
    ("context", "says"),
    [
        ({"left": 1, "on": True}, '"title" as string, and the script gives undefined'),
        ({"title": None, "left": 1, "on": True}, '"title" as string, and the script gives null'),
        ({"title": 5, "left": 1, "on": True}, '"title" as string, and the script gives number'),
        ({"title": ["a"], "left": 1, "on": True}, '"title" as string, and the script gives a list'),
        ({"title": {}, "left": 1, "on": True}, '"title" as string, and the script gives object'),
        ({"title": "", "left": "1", "on": True}, '"left" as number, and the script gives string'),
        ({"title": "", "left": 1, "on": 0}, '"on" as boolean, and the script gives number'),
        ({"title": "", "on": True}, '"left" as number, and the script gives undefined'),
    ],
)
def test_dev_build_names_the_variable_of_the_wrong_type(
    javascript: JavaScript, context: dict[str, Any], says: str
) -> None:
    template = (
        "{#def title: string, left: number, on: boolean #}\n{{ title }}{% if on %}{{ left }}{% endif %}"
    )
    ((result,),) = javascript.render([module(template, dev=True)], [[context]])
    assert result.text is None
    assert result.error == f"TypeError: widgets/a/view.html.j2:1 declares {says}"


def test_a_dev_build_does_not_check_unread_variables(javascript: JavaScript) -> None:
    template = "{#def left: number, on: boolean #}{% if on %}{{ left }}{% endif %}"
    ((result,),) = javascript.render([module(template, dev=True)], [[{"on": False}]])
    assert result.text == ""


def test_dev_build_reports_nan_and_infinity(javascript: JavaScript) -> None:
    javascript.page.evaluate(javascript.script([module("{#def s: number #}{{ 1 if s else 2 }}", dev=True)]))
    assert javascript.page.evaluate(RENDER, ["NaN", "Infinity", "0", "3"]) == [None, None, "2", "1"]


TEXTS = [
    "s",
    "u",
    "'<'",
    "s|upper",
    "u|trim",
    "@ or @",
    "@ and @",
    "@ if ? else @",
    "s|title",
    "k.a",
    "x",
    "s|d('-')",
]
TRUTHS = [
    "s",
    "n",
    "on",
    "not ?",
    "? and ?",
    "? or ?",
    "s == u",
    "n == 1",
    "n > 2",
    "1 < n < m",
    "n != m",
    "x",
]
NUMBERS = ["n", "m", "n or m", "n if ? else m", "n and m", "s|length"]
PIECES = [
    "{{ @ }}",
    "<i title='{{ @ }}'>x</i>",
    "{{ # }}",
    "{{ ? }}",
    "{% if ? %}{{ @ }}x{% elif ? %}{{ @ }}{% else %}{{ # }}{% endif %}",
    "{% for s in l %}{{ s }}{{ u }}{% endfor %}",
    "{% with n = x %}{{ n }}{{ @ }}{% endwith %}",
    "{% set y = @ %}{{ y }}",
    "<b>&amp;",
]


def filled(piece: str, dice: Random, depth: int = 0) -> str:
    def expression(sign: str) -> str:
        choices = {"@": TEXTS, "?": TRUTHS, "#": NUMBERS}[sign]
        return f"({filled(dice.choice(choices[: 3 if depth > 2 else None]), dice, depth + 1)})"

    return "".join(expression(sign) if sign in "@?#" else sign for sign in piece)


def test_random_templates_with_declared_variables_agree_with_reference(javascript: JavaScript) -> None:
    dice, count = Random(7), volume("declared-templates")
    head = "{#def s: string, u: string, n: number, m: number, on: boolean #}"
    templates = [head + "".join(filled(dice.choice(PIECES), dice) for _ in range(4)) for _ in range(count)]
    contexts = [[context(dice) for _ in range(5)] for _ in templates]
    modules = [module(template) for template in templates]
    assert sum("escapeText" in code for code in modules) > count / 2
    for template, values_of_template, answers in zip(
        templates, contexts, javascript.render(modules, contexts), strict=True
    ):
        for values, result in zip(values_of_template, answers, strict=True):
            wanted = by_reference(template, values).text
            assert result.text == wanted, (template, json.dumps(values), result)


def context(dice: Random) -> dict[str, Any]:
    other = dice.choice([None, "", "<x>", 0, 2.5, True])
    return {
        "s": text(dice), "u": text(dice), "n": number(dice), "m": number(dice), "on": dice.random() < 0.5,
        "x": other, "k": {"a": text(dice)}, "l": [text(dice), None, 3],
    }  # fmt: skip
