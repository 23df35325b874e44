"""The inferred variables of a template: which are required, and their types."""

import msgspec
import pytest

from awning.template.compile import compile_template
from awning.template.types import Type, Variable, VariableUse
from awning.template.types.inference import MOST_FOLLOWED

OTHERS = {
    "row.html": "<li>{{ line.title }}{{ extra }}</li>",
    "tree.html": "{% for n in nodes %}{{ n.name }}{% set nodes = n.kids %}{% include 'tree.html' %}{% endfor %}",
    "base.html": "<h1>{% block head %}{{ title }}{% endblock %}</h1>{% block body %}{% endblock %}",
    "forms.html": "{% macro row(line, class='x') %}<p>{{ line.title }}{{ class }}</p>{% endmacro %}",
}


def reads(template: str) -> tuple[Variable, ...]:
    return compile_template(template, path="view.html.j2", loader=OTHERS.get).reads


def spelled(variables: tuple[Variable, ...]) -> str:
    """Variables as a text: `a` is required, `b?` optional, `{...}` has fields, `[...]` is a list, `t()` a function."""
    return " ".join(
        f"{variable.name}{'' if variable.required else '?'}{kind(variable.type)}" for variable in variables
    )


def kind(type_: Type) -> str:
    if type_.use is VariableUse.FIELDS:
        return f"{{{spelled(type_.fields)}}}"
    if type_.element is not None:
        return f"[{kind(type_.element)}]"
    return {
        VariableUse.ANY: ":unknown",
        VariableUse.VALUE: ":any",
        VariableUse.TRANSLATES: "()",
        VariableUse.CALLED: "(...)",
    }.get(type_.use, "")


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("<p>text</p>", ""),
        ("{{ a }}{{ b|upper }}{{ a ~ c }}", "a b c"),
        ("{{ a + 1 }}{{ b|tojson }}{{ c|round }}", "a:any b:any c:any"),
        ("{{ a.b.c }}{{ a['d e'] }}", "a{b{c} d e}"),
        ("{{ t('key', n=n) }}{{ f(1) }}", "f(...) n:any t()"),
        # defaults and conditions
        ("{{ a|default('x') }}{{ b.c|d('') }}", "a? b{c?}"),
        ("{% if a is defined %}{{ a }}{% endif %}", "a?"),
        ("{% if a is undefined %}-{% else %}{{ a }}{% endif %}", "a?"),
        ("{% if a is defined and a.b %}{{ a.b }}{% endif %}", "a?{b}"),
        ("{% if not (a is undefined or b is undefined) %}{{ a }}{{ b }}{% endif %}", "a? b?"),
        ("{{ a if a is defined else b }}", "a? b"),
        ("{{ a|default('x') }}{{ a }}", "a"),
        ("{% if a is defined %}{{ a }}{% endif %}{{ a }}", "a"),
        ("{% if a %}{{ a }}{% endif %}", "a"),
        ("{{ a or b }}", "a b"),
        # loops
        ("{% for x in xs %}{{ x }}{{ loop.index }}{% endfor %}", "xs[]"),
        ("{% for x in xs if x.on %}{{ x.title }}{% else %}{{ none_left }}{% endfor %}", "none_left xs[{on:any title}]"),
        ("{% for row in rows %}{% for cell in row.cells %}{{ cell }}{% endfor %}{% endfor %}", "rows[{cells[]}]"),
        ("{% for k, v in pairs %}{{ k }}{{ v.x }}{% endfor %}", "pairs[:any]"),
        ("{% for k, v in d.items() %}{{ k }}{% endfor %}", "d:any"),
        ("{% for n in tree recursive %}{{ n.name }}{{ loop(n.kids) }}{% endfor %}", "tree[{kids:any name}]"),
        ("{% for x in xs %}{% if x.note is defined %}{{ x.note }}{% endif %}{% endfor %}", "xs[{note?}]"),
        # lists
        ("{{ xs|sum(attribute='price') }}{{ (xs|first).title }}{{ xs[0].sku }}", "xs[{price:any sku title}]"),
        ("{% for x in xs|sort(attribute='a.b')|reverse %}{{ x.c }}{% endfor %}", "xs[{a{b:any} c}]"),
        ("{{ xs|map(attribute='title')|join(', ') }}", "xs[{title:any}]"),
        ("{{ xs|length }}{{ ys.length }}", "xs:any ys:any"),
        # names that the template sets
        ("{% set x = a %}{{ x.b }}", "a{b}"),
        ("{% with x = a.b %}{{ x }}{% endwith %}{{ x }}", "a{b} x"),
        ("{% set x %}{{ a }}{% endset %}{{ x }}", "a"),
        ("{% if a %}{% set x = b %}{% else %}{% set x = c %}{% endif %}{{ x.y }}", "a:any b{y} c{y} x?:unknown"),
        ("{{ (a or b).c }}", "a{c} b{c}"),
        # macros, other templates
        ("{% macro m(x, y=2) %}{{ x.t }}{{ y }}{{ z }}{% endmacro %}{{ m(a, y=b) }}", "a{t} b z"),
        ("{% macro m(x) %}{{ x.t }}{{ caller() }}{% endmacro %}{% call m(a) %}{{ b }}{% endcall %}", "a{t} b"),
        ("{% from 'forms.html' import row as r %}{{ r(a) }}", "a{title}"),
        ("{% import 'forms.html' as f %}{{ f.row(line=a, class=b) }}", "a{title} b"),
        ("{% for line in lines %}{% include 'row.html' %}{% endfor %}", "extra lines[{title}]"),
        ("{% include 'tree.html' %}", "nodes[{kids?:unknown name}]"),
        ("{% extends 'base.html' %}{% block head %}{{ super() }}{{ a }}{% endblock %}", "a title"),
        ("{% block x %}{{ b }}{% endblock %}{{ self.x() }}{% block y %}{{ c|d(1) }}{% endblock %}", "b c?"),
        # values of several types
        ("{% if x is string %}{{ x }}{% else %}{{ x.title }}{% endif %}", "x:any"),
        ("{{ x[key] }}{{ x.a }}", "key:any x:any"),
        ("{{ x.upper() }}{{ y.get('a') }}", "x:any y:any"),
        ("{{ range(3)|join }}{{ dict(a=1).a }}", ""),
    ],
)  # fmt: skip
def test_variables_and_attributes_are_inferred(template, expected):
    assert spelled(reads(template)) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{% if a %}{{ b }}{% else %}{{ c }}{% endif %}", {"b": ("a", True), "c": ("a", False)}),
        ("{% if not a %}{{ b }}{% endif %}", {"b": ("a", False)}),
        ("{% if a and x %}{{ b }}{% endif %}", {"b": ("a", True)}),
        ("{% if a %}{{ b }}{% elif x %}{{ c }}{% endif %}", {"b": ("a", True), "c": ("a", False), "x": ("a", False)}),
        ("{{ b if a else c }}", {"b": ("a", True), "c": ("a", False)}),
        ("{% if a %}{{ b }}{% endif %}{{ b }}", {}),
        ("{% if a or x %}{{ b }}{% endif %}", {}),
        ("{% if a.x %}{{ b }}{% endif %}", {}),
    ],
)  # fmt: skip
def test_variable_read_only_under_a_condition_names_its_condition(template, expected):
    assert {variable.name: variable.only_if for variable in reads(template) if variable.only_if} == expected


