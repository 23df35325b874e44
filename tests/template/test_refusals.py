"""Refused templates: the rule and the place."""

import pytest

from awning.contract import Dialect
from awning.errors import Faulty
from awning.template.compile import compile_template

OTHERS = {
    "a.html": "x\n  {% include 'b.html' %}",
    "b.html": "{% with x = 1 %}{% include 'a.html' %}{% endwith %}",
    "one.html": "{% import 'two.html' as two %}",
    "two.html": "{% from 'one.html' import x %}",
    "child.html": "{% extends 'parent.html' %}",
    "parent.html": "{% block all %}{% include 'child.html' %}{% endblock %}",
    "broken.html": "<p>\n  {{ x | nope }}\n</p>",
    "open.html": "<a href=",
    "ok.html": "ok",
    "macro.html": "{% macro svc_a() %}{% endmacro %}",
}

REFUSALS = [
    ("{{ x", "template-syntax", 1, 4),
    ("<p>\n  {{ a ? b }}", "template-syntax", 2, 8),
    ("{{ a }} <i>{{ brand }</i>", "template-syntax", 1, 21),
    ("{% if a %}{{ a }}\n{{ t(']') }} {{ b ] }}{% endif %}", "template-syntax", 2, 19),
    ("a\n{% if x %}", "template-syntax", 2, 9),
    ("{% endif %}", "template-syntax", 1, 4),
    ("a\n\n  {% nope %}", "template-syntax", 3, 6),
    ("{% do x %}", "template-syntax", 1, 4),
    ("{{ svc_language }}", "template-placeholder", 1, 4),
    ("<p>{{ t(svc_app_data) }}", "template-placeholder", 1, 9),
    ("{% set svc_language = 1 %}{% block a %}x{% endblock %}", "template-placeholder", 1, 1),
    ("{% macro svc_b() %}{% endmacro %}{% block a %}{% endblock %}", "template-placeholder", 1, 1),
    ("<b>\n{% from 'macro.html' import svc_a %}{% block a %}{% endblock %}", "template-placeholder", 1, 1),
    ("{{ x|upperr }}", "template-filter", 1, 6),
    ("{{ x|random }}", "template-filter", 1, 6),
    ("{{ x|pprint }}", "template-filter", 1, 6),
    ("{{ x is nope }}", "template-test", 1, 6),
    ("{{ 1.0 is float }}", "template-number-kind", 1, 8),
    ("{{ lipsum() }}", "template-random", 1, 4),
    ("{{ x.__class__ }}", "template-private-attribute", 1, 5),
    ("{{ x|truncate(nope=1) }}", "template-arguments", 1, 6),
    ("{{ x|replace('a') }}", "template-arguments", 1, 6),
    ("{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}", "template-arguments", 1, 34),
    ("{{ x|join(*y) }}", "template-unpacking", 1, 6),
    ("{{ x|map('upper') }}", "template-prints-generator", 1, 6),
    ("{{ x|map(y)|list }}", "template-dynamic-name", 1, 6),
    ("{% include x %}", "template-dynamic-name", 1, 4),
    ("{% include 'gone.html' %}", "template-not-found", 1, 4),
    ("{% extends 'gone.html' %}", "template-not-found", 1, 4),
    ("{% if x %}{% extends 'ok.html' %}{% endif %}", "template-extends-inside", 1, 14),
    ("{% extends 'ok.html' %}{% include 'ok.html' %}", "template-outside-block", 1, 27),
    ("{% block a %}{% endblock %}{% block a %}{% endblock %}", "template-block-twice", 1, 31),
    ("{% block a required %}{% endblock %}", "template-required-block", 1, 4),
    ("{% block a %}{{ super() }}{% endblock %}", "template-no-super", 1, 17),
    ("{% autoescape false %}{{ x }}{% endautoescape %}", "template-autoescape", 1, 4),
    ("{% filter striptags %}<b>{% endfilter %}", "template-filter-block", 1, 11),
    ("{% for loop in x %}{% endfor %}", "template-loop-name", 1, 8),
    ("{% import 'ok.html' as m %}{{ m }}", "template-import-value", 1, 31),
    ("{{ t() }}", "template-message-call", 1, 4),
    ("{{ x.encode() }}", "template-method", 1, 5),
    ("<p onclick='{{ x }}'>", "template-event-handler", 1, 16),
    ("<p {{ x }}>", "template-dynamic-attribute", 1, 7),
    ("<p>\n<script>var x = {{ y }}</script>", "template-script-value", 2, 20),
    ("<script type='application/json'>\n[{{ y }}]</script>", "template-script-value", 2, 5),
    ("<script type='application/json'>\"{{ y|tojson }}\"</script>", "template-script-value", 1, 39),
    (
        "<script{% if y %} type{% endif %} type='application/json'>{{ y|tojson }}</script>",
        "template-script-value",
        1,
        64,
    ),
    ("<p style='background: url({{ x }}{{ y }})'>", "template-style-value", 1, 37),
    ("<p>{% if x %}<a href='{% endif %}", "template-branch-mismatch", 1, 7),
    ("<a href='x", "template-unfinished-markup", 1, 9),
    ("<b>{{ x }}</b>\n<a class='{{ x }} b>", "template-unfinished-markup", 2, 10),
    ("<b>{{ x }}</b>\n<a href=x", "template-unfinished-markup", 2, 8),
    ("<b>{{ x }}</b>\n<a {% if x %}b{% endif %}", "template-unfinished-markup", 2, 1),
    ("<b></b><title>a</title><title>b", "template-unfinished-markup", 1, 24),
    ("{% include 'a.html' %}", "template-circle", 1, 20),
    ("{% include 'b.html' %}", "template-circle", 2, 6),
    ("{% import 'one.html' as one %}", "template-circle", 1, 4),
    ("{% extends 'parent.html' %}", "template-circle", 1, 19),
    ("{% if x %}{% include 'child.html' %}{% endif %}{% include 'parent.html' %}", "template-circle", 1, 19),
    ("{% include 'broken.html' %}", "template-filter", 2, 10),
]


