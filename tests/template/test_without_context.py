"""An imported template has no `t` and no currency. The compiler warns if it reads them."""

import pytest

from awning.template.compile import compile_template

OTHERS = {
    "macros.html": (
        "{% macro price(x) %}\n{{ x|money }}{% endmacro %}"
        "{% macro given(x, currency) %}{{ x|money }}{% endmacro %}"
        "{% macro text() %}{{ t('k') }}{% endmacro %}"
        "{% macro plain(x) %}{{ x }}{% endmacro %}"
    ),
    "part.html": "{{ 1|number }}",
    "own.html": "{% set currency = 'USD' %}{{ 1|money }}",
}
WARNED = [
    ("{% from 'macros.html' import price %}", "currency", 'add "with context"'),
    ("{% from 'macros.html' import text as price %}", "t", 'add "with context"'),
    ("{% import 'macros.html' as m %}{{ m.price(1) }}", "currency", 'add "with context"'),
    ("{% include 'part.html' without context %}", "language", 'remove "without context"'),
]
RIGHT = [
    "{% from 'macros.html' import price with context %}",
    "{% from 'macros.html' import plain as price, given %}",
    "{% import 'macros.html' as m %}{{ m.plain(1) }}",
    "{% import 'macros.html' as m with context %}{{ m.price(1) }}",
    "{% include 'part.html' %}",
    "{% include 'own.html' without context %}",
]


@pytest.mark.parametrize(("template", "name", "hint"), WARNED, ids=[case[0] for case in WARNED])
def test_a_template_without_context_is_a_warning(template: str, name: str, hint: str) -> None:
    (diagnostics,) = compile_template(f"<p>\n{template}", path="view.html.j2", loader=OTHERS.get).diagnostics
    assert (diagnostics.rule, str(diagnostics.place), diagnostics.hint) == (
        "template-without-context",
        "view.html.j2:2:4",
        hint,
    )
    assert f" reads {name}, " in diagnostics.message


@pytest.mark.parametrize("template", RIGHT)
def test_a_template_with_context_is_not_reported(template: str) -> None:
    assert compile_template(template, path="view.html.j2", loader=OTHERS.get).diagnostics == ()
