"""Measures the size of a snippet, and compares it with its budget."""

import gzip
from dataclasses import dataclass

from awning.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Weight:
    """The size of a snippet in bytes: as it is stored, and compressed with gzip."""

    bytes: int
    gzip: int


def weigh(content: bytes) -> Weight:
    """Return the size of a snippet; 0 for an empty one. Equal contents have equal sizes: gzip writes no time stamp."""
    return Weight(len(content), len(gzip.compress(content, 9, mtime=0)) if content else 0)


def over_budget(name: str, weight: Weight, budget: int | None) -> Diagnostic | None:
    """Return an error if a snippet's gzip size is over its budget in bytes, else None. The caller adds the place."""
    if budget is None or weight.gzip <= budget:
        return None
    return Diagnostic(
        rule="size-budget",
        message=f"{name} weighs {weight.gzip} bytes (gzip), {weight.gzip - budget} over its budget of {budget}",
        hint="make it smaller, or raise the budget; `awning build --allow-errors` writes dist/report.html, "
        "which has the weight of each file",
    )
