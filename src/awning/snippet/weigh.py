"""What a snippet weighs, and whether that is within its budget."""

import gzip
from dataclasses import dataclass

from awning.diagnostics import Diagnostic, Place


@dataclass(frozen=True, slots=True)
class Weight:
    """In bytes: as stored, and as a page compresses it."""

    bytes: int
    gzip: int


def weigh(content: bytes) -> Weight:
    """Level 9 without a time stamp, so that the number depends on the content alone. Nothing weighs nothing."""
    return Weight(len(content), len(gzip.compress(content, 9, mtime=0)) if content else 0)


def over_budget(name: str, weight: Weight, budget: int | None, path: str) -> Diagnostic | None:
    """An error when the body snippet is heavier than `path` (widget.toml, pyproject.toml) allows."""
    if budget is None or weight.gzip <= budget:
        return None
    return Diagnostic(
        rule="size-budget",
        message=f"{name} weighs {weight.gzip} bytes (gzip), {weight.gzip - budget} over its budget of {budget}",
        place=Place(path=path),
        hint="dist/report.html shows what weighs how much; or raise the budget",
    )
