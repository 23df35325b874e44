"""The templates, blocks and macros whose recursion is limited at run time."""

import pytest

from awning.errors import Faulty
from awning.template.compile import compile_template

OTHERS = {
    "tree.html": "<b>{% for node in node.c %}{% include 'tree.html' %}{% endfor %}</b>",
    "left.html": "{% if x %}{% include 'right.html' %}{% endif %}",
    "right.html": "{% include 'left.html' %}",
    "forms.html": "{% macro field(x) %}{{ x }}{% endmacro %}",
    "deep.html": "{% macro dig(x) %}{% import 'deep.html' as again %}{{ again.dig(x) }}{% endmacro %}",
}

GUARDED = [
    "{% macro m(x) %}{{ m(x) }}{% endmacro %}{{ m(1) }}",
    "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
    "{% macro m(f) %}{{ f(f) }}{% endmacro %}{{ m(m) }}",
    "{% macro m() %}{{ caller(caller) }}{% endmacro %}{% call(g) m() %}{{ g(g) }}{% endcall %}",
    "{% macro m(x) %}{% call n() %}{{ m(x) }}{% endcall %}{% endmacro %}{% macro n() %}{{ caller() }}{% endmacro %}",
    "{% block all %}{{ self.all() }}{% endblock %}",
    "{% for x in y recursive %}{{ loop(y) }}{% endfor %}",
    "{% include 'tree.html' %}",
    "{% include 'left.html' %}",
    "{% import 'deep.html' as deep %}{{ deep.dig(1) }}",
]
NOT_GUARDED = [
    "{% macro m(x) %}{{ x }}{% endmacro %}{% macro n(x) %}{{ m(x) }}{{ m(x) }}{% endmacro %}{{ n(1) }}",
    "{% macro m() %}{{ caller() if caller }}{% endmacro %}{% call m() %}{{ x }}{% endcall %}",
    "{% block all %}{{ x }}{% endblock %}{{ self.all() }}",
    "{% import 'forms.html' as forms %}{{ forms.field(1) }}{% from 'forms.html' import field %}{{ field(2) }}",
    "{% for x in y %}{{ loop.index }}{% for z in x %}{{ z }}{% endfor %}{% endfor %}",
]


def guards(template: str) -> bool:
    code = compile_template(template, path="view.html", loader=OTHERS.get).code
    return "bounded" in code or "within" in code


@pytest.mark.parametrize("template", GUARDED)
def test_possible_recursion_is_limited(template: str) -> None:
    assert guards(template)


@pytest.mark.parametrize("template", NOT_GUARDED)
def test_code_without_recursion_is_not_limited(template: str) -> None:
    assert not guards(template)


def test_import_cycle_is_reported_with_its_templates() -> None:
    circle = {"a.html": "{% include 'b.html' %}", "b.html": "{% import 'view.html' as v %}"}
    with pytest.raises(Faulty) as refused:
        compile_template("{% include 'a.html' %}", path="view.html", loader=circle.get)
    (diagnostics,) = refused.value.diagnostics
    assert (
        diagnostics.message
        == '"view.html" imports itself without end: view.html -> a.html -> b.html -> view.html'
    )
