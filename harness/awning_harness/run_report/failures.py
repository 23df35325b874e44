"""A failed test, as the summary of a run and its report show it.

The report has a stored snapshot beside the present one: the lines that differ, with some lines around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

from awning.contract.checks import CHECKS, COMPARISON
from awning.diagnostics import with_line_breaks
from awning.rules import rule_ids
from awning_harness.checks.outcomes import SITUATION
from awning_harness.checks.snapshots.appearance import HEADING
from awning_harness.visit.pages.causes import (
    CAUSE,
    LEAKED,
    NEVER_ENDS,
    PAGE_LEFT,
    Cause,
    CauseKind,
    plain_error,
)
from awning_harness.visit.pages.stacks import first_author_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pytest


AROUND = 2
"""How many equal lines are shown before and after lines that differ."""
MOST_LINES = 60
"""The most lines of a part, on either side."""

Line = tuple[str, bool]
"""A line, and whether it differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPart:
    """A part of a snapshot that differs. `places` has the lines before and after, for each place that differs."""

    title: str
    places: Sequence[tuple[Sequence[Line], Sequence[Line]]]
    is_cut: bool
    """Whether there are more lines than are shown."""


def compared_parts(folder: Path) -> list[ComparedPart]:
    """Return the parts that differ between `before.txt` and `after.txt` of a test's folder.

    Empty without these files.
    """
    try:
        before, after = ((folder / f"{name}.txt").read_text(encoding="utf-8") for name in ("before", "after"))
    except (OSError, UnicodeDecodeError):
        return []
    titles = ("Elements and boxes", "Accessibility tree")
    pairs = zip(_parts(before), _parts(after), strict=False)  # an older snapshot has no tree
    parts = (_compare(title, *pair) for title, pair in zip(titles, pairs, strict=False))
    return [part for part in parts if part.places]


def _parts(text: str) -> list[list[str]]:
    """Return the lines of each part of a snapshot, without its headings."""
    parts = (part.strip("\n").split("\n") for part in text.split(f"\n{HEADING}\n"))
    return [[line for line in lines if not line.startswith("# ")] for lines in parts]


def _compare(title: str, before: Sequence[str], after: Sequence[str]) -> ComparedPart:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    places: list[tuple[list[Line], list[Line]]] = []
    for group in matcher.get_grouped_opcodes(AROUND):
        olds = [(line, kind != "equal") for kind, a, b, _, _ in group for line in before[a:b]]
        news = [(line, kind != "equal") for kind, _, _, a, b in group for line in after[a:b]]
        places.append((olds, news))
    return ComparedPart(title=title, places=list(_first(places)), is_cut=_size(places) > MOST_LINES)


def _first(places: Sequence[tuple[list[Line], list[Line]]]) -> list[tuple[list[Line], list[Line]]]:
    """Return the first places, up to MOST_LINES lines."""
    left, first = MOST_LINES, []
    for olds, news in places:
        if left <= 0:
            break
        first.append((olds[:left], news[:left]))
        left -= max(len(olds), len(news))
    return first


def _size(places: Sequence[tuple[list[Line], list[Line]]]) -> int:
    return sum(max(len(olds), len(news)) for olds, news in places)


SCREENSHOT = "screenshot.png"
BEFORE, AFTER = "before.png", "after.png"
PICTURES_OF_A_FAILURE = {
    BEFORE: "Before",
    AFTER: "After",
    "difference.png": "Difference",
    SCREENSHOT: "The page",
}
"""The pictures that a failed test may have left, with their captions, in this order."""

