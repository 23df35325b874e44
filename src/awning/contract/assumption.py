"""The shape of a named question that the specification leaves open, and the assumption sets that answer them all.

Apart from the tables of questions, because there are two of them: the Apps API's and the Reseller API's.
"""

from dataclasses import dataclass

ASSUMPTION_SETS = ("documented", "observed", "hostile")
DEFAULT_SET = "observed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAssumption:
    """One open question.

    `alternatives` maps each possible value to what it means; the first is the answer of every assumption set that
    is not named otherwise. `seconds` marks a number of seconds: any whole number is then allowed as well.
    `source` cites where the specification is silent, or where an answer was observed.
    """

    id: str
    question: str
    alternatives: tuple[tuple[str, str], ...]
    source: str
    documented: str | None = None
    observed: str | None = None
    hostile: str | None = None
    seconds: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(value for value, _ in self.alternatives)

    def answer(self, assumption_set: str) -> str:
        """The value that the assumption set takes."""
        named = {"documented": self.documented, "observed": self.observed, "hostile": self.hostile}
        return named[assumption_set] or self.alternatives[0][0]
