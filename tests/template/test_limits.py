"""Large and deeply nested templates work up to the documented limits. Beyond them they are refused with a place."""

import sys
from collections.abc import Callable

import pytest

from awning.errors import Faulty
from awning.template.compile import compile_template
from awning.template.parse import DEEPEST, LARGEST

Make = Callable[[int], str]
TAGS: dict[str, Make] = {
    "if": lambda n: "{% if a %}" * n + "x" + "{% endif %}" * n,
    "else": lambda n: "{% if a %}x{% else %}" * n + "x" + "{% endif %}" * n,
    "for": lambda n: "{% for a in a %}" * n + "{{ loop.index }}" + "{% endfor %}" * n,
    "for in an address": lambda n: (
        "<a href='{{ a }}" + "{% for a in a %}/{{ a }}" * n + "{% endfor %}" * n + "'></a>"
    ),
    "with": lambda n: "{% with a = a %}" * n + "{{ a }}" + "{% endwith %}" * n,
    "set": lambda n: "{% set a %}" * n + "x" + "{% endset %}" * n,
    "macro": lambda n: "{% macro m() %}" * n + "x" + "{% endmacro %}" * n,
}
EXPRESSIONS: dict[str, Make] = {
    "parentheses": lambda n: "{{ " + "(" * n + "a" + ")" * n + " }}",
    "lists": lambda n: "{{ " + "[" * n + "a" + "]" * n + "|length }}",
    "calls": lambda n: "{{ " + "f(" * n + "a" + ")" * n + " }}",
    "attributes": lambda n: "{{ a" + ".b" * n + " }}",
    "filters": lambda n: "{{ a" + "|upper" * n + " }}",
    "sums": lambda n: "{{ a" + " + a" * n + " }}",
    "not": lambda n: "{{ " + "not " * n + "a }}",
    "inline if": lambda n: "{{ a" + " if b else a" * n + " }}",
}
ROWS: dict[str, Make] = {
    "joined": lambda n: "{{ a" + " ~ a" * n + " }}",
    "elif": lambda n: "{% if a %}" + "{% elif b %}x" * n + "{% endif %}",
    "compared": lambda n: "{{ a" + " < a" * (n // 20) + " }}",
}
NESTED = {**TAGS, **EXPRESSIONS}


def refusal(template: str) -> tuple[str, int]:
    with pytest.raises(Faulty) as refused:
        compile_template(template, path="view.html")
    (diagnostics,) = refused.value.diagnostics
    assert diagnostics.place is not None
    assert diagnostics.place.column
    return diagnostics.rule, diagnostics.place.line


@pytest.mark.parametrize("name", NESTED)
def test_nesting_works_up_to_the_stated_depth(name: str) -> None:
    room = 0 if name in TAGS or name == "parentheses" else 2
    assert "export default" in compile_template(NESTED[name](DEEPEST - room), path="view.html").code


PARSED_BY_RECURSION = ("not", "inline if")
"""Jinja2's parser calls itself for these. Tags and brackets are counted before, and the others are parsed in a loop."""


@pytest.mark.parametrize(
    ("times", "name"), [*((2, name) for name in NESTED), *((40, name) for name in PARSED_BY_RECURSION)]
)
def test_deeper_nesting_is_refused_at_its_place(times: int, name: str) -> None:
    assert refusal("\n" + NESTED[name](DEEPEST * times)) == ("template-nesting", 2)


@pytest.mark.parametrize("name", ROWS)
def test_sequence_does_not_count_as_nesting(name: str) -> None:
    assert "export default" in compile_template(ROWS[name](DEEPEST * 4), path="view.html").code


def test_compilation_restores_the_recursion_limit() -> None:
    before = sys.getrecursionlimit()
    compile_template(NESTED["if"](DEEPEST), path="view.html")
    assert sys.getrecursionlimit() == before


def test_a_template_that_is_too_large_is_refused() -> None:
    assert refusal("x" * (LARGEST + 1)) == ("template-too-large", 1)
    assert refusal("é" * (LARGEST // 2 + 1)) == ("template-too-large", 1)
    assert compile_template("x" * LARGEST, path="view.html").code


UNIT = """<li class="row {{ 'odd' if n is odd }}" data-id="{{ item.id }}">
<a href="{{ item.url }}">{{ item.name|title }}</a>
{% if item.price > 3 %}<b>{{ '%.2f'|format(item.price) }}</b>{% else %}{{ t("key") }}{% endif %}</li>\n"""
GROWING: dict[str, Make] = {
    "rows of all sorts": lambda n: UNIT * (n // 4),
    "values": lambda n: "{{ a }}" * n,
    "values in an attribute": lambda n: '<p class="' + "{{ a }} " * n + '"></p>',
    "attributes": lambda n: "<p " + " ".join(f'data-a{at}="{{{{ a }}}}"' for at in range(n)) + "></p>",
    "text": lambda n: "a long text\n" * n,
    "elements of raw text": lambda n: "<textarea>x</textarea><style>a{color:red}</style>" * n,
    "an address": lambda n: f"<a href='{'a' * n}'></a>",
    "a style": lambda n: f"<p style='color:{'é' * n};background:url(/{'a' * n})'></p>",
    "conditions that set": lambda n: "".join(
        f"{{% if a %}}{{% set b{at} = 1 %}}{{% endif %}}" for at in range(n)
    ),
    "arms that set": lambda n: (
        "{% if a %}" + "".join(f"{{% elif a %}}{{% set b{at} = 1 %}}" for at in range(n)) + "{% endif %}"
    ),
    "names and loops": lambda n: (
        "".join(f"{{% set a{at} = 1 %}}" for at in range(n)) + "{% for x in y %}{{ x }}{% endfor %}" * n
    ),
    "blocks": lambda n: "".join(f"{{% block b{at} %}}{{{{ a }}}}{{% endblock %}}" for at in range(n)),
    "macros": lambda n: "".join(
        f"{{% macro m{at}() %}}x{{% endmacro %}}{{{{ m{at}() }}}}" for at in range(n)
    ),
    "includes": lambda n: "{% include 'other' %}" * n,
    "warnings": lambda n: "{% include 't' without context %}" * n,
    "inline ifs handed on": lambda n: (
        "{% set a0 = 1 if x %}"
        + "".join(f"{{% set a{at + 1} = a{at} %}}" for at in range(n))
        + f"{{{{ a{n}.b }}}}"
    ),
}


def steps(template: str) -> int:
    """The work of a compilation: the number of Python lines that it executes."""
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> object:
        nonlocal counted
        counted += event == "line"
        return count

    others = {"other": "{{ a }}", "t": "{{ t('x') }}"}
    before = sys.gettrace()
    sys.settrace(count)  # type: ignore[arg-type]
    try:
        compile_template(template, path="view.html", loader=others.get)
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize("name", GROWING)
def test_compilation_time_is_linear_in_the_size_of_a_template(name: str) -> None:
    make = GROWING[name]
    steps(make(40))  # fills the caches that a first use fills
    once, twice, four_times = (steps(make(40 * times)) for times in (1, 2, 4))
    assert four_times - twice <= 2.3 * (twice - once) + 200
