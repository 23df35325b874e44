"""The present answers to the questions that the specification leaves open.

The questions are data in `awning.contract.assumptions`. Some are about the browser and the shop's pages, which get
their answers from this module, too. At first, the answers are those of an assumption set. Each answer can be changed.
"""

from collections.abc import Callable, Iterable
from typing import Any

from awning.contract.assumptions import ASSUMPTION_SETS, ASSUMPTIONS, DEFAULT_SET
from awning.diagnostics import did_you_mean

ASSUMPTION_SET = "assumption_set"
"""The name under which the current assumption set is stored, among the assumptions."""


class UnknownAnswer(ValueError):
    """An assumption, a value or an assumption set does not exist. The message suggests a name or lists all names."""


class Assumptions:
    """The value of each assumption. `changed` is called with the id and the value of each assumption that is set.

    When a whole set is chosen, `changed` is first called with ASSUMPTION_SET and the name of the set.

    `assumption_set` is the last set that was chosen as a whole; single answers may have changed since then.
    """

    def __init__(
        self,
        assumption_set: str = DEFAULT_SET,
        *,
        changed: Callable[[str, str], None] = lambda _id, _value: None,
    ) -> None:
        self._changed = changed
        self.assumption_set = _known_set(assumption_set)
        self._values = {id_: assumption.sets[assumption_set] for id_, assumption in ASSUMPTIONS.items()}

    def __getitem__(self, assumption_id: str) -> str:
        return self._values[assumption_id]

    def values(self) -> dict[str, str]:
        return dict(self._values)

    def seconds(self, assumption_id: str) -> int:
        return int(self._values[assumption_id])

    def set(self, assumption_id: str, value: str) -> None:
        """Change one answer. Raises UnknownAnswer when there is no such assumption or value."""
        assumption = ASSUMPTIONS.get(assumption_id)
        if assumption is None:
            raise UnknownAnswer(_unknown("assumption", assumption_id, ASSUMPTIONS))
        if not assumption.allows(value):
            raise UnknownAnswer(_unknown(f"value of {assumption_id}", value, assumption.alternatives))
        self._values[assumption_id] = value
        self._changed(assumption_id, value)

    def take_set(self, name: str) -> None:
        """Set every answer to that of an assumption set. Raises UnknownAnswer when there is no such set."""
        self.assumption_set = _known_set(name)
        self._changed(ASSUMPTION_SET, name)
        for id_, assumption in ASSUMPTIONS.items():
            self.set(id_, assumption.sets[name])

    def listing(self) -> list[dict[str, Any]]:
        """Return every assumption with its alternatives and its present value."""
        return [
            {**a.as_json(), "value": self._values[a.id], "default": a.sets[DEFAULT_SET]}
            for a in ASSUMPTIONS.values()
        ]


def _known_set(name: str) -> str:
    if name not in ASSUMPTION_SETS:
        raise UnknownAnswer(_unknown("assumption set", name, ASSUMPTION_SETS))
    return name


def _unknown(kind: str, word: str, known: Iterable[str]) -> str:
    hint = did_you_mean(word, known) or f"there are {', '.join(known)}"
    return f'unknown {kind} "{word}": {hint}'
