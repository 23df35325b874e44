"""The pages' and the emulator's assumptions as one page takes them: those in force, and what the address changes.

The questions are in `awning.contract`: `page_assumptions`, and `events` for the delivery itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from awning.contract.assumptions import ASSUMPTION_SETS, ASSUMPTIONS, DEFAULT_SET, Assumption

OF_PAGES: Mapping[str, Assumption] = {id_: a for id_, a in ASSUMPTIONS.items() if a.side != "service"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """The pages' answers, and the emulator's."""

    pages: Mapping[str, str]
    emulator: Mapping[str, str]

    def __getitem__(self, id_: str) -> str:
        return self.pages[id_]


def answers_of(name: str) -> Mapping[str, str]:
    """What an assumption set answers of the pages and the emulator. Raises ValueError."""
    if name not in ASSUMPTION_SETS:
        raise ValueError(f"there is no assumption set {name!r}; there are {', '.join(ASSUMPTION_SETS)}")
    return {id_: assumption.sets[name] for id_, assumption in OF_PAGES.items()}


def usual_answers() -> Mapping[str, str]:
    """What a storefront without a service answers."""
    return answers_of(DEFAULT_SET)


def read_assumptions(text: str, in_force: Mapping[str, str]) -> Assumptions:
    """`hostile`, `cart-fields=known`, or both separated by commas; the rest as it is in force. Raises ValueError."""
    answers = {id_: in_force[id_] for id_ in OF_PAGES}
    single: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, given, value = part.partition("=")
        if given:
            single[name] = _alternative(name, value)
        else:
            answers.update(answers_of(name))
    answers.update(single)
    return Assumptions(
        pages={id_: answers[id_] for id_, a in OF_PAGES.items() if a.side == "pages"},
        emulator={id_: answers[id_] for id_, a in OF_PAGES.items() if a.side == "browser"},
    )


def _alternative(id_: str, value: str) -> str:
    if id_ not in OF_PAGES:
        raise ValueError(f"there is no assumption {id_!r}; there are {', '.join(sorted(OF_PAGES))}")
    if not OF_PAGES[id_].allows(value):
        raise ValueError(
            f"{id_}={value!r} is no alternative; there are {', '.join(OF_PAGES[id_].alternatives)}"
        )
    return value
