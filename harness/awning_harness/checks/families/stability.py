"""The check of the layout: what jumps when the block arrives late or changes by itself.

The docstring of a check says what is wrong when the check fails.
"""

from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import each_payload
from awning_harness.checks.subject import Subject

LONGEST_JUMP = 100
"""The most CSS pixels that an element may jump. One or two late lines are fine; a button must stay under the finger."""

LATE_MS = (150,)
"""The delays of other hosts' responses in milliseconds. They arrive after the first paint, as on a phone."""


@looks_at(each_payload)
async def test_layout_shift(subject: Subject) -> None:
    """An element, such as what is below the block, jumps when the block arrives late or changes by itself."""
    observed = await subject.observe_one(subject.trial("page", "loaded", "shifts", delays=LATE_MS))
    jump = observed.jump
    if jump is not None and jump["pixels"] > LONGEST_JUMP:
        pixels, element = round(jump["pixels"]), jump["element"]
        subject.fail(
            f"after the page was shown, {element} jumps by {pixels} px; the budget is {LONGEST_JUMP} px",
            at=observed.last,
        )
