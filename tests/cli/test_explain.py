"""`awning explain`: the page of a rule or of a check, wherever awning is installed."""

import json
import re

import pytest
from click.testing import CliRunner

from awning.cli.explain import explain
from awning.contract.checks import WIDGET_CHECKS
from awning.errors import ConfigurationError
from awning.rules import all_rules, find_rule, rule_ids


def test_explain_prints_the_page_of_a_rule():
    page = CliRunner().invoke(explain, ["early-dom"]).output
    rule = find_rule("early-dom")
    assert page == rule.page
    assert page.startswith(f"# early-dom\n\n{rule.meaning}\n")
    assert page.endswith(
        "\nSeverity: error or warning. Reported by: `awning check`, `build` and `dev`; "
        "the emulator, in `awning dev` and `awning test`.\n"
    )


def test_explain_prints_links_as_text():
    page = CliRunner().invoke(explain, ["manifest-field"]).output
    assert "The rules of every field: manifest.md (docs/manifest.md)." in page
    assert "](" not in page


@pytest.mark.parametrize("rule", sorted(rule_ids()))
def test_explain_prints_no_link_of_markdown(rule):
    page = CliRunner().invoke(explain, [rule]).output
    text = re.sub(r"^```.*?^```", "", page, flags=re.DOTALL | re.MULTILINE)
    assert "](" not in text


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
    rules = [rule.id for rule in all_rules()]
    assert CliRunner().invoke(explain, []).output.split() == [*rules, *WIDGET_CHECKS]


def test_explain_prints_the_page_as_json():
    document = json.loads(CliRunner().invoke(explain, ["init-once", "--json"]).output)
    assert (document["schema_version"], document["rule"], document["severity"]) == (1, "init-once", "error")
    assert document["page"].startswith("# init-once\n")
    listed = json.loads(CliRunner().invoke(explain, ["--json"]).output)
    assert [rule["rule"] for rule in listed["rules"]] == sorted(rule_ids())
    assert listed["checks"] == [*WIDGET_CHECKS]


def test_unknown_rule_gets_a_suggestion():
    error = CliRunner().invoke(explain, ["init-onc"]).exception
    assert isinstance(error, ConfigurationError)
    assert error.hint == 'did you mean "init-once"?'
