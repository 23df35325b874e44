"""All rules over scripts, in the order in which they run. README.md explains how to add a rule."""

from awning.check.rule import Rule
from awning.check.rules import (
    calls,
    observations,
    page_replaced,
    placeholder_misuse,
    script_budget,
    script_syntax,
    secret_in_source,
)

RULES: tuple[Rule, ...] = (
    *observations.RULES,
    placeholder_misuse.RULE,
    *calls.RULES,
    page_replaced.RULE,
    secret_in_source.RULE,
    script_syntax.RULE,
    script_budget.RULE,
)
"""Rules over a whole workspace are elsewhere: `message-missing`, `message-unused`, `size-budget`, `template-...`."""

__all__ = ["RULES"]
