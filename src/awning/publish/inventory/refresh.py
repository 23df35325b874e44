"""Reads the website of each instance from the service: its address and its languages. Writes nothing to the service.

The inventory stores both. With them, a plan from the journal skips the languages that a website does not use, and a
verification finds the website's pages.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from awning.client import Calling, apps, call
from awning.contract import Exit, is_language_code
from awning.errors import ServiceError
from awning.publish.cell_flow import PublishFlow
from awning.publish.cell_outcome import Cause, Ending, ending_of, unread_exit_code
from awning.publish.cells import Cell
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.runner import CellWork

TOGETHER = 100
"""How many websites are written in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshedInstance:
    """An instance after its website was read. With `problem` the read failed, and `instance` is unchanged."""

    instance: Instance
    before: Instance
    problem: Ending | None = None

    @property
    def cause(self) -> Cause | None:
        return (self.problem.cause or Cause.OTHER) if self.problem else None

    @property
    def state(self) -> str:
        if self.problem is not None:
            return "unreadable"
        was, now = ((known.website_url, known.website_languages) for known in (self.before, self.instance))
        return "unchanged" if was == now else "changed"

    def as_json(self) -> dict[str, Any]:
        languages = self.instance.website_languages
        return {
            "instance": self.instance.display_name,
            "state": self.state,
            "website_url": self.instance.website_url,
            "website_languages": None if languages is None else list(languages),
            "error": self.problem.reason if self.problem else None,
        }


class WebsiteWork(CellWork[RefreshedInstance]):
    """Reads the website of each instance. `sink` gets each result after it was stored in the inventory."""

    def __init__(
        self, inventory: Inventory, calling: Calling, sink: Callable[[RefreshedInstance], object]
    ) -> None:
        self._inventory = inventory
        self._calling = calling
        self._sink = sink
        self._waiting: list[RefreshedInstance] = []
        self.causes: set[Cause] = set()
        self.reached = False
        self.count = 0

    def cell(self, cell: Cell) -> PublishFlow[RefreshedInstance]:
        instance = cell.instance
        try:
            website = yield from call(apps.website(instance.code), self._calling)
            languages = yield from call(apps.languages(instance.code), self._calling)
        except ServiceError as problem:
            return self.not_run(cell, ending_of(problem))
        known = tuple(language for language in languages if is_language_code(language))
        answered = replace(instance, website_url=website.url or None, website_languages=known)
        return RefreshedInstance(instance=answered, before=instance)

    def ended(self, cell: Cell, result: RefreshedInstance) -> None:  # noqa: ARG002 - see CellWork
        self._waiting.append(result)
        self.count += 1
        if result.cause is None:
            self.reached = True
        else:
            self.causes.add(result.cause)
        if len(self._waiting) >= TOGETHER:
            self.write()

    def not_run(self, cell: Cell, ending: Ending) -> RefreshedInstance:
        return RefreshedInstance(instance=cell.instance, before=cell.instance, problem=ending)

    def write(self) -> None:
        """Write the waiting results to the inventory. Call it once more after the last instance."""
        self._inventory.set_websites(r.instance for r in self._waiting if r.problem is None)
        for result in self._waiting:
            self._sink(result)
        self._waiting.clear()

    @property
    def exit_code(self) -> Exit:
        """The exit code: 0 when all websites were read, 5 when only some were.

        When none was read, it is 1, 5 or 6, by the causes (`unread_exit_code`).
        """
        return unread_exit_code(self.causes, reached=self.reached)
