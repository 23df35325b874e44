"""Each rule of the compiler has examples: the wrong one breaks the rule, the right one breaks none."""

import re
from pathlib import Path

import pytest

import awning.template
from awning.errors import Faulty
from awning.rules import find_rule
from awning.template.compile import compile_template

ROOM = Path(awning.template.__file__).parent
OTHERS = {
    "again.html": "{% include 'again.html' %}",
    "base.html": "{% block a %}{% endblock %}",
    "circle.html": "{% extends 'circle.html' %}",
    "declared.html": "{#def left: number #}{{ left }}",
    "forms.html": "{% macro field() %}{% endmacro %}",
    "prices.html": "{% macro price(item) %}{{ item.price|money }}{% endmacro %}",
    "row.html": "<p></p>",
}

TOO_MUCH = {"template-nesting", "template-too-large"}
"""Rules whose examples are too large for a page. They are in test_limits.py."""


def rules() -> list[str]:
    """The rules of the compiler, those of the HTML tokenizer included."""
    named = {
        rule
        for path in ROOM.rglob("*.py")
        for rule in re.findall(r'"(template-[a-z-]+)"', path.read_text(encoding="utf-8"))
    }
    return sorted(named - {"template-unsupported", *TOO_MUCH})


def found_in(template: str) -> list[str]:
    try:
        return [
            diagnostics.rule
            for diagnostics in compile_template(template, path="view.html.j2", loader=OTHERS.get).diagnostics
        ]
    except Faulty as refused:
        return [diagnostics.rule for diagnostics in refused.diagnostics]


@pytest.mark.parametrize("rule", rules())
def test_examples_of_each_rule_are_true(rule: str) -> None:
    described = find_rule(rule)
    assert described is not None
    assert found_in(described.wrong[0].code) == [rule]
    assert [found_in(example.code) for example in described.right if example.kind == "html"] == [[]]
