"""The weight of a snippet, and whether it is within its budget."""

import gzip
from dataclasses import dataclass

from awning.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Weight:
    """In bytes: as stored, and compressed as a page is."""

    bytes: int
    gzip: int


def weigh(content: bytes) -> Weight:
    """The weight of a snippet; 0 for an empty one. gzip runs without a time stamp: equal content, equal weight."""
    return Weight(len(content), len(gzip.compress(content, 9, mtime=0)) if content else 0)


def over_budget(name: str, weight: Weight, budget: int | None) -> Diagnostic | None:
    """An error when a snippet is heavier than its budget; without a place, which the caller adds."""
    if budget is None or weight.gzip <= budget:
        return None
    return Diagnostic(
        rule="size-budget",
        message=f"{name} weighs {weight.gzip} bytes (gzip), {weight.gzip - budget} over its budget of {budget}",
        hint="dist/report.html shows what weighs how much; or raise the budget",
    )
