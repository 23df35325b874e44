"""Every rule id that the code can put into a diagnostic is described (`awning.rules`), and is used as it is described.

The ids are read from the syntax tree.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from awning.cli.main import awning
from awning.diagnostics import Diagnostic, Severity
from awning.rules import REPORTERS, all_rules, find_rule, rule_ids
from awning_harness.public_pages import WATCH

ROOT = Path(__file__).parents[2]
ID = re.compile(r"[a-z]+(?:-[a-z]+)*")
COMPILERS = re.compile(r"template-[a-z]+(?:-[a-z]+)*")
REPORTS = frozenset({"report", "_reporting_function", "TemplateRefusal"})
BUNDLERS = {f"{language}-{severity}" for language in ("script", "style") for severity in ("error", "warning")}
"""The ids that `awning.bundle.esbuild_messages` puts together from two words."""


def rules(path: Path) -> Iterator[str]:
    """Yield the rule ids in a file.

    Ids of the compilers are recognised by their first word. Other ids are the value of an argument `rule`, the first
    argument of a call that reports, or what a function `_rule` returns.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "rule":
            yield from texts(node.value)
        elif isinstance(node, ast.Call) and node.args and called(node) in REPORTS:
            yield from (text for text in texts(node.args[0]) if ID.fullmatch(text))
        elif isinstance(node, ast.FunctionDef) and node.name == "_rule":
            returned = (
                child.value for child in ast.walk(node) if isinstance(child, ast.Return) and child.value
            )
            yield from (text for value in returned for text in texts(value))
        elif isinstance(node, ast.Call) and called(node) == "ScriptRule":
            yield from (
                text for keyword in node.keywords if keyword.arg == "id" for text in texts(keyword.value)
            )
        elif isinstance(node, ast.Constant) and COMPILERS.fullmatch(str(node.value)):
            yield str(node.value)


def texts(node: ast.expr) -> Iterator[str]:
    """Yield the text of a literal, or the two texts of `"a" if x else "b"`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


@pytest.fixture(scope="module")
def used() -> dict[str, Path]:
    """The ids in the code, with a file that has each."""
    return {
        rule: path.relative_to(ROOT)
        for folder in ("src/awning", "harness/awning_harness")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for rule in rules(path)
    }


def test_rules_are_collected(used):
    assert {"file-encoding", "missing-export", "unknown-key", "template-raises"} <= set(used)
    assert len(used) > 90


def test_every_described_rule_exists(used):
    """Rules that are not in Python are violations that the emulator reports."""
    of_emulator = {rule.id for rule in all_rules() if "emulator" in rule.reporters}
    assert sorted(rule_ids() - set(used) - BUNDLERS - of_emulator) == []


def test_every_rule_is_described(used):
    assert {rule: path for rule, path in used.items() if rule not in rule_ids()} == {}


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_rule_is_described_in_full(rule):
    assert set(rule.severities) <= set(Severity)
    assert set(rule.reporters) <= {*REPORTERS, *verbs()}
    assert 15 < len(rule.meaning) < 260
    assert rule.wrong
    assert rule.right
    assert [
        example for example in (*rule.wrong, *rule.right) if not example.kind or not example.code.strip()
    ] == []


def verbs() -> Iterator[str]:
    """The verbs of the command line, with their subcommands: `check`, `publish apply`."""
    for name in awning.list_commands(click.Context(awning)):
        verb = awning.get_command(click.Context(awning), name)
        yield name
        if isinstance(verb, click.Group):
            yield from (f"{name} {sub}" for sub in verb.list_commands(click.Context(verb)))


def test_severity_at_a_place_is_one_of_the_rule():
    """A severity beside a rule's id in the code is among those that the rule names."""
    others = [
        (path.name, rule, severity)
        for path in sorted((ROOT / "src/awning").rglob("*.py"))
        for rule, severity in placed_severities(path)
        if rule in rule_ids() and severity not in find_rule(rule).severities
    ]
    assert others == []


def placed_severities(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            named = {keyword.arg: keyword.value for keyword in node.keywords}
            rule = named.get("rule", node.args[0] if node.args else None)
            severity = named.get("severity")
            if isinstance(rule, ast.Constant) and isinstance(severity, ast.Attribute):
                yield str(rule.value), severity.attr.lower()


def test_rules_that_public_pages_show_say_so():
    of_pages = [rule.id for rule in all_rules() if "public pages" in rule.reporters]
    assert sorted(set(re.findall(r'rules\.add\("([a-z-]+)"\)', WATCH))) == of_pages


def test_fixes_are_described():
    """A module of the rules over scripts that makes a `Fix` has a rule with a paragraph about `--fix`."""
    fixing = [
        path.name
        for path in sorted((ROOT / "src/awning/check/rules").glob("*.py"))
        if re.search(r"\bFix\(", text := path.read_text(encoding="utf-8"))
        and not any(rule.fix and f'id="{rule.id}"' in text for rule in all_rules())
    ]
    assert fixing == []


def test_diagnostic_has_the_usual_severity_of_its_rule():
    assert Diagnostic(rule="file-unused", message="x").severity is Severity.WARNING
    assert Diagnostic(rule="text-in-template", message="x").severity is Severity.NOTE
    assert Diagnostic(rule="init-once", message="x").severity is Severity.ERROR
    assert Diagnostic(rule="init-once", message="x", severity=Severity.NOTE).severity is Severity.NOTE
    assert Diagnostic(rule="a-rule-of-another-tool", message="x").severity is Severity.ERROR


def test_header_with_an_unknown_fact_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("awning.rules.PAGES", tmp_path)
    rule_ids.cache_clear()
    page = "---\nseverity: error\nreported by: check\n{}---\n\nA rule.\n\nWrong:\n\n```js\na\n```\n"
    (tmp_path / "a-rule.md").write_text(page.format(""))
    try:
        [rule] = all_rules()
        assert (rule.wrong[0].kind, rule.wrong[0].code, rule.right, rule.fix) == ("js", "a", [], None)
        (tmp_path / "a-rule.md").write_text(page.format("severty: note\n"))
        with pytest.raises(ValueError, match="a rule has no severty"):
            all_rules()
    finally:
        rule_ids.cache_clear()
