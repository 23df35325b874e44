"""The pages' and the emulator's assumptions as one page takes them: a profile, and single answers beside it.

The questions are in `awning.contract.page_assumptions` and, for the delivery itself, the emulator's table
(`jsrc/emulator/assumptions.json`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from awning.contract.page_assumptions import PAGE_ASSUMPTIONS
from awning.jsrc import jsrc_root

PROFILES = ("observed", "documented", "hostile")


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
