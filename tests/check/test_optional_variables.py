"""A variable that `template-variables` calls optional can be left out without a change of the output of Jinja2."""

import copy
import json

import pytest

from awning.check.variables import variable_findings
from awning.script.file import ScriptFile
from awning.template.compile import compile_template
from awning.template.reference import reference_environment


def line(name, size, price, *inner):
    return {"name": name, "size": size, "price": price, "spare": "x", "inner": list(inner)}


CONTEXT = {
    "lines": [
        line("b", "s", 2, line("c", "m", 1), line("g", "l", 7)),
        line("a", "m", 3, line("d", "s", 9)),
        line("e", "s", 5),
    ],
    "more": [line("f", "s", 4)],
    "shop": {"city": "Riga", "zip": "1", "owner": {"name": "Ann", "mail": "a@b"}},
    "one": line("h", "s", 6, line("i", "s", 8)),
    "pairs": [[line("j", "s", 1), line("k", "m", 2)]],
    "key": "name",
    "yes": True,
    "price": {"code": "EUR", "symbol": "E"},
}
SHOW = "{{ line.name }}{{ line.price }}"
LINES = "{% for line in lines %}"
END = "{% endfor %}"
ROW = f"{SHOW}{END}"
MACRO = "{% macro row(line) %}" + SHOW + "{% endmacro %}"
GROUPED = "{% for size, group in lines|groupby('size') %}{{ size }}{% for line in group %}"
TEMPLATES = {
    LINES + ROW: {"inner", "size", "spare"},
    GROUPED + ROW + END: {"inner", "spare"},
    "{% for g in lines|groupby('size') %}{{ g.grouper }}{% for line in g.list %}" + ROW + END: {
        "inner",
        "spare",
    },
    "{% for g in lines|groupby('size') %}{{ g[0] }}{% for line in g[1] %}" + ROW + END: {"inner", "spare"},
    "{% for g in lines|groupby('size') %}{{ g[-1][0].name }}" + END: set(),
    "{% for g in lines|groupby('size') %}{% for part in g %}{{ part|tojson }}" + END * 2: set(),
    "{% for size, group in lines|groupby('size') %}{{ group|length }}" + END: {
        "inner",
        "name",
        "price",
        "spare",
    },
    "{% for size, group in lines|groupby('size', default='-') %}{{ size }}{{ group|map(attribute='name')|join }}"
    + END: {"inner", "price", "spare"},
    "{{ lines|groupby('size')|tojson }}": set(),
    "{{ lines|groupby(key)|tojson }}": set(),
    "{% for row in lines|batch(2) %}{% for line in row %}" + ROW + END: {"inner", "size", "spare"},
    "{% for row in lines|batch(2, one) %}{% for line in row %}" + ROW + END: {"inner", "size", "spare"},
    "{% for row in lines|slice(2) %}{% for line in row %}" + ROW + END: {"inner", "size", "spare"},
    "{% for row in lines|batch(2) %}{{ row|tojson }}" + END: set(),
    "{% for line in lines + more %}" + ROW: {"inner", "size", "spare"},
    "{% for line in (lines + more)|sort(attribute='price') %}{{ line.name }}" + END: {
        "inner",
        "size",
        "spare",
    },
    "{{ (lines + more)|tojson }}": set(),
    "{% for line in [one] + more %}" + ROW: {"inner", "size", "spare"},
    "{% set ns = namespace(x=one) %}{{ ns.x.name }}{{ one.price }}": set(),
    "{% set ns = namespace(x=0) %}" + LINES + "{% set ns.x = line %}{{ line.size }}" + END + "{{ ns.x.name }}": set(),
    "{% set d = dict(x=one) %}{{ d.x.name }}{{ one.price }}": set(),
    "{% set d = {'x': one} %}{{ d.x.name }}{{ one.price }}": set(),
    LINES + "{{ line|attr('name') }}{{ line.price }}" + END: {"inner", "size", "spare"},
    LINES + "{{ line|attr(key) }}{{ line.price }}" + END: set(),
    LINES + "{{ line[key] }}{{ line.price }}" + END: set(),
    "{% for a, b in pairs %}{{ a.name }}{{ b.price }}" + END: set(),
    "{% set a, b = lines[0], lines[1] %}{{ a.name }}{{ lines[0].size }}": set(),
    "{% set a, b = lines[:2] %}{{ a.name }}{{ lines[0].size }}": set(),
    LINES + "{{ line.name }}{{ loop.previtem.price }}{{ loop.nextitem.size }}" + END: {"inner", "spare"},
    LINES + "{{ line.name }}{{ loop.changed(line) }}" + END: set(),
    "{% for line in lines recursive %}{{ line.name }}{{ loop(line.inner) }}" + END: {
        "price",
        "size",
        "spare",
    },
    MACRO + LINES + "{{ row(line) }}" + END: {"inner", "size", "spare"},
    MACRO + LINES + "{{ line.size }}{{ row(*[line]) }}" + END: set(),
    MACRO + "{% set rows = [row] %}{{ lines[0].size }}{{ rows[0](lines[0]) }}": set(),
    MACRO + "{% set show = row %}{{ lines[0].size }}{{ show(lines[0]) }}": {"inner", "spare"},
    "{% macro tree(x) %}{{ x.name }}{% for y in x.inner %}{{ tree(y) }}{% endfor %}{% endmacro %}"
    "{{ tree(one) }}{{ one.inner[0].size }}": {"price", "size", "spare"},
    "{% macro m() %}{{ varargs[0].name }}{{ kwargs.x.price }}{% endmacro %}{{ m(one, x=one) }}{{ one.size }}": set(),
    "{% macro m() %}{{ caller(one) }}{% endmacro %}{% call(x) m() %}{{ x.name }}{% endcall %}{{ one.size }}": set(),
    "{{ lines|sort(attribute='size,name')|map(attribute='price')|join }}": {"inner", "spare"},
    "{{ lines|map(attribute='inner')|map('length')|join }}": {"name", "price", "size", "spare"},
    "{% for inner in lines|map(attribute='inner') %}{% for line in inner %}" + ROW + END: {
        "inner",
        "name",
        "price",
        "size",
        "spare",
    },
    "{{ lines|sum(attribute='price') }}{{ (lines|max(attribute='price')).name }}": {"inner", "size", "spare"},
    "{{ lines|selectattr('price', 'gt', 2)|map(attribute='name')|join }}": {"inner", "size", "spare"},
    "{{ lines|selectattr('inner')|map(attribute='name')|join }}": {"price", "size", "spare"},
    "{{ lines|selectattr('inner', 'eq', more)|list|length }}{{ more[0].size }}": {"name", "price", "size", "spare"},
    "{{ lines|map('tojson')|join }}{{ lines[0].name }}": set(),
    "{{ (lines|first).name }}{{ (lines|last).price }}": {"inner", "size", "spare"},
    "{{ lines|tojson }}{{ lines[0].name }}": set(),
    "{{ one|tojson }}{{ one.name }}": set(),
    "{{ one == lines[0] }}{{ one.name }}": set(),
    "{{ one in lines }}{{ one.name }}{{ lines[0].size }}": set(),
    "{{ one is eq(more[0]) }}{{ one.name }}{{ more[0].name }}": set(),
    "{{ shop|length }}{{ shop.city }}": set(),
    "{{ shop.items()|list|length }}{{ shop.city }}": set(),
    "{% for k in shop %}{{ k }}{% endfor %}{{ shop.city }}": set(),
    "{{ shop|list|join }}{{ shop.city }}": set(),
    "{% if shop %}{{ shop.city }}{{ shop.owner.name }}{% endif %}": {"mail", "zip"},
    "{% if shop %}{{ shop.town|default('-') }}{% endif %}": set(),
    "{% set x = one if yes else lines[0] %}{{ x.name }}{{ one.size }}": {"inner", "price", "size", "spare"},
    "{% with x = shop.owner %}{{ x.name }}{% endwith %}": {"city", "mail", "zip"},
    "{% filter upper %}{{ shop.owner|tojson }}{% endfilter %}{{ shop.owner.name }}": {"city", "zip"},
    "{{ [lines[0], one][1].name }}{{ one.price }}": set(),
    "{{ lines|unique(attribute='size')|map(attribute='name')|join }}": {"inner", "price", "spare"},
    "{{ lines|reject|list|length }}{{ lines[0].name }}": {"inner", "price", "size", "spare"},
    "{{ price.code }}{{ 3|string }}{{ price|xmlattr }}": set(),
    "{{ shop|dictsort|list|length }}{{ shop.city }}": set(),
    "{{ lines[1:][0].name }}{{ lines|reverse|map(attribute='size')|join }}": {"inner", "price", "spare"},
}  # fmt: skip
"""By template, the names of its optional attributes."""


