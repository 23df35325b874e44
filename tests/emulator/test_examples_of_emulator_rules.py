"""Each rule that the emulator reports has examples: the wrong one breaks the rule, the right one breaks none."""

import re

import pytest
from frames import ROOT, SmallPages, script

from awning.rules import Rule, all_rules, rule_ids

RULES = [rule for rule in all_rules() if "emulator" in rule.reporters]

SHOP = """{
  const item = { id: "1", variants: [] }, price = "svc-content-after-price";
  awningEmulator.host("#box", price, { item, page: { language: "en", page: "catalog" } });
  awningEmulator.fire(price + "-updated", { item, selectedVariantId: "2", selectedVariant: null });
}"""


def test_rules_of_the_emulator_are_those_that_say_so() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "jsrc/emulator").glob("*.ts"))
    named = set(re.findall(r'"([a-z-]+)"', code))
    assert sorted(named & rule_ids()) == [rule.id for rule in RULES]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_wrong_and_right_examples_of_each_rule_are_true(small_pages: SmallPages, rule: Rule) -> None:
    violations = []
    for [example] in (rule.wrong, rule.right):
        html = script(SHOP) + (example.code if example.kind == "html" else script(example.code))
        small = small_pages.load(body=f'<div id="box"></div>{html}')
        small.run("1")
        violations.append(set(small.violations))
    assert violations == [{rule.id}, set()]
