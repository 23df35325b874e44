"""What a snippet weighs, and whether that is within its budget."""

import gzip
from dataclasses import dataclass

from awning.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Weight:
    """In bytes: as stored, and as a page compresses it."""

    bytes: int
    gzip: int


def weigh(content: bytes) -> Weight:
    """Level 9 without a time stamp, so that the number depends on the content alone. Nothing weighs nothing."""
    return Weight(len(content), len(gzip.compress(content, 9, mtime=0)) if content else 0)


def over_budget(name: str, weight: Weight, budget: int | None) -> Diagnostic | None:
    """An error when the body snippet is heavier than its budget; where that is written, the caller knows."""
    if budget is None or weight.gzip <= budget:
        return None
    return Diagnostic(
        rule="size-budget",
        message=f"{name} weighs {weight.gzip} bytes (gzip), {weight.gzip - budget} over its budget of {budget}",
        hint="dist/report.html shows what weighs how much; or raise the budget",
    )
