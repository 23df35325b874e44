"""`{#def title: string #}`: valid and invalid declarations, and where the compiler relies on them."""

import re

import pytest

from awning.errors import Faulty
from awning.template.compile import compile_template
from awning.template.declarations import declared_in

OTHERS = {
    "part.html": "{{ a }}",
    "typed.html": "{#def a: number #}{{ a }}",
    "same.html": "{#def a: string #}{{ a }}",
    "own.html": "{#def a: number #}{% set a = 1 %}{{ a }}",
    "sets.html": "{% set a = 1 %}",
    "unread.html": "{#def b: number #}{{ a }}",
    "macros.html": "{% macro m() %}{{ a }}{% endmacro %}",
    "base.html": "<p>{{ a }}{% block body %}{% endblock %}</p>",
}
MALFORMED = [
    ("{#def title: str #}", "1:14", 'there is no type "str"', 'did you mean "string"?'),
    ("{#def title: bool #}", "1:14", 'there is no type "bool"', 'did you mean "boolean"?'),
    ("{#def title: strng #}", "1:14", 'there is no type "strng"', 'did you mean "string"?'),
    ("{#def lines: list #}", "1:14", 'there is no type "list"', "string, number and boolean; do not declare lines"),
    ("{#def a: string,\n  b: string|none #}", "2:6", 'there is no type "string|none"', "do not declare b"),
    ("{#def a: string,\n  a: number #}", "2:3", '"a" is declared twice', "leave out one"),
    ("{# def title #}", "1:8", '"title" has no type', "title: string"),
    ("{#def title, left: number #}", "1:7", '"title" has no type', "title: string"),
    ('{#def title: string = "x" #}', "1:7", "no defaults", '{{ title|default("") }}'),
    ('{#def title="x" #}', "1:7", "no defaults", '{{ title|default("") }}'),
    ("{#def a: string b: number #}", "1:7", '"a: string b: number" declares no variable', "commas"),
    ("{#def a: #}", "1:7", '"a:" declares no variable', "types"),
    (
        "{#def saved number, left: number, options: string -#}",
        "1:7",
        'no colon in "saved number"',
        "write saved: number",
    ),
    ("{#def number saved, left: number #}", "1:7", 'no colon in "number saved"', "write saved: number"),
    ("{#def left: number,\n  saved number #}", "2:3", 'no colon in "saved number"', "write saved: number"),
    ("{#def saved number, #}", "1:7", 'no colon in "saved number"', "write saved: number"),
    ("{#def saved number #}", "1:7", 'no colon in "saved number"', "write saved: number"),
    ("{#def the title, left: nubmer #}", "1:7", '"the title" declares no variable', "a comment must begin"),
    ("{#def two words: string #}", "1:7", '"two words: string" declares no variable', "a comment must begin"),
    ("{#def two words: str, b: string #}", "1:7", '"two words: str" declares no variable', "a comment must begin"),
    ("{#Def a: string #}", "1:3", 'begins with def, not with "Def"', "{#def title: string"),
    ("{#-  DEF a: String -#}", "1:6", 'begins with def, not with "DEF"', "{#def title: string"),
    ("<p>{#Def a: string #}</p>", "1:6", "must be the first thing in a template", "move it to the top"),
    ("{#def: string #}", "1:6", '": string" declares no variable', "types"),
    ("{#def #}", "1:7", "a name is missing", "{#def title: string"),
    ("{#def , a: string #}", "1:7", "a name is missing", "{#def title: string"),
    ("{#def a: string,, b: string #}", "1:17", "a name is missing", "{#def title: string"),
    ("{#def sold-out: boolean #}", "1:7", '"sold-out" cannot be the name', "letters"),
    ("{#def note?: string #}", "1:7", '"note?" cannot be the name', 'write note: string, and pass ""'),
    ("{#def left?: number #}", "1:7", '"left?" cannot be the name', "write left: number, and pass 0"),
    ("{#def on: boolean? #}", "1:11", 'no type "boolean?"', "write on: boolean, and pass false"),
    ("{#def 1st: string #}", "1:7", '"1st" cannot be the name', "letters"),
    ("{#def t: string #}", "1:7", '"t" has a meaning of its own', "another name"),
    ("{#def loop: number #}", "1:7", '"loop" has a meaning of its own', "another name"),
    ("{#def range: number #}", "1:7", '"range" has a meaning of its own', "another name"),
    ("{#def none: string #}", "1:7", '"none" has a meaning of its own', "another name"),
    ("<p>\n{#def a: string #}{{ a }}</p>", "2:3", "must be the first thing in a template", "move it to the top"),
    ("{{ a }}{#- def a: string -#}", "1:11", "must be the first thing in a template", "move it to the top"),
    ("{% if x %}{#def a: string #}{% endif %}", "1:13", "must be the first thing in a template", "move it to the top"),
    ("{#def a: string #}{#def b: string #}{{ a }}{{ b }}", "1:21", "one declaration", "into the first"),
]  # fmt: skip
PROSE = [
    "{# def is short for definition #}",
    "{# def. of terms #}",
    "{# define: a #}",
    "{# the def: a #}",
    "{#def: what we call default#}",
    "{# def, as said: see below, the string #}{# Def of terms, as above: a: string #}",
    "{# def of a term: strong words, a note: text follows #}",
    "{# Def #}",
    "{# DEF CON: a number of talks #}",
    "{# def: see https://example.org/string #}",
    "{# def is a number #}",
    "{# define a: string #}",
    "<p>{# def is prose, here too #}</p>",
    "{% raw %}{#def a: strng #}{% endraw %}",
    "<p>{{ '{#def a: strng #}' }}</p>",
]
DECLARED = [
    "{#def a: string#}",
    "{# def a:string #}",
    "{#- def a : string, -#}",
    "{#+ def\n  a: string,\n+#}",
    " \n{# a comment #}\n{#def a: string #}",
]


