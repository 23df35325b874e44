"""What a workspace is, once read: frozen values, nothing lazy, no files open."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from awning.contract import Dialect
from awning.diagnostics import Diagnostic

Json = Any
Message = str | Mapping[str, str]
"""One text, or texts by CLDR plural category (`one`, `few`, `other`, ...)."""


class Isolation(StrEnum):
    """How a widget's style is kept to itself."""

    SCOPED = "scoped"
    SHADOW = "shadow"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A named situation of a widget: the source for gallery, tests, screenshots and docs.

    `payload` names a product or cart of the simulated store, or is the event parameter itself. `data` is the
    widget's part of the app data. `steps` are what the shopper then does: `select 103`, `discount SAVE10`,
    `shipping pickup`. `shows` and `hides` are texts by language that must and must not be in the block;
    `empty` says that the widget shows nothing: there is no block, or after steps an empty one. `now` freezes the
    page's clock (ISO 8601). `fetch` is what other hosts answer, by address: JSON, a file of the widget's folder (a
    string), or an HTTP status (a number; 0 is no answer).
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
    fetch: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Widget:
    """One folder under `widgets/`. Paths are absolute; `templates` are named relative to the folder."""

    name: str
    folder: Path
    title: str
    slots: tuple[str, ...]
    languages: tuple[str, ...]
    script: Path
    templates: tuple[str, ...]
    style: Path | None = None
    head: Path | None = None
    isolation: Isolation = Isolation.SCOPED
    budget: int | None = None
    """Most gzip bytes of its default body snippet."""
    messages: Mapping[str, Mapping[str, Message]] = field(default_factory=lambda: MappingProxyType({}))
    """Language -> key -> text."""
    data_schema: Mapping[str, Json] | None = None
    states: tuple[State, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One service to talk to. Secrets are not here: they come from the environment, a keyring or a file."""

    name: str = "default"
    base_url: str | None = None
    reseller_url: str | None = None
    portal_url: str | None = None
    dialect: Dialect = field(default_factory=Dialect)
    head_snippets: bool = False
    """Whether the service has the observed calls for head snippets per website and language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """One app's source: `pyproject.toml` ([tool.awning]), `manifest.toml` and `widgets/`."""

    root: Path
    manifest: Mapping[str, Json]
    languages: tuple[str, ...]
    profile: Profile
    widgets: tuple[Widget, ...]
    budget: int | None = None
    """Most gzip bytes of the app's default body snippet."""
    beacon: str | None = None
    """The https address that pages tell of widgets that failed."""
    baseline: Path | None = None
    """The file of findings that do not count."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """What reading found doubtful; nothing in here is an error."""

    @property
    def dist(self) -> Path:
        return self.root / "dist"

    @property
    def cache(self) -> Path:
        """May be deleted at any time."""
        return self.root / ".awning" / "cache"
