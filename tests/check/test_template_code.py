"""Jinja2's code in the text of a template, and how often its characters are read."""

import pytest

from awning.check.repeated_ids import repeated_ids
from awning.check.template_code import code_in, without_code


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("a{# b #}c", "a.......c"),
        ("{{ a }}{% if b -%}c{%- endif %}", "..................c............"),
        ("{% raw %}{{ a }}{% endraw %}", ".........{{ a }}............"),
        ("{% raw %}{{ a }}", "................"),
        ("{# a {{ b }}", "{# a ......."),
        ("{{# a #}", "{......."),
        ("{# a\nb #}", "....\n...."),
        ("{ % a % }", "{ % a % }"),
    ],
)
def test_code_is_found(template, expected):
    assert without_code(template, ".") == expected


def test_statement_has_its_keyword_and_the_rest():
    codes = [(code.opening, code.keyword, code.rest) for code in code_in("{%- for a in b -%}{{ a }}{# c #}")]
    assert codes == [("{%", "for", "a in b"), ("{{", "", ""), ("{#", "", "")]


class CountingText(str):
    """A text that counts the characters in which `find` looks for something."""

    __slots__ = ("read",)

    def find(self, part: str, start: int = 0, end: int | None = None) -> int:
        found = super().find(part, start, len(self) if end is None else end)
        self.read = getattr(self, "read", 0) + (len(self) if found < 0 else found) - start
        return found


@pytest.mark.parametrize("part", ["{#", "{{", "{%", "{# {{ {% ", "{% raw %}", "{# #} {# "])
def test_unclosed_code_is_searched_for_once(part):
    template = CountingText(part * 10_000)
    list(code_in(template))
    assert template.read <= 4 * len(template)


def test_unclosed_comments_hide_no_repeated_id():
    template = "{#" * 50_000 + '<label for="a">x</label><input id="a"><input id="a">'
    assert len(list(repeated_ids("view.html.j2", template))) == 1