PLAIN_PAGE = "shows-its-state"
"""The check that opens a state's page as it is. A defect of that page may fail every other check of the state."""
CANNOT_OCCUR = " cannot occur: "
MEND_STATE = "correct the state's payload or step; awning dev shows its page up to there"
REFUSING = ("failing-hosts", "blocked-storage")
"""The checks in which an exception may be right, and only what catches it is missing. `awning dev` has no such page."""
OTHERS_FIRST = (
    "another check of this state fails, too: mend that first, then compare the pictures in the report"
)
MEND_LOOP = "mend the loop{where}; awning dev cannot show such a page either"
MEND_LEFT = (
    'to stay: a <button> with type="button", preventDefault(), or no `location.assign` and the like; '
    "to follow it: a test with `storefront`"
)
MEND_ERROR = "awning dev shows the error with its place in your files"
POLICY = "Content Security Policy"
"""A part of each of the browser's messages about something that the page's policy forbids."""
MEND_POLICY = "use what this policy allows: a listener in the widget's script instead of `onclick`, no `eval`"
FOLDER = "awning_results"
"""The attribute of a test's report with the folder of its files."""
ERRORS = "awning_errors"
"""The attribute of a test's report with the errors of the pages that it opened."""

NOTES = "awning_notes"
"""The attribute of a test's report that says how the page in its picture differs from the page of the check."""
PLACE = "awning_place"
"""The attribute of a test's report with its place among the collected tests."""

