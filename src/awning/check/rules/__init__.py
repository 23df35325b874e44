"""All rules over scripts, in the order they are run. A new rule is a file and a line here."""

from awning.check.rule import Rule
from awning.check.rules import (
    document_write,
    early_dom,
    init_early,
    init_once,
    no_eval,
    placeholder_misuse,
    raw_html,
    script_budget,
    script_syntax,
    secret_in_source,
    sync_xhr,
    unknown_event,
    updated_pair,
)

RULES: tuple[Rule, ...] = (
    init_once.RULE,
    updated_pair.RULE,
    init_early.RULE,
    early_dom.RULE,
    unknown_event.RULE,
    raw_html.RULE,
    placeholder_misuse.RULE,
    document_write.RULE,
    sync_xhr.RULE,
    no_eval.RULE,
    secret_in_source.RULE,
    script_syntax.RULE,
    script_budget.RULE,
)
"""Other rules (`message-missing`, `message-unused`, `size-budget`, `template-...`) look at a workspace as a whole."""

__all__ = ["RULES"]
