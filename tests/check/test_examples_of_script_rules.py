"""The examples of a rule are its first test: the wrong one is found, the right one is clean."""

import pytest

from awning.check.files import check_text
from awning.check.rules import RULES
from awning.contract import Dialect
from awning.rules import find_rule

IDS = [*(rule.id for rule in RULES), "bad-suppression"]


def found_in(examples):
    [example] = examples
    found = check_text(f"example.{example.kind}", example.code, Dialect())
    return {diagnostic.rule for diagnostic in found.diagnostics}


@pytest.mark.parametrize("rule", IDS)
def test_the_wrong_example_breaks_only_its_rule(request, rule):
    if rule == "script-budget":
        request.getfixturevalue("in_haste")
    assert found_in(find_rule(rule).wrong) == {rule}


@pytest.mark.parametrize("rule", IDS)
def test_the_right_example_is_clean(rule):
    expected = (
        {"no-eval"} if rule == "bad-suppression" else set()
    )  # suppressions apply to a run of the check, not to one rule
    assert found_in(find_rule(rule).right) == expected


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_has_a_hint_and_is_reported_by_check(rule):
    assert rule.hint
    assert "check" in find_rule(rule.id).reporters
