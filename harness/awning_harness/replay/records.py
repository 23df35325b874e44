"""What a replay recorded, as it is in a test's folder: `replay.json`, with a PNG for each picture that differs.

The secrets of the environment are removed from what a failed test leaves behind.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path

import msgspec

from awning.client.secret import Secret, redact
from awning.rules import rule_ids
from awning.workspace.variables import VARIABLES
from awning_harness.visit.pages.event_lines import EventRow

FILE = "replay.json"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRequest:
    """A request that went out at a step. `address` is without what may be a secret or personal.

    `answer` is the status, with the beginning of an answer that the test describes, or that it failed or is still
    open, and at which later step it came. `is_good` is a status below 400 that came at the same step.
    """

    method: str
    address: str
    answer: str
    is_good: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayStep:
    """One step, and what it left. Events, console and problems are those since the step before."""

    words: str
    text: str = ""
    """The visible text of the block, and a line for each field with its value."""
    html: str = ""
    """The HTML of the block, with its open shadow roots, and with the values that its fields have now."""
    events: Sequence[EventRow] = ()
    more_events: int = 0
    """How many further events are not recorded."""
    console: Sequence[str] = ()
    """The messages that are no errors."""
    problems: Sequence[str] = ()
    """Broken rules, exceptions and errors of the console, with their stacks."""
    requests: Sequence[SentRequest] = ()
    """The requests that went out at the step, without those for the shop's own files."""
    failure: str | None = None
    """Why the step was not possible, or why the page could not be looked at."""
    picture: str | None = None
    """The name of the file in the same folder. Two steps after which the page looks alike have one file."""
    dev: str | None = None
    """The address in `awning dev` of the state after this step; None if it has none."""

    @property
    def delivered(self) -> list[str]:
        """The names of the events that were delivered, each once."""
        return list(dict.fromkeys(row.event for row in self.events if row.kind == "deliver"))

    @property
    def broken_rules(self) -> list[str]:
        """The rules of the service that were broken, each once."""
        first_words = (problem.partition(" ")[0] for problem in self.problems)
        return [word for word in dict.fromkeys(first_words) if word in rule_ids()]

    @property
    def has_problem(self) -> bool:
        """Whether something is wrong that the step itself brought. A test may fail for another reason after it."""
        return bool(self.failure or self.problems)

    @property
    def has_error(self) -> bool:
        """Whether an exception or an error of the console came, or the step was not possible."""
        return self.failure is not None or any(
            problem.partition(" ")[0] not in rule_ids() for problem in self.problems
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A visit that was played again. The first step is the opening of the page."""

    address: str
    """The page's address within the website."""
    steps: Sequence[ReplayStep]
    failing: int | None = None
    """The index of the step at which the page fails; None if it did not fail again."""
    is_same: bool | None = None
    """Whether it failed in the same way; None if the test did something afterwards that is not played again."""
    notes: Sequence[str] = ()
    """How the played page differs from the page of the test."""
    situation: Sequence[str] = ()
    """What the played page has of a check, and an ordinary one has not."""
    schema_version: int = SCHEMA_VERSION

    @property
    def judged(self) -> int | None:
        """The index of the step after which the test judged the page; None if it did not come to that, or did more."""
        return None if self.is_same is None or self.steps[-1].failure else len(self.steps) - 1

    @property
    def verdict(self) -> str:
        """The sentence about how the replay ended."""
        lacks = "; ".join(self.notes)
        if self.is_same is False:
            also = f" (or of this: {lacks})" if lacks else ""
            return f"played again, the page did not have the problem, a sign of something that depends on time{also}"
        if self.failing is None:
            return f"played again, and whether it fails cannot be said{f': {lacks}' if lacks else ''}"
        step = self.steps[self.failing]
        number = f"step {self.failing} of {len(self.steps) - 1}"
        if step.has_problem and not self.failing:
            return "the page has the problem when it opens"
        if step.has_problem:
            return f"{number} has the problem: {step.words}"
        when = f"after {number}: {step.words}" if self.failing else "when it opens"
        return f"played again, the page shows the same as in the test {when}"


def write_replay(replay: Replay, folder: Path) -> None:
    text = msgspec.json.format(msgspec.json.encode(replay), indent=1)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_bytes(text + b"\n")


def read_replay(folder: Path) -> Replay | None:
    """Return the replay in a test's folder; None when it has none, or one that cannot be read."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Replay)
    except (OSError, msgspec.MsgspecError):
        return None


SHORTEST_SECRET = 6


def without_secrets(text: str) -> str:
    """Return a text without the secrets of the environment, in plain form and percent-encoded.

    It must not be cut before: a part of one would stay.
    """
    values = (os.environ.get(variable.name, "") for variable in VARIABLES if variable.secret)
    return redact(text, [Secret(value) for value in values if len(value) >= SHORTEST_SECRET])


def short_path(folder: Path) -> str:
    """Return the path as seen from the working directory; the whole path where they are on different drives."""
    try:
        return relpath(folder)
    except ValueError:
        return str(folder)
