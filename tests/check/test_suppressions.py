"""Comments that silence a diagnostic, and those that silence nothing."""

import pytest

from awning.check.files import check_text
from awning.check.suppressions import remove_ignored
from awning.contract import Dialect
from awning.diagnostics import Severity

EVAL = 'eval("x");'
BAD = {  # code with a comment that silences nothing: a part of the message about the comment, and its severity
    f"// awning-ignore no-eval\n{EVAL}": ("a rule and a reason", Severity.WARNING),
    f"// awning-ignore\n{EVAL}": ("a rule and a reason", Severity.WARNING),
    f"// awning-ignore: because\n{EVAL}": ("a rule and a reason", Severity.WARNING),
    f"/* awning-ignore nosuch-rule: because */\n{EVAL}": (
        'no rule is called "nosuch-rule"',
        Severity.WARNING,
    ),
    f"/* awning-ignore no-evil: because */\n{EVAL}": ('no rule is called "no-evil"', Severity.WARNING),
    "// awning-ignore no-eval: because\nf();": ("nothing breaks no-eval here", Severity.NOTE),
    f"// awning-ignore no-eval: because\n\n{EVAL}": ("nothing breaks no-eval here", Severity.NOTE),
    f"f(); // awning-ignore no-eval: because\n{EVAL}": ("nothing breaks no-eval here", Severity.NOTE),
    f"// awning-ignore sync-xhr: because\n{EVAL}": ("nothing breaks sync-xhr here", Severity.NOTE),
    f"// awning-ignore no-eval, sync-xhr: because\n{EVAL}": ("nothing breaks sync-xhr here", Severity.NOTE),
}
GOOD = [
    f"// awning-ignore no-eval: because\n{EVAL}",
    f"{EVAL} /* awning-ignore no-eval: because */",
    f"/* awning-ignore document-write, no-eval: because */\n{EVAL} document.write('1');",
    "// awning-ignore message-missing: it is looked for elsewhere\nf();",
    "// awning-ignore no-eval: what follows is not read\nlet x = ;",
]


def findings(text):
    return remove_ignored(check_text("a.js", text, Dialect()).diagnostics, lambda _path: text)


def rules(text):
    return [finding.rule for finding in findings(text)]


def suppression(text):
    (unused,) = [finding for finding in findings(text) if finding.rule == "bad-suppression"]
    return unused


@pytest.mark.parametrize("text", BAD)
def test_unused_suppression_is_reported(text):
    message, severity = BAD[text]
    assert message in suppression(text).message
    assert suppression(text).severity == severity
    silenced = "// awning-ignore no-eval, sync-xhr" in text or EVAL not in text
    assert ("no-eval" in rules(text)) is not silenced


def test_a_misspelt_rule_gets_a_suggestion():
    assert suppression(f"// awning-ignore no-evil: because\n{EVAL}").hint == 'did you mean "no-eval"?'


@pytest.mark.parametrize("text", GOOD)
def test_used_suppression_silences_and_is_not_reported(text):
    assert not {"bad-suppression", "no-eval"} & set(rules(text))