@pytest.mark.parametrize(
    ("template", "place", "message", "hint"), MALFORMED, ids=[case[0] for case in MALFORMED]
)
def test_a_faulty_declaration_is_refused(template: str, place: str, message: str, hint: str) -> None:
    with pytest.raises(Faulty) as refused:
        compile_template(template, path="view.html.j2")
    (diagnostics,) = refused.value.diagnostics
    assert (diagnostics.rule, str(diagnostics.place)) == ("template-declaration", f"view.html.j2:{place}")
    assert message in diagnostics.message
    assert hint in (diagnostics.hint or "")


@pytest.mark.parametrize("template", PROSE)
def test_comment_that_is_prose_declares_nothing(template: str) -> None:
    assert "put(" in code(template + "{{ a }}")


def code(template: str, **options: bool) -> str:
    """The code of a production module."""
    return compile_template(template, path="view.html.j2", loader=OTHERS.get, **options).code


@pytest.mark.parametrize("declaration", DECLARED)
def test_declared_string_is_escaped_without_conversion(declaration: str) -> None:
    module = code(declaration + "<p>{{ a }}")
    assert "escapeText(context.a)" in module
    assert "put(" not in module


def imported(template: str) -> set[str]:
    return {name for names in re.findall(r"import \{ (.+?) \}", code(template)) for name in names.split(", ")}


EVERYTHING = "{#def s: string, n: number, b: boolean #}"
ONLY = [
    ("{{ s }}", {"escapeText"}),
    ("<p title='{{ s }}'>{{ s }}</p>", {"escapeText"}),
    ("{{ s }}{{ s|safe }}", {"escapeText", "filter_safe", "put"}),
    ("{{ n }}", {"num"}),
    ("{{ b }}", set()),
    (
        "{% if s %}a{% elif n %}b{% elif not b %}c{% endif %}{{ 'x' if s and n or b else 'y' }}",
        {"escapeText"},
    ),
    ("{{ s or 'x' }}{{ s if b else 'x' }}{{ s and s }}", {"escapeText"}),
    ("{{ n or 1 }}{{ n if b else 1 }}", {"num"}),
    ("{{ b and b }}{{ b or not b }}{{ s == 'x' }}{{ n != 1 }}{{ 1 == n }}", set()),
    ("{% if n > 3 %}a{% endif %}", {"declared_number"}),
    ("{{ s|upper|trim }}", {"declared_string", "filter_upper", "filter_trim", "escapeText"}),
    ("{{ t('k', name=s, count=n) }}", {"escapeText"}),
    ("<a href='{{ s }}'>{{ s }}</a>", {"declared_string", "escapeUrl", "escapeText"}),
    ("<i style='width: {{ n }}%'>", {"num"}),
    ("<i style='color: {{ s }}'>", {"escapeCssValue", "declared_string"}),
    ("{{ s ~ '!' }}", {"declared_string", "escapeText"}),
    ("{{ s ~ n }}", {"declared_number", "declared_string", "escapeText", "num"}),
    ("{{ n * 2 }}", {"declared_number", "num"}),
]


@pytest.mark.parametrize(("body", "helpers"), ONLY, ids=[case[0] for case in ONLY])
def test_declared_types_limit_the_imported_helpers(body: str, helpers: set[str]) -> None:
    assert imported(EVERYTHING + body) == helpers


