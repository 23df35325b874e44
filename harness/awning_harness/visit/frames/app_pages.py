"""What the fixtures `storefront` and `widget` have in common: an app installed in a shop, for one test."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from awning.states.host_responses import HostResponse
from awning.states.json_values import thaw
from awning.workspace.model import WidgetState
from awning_harness.shop import InstalledApp, Shop
from awning_harness.visit.frames.globals import GlobalsWithoutApps
from awning_harness.visit.hosts.other_hosts import OtherHosts
from awning_harness.visit.pages.address import NotInTheStore, PageAddress, page_address
from awning_harness.visit.pages.problems import PageProblem
from awning_harness.visit.steps.failures import StepFailed


class TakesSteps(Protocol):
    """An opened page on which a step of a state can be taken."""

    def step(self, words: str) -> None: ...


Visit = TypeVar("Visit", bound=TakesSteps)


@dataclass(slots=True, kw_only=True, repr=False)
class AppPages(ABC, Generic[Visit]):
    """The pages of one app in a shop, for one test. `visit` is the open page."""

    shop: Shop
    unit: str
    installed_app: InstalledApp
    other_hosts: OtherHosts
    globals_without_apps: GlobalsWithoutApps
    visit: Visit | None = None
    address: PageAddress | None = None
    """The page that was opened last, also when it did not load; None before the first one."""
    opened_state: tuple[WidgetState, str] | None = None
    """The state that is open, with its language; None when the open page is not that of a state."""
    has_own_data: bool = False
    """Whether the test has set app data for the open page or an earlier one."""
    earlier_problems: list[PageProblem] = field(default_factory=list)
    """The problems of the pages before the open one."""
    has_earlier_page: bool = False
    """Whether another page was opened before the open one, which may have stored something for it."""
    notes: list[str] = field(default_factory=list)
    """How the open page differs from the page on which a check failed, if it was opened to show that failure.

    Only a storefront opens such pages (`checks/failing_page.py`).
    """
    only_here: list[str] = field(default_factory=list)
    """What the open page has of a failed check, and its page in `awning dev` has not."""

    def answer(self, url: str, answer: Any) -> None:
        """Set the response of another host: JSON, a str (a file beside the widget) or an int (a status).

        With status 0 the connection fails. A `url` without a query matches every query. Raises ConfigurationError for
        an address of this machine, or a file that cannot be read.
        """
        self.other_hosts.answer(url, answer)
        if self.visit is not None:
            self._note_answer(self.visit, url, self.other_hosts.responses[url])

    @abstractmethod
    def _note_answer(self, visit: Visit, url: str, response: HostResponse) -> None:
        """Note on the open page that another host answers with something else from now on."""

    def answer_as_in_states(self) -> None:
        """Set the responses of other hosts as the widget's states describe them, for a page without a state.

        If several states have a response for one address, the first is set. A response that is already set stays.
        """
        for url, answer in self.shop.answers_of(self.unit).items():
            if url not in self.other_hosts.responses:
                self.answer(url, answer)

    def _prepare(
        self, slot: str, name: str | None, language: str | None, options: dict[str, Any]
    ) -> PageAddress:
        """Return the address of a page. The option `data` is not part of it: it is stored at the service."""
        data = options.pop("data", None)
        address = page_address(
            self.shop.workspace.store, slot, name, language or self.shop.workspace.languages[0], options
        )
        if data is not None:
            self.has_own_data = self.has_own_data or bool(data)
            self.shop.set_data(self.installed_app, self.unit, thaw(data))
        return address

    def _take_steps(self, visit: Visit, state: WidgetState) -> None:
        for index, words in enumerate(state.steps):
            try:
                visit.step(words)
            except (NotInTheStore, StepFailed) as error:
                raise StepFailed(f'the step "{words}": {error}', index=index) from error
