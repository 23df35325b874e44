"""The page that lists every rule, from the descriptors in `awning.rules`."""

from collections.abc import Iterator

from awning.rules import Rule, all_rules
from reference.markdown import code, entries, one_line, page

INTRODUCTION = """\
Every rule that `awning check`, the build, the emulator and the harness report, with what it means, and its severity
where that is not always error. The page of a rule has a wrong and a right example; `awning explain RULE` prints it. To
begin with a symptom instead: [troubleshooting](../troubleshooting.md)."""

FIXES = "`awning check --fix` changes these, and nothing else:"

ON_PAGES = """\
`awning publish verify --browser` reports these, also of raw scripts, and on a page of the simulated shop what its
emulator reports:"""

SCRIPTS, TEMPLATES, MESSAGES = "Scripts, files and snippets", "Templates", "Messages"


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of the page."""
    yield "rules.md", page("Diagnostics", _parts())


def _parts() -> Iterator[str]:
    yield INTRODUCTION
    for title in (SCRIPTS, TEMPLATES, MESSAGES):
        yield f"## {title}"
        yield entries(_row(rule) for rule in all_rules() if group_of(rule.id) == title)
    yield f"## Fixes\n\n{FIXES}"
    yield entries((_link(rule), rule.fix) for rule in all_rules() if rule.fix)
    yield f"## On public pages\n\n{ON_PAGES}"
    yield ", ".join(_link(rule) for rule in all_rules() if "public pages" in rule.reporters)


def _row(rule: Rule) -> tuple[str, str]:
    severities = "" if rule.severities == ("error",) else f" ({', '.join(rule.severities)})"
    return f"{_link(rule)}{severities}", one_line(rule.meaning)


def _link(rule: Rule) -> str:
    return f"[{code(rule.id)}](../../src/awning/rules/pages/{rule.id}.md)"


def group_of(rule: str) -> str:
    """Return the title of the rule's group."""
    first, _, _ = rule.partition("-")
    return {"template": TEMPLATES, "message": MESSAGES}.get(first, SCRIPTS)
