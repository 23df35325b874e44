"""`from ... import` of a name that the other template does not define."""

import pytest

from awning.template.compile import compile_template

OTHERS = {
    "forms.html": "{% macro field(x) %}{{ x }}{% endmacro %}{% if a %}{% set tone = 1 %}{% endif %}",
    "child.html": "{% extends 'parent.html' %}{% set own = 1 %}",
    "parent.html": "{% macro line() %}{% endmacro %}{% block b %}{% endblock %}",
}


def warnings_of(template: str) -> list[tuple[str, str, str | None]]:
    diagnostics = compile_template(template, path="view.html.j2", loader=OTHERS.get).diagnostics
    return [(diagnostic.rule, diagnostic.message, diagnostic.hint) for diagnostic in diagnostics]


def test_a_misspelt_imported_name_is_a_warning() -> None:
    assert warnings_of("{% from 'forms.html' import feild, tone as x, zzz %}") == [
        ("template-import-name", '"forms.html" has no feild', 'did you mean "field"?'),
        ("template-import-name", '"forms.html" has no zzz', "check which names it sets, and its macros"),
    ]


@pytest.mark.parametrize(
    "template",
    [
        "{% from 'forms.html' import field, tone as x %}",
        "{% from 'child.html' import own, line %}",
        "{% import 'forms.html' as forms %}",
    ],
)
def test_an_existing_name_is_not_reported(template: str) -> None:
    assert warnings_of(template) == []