@pytest.mark.parametrize(("template", "rule", "line", "column"), REFUSALS, ids=[row[0] for row in REFUSALS])
def test_refusal_names_rule_line_and_column(template: str, rule: str, line: int, column: int) -> None:
    with pytest.raises(Faulty) as refused:
        compile_template(template, path="view.html.j2", loader=OTHERS.get)
    (diagnostics,) = refused.value.diagnostics
    assert diagnostics.place is not None
    assert (diagnostics.rule, diagnostics.place.line) == (rule, line)
    assert diagnostics.place.column == column, diagnostics.render()


def test_a_fault_in_an_included_template_is_placed_in_that_template() -> None:
    with pytest.raises(Faulty) as refused:
        compile_template("{% include 'broken.html' %}", path="view.html.j2", loader=OTHERS.get)
    (diagnostics,) = refused.value.diagnostics
    assert diagnostics.place is not None
    assert diagnostics.place.path == "broken.html"
    assert diagnostics.excerpt == "  {{ x | nope }}"


def test_placeholder_prefix_is_that_of_the_dialect() -> None:
    with pytest.raises(Faulty):
        compile_template("{{ shop_language }}", path="v", dialect=Dialect(placeholder_prefix="shop_"))
    compile_template("{{ svc_language }}", path="v", dialect=Dialect(placeholder_prefix="shop_"))


def test_a_misspelt_filter_gets_a_hint() -> None:
    with pytest.raises(Faulty) as refused:
        compile_template("{{ x|truncat }}", path="v")
    assert refused.value.diagnostics[0].hint == 'did you mean "truncate"?'


@pytest.mark.parametrize(
    ("template", "hint"),
    [
        ("{{ x|curency }}", "`awning explain template-filter` lists"),
        ("<p onclick='{{ x }}'>", 'live(render, { on: { "click .name"'),
        ("<input oninput='{{ x }}'>", 'live(render, { on: { "input .name"'),
        ("{{ a b }}", "{{ }} holds one expression"),
        ("a\n{% if x %}", "{% if %} in line 2 is still open: {% endif %} closes it"),
        ("{% if a %}\n{% if b %}\n{% endif %}\nz", "{% if %} in line 1 is still open"),
        ("a\n{% if a %}\nx\n{% endfi %}", "{% if %} in line 2 is still open: {% endif %} closes it"),
        ("{% for x in y %}\n{% if z %}\n{% endfor %}{% endif %}", "{% if %} in line 2 is still open"),
        ("{% for x in y %}\n\n", "{% for %} in line 1 is still open: {% endfor %} closes it"),
        ("{% set y = 1 %}\n{% set x %}\n{% set z = 2 %}", "{% set %} in line 2 is still open"),
        ("{% if a %}{% elsif b %}{% endif %}", "write {% elif test %}"),
        ("{% if a", "is not closed"),
        ("{% if x = 1 %}{% endif %}", "compare with =="),
        ("{% nope %}", "tags: if, for"),
        ("{% endif %}", "there is no open tag that it closes"),
        ("{{ $ }}", "`awning explain template-syntax` shows"),
    ],
)
def test_a_template_that_cannot_be_read_gets_a_hint(template: str, hint: str) -> None:
    with pytest.raises(Faulty) as refused:
        compile_template(template, path="v")
    diagnostics = refused.value.diagnostics[0]
    assert hint in (diagnostics.hint or ""), diagnostics.render()


def test_attribute_named_like_a_mapping_method_is_a_warning() -> None:
    compiled = compile_template("{% for i in cart.items %}{{ i }}{% endfor %}", path="v")
    assert [diagnostics.rule for diagnostics in compiled.diagnostics] == ["template-method-name"]
