"""Comments that silence a diagnostic, and those that silence nothing."""

import pytest

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

EVAL = 'eval("x");'
BAD = {  # code with a comment: a part of the message about the comment, and its severity
    f"// awning-ignore no-eval\n{EVAL}": ("a rule and a reason", Severity.WARNING),
    f"// awning-ignore\n{EVAL}": ("a rule and a reason", Severity.WARNING),
    f"/* awning-ignore nosuch-rule: because */\n{EVAL}": (
        'no rule is called "nosuch-rule"',
        Severity.WARNING,
    ),
    f"/* awning-ignore no-evil: because */\n{EVAL}": ('no rule is called "no-evil"', Severity.WARNING),
    "// awning-ignore no-eval: because\nf();": ("nothing breaks no-eval here", Severity.NOTE),
    f"// awning-ignore no-eval: because\n\n{EVAL}": ("nothing breaks no-eval here", Severity.NOTE),
    f"f(); // awning-ignore no-eval: because\n{EVAL}": ("nothing breaks no-eval here", Severity.NOTE),
    f"// awning-ignore no-eval, sync-xhr: because\n{EVAL}": ("nothing breaks sync-xhr here", Severity.NOTE),
}
GOOD = [
    f"// awning-ignore no-eval: because\n{EVAL}",
    f"{EVAL} /* awning-ignore no-eval: because */",
    "// awning-ignore message-missing: it is looked for elsewhere\nf();",
    "// awning-ignore no-eval: what follows is not read\nlet x = ;",
]


def suppressions(text):
    return [
        diagnostic
        for diagnostic in check_text("a.js", text, Dialect()).diagnostics
        if diagnostic.rule == "bad-suppression"
    ]


@pytest.mark.parametrize("text", BAD)
def test_unused_suppression_is_reported(text):
    (diagnostic,) = suppressions(text)
    assert (BAD[text][0] in diagnostic.message, diagnostic.severity) == (True, BAD[text][1])


def test_a_misspelt_rule_gets_a_suggestion():
    (diagnostic,) = suppressions(f"// awning-ignore no-evil: because\n{EVAL}")
    assert diagnostic.hint == 'did you mean "no-eval"?'


@pytest.mark.parametrize("text", GOOD)
def test_used_suppression_is_not_reported(text):
    assert suppressions(text) == []
