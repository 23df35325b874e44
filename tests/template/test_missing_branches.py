"""A missing branch is a special value only if a template may read its parts."""

import pytest

from awning.template import compile_template

OTHERS = {
    "shown.html": "{{ shade }}",
    "searched.html": "{{ shade.name }}",
    "macros.html": "{% macro m(a) %}{{ a }}{% endmacro %}",
    "sets.html": "{% set shade = a if b %}{{ shade }}",
}

ONLY_ASKED = [
    "{{ a if b }}",
    "{{ (a if b) or c }}{{ (a if b)|default(c) }}{{ c|default(a if b) }}",
    "{{ (a if b) ~ c }}{{ (a if b)|upper }}{{ (a if b)|length }}",
    "{% if (a if b) %}c{% endif %}{{ c if (a if b) }}{{ not (a if b) }}",
    "{% if (a if b) is defined and (a if b) == 'on' and (a if b) != none %}c{% endif %}",
    "{% for x in (a if b) %}{{ x.y }}{% endfor %}",
    "{{ t('key', name=(a if b)) }}{{ (a if b)|money }}",
    "{% set shade = a if b %}<p class='{{ shade }}'>{% if shade == 'on' %}{{ shade|title }}{% endif %}",
    "{% set shade = a if b %}{% set other = shade or (c if d) %}{{ other }}",
    "{% set shade = a if b %}{% include 'shown.html' %}",
    "{% with shade = (a if b) %}{{ shade }}{% endwith %}",
    "{% macro m(a, b='') %}<b class='{{ b }}'>{{ a }}</b>{% endmacro %}{{ m(a if b) }}{{ m(1, b=(a if b)) }}",
    "{% macro m(a=(1 if b)) %}{{ a }}{% endmacro %}{{ m() }}",
    "{{ ['c', a if b]|join(' ') }}{{ (a if b, c)|select|join }}{{ [(a if b), c]|select|list|length }}",
    "{% import 'macros.html' as macros %}{% set shade = a if b %}{{ shade }}{{ macros.m(1) }}",
    "{{ 1|number(digits=(2 if b)) }}{{ c|date(style=(a if b)) }}{% set d = 2 if b %}{{ 1|percent(d) }}",
]

SEARCHED = [
    "{{ (a if b).c }}",
    "{{ (a if b)[:1] }}",
    "{{ (c and (a if b)).d }}",
    "{{ [a if b] }}",
    "{{ [[a if b]]|join }}{{ [a if b]|reject|list }}{{ [a if b]|join('', attribute='c') }}",
    "{{ {'k': (a if b)} }}",
    "{{ (a if b)|first }}",
    "{{ (a if b) == c }}",
    "{% set shade = a if b %}{{ shade }}{{ shade.name }}",
    "{% set shade = a if b %}{% set other = shade %}{{ other[0] }}",
    "{% set shade = a if b %}{% include 'searched.html' %}",
    "{% set shade, c = (a if b), 1 %}{{ shade.name }}",
    "{% with shade = (a if b) %}{{ shade.name }}{% endwith %}",
    "{% macro m(a) %}{{ a.c }}{% endmacro %}{{ m(a if b) }}",
    "{% macro m(a) %}{{ varargs[0].c }}{% endmacro %}{{ m(1, a if b) }}",
    "{% macro m(a) %}{{ kwargs.c.d }}{% endmacro %}{{ m(1, c=(a if b)) }}",
    "{% macro m(a) %}{{ a.c }}{% endmacro %}{% set n = m %}{{ n(a if b) }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{% set m = c %}{{ m(a if b) }}",
    "{% macro m() %}{{ caller(a if b) }}{% endmacro %}{% call(x) m() %}{{ x.c }}{% endcall %}",
    "{% from 'macros.html' import m %}{{ m(a if b) }}",
    "{% import 'sets.html' as others %}{{ others.shade.name }}",
    "{% from 'sets.html' import shade as other %}{{ other.name }}",
    "{% macro t(a) %}{{ a.c }}{% endmacro %}{{ t(a=(a if b)) }}",
    "{% macro caller(a) %}{{ a }}{% endmacro %}{% macro m() %}{{ caller(a if b) }}{% endmacro %}",
    "{% macro m() %}{% macro dict(a) %}{{ a }}{% endmacro %}{% endmacro %}{{ dict(a=(1 if b)).a.c }}",
    "{% set ns = namespace(shade=(a if b)) %}{{ ns.shade }}",
    "{{ c(a if b) }}",
]


def carries_the_value(template: str, *, containers: bool = True) -> bool:
    module = compile_template(template, path="view.html.j2", loader=OTHERS.get, containers=containers)
    return "missing_branch()" in module.code


@pytest.mark.parametrize("template", ONLY_ASKED)
def test_missing_branch_used_only_as_text_or_condition_needs_no_special_value(template: str) -> None:
    assert not carries_the_value(template)
    assert not carries_the_value(template, containers=False)


@pytest.mark.parametrize("template", SEARCHED)
def test_missing_branch_with_a_part_that_may_be_read_needs_the_special_value(template: str) -> None:
    assert carries_the_value(template)
    assert carries_the_value(template, containers=False)


def test_template_with_the_special_value_does_not_use_the_json_helpers() -> None:
    code = compile_template("{{ x }}{{ (a if b).c }}", path="view.html.j2", containers=False).code
    assert "awning/template/json" not in code


@pytest.mark.parametrize(
    "template",
    [
        "{{ f(1) }}{{ x|default(1) }}{{ x|int }}{{ x is defined }}{{ t('k', a=x) }}{{ x|money }}{{ f([1], a=2) }}",
        "{{ [{'a': x}]|map(attribute='a')|join }}{{ x.items() }}{{ x == y }}",
    ],
)
def test_module_without_missing_branches_has_no_code_for_them(template: str) -> None:
    code = compile_template(template, path="view.html.j2").code
    assert not {"for_script", "as_undefined", "missing_branch"}.intersection(code.replace("(", " ").split())
