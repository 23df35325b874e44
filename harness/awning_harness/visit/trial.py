"""A trial, which is one page of the simulated shop with the moves on it, and what was observed there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from awning.workspace.model import WidgetState
from awning.workspace.steps import WAIT
from awning_harness.visit.hosts.other_hosts import HeldOrder
from awning_harness.visit.pages.console_errors import is_expected
from awning_harness.visit.pages.problems import PageProblem, problems_of

Move = str | Mapping[str, Any]
"""One thing that happens on a page, as `jsrc/laboratory/trial.ts` describes it."""


def is_step(move: Move) -> bool:
    return isinstance(move, Mapping) and "step" in move


def steps_of_the_shop(trial: "Trial") -> list[Move]:
    """Return the steps of a trial that are not in the widget's block, without waits."""
    return [
        move
        for move in trial.moves
        if isinstance(move, Mapping)
        and "step" in move
        and not is_block_step(move)
        and move["step"]["verb"] != WAIT
    ]


def is_block_step(move: Move) -> bool:
    """Return whether a move is a step in the widget's block, and not on the page of the shop."""
    return isinstance(move, Mapping) and "arguments" in move.get("step", ())


def poses(trial: "Trial") -> bool:
    """Return whether the page of a trial poses at its end, so that the next trial has to wait for it."""
    return any(isinstance(move, Mapping) and "pose" in move for move in trial.moves)


NULL = object()
"""App data that are null. In a trial, None stands for the app data of the state."""


def data_to_set(data: Any) -> Any:
    """Return app data as the service stores them."""
    return None if data is NULL else data


PREFERENCES: Mapping[str, Mapping[str, Any]] = {
    "reduced-motion": {"reduced_motion": "reduce"},
    "forced-colors": {"forced_colors": "active"},
}
"""What a shopper may prefer in every shop, with the media feature as Playwright names it."""

NOT_LOADED = "Failed to load resource"
"""The beginning of Chromium's message about a missing file. Addresses made of nonsense in app data may lead to one."""

PHONE = 360
WIDE = 1280


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One page with the moves on it.

    `options` override those of the state's page. `params` replaces the event parameter. `data` is the app data of the
    whole website, `answers` has the responses of other hosts; if one of them is None, that of the state is used.
    `delays` has the delays of the responses in milliseconds; after the last one, the first is used again. With `held`,
    the responses to what is requested after `loaded` arrive at the next look, in the order of the requests or
    backwards; a step waits for them only if it is not possible before. With `is_late`, the app's snippet is left out of
    the page until the move `snippet` runs it. With `is_loaded`, the frame loads the page from its address, so that it
    can go to another one. Otherwise the laboratory writes the HTML into the frame. With `is_dev`, the app is of a dev
    build, which checks declared types. `preference` is one of PREFERENCES. Without `has_app`, no app is installed. With
    `is_traced`, the result has the stacks of what has begun.
    """

    state: WidgetState
    language: str
    moves: Sequence[Move] = ("page",)
    width: int = WIDE
    options: Mapping[str, str] = field(default_factory=dict)
    params: Mapping[str, Any] | None = None
    data: Any = None
    answers: Mapping[str, Any] | None = None
    delays: Sequence[int] = ()
    preference: str | None = None
    is_storage_blocked: bool = False
    held: HeldOrder | None = None
    is_late: bool = False
    is_loaded: bool = False
    is_dev: bool = False
    has_app: bool = True
    is_traced: bool = False
    repetition: int = 0
    """The number of an equal trial that is to run once more. Otherwise, equal trials are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLook:
    """What the app's blocks looked like at one moment. The fields are those of `Look` in `jsrc/laboratory/look.ts`."""

    has_place: bool
    blocks: int
    form: str
    text: str
    content: str
    is_seen: bool
    others: str
    too_wide: Mapping[str, Any] | None
    clipped: Sequence[str]
    planted: Sequence[str]
    moving: Sequence[str]
    violations: Sequence[str]
    exceptions: Sequence[str]
    counts: Mapping[str, int]
    trial: Trial | None = None
    """The trial with its moves up to this look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The result of a trial, as `TrialResult` in `jsrc/laboratory/trial.ts`. The last look is after all moves."""

    params: Mapping[str, Any]
    looks: Sequence[BlockLook]
    errors: Sequence[str]
    shortest: float | None
    lost: Sequence[Mapping[str, Any]]
    """What an update has undone (`what`), and the update."""
    inserted: Sequence[str]
    """What became of a text that was typed into a field."""
    ran: Sequence[str]
    asked: Sequence[str]
    """The requests to other hosts that `fetch` made."""
    requested: Sequence[Mapping[str, str]]
    """The other requests to other hosts: each `url`, and what requested it (`by`)."""
    globals: Sequence[str]
    """The globals of the page that a page without scripts does not have."""
    examined: Sequence[Mapping[str, Any]]
    """What the move `examine` found, as `examine.js` returns it."""
    jump: Mapping[str, Any] | None
    pose: Mapping[str, Any] | None
    """What `posing/capture.js` measured, with the `trees` and the `picture` (PNG in Base64) that were asked for."""
    surroundings: Sequence[str]
    """What the move `surroundings` saw outside of the slots: each element with its attributes and style."""
    begun: Mapping[str, str]
    """What has begun on the page and has not ended, by kind as in `BlockLook.counts`: the stack that most of them have.
    Empty unless the trial is traced.
    """
    refused: Mapping[str, Any] | None
    """Which move was not possible (`index`), and why. The moves after it were not made."""
    seconds: float

    @property
    def last(self) -> BlockLook:
        return self.looks[-1]

    @property
    def trial(self) -> Trial:
        """The trial itself."""
        trial = self.last.trial
        assert trial is not None  # noqa: S101 - `read_observed` sets it
        return trial

    def problems(self) -> list[str]:
        """Return the broken rules, exceptions and errors, each once, without those that are not the widget's."""
        return list(dict.fromkeys(problem.text for problem in self.page_problems()))

    def page_problems(
        self, *, leaked_globals: Sequence[str] = (), missing_answers: Sequence[str] = ()
    ) -> list[PageProblem]:
        """Return what went wrong on the page, without what is not the widget's."""
        has_own_data = self.trial.data is None
        errors = [text for text in self.errors if has_own_data or not text.startswith(NOT_LOADED)]
        problems = problems_of(
            violations=self.last.violations,
            exceptions=self.last.exceptions,
            errors=list(dict.fromkeys([*missing_answers, *errors])),
            leaked_globals=leaked_globals,
        )
        return [problem for problem in problems if not is_expected(problem.text)]

    def errors_of(self, problems: Sequence[str]) -> list[str]:
        """Return the problems; the names of broken rules come last, because an exception says more."""
        return sorted(problems, key=lambda text: text in self.last.violations)


def read_observed(result: Mapping[str, Any], trial: Trial) -> Observed:
    ends = [at for at, move in enumerate(trial.moves) if move == "look"][: len(result["looks"]) - 1]
    looks = [
        replace(_read_look(look), trial=replace(trial, moves=trial.moves[:end]))
        for look, end in zip(result["looks"], [*ends, len(trial.moves)], strict=True)
    ]
    own = {
        each.name: result[each.name]
        for each in fields(Observed)
        if each.name in result and each.name != "looks"
    }
    return Observed(looks=looks, seconds=result["ms"] / 1000, **own)


def _read_look(look: Mapping[str, Any]) -> BlockLook:
    other_names = {"hasPlace": "has_place", "isSeen": "is_seen", "tooWide": "too_wide"}
    return BlockLook(**{other_names.get(name, name): value for name, value in look.items()})