def test_truth_of_a_declared_name_is_that_of_javascript() -> None:
    module = code("{#def s: string, n: number #}{% if s %}a{% elif not n %}b{% endif %}")
    assert "if (context.s) {" in module
    assert "else if ((!context.n)) {" in module


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("{{ a }}", True),
        ("{% for x in l %}{{ a }}{% endfor %}", True),
        ("{% for a in l %}{% endfor %}{{ a }}", True),
        ("{% macro m() %}{{ a }}{% endmacro %}{{ m() }}", True),
        ("{% include 'part.html' %}", True),
        ("{% include 'same.html' %}", True),
        ("{% from 'macros.html' import m with context %}{{ m() }}", True),
        ("{% extends 'base.html' %}{% block body %}{% endblock %}", True),
        ("{% block x %}{{ a }}{% endblock %}", True),
        # a variable of the template itself with that name
        ("{% for a in l %}{{ a }}{% endfor %}", False),
        ("{% set a = x %}{{ a }}", False),
        ("{% if x %}{% set a = x %}{% endif %}{{ a }}", False),
        ("{% with a = x %}{{ a }}{% endwith %}", False),
        ("{% macro m(a) %}{{ a }}{% endmacro %}{{ m(x) }}", False),
        ("{% macro m() %}{{ caller(x) }}{% endmacro %}{% call(a) m() %}{{ a }}{% endcall %}", False),
        ("{% import 'sets.html' as a %}{{ a.a }}", False),
        # read with another context, sometimes or always
        ("{% include 'part.html' without context %}", False),
        ("{% include 'part.html' without context %}{% include 'part.html' %}", False),
        ("{% from 'macros.html' import m %}{{ m() }}", False),
        ("{% for a in l %}{% include 'part.html' %}{% endfor %}{% include 'part.html' %}", False),
        ("{% set a = x %}{% block b %}{{ a }}{% endblock %}", False),
        ("{% for a in l %}{% block b scoped %}{{ a }}{% endblock %}{% endfor %}", False),
        ("{% extends 'base.html' %}{% set a = x %}", False),
    ],
)  # fmt: skip
def test_declared_type_is_used_where_it_is_certain(body: str, known: bool) -> None:
    module = code("{#def a: string #}" + body)
    assert bool(re.search(r"(escapeText|declared_string)\(context\.a\)", module)) == known


def warnings_of(template: str) -> list[str]:
    diagnostics = compile_template(template, path="view.html.j2", loader=OTHERS.get).diagnostics
    return [
        f"{diagnostic.rule} {diagnostic.severity} {diagnostic.place} {diagnostic.hint}"
        for diagnostic in diagnostics
    ]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (
            "{#def titel: string #}{{ title }}",
            'view.html.j2:1:7 the template reads "title": one of the two is misspelt',
        ),
        ("{#def ab: string, abc: string #}{{ ab }}", "view.html.j2:1:19 remove it, or print it"),
        ("{#def a: string, x: string #}{{ a }}", "view.html.j2:1:18 remove it, or print it"),
        (
            "{#def a: string #}{% for a in l %}{{ a }}{% endfor %}",
            "view.html.j2:1:7 remove it, or print it",
        ),
        ("{% include 'unread.html' %}{{ b }}", "unread.html:1:7 remove it, or print it"),
        ("{#def a: string #}{% include 'part.html' %}", ""),
        ("{#def a: string #}{% macro m() %}{{ a }}{% endmacro %}", ""),
        ("{#def currency: string, a: number #}{{ a|money }}", ""),
    ],
)
def test_a_declared_variable_that_is_never_read_is_a_warning(template: str, expected: str) -> None:
    assert warnings_of(template) == ([f"template-declaration-unread warning {expected}"] if expected else [])


@pytest.mark.parametrize(
    "template",
    [
        "{#def a: string #}{{ a }}{% include 'typed.html' %}",
        "{#def a: string #}{% extends 'typed.html' %}",
        "{#def a: string #}{{ a }}{% import 'typed.html' as x with context %}",
        "{% include 'same.html' %}{% include 'typed.html' %}",
    ],
)
def test_conflicting_declarations_are_refused(template: str) -> None:
    with pytest.raises(Faulty) as refused:
        compile_template(template, path="view.html.j2", loader=OTHERS.get)
    (diagnostics,) = refused.value.diagnostics
    assert (diagnostics.rule, str(diagnostics.place)) == ("template-declaration-conflict", "typed.html:1:7")
    assert '"a" is declared as number here and as string in ' in diagnostics.message


@pytest.mark.parametrize(
    "template",
    [
        "{#def a: string #}{{ a }}{% include 'own.html' %}",
        "{#def a: string #}{{ a }}{% include 'typed.html' without context %}",
        "{#def a: string #}{{ a }}{% for a in [1] %}{% include 'typed.html' %}{% endfor %}",
    ],
)
def test_declaration_does_not_apply_to_another_variable_of_the_same_name(template: str) -> None:
    compile_template(template, path="view.html.j2", loader=OTHERS.get)


def test_declarations_of_an_included_template_apply_to_the_including_one() -> None:
    module = compile_template("{% include 'typed.html' %}", path="view.html.j2", loader=OTHERS.get)
    assert [(variable.name, str(variable.type.use), variable.required) for variable in module.reads] == [
        ("a", "number", True)
    ]


def test_declared_variable_is_required_unless_it_is_read_under_a_condition() -> None:
    module = compile_template(
        "{#def a: string, b: number, c: boolean #}{{ a|default('x') }}{% if c %}{{ b }}{% endif %}", path="v"
    )
    variables = {
        variable.name: (str(variable.type.use), variable.required, variable.only_if)
        for variable in module.reads
    }
    assert variables == {
        "a": ("string", True, None),
        "b": ("number", True, ("c", True)),
        "c": ("boolean", True, None),
    }


def test_declaration_is_read_from_a_template_that_is_nested_as_deeply_as_allowed() -> None:
    nested = "{#def a: boolean #}" + "{% if a %}" * 400 + "{% endif %}" * 400
    assert [declared.name for declared in declared_in(nested, path="v")] == ["a"]
