"""What awning assumes about the service where the specification is silent, as `doctor --assumptions` lists it."""

from collections.abc import Iterable, Iterator

from awning.contract.assumptions import ASSUMPTION_SETS, Assumption


def lines(assumptions: Iterable[Assumption]) -> Iterator[str]:
    """For a terminal: each with its question, and what the three assumption sets answer."""
    every = list(assumptions)
    for side in dict.fromkeys(assumption.side for assumption in every):
        yield f"{side} ({' / '.join(ASSUMPTION_SETS)})"
        mine = [assumption for assumption in every if assumption.side == side]
        width = max(len(assumption.id) for assumption in mine)
        for assumption in mine:
            answers = " / ".join(assumption.sets[name] for name in ASSUMPTION_SETS)
            yield f"  {assumption.id:<{width}}  {answers}"
            yield f"  {'':<{width}}  {assumption.question}"