def unread(template):
    """Return the attributes that are reported as unread. Fails if an attribute is reported as missing."""
    reads = compile_template(template, path="view.html.j2").reads
    assert reads is not None, template
    names = {variable.name for variable in reads}
    context = json.dumps({name: value for name, value in CONTEXT.items() if name in names})
    script = f'import view from "./view.html.j2";\nview({context});\n'
    diagnostics = list(
        variable_findings(ScriptFile(path="widget.js", text=script), {"view.html.j2": reads}, {})
    )
    assert [diagnostic.message for diagnostic in diagnostics if diagnostic.severity == "error"] == []
    return {diagnostic.message.split('"')[1] for diagnostic in diagnostics}


def without(value, path):
    """The value without the attribute at `path`, in all items of lists on the path."""
    if isinstance(value, list):
        return [without(item, path) for item in value]
    if not isinstance(value, dict):
        return value
    if len(path) == 1:
        return {name: inner for name, inner in value.items() if name != path[0]}
    return {name: without(inner, path[1:]) if name == path[0] else inner for name, inner in value.items()}


def rendered(template, context):
    try:
        return reference_environment().from_string(template).render(copy.deepcopy(context))
    except Exception as error:  # noqa: BLE001 - that it fails is what is compared
        return type(error)


@pytest.mark.parametrize("template", TEMPLATES)
def test_an_optional_variable_does_not_change_the_output(template):
    whole = rendered(template, CONTEXT)
    assert isinstance(whole, str), whole
    for path in unread(template):
        assert rendered(template, without(CONTEXT, path.split("."))) == whole, path


@pytest.mark.parametrize("template", TEMPLATES)
def test_unread_variables_are_still_reported(template):
    assert {path.split(".")[-1] for path in unread(template)} == TEMPLATES[template]
