"""One line of `awning doctor`, as a value. Apart from the verb: other packages give lines of their own."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A thing, whether it is as it should be, what was found, and what to do."""

    name: str
    state: State
    found: str
    hint: str | None = None
