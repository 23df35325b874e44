"""The check in a browser that refuses storage and cookies.

The docstring of a check says what is wrong when the check fails.
"""

from awning_harness.checks.families import looks_at
from awning_harness.checks.families.events import require_usual
from awning_harness.checks.situation import each_payload
from awning_harness.checks.subject import Subject


@looks_at(each_payload)
async def test_blocked_storage(subject: Subject) -> None:
    """Where a browser refuses storage and cookies, the widget makes errors or shows another block."""
    observed = await subject.observe(subject.trial(is_storage_blocked=True))
    await require_usual(subject, observed, ["the browser refuses storage"])
