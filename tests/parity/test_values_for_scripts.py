"""A template that calls a function of the script passes it the values of the template."""

import pytest
from parity import JavaScript

SEEN = {
    "a group of groupby keeps its fields": (
        "{{ f([{'a': 1, 'b': (1 if no)}]|groupby('a')|first) }}",
        "(group) => JSON.stringify([group, group.grouper, group.list])",
        '[[1,[{"a":1}]],1,[{"a":1}]]',
    ),
    "an inline if without else is undefined": (
        "{{ f(1 if no, [1 if no], a=(1 if no)) }}",
        "(value, [item], { a }) => [typeof value, typeof item, typeof a]",
        ["undefined", "undefined", "undefined"],
    ),
}


@pytest.mark.parametrize(("template", "function", "expected"), SEEN.values(), ids=SEEN)
def test_function_of_a_script_gets_the_values_of_the_template(
    javascript: JavaScript, template: str, function: str, expected: object
) -> None:
    call = f"""() => {{
      let seen;
      renders[0]({{ f: (...given) => ((seen = ({function})(...given)), "") }});
      return seen;
    }}"""
    assert javascript.called(template, call) == expected
