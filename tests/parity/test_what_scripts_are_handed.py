"""A script's function, called in a template, is given JavaScript's own undefined, not what Jinja2 has for it."""

import pytest
from parity import JavaScript, compiled


@pytest.mark.parametrize(
    "template",
    [
        "{{ f(1 if no) }}",
        "{{ f([1 if no][0]) }}",
        "{{ f([1 if no]|first, a=1) }}",
        "{% set f2 = f %}{{ f2([1 if no][0]) }}",
        "{% set d = {'k': (1 if no)} %}{{ f(d.k) }}",
    ],
)
def test_what_an_inline_if_left_out_is_undefined_to_a_script(javascript: JavaScript, template: str) -> None:
    assert handed(javascript, template)[0] == "undefined"


def test_named_arguments_too(javascript: JavaScript) -> None:
    assert handed(javascript, "{{ f(1, a=[1 if no][0]) }}") == ["number", {"a": "undefined"}]
    assert handed(javascript, "{{ t('k', a=[1 if no][0]) }}", "t") == ["string", {"a": "undefined"}]


@pytest.mark.parametrize("filter_name", ["money", "number", "date"])
def test_a_formatted_one_is_nothing(javascript: JavaScript, filter_name: str) -> None:
    code = compiled(f"[{{{{ [1 if no][0]|{filter_name} }}}}]")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    assert javascript.page.evaluate("() => renders[0]({ language: 'en', currency: 'EUR' })") == "[]"


def handed(javascript: JavaScript, template: str, name: str = "f") -> list[object]:
    """The types of the arguments that the script's function of this name was called with."""
    code = compiled(template)
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    found: list[object] = javascript.page.evaluate(
        """(name) => {
          let seen;
          const types = (one) => typeof one == "object" && one && Object.getPrototypeOf(one) === Object.prototype
            ? Object.fromEntries(Object.entries(one).map(([key, value]) => [key, typeof value])) : typeof one;
          renders[0]({ [name]: (...given) => (seen = given.map(types), "") });
          return seen;
        }""",
        name,
    )
    return found
