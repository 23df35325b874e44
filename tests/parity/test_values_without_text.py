"""A list or a mapping is an error in each HTML context, in production and in dev builds, and in the reference."""

import pytest
from parity import JavaScript, by_reference, compiled

from awning.template.compile import compile_template
from awning.template.reference_texts import NO_ORDER, NO_TEXT

PLACES = [
    "<p>{{ x }}</p>", "<p title='{{ x }}'></p>", "<title>{{ x }}</title>", "<textarea>{{ x }}</textarea>",
    "<i style='color: {{ x }}'></i>", "<style>.a { color: {{ x }} } .b { color: red }</style>",
    "<i style='font-family: \"{{ x }}\"'></i>", "<i style='background: url({{ x }})'></i>",
    "<i style='background: url(/a/{{ x }}?b={{ x }})'></i>", "<svg><rect fill='{{ x }}'></rect></svg>",
    "<img srcset='{{ x }}'>", "<img srcset='/a.png {{ x }}'>", "<img src='{{ x }}'>", "<a href='{{ x }}'></a>",
    "<a href='/{{ x }}'></a>", "<a href='/a/{{ x }}'></a>", "<a href='?a={{ x }}'></a>",
    "<a href='{{ y }}{{ x }}'></a>", "<iframe src='https://a.example/{{ x }}'></iframe>",
]  # fmt: skip
VALUES = [
    [], [0], ["red"], ["red", "blue"], ["calc("], ["rgb(1", "2"], [["var("]], ["/a.png"], ["/a.png 1x"], ["1x"], [".."],
    ["<b>"], ["'"], {}, {"a": 1}, {"red": "red"}, {"search": 1, "replace": 1}, {"$": "<b>"}, {"length": 0},
]  # fmt: skip


def module(template: str, *, dev: bool) -> str:
    return compile_template(template, path="case.html", dev=dev).code


@pytest.mark.parametrize("dev", [False, True], ids=["shipped", "dev"])
def test_list_and_mapping_are_errors_in_every_html_context(javascript: JavaScript, dev: bool) -> None:
    contexts = [[{"x": value, "y": "/a"} for value in VALUES] for _ in PLACES]
    rendered = javascript.render([module(place, dev=dev) for place in PLACES], contexts)
    for place, answers in zip(PLACES, rendered, strict=True):
        for value, answer in zip(VALUES, answers, strict=True):
            assert NO_TEXT in answer.error, (place, value, answer)
            assert NO_TEXT in by_reference(place, {"x": value, "y": "/a"}).error


TEXTS = [
    "{{ x }}", "{{ x ~ '' }}", "{{ '' ~ x }}", "{{ [x]|join }}", "{{ ['a']|join(x) }}", "{{ x|string }}",
    "{{ x|upper }}", "{{ x|e }}", "{{ x|safe }}", "{{ x|trim }}", "{{ 'a'|replace('a', x) }}", "{{ '%s' % (x,) }}",
    "{{ '%s'|format(x) }}", "{{ '{}'.format(x) }}", "{{ '{a:>3}'.format(a=x) }}", "{{ '%(a)s' % {'a': x} }}",
    "{{ {'a': x}|urlencode }}", "{{ {'a': x}|xmlattr }}", "{{ [x]|map('title')|join }}", "{{ x is lower }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(x) }}", "{% set y = x %}{{ y }}", "{% set y %}{{ x }}{% endset %}",
    "{% for y in [x] %}{{ y }}{% endfor %}", "{% filter upper %}{{ x }}{% endfilter %}",
    "{{ x if x is defined else 'a' }}", "{{ x|default('a') }}", "{{ x and x }}", "{{ (x, 1)|first }}",
]  # fmt: skip
ORDERS = [
    "{{ x < x }}", "{{ x <= [x] }}", "{{ 1 > x }}", "{{ x >= 1 }}", "{{ 0 < 1 < x }}", "{{ x is lt x }}",
    "{{ [x]|select('gt', x)|list }}", "{{ [x, 1]|sort|length }}", "{{ [x, x]|max|length }}",
    "{{ [x, 1]|min|length }}", "{{ {'a': x, 'b': 1}|dictsort(by='value')|length }}",
    "{{ [{'a': x}, {'a': 1}]|sort(attribute='a')|length }}", "{{ [{'a': x}, {'a': 1}]|groupby('a')|length }}",
    "{{ [{'a': x}, {'a': 1}]|max(attribute='a')|length }}",
]  # fmt: skip


