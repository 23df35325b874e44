"""What the pages assume where neither the specification nor deployed pages say how it is.

Each has an id, its alternatives (the first is the observed or likeliest one) and a value per profile. Assumptions of
the delivery itself belong to the emulator (`jsrc/emulator/assumptions.json`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from awning.jsrc import jsrc_root


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One open question about the pages. `hostile` is the answer that breaks careless widgets."""

    id: str
    question: str
    alternatives: tuple[str, ...]
    hostile: str

    def value(self, profile: str) -> str:
        return self.hostile if profile == "hostile" else self.alternatives[0]


PROFILES = ("observed", "documented", "hostile")

PAGE_ASSUMPTIONS: Mapping[str, Assumption] = MappingProxyType(
    {
        a.id: a
        for a in (
            Assumption(
                id="head-snippet",
                question="Does the head snippet run after the script that defines svcPlugins, or before it?",
                alternatives=("after", "before"),
                hostile="before",
            ),
            Assumption(
                id="cart-fields",
                question="Does cartData hold more than the two public fields, total and total_no_discount?",
                alternatives=("full", "known"),
                hostile="known",
            ),
            Assumption(
                id="empty-cart",
                question="Is after-cart fired for an empty cart?",
                alternatives=("no-event", "event"),
                hostile="event",
            ),
            Assumption(
                id="page-value",
                question="Is page.page the same value on product, cart and checkout pages?",
                alternatives=("catalog", "own"),
                hostile="own",
            ),
        )
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """A profile, the pages' answers, and the emulator's."""

    profile: str
    answers: Mapping[str, str]
    emulator: Mapping[str, str]

    def __getitem__(self, id_: str) -> str:
        return self.answers[id_]


def read_assumptions(text: str) -> Assumptions:
    """`hostile`, `cart-fields=known`, or both separated by commas. Raises ValueError."""
    profile = PROFILES[0]
    chosen: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, given, value = part.partition("=")
        if given:
            chosen[name] = _alternative(name, value)
        else:
            profile = _profile(name)
    return Assumptions(
        profile=profile,
        answers={id_: chosen.get(id_, a.value(profile)) for id_, a in PAGE_ASSUMPTIONS.items()},
        emulator={id_: chosen.get(id_, str(a[profile])) for id_, a in emulator_assumptions().items()},
    )


@cache
def emulator_assumptions() -> Mapping[str, Mapping[str, Any]]:
    """The emulator's: id -> `alternatives` and the value per profile."""
    source = (jsrc_root() / "emulator" / "assumptions.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(source))


def _alternative(id_: str, value: str) -> str:
    alternatives = {
        **{id_: a.alternatives for id_, a in PAGE_ASSUMPTIONS.items()},
        **{id_: tuple(a["alternatives"]) for id_, a in emulator_assumptions().items()},
    }
    if id_ not in alternatives:
        raise ValueError(f"there is no assumption {id_!r}; there are {', '.join(sorted(alternatives))}")
    if value not in alternatives[id_]:
        raise ValueError(f"{id_}={value!r} is no alternative; there are {', '.join(alternatives[id_])}")
    return value


def _profile(name: str) -> str:
    if name not in PROFILES:
        raise ValueError(f"there is no profile {name!r}; there are {', '.join(PROFILES)}")
    return name
