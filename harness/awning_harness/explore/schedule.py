"""The calls on an explored page, and their source code as a test that can be pasted beside the widget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call on the fixture `widget` or on its page. `name` may have several parts, such as `frame.evaluate`."""

    name: str
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def perform(self, owner: object) -> Any:
        return attrgetter(self.name)(owner)(*self.arguments, **self.options)

    def source(self, owner: str) -> str:
        """Return the call as a line of Python; `owner` is the variable."""
        words = [*map(repr, self.arguments), *(f"{name}={value!r}" for name, value in self.options.items())]
        return f"{owner}.{self.name}({', '.join(words)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The calls before the page is shown, the call that shows it, and the calls on the page."""

    before: tuple[Call, ...]
    show: Call
    calls: Sequence[Call]

    def perform(self, bench: object) -> None:
        """Make all calls. Raises what a call raises."""
        for call in self.before:
            call.perform(bench)
        page = self.show.perform(bench)
        for call in self.calls:
            call.perform(page)

    def lines(self, page: str) -> list[str]:
        return [
            *(call.source("widget") for call in self.before),
            f"{page} = {self.show.source('widget')}",
            *(call.source(page) for call in self.calls),
        ]


class ExploredFailure(AssertionError):
    """The page is wrong after a schedule, for the reason `why`. `test` is the source of a test that shows this."""

    def __init__(
        self, why: str, schedule: Schedule, ending: Sequence[str] = (), *, is_shortest: bool = True
    ) -> None:
        super().__init__(why)
        self.why = why
        self.is_shortest = is_shortest
        lines = [
            "def test_explored(widget):",
            *(f"    {line}" for line in (*schedule.lines("visit"), *ending)),
        ]
        self.test = "\n".join(lines)


class LostPage(BaseException):
    """The page no longer responds, or is closed, in the last call of a schedule, for the reason `why`.

    It is no `Exception`, so Hypothesis neither catches it nor plays the schedule again: each time would take the whole
    time limit of a page, in a tab that is closed.
    """

    def __init__(self, why: str, schedule: Schedule) -> None:
        super().__init__(why)
        self.why = why
        self.schedule = schedule
