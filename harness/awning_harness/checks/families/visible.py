"""The checks of what people see: each state looks as it did, and can be read and used by everybody.

The docstring of a check says what is wrong when the check fails.
"""

from awning_harness.checks.accessibility import describe_violations, read_violations
from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import each_state, every_language
from awning_harness.checks.snapshots.check import SnapshotCheck
from awning_harness.checks.subject import Subject
from awning_harness.visit.pages.causes import Cause, CauseKind


@looks_at(every_language)
async def test_looks_as_before(subject: Subject) -> None:
    """The state no longer looks as in its snapshot."""
    await SnapshotCheck.of(subject).run()


@looks_at(each_state)
async def test_is_accessible(subject: Subject) -> None:
    """Somebody cannot read or use the widget: a rule of axe-core is broken, or contrast is too low in a theme."""
    if subject.situation.state.empty:
        await subject.observe_state()
        return
    # Without the policy of the state, because a policy may forbid axe-core. What the page shows is the same.
    observed = await subject.observe_state(then=["examine"], options={})
    if violations := read_violations(observed.examined):
        rules = ", ".join(sorted({violation.rule for violation in violations}))
        subject.fail(describe_violations(violations), Cause(CauseKind.OTHER, rules), at=observed.last)
