"""The page of a rule is its first test: the wrong example is found, the right one is clean."""

import re
from pathlib import Path

import pytest

from awning.check.files import check_text
from awning.check.rules import RULES
from awning.contract import Dialect

PAGES = Path(__file__).parents[2] / "docs/rules"
IDS = [*(rule.id for rule in RULES), "bad-suppression"]


def example(rule, heading):
    page = (PAGES / f"{rule}.md").read_text(encoding="utf-8")
    match = re.search(rf"\n{heading}:\n\n```(\w+)\n(.*?)```", page, re.DOTALL)
    return match[1], match[2]


def found_in(rule, heading):
    ending, code = example(rule, heading)
    return {diagnostic.rule for diagnostic in check_text(f"example.{ending}", code, Dialect()).diagnostics}


@pytest.mark.parametrize("rule", IDS)
def test_the_wrong_example_breaks_only_its_rule(rule):
    assert found_in(rule, "Wrong") == {rule}


@pytest.mark.parametrize("rule", IDS)
def test_the_right_example_is_clean(rule):
    expected = (
        {"no-eval"} if rule == "bad-suppression" else set()
    )  # suppressions apply to a run of the check, not to one rule
    assert found_in(rule, "Right") == expected


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_has_a_page_title_and_hint(rule):
    page = (PAGES.parent.parent / rule.documentation).read_text(encoding="utf-8")
    assert page.startswith(f"# {rule.id}\n")
    assert len(rule.title) > 20
    assert rule.hint
