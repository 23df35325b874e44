"""`awning doctor --assumptions`: what is guessed, what is settled, and what this app depends on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from awning.cli.report import print_result, say
from awning.contract.assumptions import ASSUMPTION_SETS, ASSUMPTIONS, DEFAULT_SET, Assumption
from awning.contract.assumptions.subjects import Uses, users_of
from awning.diagnostics import first_few
from awning.errors import AwningError, ConfigurationError
from awning.workspace.model import Profile, SettledAnswer
from awning.workspace.reader import find_profile
from awning.workspace.root import find_workspace

MOST_USERS = 4
"""The most users of an assumption that a line names."""
Basis = Literal["guess", "observed", "probe", "capture", "hand"]


@dataclass(frozen=True, kw_only=True)
class KnownAssumption:
    """An assumption, with what is known of it for one profile and one app.

    `used_by` is what in the app depends on it; None without a workspace that can be read.
    """

    assumption: Assumption
    settled: SettledAnswer | None
    used_by: tuple[str, ...] | None

    @cached_property
    def basis(self) -> Basis:
        """Why its answer is believed: it was settled for the profile, observed at a live service, or is a guess."""
        if self.settled is not None:
            return self.settled.by
        return "observed" if self.assumption.is_observed else "guess"

    @property
    def answer(self) -> str:
        return self.settled.answer if self.settled else self.assumption.sets[DEFAULT_SET]

    @property
    def way(self) -> str | None:
        """How a user can settle it; None when awning has no way."""
        from awning.probe.probes import PROBES  # noqa: PLC0415 - imports SQLAlchemy

        if self.assumption.fields:
            return "awning payload check FILE --settle"
        probe = PROBES.get(self.assumption.id)
        if probe is None:
            return None
        more = " --throwaway" if probe.leaves else ""
        return f"awning probe --instance ID --only {self.assumption.id}{more}"

    def as_json(self) -> dict[str, Any]:
        return {
            **self.assumption.as_json(),
            "answer": self.answer,
            "basis": self.basis,
            "on": self.settled.on if self.settled else None,
            "service": self.settled.service if self.settled else None,
            "used_by": None if self.used_by is None else list(self.used_by),
            "settle": self.way,
        }


def print_assumptions(environ: Mapping[str, str], *, as_json: bool) -> None:
    profile, uses = find_profile(None, environ), _find_uses(environ)
    known = [
        KnownAssumption(
            assumption=assumption,
            settled=profile.settled.get(assumption.id),
            used_by=None if uses is None else users_of(assumption, uses),
        )
        for assumption in ASSUMPTIONS.values()
    ]
    documents = [each.as_json() for each in known]
    print_result(as_json, _listing(known, profile), indent=2, profile=profile.name, assumptions=documents)


def _listing(known: list[KnownAssumption], profile: Profile) -> Iterator[str]:
    yield f"Answers of the sets {' / '.join(ASSUMPTION_SETS)}, or the settled one."
    width = max(map(len, ASSUMPTIONS))
    for heading, listed in _groups(known, profile):
        if listed:
            yield f"\n{heading} ({len(listed)})"
        for each in listed:
            yield from (line.rstrip() for line in _assumption_lines(each, width))


def _find_uses(environ: Mapping[str, str]) -> Uses | None:
    """Return what the app of this folder uses; None outside of a workspace, and when it cannot be read."""
    try:
        root = find_workspace(Path.cwd())
    except ConfigurationError:
        return None
    from awning.pipeline.uses import find_uses  # noqa: PLC0415 - reads and compiles the app

    try:
        return find_uses(root, environ)
    except AwningError as error:
        say("note: which assumptions this app depends on is not known, because it has errors: awning check")
        say(f"  {error.message.partition(chr(10))[0]}")
        return None


def _groups(known: list[KnownAssumption], profile: Profile) -> Iterator[tuple[str, list[KnownAssumption]]]:
    """Yield the headings, each with its assumptions: first the guesses that the app depends on."""
    open_ones = [each for each in known if each.settled is None]
    used = [each for each in open_ones if each.used_by]
    yield "This app depends on these guesses", [each for each in used if each.basis == "guess"]
    yield f'Settled for the profile "{profile.name}"', [each for each in known if each.settled]
    yield (
        "This app depends on these answers, observed at other services",
        [each for each in used if each.basis == "observed"],
    )
    rest = [each for each in open_ones if not each.used_by]
    for side in dict.fromkeys(each.assumption.side for each in rest):
        others = "" if rest[0].used_by is None else ", not used by this app"
        yield f"Of {side}{others}", [each for each in rest if each.assumption.side == side]


def _assumption_lines(each: KnownAssumption, width: int) -> Iterator[str]:
    assumption = each.assumption
    settled = each.settled
    answers = " / ".join(assumption.sets[name] for name in ASSUMPTION_SETS)
    if settled:
        answers = ", ".join(filter(None, (settled.answer, settled.by, settled.on, settled.service)))
    yield f"  {assumption.id:<{width}}  {answers}{'' if settled else f'  [{each.basis}]'}"
    yield f"  {'':<{width}}  {assumption.question}"
    if each.used_by:
        yield f"  {'':<{width}}  used by {first_few(each.used_by, MOST_USERS)}"
    if each.way and not settled:
        yield f"  {'':<{width}}  settle it: {each.way}"
