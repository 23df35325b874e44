"""The tables of a state store, as verbs and runs use them. Each group of tables is opened when it is first used."""

from contextlib import ExitStack, closing
from functools import cached_property
from typing import Self, TypeVar

from awning.publish.health.reports import HealthReports
from awning.publish.health.windows import GateWindows
from awning.publish.inventory.acknowledged import Acknowledgements
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.release.build_files import page_hash_of, sha256_of
from awning.publish.release.releases import Releases
from awning.publish.state.store import OpenTables, StateStore
from awning.publish.waves.run_state import RunStates

TablesT = TypeVar("TablesT", bound=OpenTables)


class Stores:
    """The open tables of a state store. Leaving the `with` block closes them.

    Use it from one thread at a time. Reading an attribute for the first time raises what `open` of its class raises.
    """

    def __init__(self, state: StateStore) -> None:
        self.state = state
        self._opened = ExitStack()
        self._releases_by_page: dict[str, int | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._opened.close()

    def _open(self, tables: type[TablesT]) -> TablesT:
        return self._opened.enter_context(closing(tables.open(self._shared)))

    @cached_property
    def _shared(self) -> StateStore:
        return self._opened.enter_context(self.state.shared())

    @cached_property
    def inventory(self) -> Inventory:
        return self._open(Inventory)

    @cached_property
    def acknowledgements(self) -> Acknowledgements:
        return self._open(Acknowledgements)

    @cached_property
    def journal(self) -> Journal:
        return self._open(Journal)

    @cached_property
    def releases(self) -> Releases:
        return self._open(Releases)

    @cached_property
    def runs(self) -> RunStates:
        return self._open(RunStates)

    @cached_property
    def health(self) -> HealthReports:
        return self._open(HealthReports)

    @cached_property
    def windows(self) -> GateWindows:
        return self._open(GateWindows)

    def text(self, sha256: str) -> str | None:
        """Return the text with this hash; None when neither the journal nor a release has it."""
        text = self.journal.snippet(sha256)
        return self.releases.text(sha256) if text is None else text

    def shows_alike(self, text: str | None, sha256: str | None) -> bool:
        """Return whether a page looks the same with `text` and with the text that has this hash."""
        if text is None or sha256 is None:
            return False
        page = page_hash_of(text)
        if sha256 in {sha256_of(text), page}:
            return True
        wanted = self.text(sha256)
        return wanted is not None and page_hash_of(wanted) == page

    def newest_release_with(self, text: str) -> int | None:
        """Return the newest release with a text, as a page shows it. It is looked up once: many cells share a text."""
        page = page_hash_of(text)
        if page not in self._releases_by_page:
            self._releases_by_page[page] = self.releases.newest_with(page)
        return self._releases_by_page[page]
