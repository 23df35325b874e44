"""`awning explain`: the page of a rule or of a check, wherever awning is installed."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from awning.cli.explain import explain
from awning.contract.conformance import WIDGET_CHECKS
from awning.errors import ConfigurationError
from awning.rule_pages import first_sentence, pages_root, rule_ids

PAGES = Path(__file__).parents[2] / "docs/rules"


def test_explain_prints_the_page_of_a_rule():
    result = CliRunner().invoke(explain, ["init-once"])
    assert result.output == (PAGES / "init-once.md").read_text(encoding="utf-8")


def test_explain_prints_what_fails_a_check_how_to_mend_it_and_how_to_switch_it_off():
    page = CliRunner().invoke(explain, ["late-events"]).output
    assert page.startswith(
        "# late-events\n\nWhen the event or the snippet comes late, the block is missing.\n"
    )
    assert "\nTo mend it: subscribe at once, not in `DOMContentLoaded` or a timer.\n" in page
    assert '\n[checks]\nlate-events = "' in page


def test_no_check_has_the_name_of_a_rule():
    assert rule_ids().isdisjoint(WIDGET_CHECKS)


def test_explain_without_a_rule_lists_all_rules_and_checks():
    rules = sorted(page.stem for page in PAGES.glob("*.md"))
    assert CliRunner().invoke(explain, []).output.split() == [*rules, *WIDGET_CHECKS]


def test_unknown_rule_gets_a_suggestion():
    error = CliRunner().invoke(explain, ["init-onc"]).exception
    assert isinstance(error, ConfigurationError)
    assert error.hint == 'did you mean "init-once"?'


def test_first_sentence_of_every_rule_page_is_a_summary():
    for rule in rule_ids():
        assert first_sentence(rule) != rule
        assert 15 < len(first_sentence(rule)) < 260, rule


def test_rule_pages_are_found_in_a_wheel_and_in_a_checkout(tmp_path):
    package = tmp_path / "src" / "awning"
    package.mkdir(parents=True)
    with pytest.raises(ConfigurationError, match="are missing from"):
        pages_root(package)
    (tmp_path / "docs" / "rules").mkdir(parents=True)
    assert pages_root(package) == tmp_path / "docs" / "rules"
    (package / "_rules").mkdir()
    assert pages_root(package) == package / "_rules"
