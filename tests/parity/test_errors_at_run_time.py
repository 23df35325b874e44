"""Errors of a template in the browser. In dev builds they name template and line."""

import pytest
from parity import JavaScript

from awning.template.compile import compile_template

TEMPLATE = "<p>\n{% for x in items %}\n  {{ x.price * 2 }}\n{% endfor %}\n{% set y = z + 1 %}</p>"
INCLUDED = {
    "row.html": "\n{{ 1 / n }}",
    "tree.html": "{{ n }}{% for x in c %}{% include 'tree.html' %}{% endfor %}",
}
WITHOUT_END = [
    ("{% macro m(x) %}<p>{{ m(x) }}</p>{% endmacro %}{{ m(1) }}", "the macro m"),
    ("{% macro m(f) %}{{ f(f) }}{% endmacro %}{{ m(m) }}", "the macro m"),
    ("{% for x in c recursive %}<p>{{ loop(c) }}</p>{% endfor %}", "a recursive loop"),
    ("{% include 'tree.html' %}", "tree.html"),
    ("{% block b %}{{ self.b() }}{% endblock %}", "the block b"),
]
DEEP = "{% macro m(n) %}<p>{{ n }}{% for x in c %}{{ m(n - 1) if n else 1 }}{% endfor %}</p>{% endmacro %}{{ m(n) }}"


def raised(javascript: JavaScript, template: str, context: dict, *, dev: bool) -> str:
    code = compile_template(template, path="widgets/a/view.html.j2", loader=INCLUDED.get, dev=dev).code
    ((result,),) = javascript.render([code], [[context]])
    assert result.text is None
    return result.error


def test_dev_build_names_template_and_line(javascript: JavaScript) -> None:
    assert raised(javascript, TEMPLATE, {"items": [{"price": None}], "z": 1}, dev=True) == (
        "TypeError: widgets/a/view.html.j2:3: unsupported operands for *"
    )
    assert raised(javascript, TEMPLATE, {"items": 5, "z": 1}, dev=True).startswith(
        "TypeError: widgets/a/view.html.j2:2: "
    )
    assert raised(javascript, TEMPLATE, {"items": [], "z": "a"}, dev=True).startswith(
        "TypeError: widgets/a/view.html.j2:5: "
    )


def test_dev_build_names_the_included_template(javascript: JavaScript) -> None:
    assert raised(javascript, "{% include 'row.html' %}", {"n": 0}, dev=True).startswith(
        "RangeError: row.html:2: "
    )


def test_production_build_has_no_template_places(javascript: JavaScript) -> None:
    assert raised(javascript, TEMPLATE, {"items": 5, "z": 1}, dev=False) == "TypeError: it is not iterable"


@pytest.mark.parametrize(("template", "what"), WITHOUT_END)
@pytest.mark.parametrize("dev", [False, True])
def test_endless_recursion_ends_with_an_error_that_names_it(
    javascript: JavaScript, template: str, what: str, dev: bool
) -> None:
    error = raised(javascript, template, {"c": [1], "n": 1}, dev=dev)
    assert error.endswith(f"{what} calls itself without end: it is 500 deep in itself")


def test_finite_recursion_is_rendered_after_an_endless_one(javascript: JavaScript) -> None:
    code = compile_template(DEEP, path="v").code
    ((endless, deep),) = javascript.render([code], [[{"n": -1, "c": [1]}, {"n": 400, "c": [1]}]])
    assert "without end" in endless.error
    assert deep.text is not None
    assert deep.text.endswith("<p>01" + "</p>" * 401)


def test_namespace_made_from_data_is_not_taken_for_html(javascript: JavaScript) -> None:
    """Names that begin with `$` belong to the run-time library: the `$` of a Markup value is its HTML."""
    for template in (
        "{{ namespace(**d) }}",
        "{{ namespace(d) }}",
        "{% set n = namespace(d) %}<p title={{ n }}>",
    ):
        error = raised(javascript, template, {"d": {"$": "<img src=x onerror=alert(1)>"}}, dev=False)
        assert error == "TypeError: a namespace takes only strings"


def test_place_that_begins_as_another_one_is_named(javascript: JavaScript) -> None:
    code = compile_template("{{ x.y }}", path="view.html.j2", dev=True).code
    javascript.page.evaluate(javascript.script([code]))
    inner = "{ get y() { throw new Error('view.html.j2:12: no'); } }"
    failed = f"() => {{ try {{ renders[0]({{ x: {inner} }}); }} catch (error) {{ return error.message; }} }}"
    assert javascript.page.evaluate(failed) == "view.html.j2:1: view.html.j2:12: no"
