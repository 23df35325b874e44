"""Runs probes of one instance, one by one. First it puts back what a run that was killed left."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from awning.contract.assumptions import ASSUMPTIONS, DEFAULT_SET
from awning.probe.probes import PROBES, Other, Probe
from awning.probe.restores import Restores
from awning.probe.shop import NeedsThrowaway, NotDone, NotRestored, Shop, Unseen
from awning.publish.state.app_data_lock import AppDataTaken


class ProbeState(StrEnum):
    SETTLED = "settled"
    OTHER = "other"
    """What came fits no answer."""
    UNSEEN = "unseen"
    """This instance cannot show the answer."""
    SKIPPED = "skipped"
    """The probe would leave something behind."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOutcome:
    """What one probe found. `answer` is None unless it is settled; `detail` says why, or what came."""

    probe: Probe
    state: ProbeState
    answer: str | None = None
    detail: str | None = None

    @property
    def expected(self) -> str:
        """The answer that awning assumed."""
        return ASSUMPTIONS[self.probe.assumption].sets[DEFAULT_SET]

    def as_json(self) -> dict[str, Any]:
        return {
            "assumption": self.probe.assumption,
            "state": self.state,
            "answer": self.answer,
            "assumed": self.expected,
            "detail": self.detail,
            "calls": self.probe.calls,
            "changes": [target.title for target in self.probe.changes],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOutcomes:
    """What a run found. `problem` is why it ended before all probes ran: something could not be put back."""

    outcomes: Sequence[ProbeOutcome]
    problem: NotRestored | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeRun:
    """A run of probes. `report` is called with each outcome."""

    shop: Shop
    report: Callable[[ProbeOutcome], None]

    def run(self, probes: Iterable[Probe]) -> ProbeOutcomes:
        outcomes: list[ProbeOutcome] = []
        for probe in sorted(probes, key=lambda row: row.last):
            try:
                outcome = self._outcome(probe)
            except NotRestored as problem:
                return ProbeOutcomes(outcomes=outcomes, problem=problem)
            outcomes.append(outcome)
            self.report(outcome)
        return ProbeOutcomes(outcomes=outcomes)

    def _outcome(self, probe: Probe) -> ProbeOutcome:
        try:
            answer = probe.ask(self.shop)
        except Unseen as reason:
            return ProbeOutcome(probe=probe, state=ProbeState.UNSEEN, detail=str(reason))
        except NeedsThrowaway as reason:
            return ProbeOutcome(probe=probe, state=ProbeState.SKIPPED, detail=str(reason))
        except NotDone as reason:
            return ProbeOutcome(probe=probe, state=ProbeState.FAILED, detail=str(reason))
        if isinstance(answer, Other):
            return ProbeOutcome(probe=probe, state=ProbeState.OTHER, detail=answer.came)
        return ProbeOutcome(probe=probe, state=ProbeState.SETTLED, answer=answer)


def chosen_probes(names: Sequence[str]) -> Sequence[Probe]:
    """Return the probes of the named assumptions, or all. Every name must be in PROBES."""
    return [PROBES[name] for name in dict.fromkeys(names)] if names else list(PROBES.values())


def mend(
    restores: Restores,
    shop_of: Callable[[str], Shop | None],
    base_url: str,
    holding: Callable[[str], AbstractContextManager[None]],
    *,
    key: str,
) -> Iterator[str]:
    """Put back what killed runs left at this service. Yields a sentence about each.

    `shop_of` returns the instance of a keyed hash, also one that was removed; None for one that awning does not know.
    What was changed there waits until it is added again. `holding` holds the lock of its app data. `key` is that of the
    instance to probe: raises NotRestored when something of it cannot be put back. Another instance, which may have
    uninstalled the app, does not stop the run.
    """
    for restore in restores.waiting():
        shop = shop_of(restore.key) if restore.base_url == base_url else None
        if shop is not None:
            try:
                with holding(restore.key):
                    sentence = shop.mend(restore)
            except (NotRestored, AppDataTaken) as problem:
                if restore.key == key:
                    raise
                sentence = f"{problem.message}; if it is gone for good: {shop.forgetting}"
            yield sentence
        elif restore.base_url != base_url:
            yield f"a run that was killed changed {restore.key} at {restore.base_url}: awning probe mends it there"
