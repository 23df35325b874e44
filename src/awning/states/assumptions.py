"""The assumptions about pages and the emulator, for one page. The page's address can change the present answers.

The questions are in `awning.contract.assumptions`: `pages`, and `events` for the delivery of events.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from awning.contract.assumptions import ASSUMPTION_SETS, DEFAULT_SET, Assumption, assumptions_of

PAGE_ASSUMPTIONS: Mapping[str, Assumption] = {**assumptions_of("browser"), **assumptions_of("pages")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """The answers about pages and the answers about the emulator, by the id of the assumption.

    An index (`assumptions["page-value"]`) returns an answer about pages.
    """

    pages: Mapping[str, str]
    emulator: Mapping[str, str]

    def __getitem__(self, id_: str) -> str:
        return self.pages[id_]


def answers_of(name: str) -> Mapping[str, str]:
    """Return the answers of an assumption set about pages and the emulator.

    Raises ValueError when there is no such set.
    """
    if name not in ASSUMPTION_SETS:
        raise ValueError(f"there is no assumption set {name!r}; there are {', '.join(ASSUMPTION_SETS)}")
    return {id_: assumption.sets[name] for id_, assumption in PAGE_ASSUMPTIONS.items()}


def default_answers() -> Mapping[str, str]:
    """Return the answers of the default assumption set, which a storefront without a service uses."""
    return answers_of(DEFAULT_SET)


@cache
def page_answers() -> Mapping[str, str]:
    """Return the answers about pages of the default assumption set."""
    return read_assumptions("", default_answers()).pages


def read_assumptions(text: str, in_force: Mapping[str, str]) -> Assumptions:
    """Return the answers `in_force`, changed by the assumption sets and the single answers in `text`.

    An example of `text` is `hostile,cart-fields=known`. Single answers override those of the sets.

    Raises ValueError for an unknown set, assumption or answer.
    """
    answers = {id_: in_force[id_] for id_ in PAGE_ASSUMPTIONS}
    single: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, separator, value = part.partition("=")
        if not separator:
            answers.update(answers_of(name))
        elif name not in PAGE_ASSUMPTIONS:
            known = ", ".join(sorted(PAGE_ASSUMPTIONS))
            raise ValueError(f"there is no assumption {name!r}; there are {known}")
        elif not PAGE_ASSUMPTIONS[name].allows(value):
            alternatives = ", ".join(PAGE_ASSUMPTIONS[name].alternatives)
            raise ValueError(f"{name}={value!r} is not an alternative; there are {alternatives}")
        else:
            single[name] = value
    answers.update(single)
    return Assumptions(
        pages={id_: answers[id_] for id_ in assumptions_of("pages")},
        emulator={id_: answers[id_] for id_ in assumptions_of("browser")},
    )
