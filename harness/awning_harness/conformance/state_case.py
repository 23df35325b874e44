"""A state of a widget in one language, as the conformance tests open it and as their failures name it."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from awning.workspace import WidgetState
from awning.workspace.document import excerpt_of
from awning.workspace.offsets import KeyPath, find_toml_offsets, line_and_column
from awning_harness.pages.store_names import NotInTheStore
from awning_harness.pages.tabs import Stuck
from awning_harness.steps.failures import StepFailed
from awning_harness.testing import OpenedPage, Storefront


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCase:
    """One state of the tested widget. `language` is by default the widget's first."""

    storefront: Storefront
    state: WidgetState
    language: str

    @classmethod
    def of(cls, storefront: Storefront, state: WidgetState, language: str | None = None) -> "StateCase":
        return cls(storefront=storefront, state=state, language=language or first_language(storefront))

    def open(self) -> OpenedPage:
        """Open the state's page. A step or payload that does not exist in the shop fails the test."""
        try:
            return self.storefront.state(self.state, self.language)
        except (NotInTheStore, StepFailed, Stuck) as error:
            key: KeyPath = ("payload",)
            if isinstance(error, StepFailed) and error.index is not None:
                key = ("steps", error.index)
            self._fail("cannot occur", str(error), key)

    def fail(self, why: str, key: KeyPath = ()) -> NoReturn:
        """Fail the test, without a traceback, which would show lines of awning and not of the widget.

        `key` leads to the line within the state's table: `("shows", "en")`.
        """
        self._fail(f"({self.language})", why, key)

    def _fail(self, how: str, why: str, key: KeyPath) -> NoReturn:
        fail_at(self.storefront.shop.folder_of(self.storefront.unit), self.state.name, how, why, key)


def fail_at(folder: Path, state: str, how: str, why: str, key: KeyPath = ()) -> NoReturn:
    """Fail the test with the place of a state in the `states.toml` of a widget's folder, and its line."""
    where, excerpt = _place(folder, state, key)
    message = f'{where}: the state "{state}" {how}: {why}'
    pytest.fail(f"{message}\n    {excerpt.strip()}" if excerpt else message, pytrace=False)


def _place(folder: Path, state: str, key: KeyPath) -> tuple[str, str | None]:
    """Return the place of a key in `states.toml`, and its line. A widget without states has no such place."""
    path = f"widgets/{folder.name}/states.toml"
    try:
        text = (folder / "states.toml").read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return f"widgets/{folder.name}/widget.toml", None
    line = line_of(text, state, key)
    return f"{path}:{line}", excerpt_of(text, line)


def line_of(text: str, name: str, key: KeyPath = ()) -> int:
    """Return the line, from 1, of a key of a state in the text of its `states.toml`; of its table without the key."""
    tables = tomllib.loads(text)["state"]
    index = next(index for index, table in enumerate(tables) if table.get("name") == name)
    offsets = find_toml_offsets(text)
    path: KeyPath = ("state", index)
    for part in key:
        if (*path, part) not in offsets:
            break
        path = (*path, part)
    return line_and_column(text, offsets[path])[0]


def first_language(storefront: Storefront) -> str:
    """Return the default language of the tested widget."""
    workspace = storefront.shop.workspace
    languages = (widget.languages for widget in workspace.widgets if widget.name == storefront.unit)
    return next(languages, workspace.languages)[0]
