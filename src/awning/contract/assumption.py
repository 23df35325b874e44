"""An assumption: a named question that the specification leaves open. An assumption set answers all questions.

The Apps API and the Reseller API each have a table of assumptions, in other modules.
"""

from dataclasses import dataclass

ASSUMPTION_SETS = ("documented", "observed", "hostile")
DEFAULT_SET = "observed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAssumption:
    """One open question.

    `alternatives` maps each possible answer to its meaning. The field named after an assumption set has the answer of
    that set; None means the first alternative. With `seconds`, the answer is a number of seconds, and any whole number
    of at most nine digits is allowed. `source` cites where the specification is silent, or where an answer was
    observed.
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
        """Return the answer of the assumption set."""
        answers = {"documented": self.documented, "observed": self.observed, "hostile": self.hostile}
        return answers[assumption_set] or self.alternatives[0][0]
