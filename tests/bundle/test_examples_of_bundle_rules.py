"""Every rule of the bundle room is described, and reports its wrong example."""

import re
from pathlib import Path

import pytest

from awning.errors import Faulty
from awning.rules import find_rule, rule_ids

ROOT = Path(__file__).parents[2]
RULES = {
    "script-error": ("e.ts", {}),
    "script-warning": ("e.ts", {}),
    "style-error": ("s.css", {"banner.psd": "", "banner.webp": ""}),
    "style-warning": ("s.css", {}),
    "unresolved-import": ("e.ts", {"round.ts": "export const round = 1;\n"}),
    "missing-export": ("e.ts", {"a.ts": ""}),
    "style-import": ("e.ts", {"theme.css": "a { color: red }\n"}),
}


def rules_of_the_room() -> set[str]:
    """The rules written as `rule="..."` in the sources, and those chosen by the text of a message."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "src/awning/bundle").glob("*.py")]
    named = {rule for text in texts for rule in re.findall(r'(?:rule=|return )"([a-z]+-[a-z]+)"', text)}
    return named | {
        f"{language}-{severity}" for language in ("script", "style") for severity in ("error", "warning")
    }


def test_every_rule_is_described():
    assert rules_of_the_room() == set(RULES) | {"esbuild-version", "json-syntax"}
    assert rules_of_the_room() <= rule_ids()


def reported(bundled, name: str, text: str, files: dict[str, str]) -> set[str]:
    text = text.replace('"awning"', '"./awning"')
    beside = {"awning.ts": "export const afterPrice = (render: unknown) => render;\n"}
    context = "declare const view: any, item: any;\n" if name.endswith(".ts") else ""
    use = (
        ";console.log(typeof round, typeof afterPrise, typeof afterPrice);\n" if name.endswith(".ts") else ""
    )
    if "afterPrice((" in text:
        context += 'import { afterPrice } from "./awning";\n'
    if "return" in text:
        text = f"export function shown() {{ {text} }}"
    try:
        return {d.rule for d in bundled(files | beside | {name: context + text + use}, name).diagnostics}
    except Faulty as fault:
        return {d.rule for d in fault.diagnostics}


@pytest.mark.parametrize("rule", RULES)
def test_wrong_and_right_examples_of_each_rule_are_true(bundled, rule):
    [wrong], [right] = find_rule(rule).wrong, find_rule(rule).right
    name, files = RULES[rule]
    assert rule in reported(bundled, name, wrong.code, files)
    name = "s.css" if right.kind == "css" else name
    assert rule not in reported(bundled, name, right.code, files)