def test_place_of_a_variable_is_where_it_is_required():
    first, other, title = reads(
        "{{ a|default(1) }}\n{{ a }}\n{% for line in o %}{% include 'row.html' %}{% endfor %}"
    )[:3]
    assert (str(first.place), first.name) == ("view.html.j2:2:4", "a")
    assert (str(other.place), other.name) == ("row.html:1:24", "extra")
    (field,) = title.type.element.fields
    assert field.place.path == "row.html"


def test_variables_survive_a_round_trip_through_the_memory_of_builds():
    for variable in reads(
        "{% for x in xs %}{{ x.a }}{% endfor %}{% if b %}{{ c|d(1) }}{{ e }}{% endif %}{{ t('k') }}"
    ):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(variable), type=Variable) == variable


def test_inference_ends_for_macros_that_call_each_other():
    calls = "".join(
        f"{{% macro m{n}(x) %}}{{{{ m{n + 1}(x.a) }}}}{{{{ m{n + 1}(x.b) }}}}{{% endmacro %}}"
        for n in range(30)
    )
    assert [
        variable.name for variable in reads(f"{calls}{{% macro m30(x) %}}{{% endmacro %}}{{{{ m0(q) }}}}")
    ] == ["q"]
    assert MOST_FOLLOWED < 10_000


def test_intl_filters_declare_the_variables_that_they_read():
    template = (
        "{{ a.price|money }}{{ n|number }}{{ d|date(zone=z) }}{{ n|d(0)|unit('gram', language=l) }}"
        "{{ c.code|money('EUR') }}"
    )
    (amount,) = (variable.type.fields[0] for variable in reads(template) if variable.name == "a")
    assert amount.type.use is VariableUse.AMOUNT
    assert {variable.name: variable.type.use for variable in reads(template)} == {
        "a": VariableUse.FIELDS,
        "c": VariableUse.FIELDS,
        "currency": VariableUse.CURRENCY,
        "d": VariableUse.MOMENT,
        "l": VariableUse.LANGUAGE,
        "language": VariableUse.LANGUAGE,
        "n": VariableUse.AMOUNT,
        "z": VariableUse.VALUE,
    }