WORKER = re.compile(r"\A\[gw\d+\] .*\n")
"""The line with which pytest-xdist names the process of a failed test."""
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
"""Matches a key that TOML allows without quotes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTest:
    """A test that failed. `properties` are those that `properties_of` of the collector gives a check."""

    test: str
    text: str
    folder: Path | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    cause: Cause | None = None
    """None for a failure without a known cause, such as an `assert` in an author's test."""
    errors: frozenset[str] = frozenset()
    """The errors of the test's pages, without the parts that differ between pages."""
    notes: tuple[str, ...] = ()
    """How the page in the test's picture differs from the page of the check, in sentences."""
    place: int = 0
    """The test's index among the collected tests, which is the same in every process."""
    has_company: bool = False
    """Whether another check of the state fails, so that a difference from the snapshot is hardly meant."""

    @classmethod
    def of(cls, report: pytest.TestReport) -> FailedTest:
        """Return the failed test of a report, also of one that another process sent."""
        results, cause = getattr(report, FOLDER, None), getattr(report, CAUSE, None)
        return cls(
            test=report.nodeid,
            text="\n".join(map(with_line_breaks, WORKER.sub("", report.longreprtext).split("\n"))),
            folder=Path(results) if results else None,
            properties={name: str(value) for name, value in report.user_properties},
            cause=Cause(CauseKind(cause[0]), cause[1]) if cause else None,
            errors=frozenset(map(plain_error, getattr(report, ERRORS, ()))),
            notes=tuple(getattr(report, NOTES, ())),
            place=getattr(report, PLACE, 0),
        )

    @property
    def check(self) -> str | None:
        return self.properties.get("check")

    @property
    def is_comparison(self) -> bool:
        """Whether the state differs from its snapshot. Such a failure follows from any other defect of the state."""
        return self.check == COMPARISON and self.cause is not None and self.cause.kind is CauseKind.OTHER

    @property
    def home(self) -> str:
        """The folder of the test file. For a check it is the widget's."""
        return self.test.partition("::")[0].rpartition("/")[0]

    @property
    def title(self) -> str:
        """What failed: the check with its widget, or the test of an author."""
        return f"{self.properties['widget']}: {self.check}" if self.check else self.name

    @property
    def name(self) -> str:
        """The check, or the name of an author's test."""
        return self.check or self.test.rpartition("::")[2]

    @property
    def situation(self) -> str:
        """What differs between the tests of one check: `in-stock, en, dark`, or else the test's parameters.

        Empty for an author's test.
        """
        own = [self.properties[name] for name in SITUATION if name in self.properties]
        parameters = self.test.partition("[")[2].rstrip("]") if self.check else ""
        return ", ".join(own) or parameters.removeprefix("chromium-")

    @property
    def sentence(self) -> str:
        """The line that says most: pytest's explanation of an `assert`, else the first line.

        A check's sentence begins after the place and the situation. Of a heading, it is the line below it.
        """
        lines = [line for line in self.text.split("\n") if line.strip()]
        asserted = (line.removeprefix("E").strip() for line in lines if line.startswith("E  "))
        first = next(asserted, lines[0] if lines else "")
        if self.check and first.endswith(":"):
            return next((line.strip() for line in lines[1:]), first)
        return first.partition("): ")[2] if self.check and "): " in first else first

    @property
    def mending(self) -> list[str]:
        """The lines that say what to do; empty for a failure without a known cause, such as a failed setup.

        For an error of the page, the lines are about the error, whichever test fails. For any other cause, an author's
        test has none, and a check has its own hint, or for the kind BLOCK the hint of `shows-its-state`,
        unless the state is wrong.
        """
        if self.cause and self.cause.kind is CauseKind.PROBLEM:
            rule, _, names = self.cause.text.partition(" ")
            if rule not in rule_ids():
                if self.check not in REFUSING or any(
                    part in self.text for part in (POLICY, PAGE_LEFT, NEVER_ENDS)
                ):
                    return [self._mend_error(self.cause.text)]
                place = first_author_place(self.text)
                where = [f"{place} is where it is thrown"] if place else []
                return [*where, CHECKS[self.check].hint, f"more: awning explain {self.check}"]
            return [*([mend_leak(names)] if rule == LEAKED else ()), f"awning explain {rule}"]
        if self.cause is None or self.check is None:
            return []
        if CANNOT_OCCUR in self.text:
            return [MEND_STATE]
        is_of_page = self.cause.kind is CauseKind.BLOCK and not self.has_company
        owner = PLAIN_PAGE if is_of_page else self.check
        hint = OTHERS_FIRST if self.has_company else CHECKS[owner].hint
        return [hint, f"more: awning explain {owner}"]

    def _mend_error(self, error: str) -> str:
        if POLICY in error:
            policy = self.properties.get("policy")
            return f"{MEND_POLICY}; awning dev shows the page with ?csp={policy}" if policy else MEND_POLICY
        place = first_author_place(self.text)
        if PAGE_LEFT in self.text:
            return MEND_LEFT
        if NEVER_ENDS in self.text:
            return MEND_LOOP.format(where=f" around {place}" if place else "")
        return f"{place} is where it is thrown; awning dev shows it too, as you save" if place else MEND_ERROR

    def compared_parts(self) -> Sequence[ComparedPart]:
        """Return what differs between the stored snapshot and the present one; empty for another failure."""
        return compared_parts(self.folder) if self.folder and self.check == COMPARISON else ()

    def pictures(self, with_page: bool) -> Iterator[tuple[str, Path | None]]:
        """Yield the caption and file of each picture: of a comparison, or else of the page if `with_page` is true.

        The file is None for the stored picture of a comparison, if only the present one is there.
        """
        files = {name: self.folder / name for name in PICTURES_OF_A_FAILURE} if self.folder else {}
        present = [name for name, file in files.items() if file.is_file()]
        if AFTER in present and BEFORE not in present:
            yield PICTURES_OF_A_FAILURE[BEFORE], None
        for name in present:
            if name != SCREENSHOT or (with_page and present == [name]):
                yield self._caption(name), files[name]

    def _caption(self, name: str) -> str:
        notes = f", which differs from that of the check: {'; '.join(self.notes)}" if self.notes else ""
        return PICTURES_OF_A_FAILURE[name] + (notes if name == SCREENSHOT else "")


def mend_leak(names: str) -> str:
    """Return what to do about leaked globals. `names` has their names, perhaps with places; empty if unknown."""
    name = names.partition(",")[0].partition(" (")[0] or "NAME"
    key = name if BARE_KEY.fullmatch(name) else f'"{name}"'
    return (
        "keep the name in a module, a function or a block; if the page needs it, allow it in widget.toml: "
        f'[globals] with {key} = "the reason"'
    )
