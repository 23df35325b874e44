"""An assumption: a named question that the specification leaves open. An assumption set answers all questions.

`documented` adds nothing to the specification's text, `observed` has the behaviour of public deployments and clients,
and `hostile` has the answers that are most likely to break a careless app.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

ASSUMPTION_SETS = ("documented", "observed", "hostile")
DEFAULT_SET = "observed"
Side = Literal["service", "browser", "pages"]
MOST_SECONDS_DIGITS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """One open question. `side` is what it is about: the APIs, `svcPlugins` in the browser, or the shop's pages.

    `alternatives` maps each possible answer to its meaning, which is "" when the question explains it. The field named
    after an assumption set has the answer of that set; None means the first alternative. With `seconds`, the answer is
    a number of seconds: any whole number of at most `MOST_SECONDS_DIGITS` digits. `source` cites where the
    specification is silent, or says whether an answer was observed or is assumed. `about` has the names in
    `subjects.py` of what the question is about. An app that uses one of them depends on the answer.
    """

    id: str
    side: Side
    about: tuple[str, ...]
    question: str
    alternatives: Mapping[str, str]
    source: str
    documented: str | None = None
    observed: str | None = None
    hostile: str | None = None
    seconds: bool = False

    @property
    def is_observed(self) -> bool:
        """Whether the answer of the set `observed` was seen at a live service. If not, it is a guess."""
        return self.source.startswith("observed")

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of payloads that the question is about, such as `Page.page`. A captured payload has the answer."""
        return tuple(name.removeprefix("field:") for name in self.about if name.startswith("field:"))

    @property
    def sets(self) -> Mapping[str, str]:
        """The answer of each assumption set."""
        first = next(iter(self.alternatives))
        answers = (self.documented, self.observed, self.hostile)
        return MappingProxyType(
            {name: answer or first for name, answer in zip(ASSUMPTION_SETS, answers, strict=True)}
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "side": self.side,
            "about": list(self.about),
            "question": self.question,
            "alternatives": dict(self.alternatives),
            "sets": dict(self.sets),
            "source": self.source,
            "seconds": self.seconds,
        }

    def allows(self, value: str) -> bool:
        """Return whether `value` is a possible answer."""
        if value in self.alternatives:
            return True
        return self.seconds and value.isascii() and value.isdecimal() and len(value) <= MOST_SECONDS_DIGITS
