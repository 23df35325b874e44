"""The snippets of a page: which snippet of each app applies, and the values of its placeholders.

The snippet for the page's language overrides the website's snippet, which overrides the app's default snippet (Apps
Integration API, Code snippet).
"""

import html
import re
import sqlite3
from dataclasses import dataclass
from typing import Any

from awning.contract import Dialect
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.envelope import write_json
from awning_harness.service.store import instances
from awning_harness.service.store.instances import EVERY_LANGUAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSnippets:
    """The snippets of one app on one page, with their placeholders replaced."""

    app_id: int
    app_title: str
    head: str
    body: str


def applicable(db: sqlite3.Connection, instance_id: int, place: str, language: str, default: str) -> str:
    """Return the most specific snippet for a page in `language`; `default` if the instance has none of its own."""
    own = instances.find_snippet(db, instance_id, place, language)
    if own is None:
        own = instances.find_snippet(db, instance_id, place, EVERY_LANGUAGE)
    return default if own is None else own


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholders:
    """The values of the placeholders on one page for one instance.

    `data` is a tuple with the app data; None when no data was set.
    """

    dialect: Dialect
    assumptions: Assumptions
    language: str
    data: tuple[Any] | None

    @classmethod
    def of(
        cls,
        db: sqlite3.Connection,
        instance_id: int,
        language: str,
        dialect: Dialect,
        assumptions: Assumptions,
    ) -> "Placeholders":
        data = instances.find_app_data(db, instance_id)
        return cls(dialect=dialect, assumptions=assumptions, language=language, data=data)

    def fill(self, snippet: str) -> str:
        """Return `snippet` with its placeholders replaced, following the present assumptions."""
        if self.assumptions["placeholder-order"] == "data-first":
            snippet = snippet.replace(self.dialect.app_data_placeholder, self._data_text())
        prefix = re.escape(self.dialect.placeholder_prefix)
        version = r"\{%%%[^{}%]*%%%\}"
        return re.sub(rf"\{{\{{{prefix}\w*\}}\}}|{version}", self._replacement, snippet)

    def _replacement(self, match: re.Match[str]) -> str:
        if match[0].startswith("{%"):
            return (
                self.assumptions["version-form"]
                if self.assumptions["version-placeholder"] == "replaced"
                else match[0]
            )
        if match[0] == self.dialect.app_data_placeholder:
            return self._data_text()
        if match[0] == self.dialect.language_placeholder:
            return self.language
        return "" if self.assumptions["unknown-placeholder"] == "emptied" else match[0]

    def _data_text(self) -> str:
        if self.data is None:
            unset = self.assumptions["unset-data-insertion"]
            return {"empty": "", "null": "null", "left": self.dialect.app_data_placeholder}[unset]
        value, form = self.data[0], self.assumptions["data-insertion"]
        text = value if isinstance(value, str) and form != "json" else write_json(value)
        return html.escape(text) if form == "html-escaped" else text
