"""The replays of failed tests as the report shows them, within a limit for the size of the page.

The texts and pictures nearest to the failing step are in the page first. What does not fit is in the test's folder.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

from markupsafe import escape

from awning_harness.replay.records import Replay, ReplayStep, read_replay, short_path

MOST_CHARACTERS = 6_000_000
"""The most characters of all replays of a report. With its other pictures, a report stays below some 10 MB."""
LONGEST_HTML = 4000
LONGEST_TEXT = 2000
LONGEST_LINE = 500

SIGNS = {"event": "●", "request": "◆", "problem": "▲", "judged": "■"}
"""The signs of marks, by kind."""
LEGEND = {
    "event": "event delivered",
    "request": "request without a good answer",
    "problem": "error or broken rule",
    "judged": "judged by the test",
}
"""What the signs mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMark:
    """What happened at a step, as its button and its heading show it. `kind` is a key of SIGNS."""

    kind: str
    text: str

    @property
    def sign(self) -> str:
        return SIGNS[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedStep:
    """One step in the page. `step` is None if it does not fit. `picture` is a data URL; empty without a picture."""

    number: int
    words: str
    step: ReplayStep | None
    before: str
    """The text of the block before the step."""
    picture: str
    marks: Sequence[StepMark]
    is_failing: bool

    @property
    def title(self) -> str:
        return self.words[:1].upper() + self.words[1:] if not self.number else self.words

    @property
    def badge(self) -> str:
        """What happens at the failing step. The test judges only after the last step, so its fault may be earlier."""
        return "It fails here" if self.step is not None and self.step.has_problem else "Judged here"

    @property
    def lines_before(self) -> list[tuple[str, bool]]:
        """The lines of the block before the step, each with whether the step changes it."""
        return marked_lines(self.before, self.step.text if self.step else "")

    @property
    def lines_after(self) -> list[tuple[str, bool]]:
        """The lines of the block after the step, each with whether the step changed it."""
        return marked_lines(self.step.text if self.step else "", self.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayInReport:
    """A replay in the page. `folder` has all of it."""

    replay: Replay
    steps: Sequence[ReplayedStep]
    folder: str

    @property
    def first(self) -> int:
        """The index of the step that is shown first."""
        return self.replay.failing if self.replay.failing is not None else len(self.steps) - 1

    @property
    def legend(self) -> list[StepMark]:
        """The kinds of marks that the steps have, with what they mean."""
        kinds = {mark.kind for step in self.steps for mark in step.marks}
        return [StepMark(kind=kind, text=text) for kind, text in LEGEND.items() if kind in kinds]


def replays_in_report(folders: Mapping[str, Path]) -> dict[str, ReplayInReport]:
    """Return the replays in the folders of failed tests, by test. Each gets an equal share of the page."""
    replays = {
        test: replay for test, folder in folders.items() if (replay := read_replay(folder)) is not None
    }
    share = MOST_CHARACTERS // max(1, len(replays))
    return {test: _fit(replay, folders[test], share) for test, replay in replays.items()}


def _fit(replay: Replay, folder: Path, share: int) -> ReplayInReport:
    steps, pictures = {}, {}
    for number in _nearest_first(replay):
        step = _shortened(replay.steps[number])  # its text is also the text before the next step
        sent = (text for each in step.requests for text in (each.method, each.address, each.answer))
        events = (text for row in step.events for text in (row.kind, row.event, row.detail))
        texts = (step.text, step.text, step.html, *step.console, *step.problems, *sent, *events)
        size = sum(len(escape(text)) for text in texts)  # some characters become longer in the page
        if size <= share:
            steps[number], share = step, share - size
    for number in _nearest_first(replay):
        picture = _data_url(folder, replay.steps[number].picture) if number in steps else ""
        if picture and len(picture) <= share:
            pictures[number], share = picture, share - len(picture)
    own = [
        ReplayedStep(
            number=number,
            words=step.words,
            step=steps.get(number),
            before=_cut(replay.steps[number - 1].text, LONGEST_TEXT) if number else "",
            picture=pictures.get(number, ""),
            marks=list(_marks(step, is_judged=number == replay.judged)),
            is_failing=number == replay.failing,
        )
        for number, step in enumerate(replay.steps)
    ]
    return ReplayInReport(replay=replay, steps=own, folder=short_path(folder))


def _marks(step: ReplayStep, *, is_judged: bool) -> Iterator[StepMark]:
    """Yield the marks of a step, in the order in which they follow from each other."""
    if step.delivered:
        yield StepMark(kind="event", text=f"delivered: {', '.join(step.delivered)}")
    if bad := sum(not sent.is_good for sent in step.requests):
        yield StepMark(
            kind="request", text=f"{bad} {'request' if bad == 1 else 'requests'} without a good answer"
        )
    broken = [f"broken: {rule}" for rule in step.broken_rules]
    if texts := [*broken, *(["error"] if step.has_error else [])]:
        yield StepMark(kind="problem", text=", ".join(texts))
    if is_judged:
        yield StepMark(kind="judged", text="judged by the test")


def marked_lines(text: str, other: str) -> list[tuple[str, bool]]:
    """Return the lines of a text, each with whether `other` does not have it in the same order."""
    lines = text.split("\n") if text else []
    matcher = SequenceMatcher(None, lines, other.split("\n"), autojunk=False)
    same = {block.a + at for block in matcher.get_matching_blocks() for at in range(block.size)}
    return [(line, number not in same) for number, line in enumerate(lines)]


def _nearest_first(replay: Replay) -> Iterator[int]:
    """Yield the numbers of the steps: the failing one, the one before, the others by their distance."""
    middle = len(replay.steps) - 1 if replay.failing is None else replay.failing
    yield from sorted(range(len(replay.steps)), key=lambda number: (abs(number - middle), number > middle))


def _shortened(step: ReplayStep) -> ReplayStep:
    return replace(
        step,
        text=_cut(step.text, LONGEST_TEXT),
        html=_cut(step.html, LONGEST_HTML),
        events=[replace(row, detail=_cut(row.detail, LONGEST_LINE)) for row in step.events],
        console=[_cut(line, LONGEST_LINE) for line in step.console],
        problems=[_cut(text, LONGEST_TEXT) for text in step.problems],
    )


def _data_url(folder: Path, name: str | None) -> str:
    """Return a picture as a data URL; empty if it is not there."""
    file = folder / Path(name).name if name else None
    if file is None or not file.is_file():
        return ""
    return "data:image/png;base64," + base64.b64encode(file.read_bytes()).decode()


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"
