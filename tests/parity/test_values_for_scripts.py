"""A template that calls a function of the script passes JavaScript's undefined for missing values."""

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
def test_a_missing_branch_is_undefined_for_a_script(javascript: JavaScript, template: str) -> None:
    assert argument_types(javascript, template)[0] == "undefined"


def test_missing_branch_is_undefined_for_methods_of_a_script_object(javascript: JavaScript) -> None:
    code = compiled("{{ o.cycle([1 if no][0]) }}{{ o.changed([1 if no][0]) }}{{ o.other([1 if no][0]) }}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    seen = javascript.page.evaluate("""() => {
      const seen = [];
      const take = (...given) => (seen.push(given.map((one) => typeof one).join()), "");
      renders[0]({ o: { cycle: take, changed: take, other: take } });
      return seen;
    }""")
    assert seen == ["undefined", "undefined", "undefined"]


def test_group_of_groupby_keeps_its_fields_for_a_script(javascript: JavaScript) -> None:
    code = compiled("{{ f([{'a': 1, 'b': (1 if no)}]|groupby('a')|first) }}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    seen = javascript.page.evaluate("""() => {
      let seen;
      renders[0]({ f: (group) => (seen = JSON.stringify([group, group.grouper, group.list]), "") });
      return seen;
    }""")
    assert seen == '[[1,[{"a":1}]],1,[{"a":1}]]'


def test_a_missing_branch_in_named_arguments_is_undefined(javascript: JavaScript) -> None:
    assert argument_types(javascript, "{{ f(1, a=[1 if no][0]) }}") == ["number", {"a": "undefined"}]
    assert argument_types(javascript, "{{ t('k', a=[1 if no][0]) }}", "t") == ["string", {"a": "undefined"}]


def test_missing_branch_nested_in_a_list_or_mapping_is_undefined(
    javascript: JavaScript,
) -> None:
    code = compiled("{{ f([1, [2 if no]], {'a': {'b': (3 if no)}}, kept) }}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    seen = javascript.page.evaluate("""() => {
      const kept = [1, { a: [2] }];
      kept.push(kept);
      let seen;
      renders[0]({ kept, f: (list, mapping, other) => (seen = [JSON.stringify([list, mapping]), other === kept], "") });
      return seen;
    }""")
    assert seen == ['[[1,[null]],{"a":{}}]', True]


@pytest.mark.parametrize(
    ("filled", "plain"),
    [
        ("[1 if no][0]|money", "no|money"),
        ("1.5|money([1 if no][0])", "1.5|money(no)"),
        ("1.5|money('USD' if no)", "1.5|money(no)"),
        ("1.5|number(digits=(1 if no))", "1.5|number"),
        ("1.5|number(digits=[1 if no][0])", "1.5|number"),
        ("0.5|percent(1 if no)", "0.5|percent"),
        ("15|number(language=(['de' if no][0]))", "15|number(language=no)"),
        ("'2024-01-02'|date(['short' if no][0])", "'2024-01-02'|date"),
        ("'2024-01-02'|date(style=('short' if no))", "'2024-01-02'|date"),
        ("'2024-01-02T10:00:00Z'|time(zone=['UTC' if no][0])", "'2024-01-02T10:00:00Z'|time"),
    ],
)
def test_formatter_treats_a_missing_branch_like_an_undefined_name(
    javascript: JavaScript, filled: str, plain: str
) -> None:
    modules = [compiled(f"{{{{ {expression} }}}}") for expression in (filled, plain)]
    assert all(isinstance(module, str) for module in modules)
    javascript.page.evaluate(javascript.script([str(module) for module in modules]))
    context = "{ language: 'en', currency: 'EUR' }"
    text, expected = javascript.page.evaluate(f"() => renders.map((render) => render({context}))")
    assert text == expected


def argument_types(javascript: JavaScript, template: str, name: str = "f") -> list[object]:
    """Return the types of the arguments in the last call of the script's function `name`."""
    code = compiled(template)
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    types: list[object] = javascript.page.evaluate(
        """(name) => {
          let seen;
          const types = (one) => typeof one == "object" && one && Object.getPrototypeOf(one) === Object.prototype
            ? Object.fromEntries(Object.entries(one).map(([key, value]) => [key, typeof value])) : typeof one;
          renders[0]({ [name]: (...given) => (seen = given.map(types), "") });
          return seen;
        }""",
        name,
    )
    return types
