"""Every rule that the emulator checks has a page. Its wrong example breaks the rule, its right one breaks none."""

import re

import pytest
from frames import ROOT, SmallPages, script

TRACE = (ROOT / "jsrc/emulator/trace.ts").read_text(encoding="utf-8")
RULES = re.findall(r'\| "([a-z-]+)"', TRACE.split("export type Rule =")[1].split(";")[0])
EXAMPLE = re.compile(r"^(Wrong|Right):\n\n```(js|html)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)

SHOP = """{
  const item = { id: "1", variants: [] }, price = "svc-content-after-price";
  awningEmulator.host("#box", price, { item, page: { language: "en", page: "catalog" } });
  awningEmulator.fire(price + "-updated", { item, selectedVariantId: "2", selectedVariant: null });
}"""


def test_emulator_rules_exist() -> None:
    assert {"init-once", "updated-pair", "init-early"} <= set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_wrong_and_right_examples_of_each_rule_page_are_true(small_pages: SmallPages, rule: str) -> None:
    page = (ROOT / f"docs/rules/{rule}.md").read_text(encoding="utf-8")
    examples = {verdict: (kind, code) for verdict, kind, code in EXAMPLE.findall(page)}
    violations = {}
    for verdict, (kind, code) in examples.items():
        html = script(SHOP) + (code if kind == "html" else script(code))
        small = small_pages.load(body=f'<div id="box"></div>{html}')
        small.run("1")
        violations[verdict] = set(small.violations)
    assert violations == {"Wrong": {rule}, "Right": set()}
