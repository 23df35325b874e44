"""The checks of what people see: each state looks as it did, can be read and used by everybody, and holds still.

The docstring of a check says what is wrong when the check fails.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import each_payload, each_state, every_language
from awning_harness.checks.snapshots.check import SnapshotCheck
from awning_harness.checks.subject import Subject
from awning_harness.visit.pages.causes import Cause, CauseKind

LONGEST_HTML = 120
_OWN_CLASS = re.compile(r"\s*\baw-[0-9a-f]+\b")
_EMPTY_CLASS = re.compile(r' class=" *"')
_HEADING = re.compile(r"Fix (?:any|all) of the following:\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One element that breaks a rule. `themes` are the themes in which it breaks the rule.

    None in `themes` stands for the page as it is.
    """

    rule: str
    impact: str | None
    help: str
    url: str
    html: str
    fix: str
    themes: tuple[str | None, ...]

    @property
    def element(self) -> str:
        """The element's HTML without the classes that the build adds, cut to LONGEST_HTML characters."""
        html = _EMPTY_CLASS.sub("", _OWN_CLASS.sub("", " ".join(self.html.split())))
        return html if len(html) <= LONGEST_HTML else f"{html[: LONGEST_HTML - 1]}…"

    @property
    def where(self) -> str:
        """The themes in words; empty if the violation is already on the page as it is, without another theme."""
        names = [name for name in self.themes if name is not None]
        return (
            "" if None in self.themes else f" in the theme{'s' if len(names) > 1 else ''} {', '.join(names)}"
        )

    @property
    def what_to_do(self) -> str:
        return "; ".join(part.strip() for part in _HEADING.sub("", self.fix).splitlines() if part.strip())


def read_violations(examined: Iterable[Mapping[str, Any]]) -> tuple[Violation, ...]:
    """Return the violations in a widget's blocks, as `visit/examine.js` found them."""
    return tuple(Violation(**{**each, "themes": tuple(each["themes"])}) for each in examined)


def describe_violations(violations: Sequence[Violation]) -> str:
    """Return a text with the violations by rule: what the rule requires, then each element and how to fix it."""
    rules = dict.fromkeys(violation.rule for violation in violations)
    count = "1 element breaks" if len(violations) == 1 else f"{len(violations)} elements break"
    lines = [f"{count} a rule of accessibility"]
    for rule in rules:
        lines += _rule_lines([violation for violation in violations if violation.rule == rule])
    return "\n".join(lines)


def _rule_lines(violations: Sequence[Violation]) -> Iterable[str]:
    first = violations[0]
    yield f"    {first.rule} ({first.impact}): {first.help}"
    for violation in violations:
        yield f"        {violation.element}{violation.where}"
        yield f"            {violation.what_to_do}"
    yield f"        {first.url.split('?')[0]}"


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
