"""TOML and JSON files over the limits of structure are refused; strings and comments do not count."""

import pytest
from project import Project

from awning.errors import Faulty
from awning.workspace.document import DEEPEST, MOST_ENTRIES, MOST_PARTS, json_limit, toml_limit

OVER = {
    "keys": ("".join(f"k{n} = 1\n" for n in range(MOST_ENTRIES + 1)), MOST_ENTRIES + 1),
    "dotted keys": ("".join(f"a.b{n}.c = 1\n" for n in range(MOST_ENTRIES + 1)), MOST_ENTRIES + 1),
    "parts of a key": ("a = 1\n" + "a." * MOST_PARTS + "a = 1\n", 2),
    "parts of a quoted key": ('"a".' * MOST_PARTS + "a = 1\n", 1),
    "parts of a header": ("[" + "a." * MOST_PARTS + "a]\n", 1),
    "parts in an inline table": ("x = { " + "a." * MOST_PARTS + "a = 1 }\n", 1),
    "arrays": ("x = " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), 1),
    "inline tables": ("x = " + "{ a = " * (DEEPEST + 1) + "1" + " }" * (DEEPEST + 1), 1),
    "elements": ("x = [\n" + "1," * (MOST_ENTRIES + 1) + "]\n", 2),
    "tables": ("[[x]]\n" * MOST_ENTRIES, MOST_ENTRIES // 2 + 1),
}
WITHIN = {
    "a text": f'x = "{"[.=" * MOST_ENTRIES}"\n',
    "a text with quotes": 'x = "' + r"[ \" " * MOST_ENTRIES + '"\n',
    "a literal text": f"x = '{'[.' * MOST_ENTRIES}'\n",
    "a long text": 'x = """' + "[. = {" * MOST_ENTRIES + '\n""\\" "[[" """\n',
    "a long literal text": f"x = '''{'[. = {' * MOST_ENTRIES}'' '''\n",
    "a comment": f"# {'[ a.b = {' * MOST_ENTRIES}\n",
    "a key as long as may be": "a." * (MOST_PARTS - 1) + "a = 1\n",
    "dates and numbers": "x = [" + "1.5, 2026-01-01T10:00:00.5, " * 1000 + "]\n",
    "texts one after the other": "".join(f'k{n} = "a.b.c.d"  # e.f\n' for n in range(MOST_ENTRIES)),
}


@pytest.mark.parametrize("case", OVER)
def test_toml_over_a_limit_is_refused_at_its_line(case):
    text, line = OVER[case]
    diagnostic = toml_limit(text, "x.toml")
    assert (diagnostic.rule, diagnostic.place.line) == ("source-limit", line), diagnostic.message


@pytest.mark.parametrize("case", WITHIN)
def test_toml_within_the_limits_is_accepted(case):
    assert toml_limit(WITHIN[case], "x.toml") is None


def test_json_that_is_too_deep_is_refused_at_its_line():
    deep = "[\n" * DEEPEST + '{"a": 1}' + "]" * DEEPEST
    assert json_limit(deep, "x.json").place.line == DEEPEST + 1
    assert json_limit(f'["{"[" * 999}"]' * 99, "x.json") is None


HOSTILE = {
    "states.toml": "x." * 20_000 + "y = 1",
    "widget.toml": "title = " + "[" * 50_000,
    "messages/en.toml": "hello = " + "9" * 5000,
    "data.schema.json": '{"properties":' * 50_000 + "{}" + "}" * 50_000,
    "other.json": "[" * 50_000 + "]" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_is_reported_by_its_path(tmp_path, name):
    shop = Project(tmp_path / "shop").add_widget("note").add_file(f"widgets/note/{name}", HOSTILE[name])
    with pytest.raises(Faulty) as raised:
        shop.build()
    assert {diagnostic.place.path for diagnostic in raised.value.diagnostics} == {f"widgets/note/{name}"}


def test_thousands_of_unknown_keys_are_reported_in_21_lines(tmp_path):
    keys = "".join(f"a{n}.b = 1\n" for n in range(5000))
    shop = Project(tmp_path / "shop").add_widget("note", widget_toml=keys)
    with pytest.raises(Faulty) as raised:
        shop.read()
    unknown = [diagnostic for diagnostic in raised.value.diagnostics if diagnostic.rule == "unknown-key"]
    assert len(unknown) == 21
    assert unknown[-1].message == "4980 more unknown keys in widget.toml"
