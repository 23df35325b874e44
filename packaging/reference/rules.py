"""The page that lists every rule, from the pages of docs/rules."""

from collections.abc import Iterator

from awning.rule_pages import first_sentence, rule_ids
from reference.markdown import cell, code, page, table

INTRODUCTION = """\
Every rule that `awning check`, the build, the emulator and the harness report, with what it means. The page of a rule
has a wrong and a right example; `awning explain RULE` prints it. To begin with a symptom instead:
[troubleshooting](../troubleshooting.md)."""

SCRIPTS, TEMPLATES, MESSAGES = "Scripts, files and snippets", "Templates", "Messages"


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of the page."""
    yield "rules.md", page("Diagnostics", _parts())


def _parts() -> Iterator[str]:
    yield INTRODUCTION
    for title in (SCRIPTS, TEMPLATES, MESSAGES):
        yield f"## {title}"
        rules = [rule for rule in sorted(rule_ids()) if group_of(rule) == title]
        rows = [(f"[{code(rule)}](../rules/{rule}.md)", cell(first_sentence(rule))) for rule in rules]
        yield table(("Rule", ""), rows)


def group_of(rule: str) -> str:
    """Return the title of the rule's group."""
    first, _, _ = rule.partition("-")
    return {"template": TEMPLATES, "message": MESSAGES}.get(first, SCRIPTS)
