"""A template that calls a function of the script passes it the values of the template."""

from parity import JavaScript, compiled


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


def test_inline_if_without_else_is_undefined_for_a_script(javascript: JavaScript) -> None:
    code = compiled("{{ f(1 if no, [1 if no], a=(1 if no)) }}")
    assert isinstance(code, str)
    javascript.page.evaluate(javascript.script([code]))
    seen = javascript.page.evaluate("""() => {
      let seen;
      renders[0]({ f: (value, [item], { a }) => (seen = [typeof value, typeof item, typeof a], "") });
      return seen;
    }""")
    assert seen == ["undefined", "undefined", "undefined"]
