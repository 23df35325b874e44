"""The shape of a named question that the specification leaves open, and the profiles that answer them all.

Apart from the tables of questions, because there are two of them: the Apps API's and the Reseller API's.
"""

from dataclasses import dataclass

PROFILES = ("documented", "observed", "hostile")
DEFAULT_PROFILE = "observed"
MOST_SECONDS_DIGITS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAssumption:
    """One open question.

    `alternatives` maps each possible value to what it means; the first is the answer of every profile that is
    not named otherwise. `seconds` marks a number of seconds: any whole number is then allowed as well.
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

    def default(self, profile: str = DEFAULT_PROFILE) -> str:
        """The value that `profile` takes."""
        named = {"documented": self.documented, "observed": self.observed, "hostile": self.hostile}
        return named[profile] or self.alternatives[0][0]

    def allows(self, value: str) -> bool:
        if value in self.values:
            return True
        return self.seconds and value.isascii() and value.isdecimal() and len(value) <= MOST_SECONDS_DIGITS
