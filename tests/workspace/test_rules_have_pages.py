"""Every rule that a workspace or a build can report has its page, which is what `docs` in JSON points to."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("workspace", "snippet", "check", "pipeline", "publish")
RULE = re.compile(r"""(?:rule=|report\(\s*)["']([a-z]+(?:-[a-z]+)+)["']""")


def test_every_rule_has_a_page_with_a_wrong_and_a_right_example():
    rules = {
        rule
        for room in ROOMS
        for file in (ROOT / "src/awning" / room).rglob("*.py")
        for rule in RULE.findall(file.read_text(encoding="utf-8"))
    }
    assert len(rules) > 20
    for rule in sorted(rules):
        page = (ROOT / "docs/rules" / f"{rule}.md").read_text(encoding="utf-8")
        assert page.startswith(f"# {rule}\n")
        assert "\nWrong:\n" in page
        assert "\nRight:\n" in page