@pytest.mark.parametrize("value", [[1], {"a": 1}, [], {}], ids=str)
@pytest.mark.parametrize(
    ("templates", "message"), [(TEXTS, NO_TEXT), (ORDERS, NO_ORDER)], ids=["text", "order"]
)
def test_error_names_the_template_and_the_line_as_in_the_reference(
    javascript: JavaScript, templates: list[str], message: str, value: object
) -> None:
    placed = [f"<p>\n{template}</p>" for template in templates]
    shipped, checked = (
        javascript.render([module(template, dev=dev) for template in placed], [[{"x": value}]] * len(placed))
        for dev in (False, True)
    )
    for template, (answer,), (in_dev,) in zip(placed, shipped, checked, strict=True):
        assert answer.error == f"TypeError: {message}", template
        assert in_dev.error == f"TypeError: case.html:2: {message}", template
        assert by_reference(template, {"x": value}).error == f"TypeError: case.html:2: {message}", template


STATEMENTS = [
    "{% if x < x %}a{% endif %}", "{% if no %}a\n{% elif x < x %}b{% endif %}",
    "{% if no %}\n{% else %}\n{{ x }}{% endif %}", "{% set n = namespace() %}\n{% set n.a = x ~ 1 %}",
    "{% set y = x ~ 1 %}\n{{ y }}", "{% set y %}\n{{ x }}\n{% endset %}",
    "{% for y in [1] %}\n\n{{ x }}\n{% endfor %}", "{% for y in [x, 1]|sort %}\n{{ y }}{% endfor %}",
    "{% for y in [1, 2] if x < y %}\n{{ y }}{% endfor %}", "{% for y in [x] recursive %}\n{{ y }}{% endfor %}",
    "{% with y = x|string %}\n{{ y }}{% endwith %}", "{% filter upper %}\n{{ x }}{% endfilter %}",
    "{% filter replace('a', x) %}\na{% endfilter %}", "{% block a %}\n{{ x }}{% endblock %}",
    "{% macro m(a=x|upper) %}\n{{ a }}{% endmacro %}\n{{ m() }}", "{% macro m(a) %}\n{{ a }}{% endmacro %}\n{{ m(x) }}",
    "{% macro m() %}\n{{ 1 }}{% endmacro %}\n\n{{ m() ~ x }}",
    "{% block a %}\n{{ 1 }}{% endblock %}\n{{ self.a() ~ x }}",
    "{% macro m() %}\n{{ caller() }}{% endmacro %}\n{% call m() %}\n\n{{ x }}{% endcall %}",
    "<a\n href='{{ x }}'\n title='{{ 1 }}'>a</a>", "{{ 1 }}\n{{ 2 }}\n{{\n x }}",
    "{% for item in [x] %}\n{% include 'row.html' %}{% endfor %}", "{% import 'forms.html' as f %}\n{{ f.input(x) }}",
]  # fmt: skip


def test_error_in_a_dev_build_names_the_line_of_the_reference(javascript: JavaScript) -> None:
    templates = [f"<p>\n{statement}" for statement in STATEMENTS]
    modules = [compiled(template, dev=True) for template in templates]
    answers = javascript.render([str(module) for module in modules], [[{"x": [1]}]] * len(modules))
    for template, (answer,) in zip(templates, answers, strict=True):
        assert answer.error == by_reference(template, {"x": [1]}).error, template


def test_values_of_a_script_without_text_are_errors(javascript: JavaScript) -> None:
    javascript.page.evaluate(javascript.script([module("{{ x }}", dev=True)]))
    for value in ("10n", "() => 1", "Symbol()", "document.body", "new Date()"):
        failed = (
            f"() => {{ try {{ renders[0]({{ x: {value} }}); }} catch (error) {{ return String(error); }} }}"
        )
        assert javascript.page.evaluate(failed) == f"TypeError: case.html:1: {NO_TEXT}", value
