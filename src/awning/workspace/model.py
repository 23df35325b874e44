"""The frozen values that a workspace is read into. They keep no file open."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from awning.contract import Dialect
from awning.diagnostics import Diagnostic

if TYPE_CHECKING:
    from awning.data_schema.schema_part import SchemaPart
    from awning.workspace.store.store import Store

Json = Any
Message = str | Mapping[str, str]
"""One text, or texts by CLDR plural category (`one`, `few`, `other`, ...)."""


class Isolation(StrEnum):
    """How a widget's style is isolated from the rest of the page."""

    SCOPED = "scoped"
    SHADOW = "shadow"


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetState:
    """A named situation of a widget, from `states.toml`. The gallery, tests, screenshots and docs use it.

    payload  the name of a product or cart of the simulated shop, or the event parameter itself
    data     the widget's part of the app data
    steps    the actions of the shopper: `select 103`, `type "#note" "Hello"`; `awning.workspace.steps` reads them
    shows    texts by language that must be in the block
    hides    texts by language that must not be in the block
    empty    the widget shows nothing: it has no block or, after steps, an empty block
    now      the time at which the page's clock stands still (ISO 8601); None: it runs
    currency the currency of the page and of the payload; None is the store's own
    theme    the look of the simulated shop; None is the plain one
    csp      the Content Security Policy of the page, a name of `SHOP_POLICIES`; None: the page has none
    fetch    responses of other hosts by address: JSON, the name of a file in the widget's folder (a string, maybe with
             a status before it), or an HTTP status (a number; 0 is no response)
    """

    name: str
    title: str
    slot: str
    payload: str | Mapping[str, Json]
    data: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    steps: tuple[str, ...] = ()
    shows: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    hides: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    empty: bool = False
    now: str | None = None
    currency: str | None = None
    theme: str | None = None
    csp: str | None = None
    fetch: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """One folder below `widgets/`. Paths are absolute, except `templates`, which are relative to the folder."""

    name: str
    folder: Path
    title: str
    slots: tuple[str, ...]
    languages: tuple[str, ...]
    script: Path | None
    """The script that exports the render function, or calls the service itself. None for a verbatim widget."""
    templates: tuple[str, ...]
    style: Path | None = None
    head: Path | None = None
    verbatim: Mapping[str, Path] = field(default_factory=lambda: MappingProxyType({}))
    """The HTML of a verbatim widget by place (head, body), which snippets hold as it is. Empty for any other widget."""
    isolation: Isolation = Isolation.SCOPED
    budget: int | None = None
    """The most gzip bytes of the widget's default body snippet."""
    messages: Mapping[str, Mapping[str, Message]] = field(default_factory=lambda: MappingProxyType({}))
    """The messages, by language and key."""
    data_schema: Mapping[str, Json] | None = None
    """The schema of the app data as it is written; None without one."""
    data_part: "SchemaPart | None" = None
    """The same schema as a tree; None without one."""
    states: tuple[WidgetState, ...] = ()
    checks_off: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The reasons why checks of `awning test` are off, by the names of the checks."""
    fetch: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    """The responses of other hosts, as a state has them. They hold in `awning dev`, and in states without their own."""
    allowed_globals: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The reasons why the widget may leave globals on the page, by the names of the globals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledAnswer:
    """The answer that a service gave to an assumption: how it was found, on which day (ISO 8601), at which address."""

    answer: str
    by: Literal["probe", "capture", "hand"] = "hand"
    on: str | None = None
    service: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One service to talk to. It has no secrets: they come from the environment, a keyring or a file."""

    name: str = "default"
    base_url: str | None = None
    reseller_url: str | None = None
    portal_url: str | None = None
    dialect: Dialect = field(default_factory=Dialect)
    head_snippets: bool = False
    """Whether the service has calls for head snippets per website and language, which are not specified (observed)."""
    page: str | None = None
    """The address of the page that `publish verify` looks at. It may contain `{url}`, `{website}` and `{language}`."""
    settled: Mapping[str, SettledAnswer] = field(default_factory=lambda: MappingProxyType({}))
    """What is known of the service's assumptions, by their ids."""

    @property
    def answers(self) -> Mapping[str, str]:
        """The answers in `settled`, which the simulated service plays."""
        return {id_: settled.answer for id_, settled in self.settled.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """One app's source: `pyproject.toml` ([tool.awning]), `manifest.toml`, `widgets/` and perhaps `storefront/`."""

    root: Path
    manifest: Mapping[str, Json]
    languages: tuple[str, ...]
    profile: Profile
    widgets: tuple[Widget, ...]
    budget: int | None = None
    """The most gzip bytes of the app's default body snippet."""
    beacon: str | None = None
    """The https address to which pages report failed widgets."""
    beacon_sample_rate: float | None = None
    """The share of page views that also report that a widget rendered: above 0, up to 1. None: no such reports."""
    kill_switch: bool | None = None
    """Whether `awning publish disable` can turn widgets off. None: only if a widget has a data schema."""
    baseline: Path | None = None
    """The file that lists the accepted diagnostics."""
    own_store: "Store | None" = None
    """The simulated shop's store with the changes of `storefront/`; None without TOML files there."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """The warnings of `read_workspace`, which never returns a workspace with errors."""

    @property
    def store(self) -> "Store":
        """The store of the simulated shop."""
        from awning.workspace.store.store_files import shipped_store  # noqa: PLC0415 - a build rarely needs it

        return self.own_store or shipped_store()

    @property
    def dist(self) -> Path:
        return self.root / "dist"

    @property
    def cache(self) -> Path:
        """The folder of the cache, which may be deleted at any time."""
        return self.root / ".awning" / "cache"
