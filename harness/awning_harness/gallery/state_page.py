"""The page of one state in one language: what it fires, the widget's snippets, and the looks that it can have.

A theme changes only the look. The dev server renders the page in one theme; a written page has the looks of all themes,
and jsrc/inspector/look.ts chooses.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup
from msgspec import to_builtins

from awning.build_record import BuildRecord
from awning.contract import Dialect
from awning.contract.slots import SLOTS
from awning.preview_record import PlayedResponse, with_files_of_other_hosts
from awning.states.host_responses import read_host_response
from awning.states.json_values import inline_json, thaw
from awning.states.state_events import StateEvents, state_events
from awning.workspace.document import Findings, read_toml
from awning.workspace.model import Widget, WidgetState
from awning.workspace.store.store import Store
from awning_harness.storefront.options import read_options, read_theme
from awning_harness.storefront.page import PageVisit, nonce_attribute, raw
from awning_harness.storefront.scenarios import in_dialect
from awning_harness.storefront.snippet_source import FixedWebsite
from awning_harness.storefront.themes import neighbours


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLook:
    """What the theme decides about the page of a state: style sheets, direction, and the other apps in the body."""

    sheets: tuple[str, ...]
    direction: str
    before: Markup
    after: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePage:
    """The page of one state in one language: its events, and the widget's snippets."""

    state: WidgetState
    language: str
    layout: str
    """The kind of page whose layout the state's page has."""
    events: StateEvents
    head: Markup
    body: Markup
    looks: Mapping[str, PageLook]
    """The looks that the page can have, by theme."""
    nonce: Markup
    """The `nonce` attribute of `<script>` elements; empty without a Content Security Policy."""
    answers: Mapping[str, PlayedResponse]
    """The responses of other hosts by address: `status`, `type`, and `body` in Base64."""

    @property
    def played(self) -> Mapping[str, Any]:
        """The answers as plain values for JSON."""
        return {url: to_builtins(answer) for url, answer in self.answers.items()}

    @property
    def theme(self) -> str:
        """The name of the state's own theme."""
        return read_theme(self.state.theme).name

    @property
    def look(self) -> PageLook:
        return self.looks[self.theme]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePages:
    """Makes the pages of the states of one widget. `snippets` are those of the widget alone, by path as in `dist/`."""

    widget: Widget
    languages: tuple[str, ...]
    """The languages of the shop."""
    snippets: Mapping[str, str]
    dialect: Dialect
    store: Store | None = None

    def visit(self, state: WidgetState, language: str) -> PageVisit:
        chosen = {"theme": state.theme, "currency": state.currency}
        query = {name: value for name, value in chosen.items() if value}
        return PageVisit(
            website=FixedWebsite(languages=self.languages),
            language=language,
            path="",
            options=read_options(query, store=self.store),
            dialect=self.dialect,
        )

    def make(self, state: WidgetState, language: str, *, nonce: str, themes: Iterable[str] = ()) -> StatePage:
        """Return the page of a state. It can have the looks of `themes`, and always that of the state's own theme.

        `nonce` is used if the state has a Content Security Policy.
        """
        used = nonce if state.csp else None
        answers = {
            url: read_host_response(answer, self.widget.folder).played()
            for url, answer in state.fetch.items()
        }
        body = self._snippet(state, language, "body", answers)
        own = read_theme(state.theme).name
        return StatePage(
            state=state,
            language=language,
            layout=SLOTS[state.slot].page.name,
            events=state_events(state, language, self.languages, self.dialect, self.store),
            head=raw((self._snippet(state, language, "head", answers),), used),
            body=raw((body,), used),
            looks={
                theme: self._look(replace(state, theme=theme), language, body, used)
                for theme in dict.fromkeys((own, *themes))
            },
            nonce=nonce_attribute(used),
            answers=answers,
        )

    def _snippet(
        self, state: WidgetState, language: str, place: str, answers: Mapping[str, PlayedResponse]
    ) -> str:
        html = unit_snippet(self.snippets, self.widget.name, language, place)
        data = inline_json({self.widget.name: thaw(state.data)})
        filled = html.replace(self.dialect.app_data_placeholder, data).replace(
            self.dialect.language_placeholder, language
        )
        return with_files_of_other_hosts(filled, answers)

    def _look(self, state: WidgetState, language: str, body: str, nonce: str | None) -> PageLook:
        visit = self.visit(state, language)
        others = neighbours(visit.options.theme, (body,))
        before, after = (
            raw(in_dialect(scripts, self.dialect), nonce)
            for scripts in ((others.before, others.after) if others else ((), ()))
        )
        return PageLook(sheets=visit.sheets, direction=visit.direction, before=before, after=after)


def state_places(widget: Widget) -> Mapping[str, str]:
    """Return the file and the line of each state.

    A state that the file does not have any more, because it has just changed, is not in the result.
    """
    path = states_path(widget)
    document = read_toml(widget.folder / "states.toml", path, Findings())
    tables = document.values.get("state") if document else None
    rows = enumerate(tables if isinstance(tables, list) else ())
    return {
        str(row["name"]): f"{path}:{document.place(('state', index)).line}"
        for index, row in rows
        if document is not None and isinstance(row, dict) and "name" in row
    }


def states_path(widget: Widget) -> str:
    return f"widgets/{widget.name}/states.toml"


def unit_snippet(snippets: Mapping[str, str], unit: str, language: str, place: str) -> str:
    """Return the unit's built snippet in this language, else its default one; "" when there is none."""
    folder = f"widgets/{unit}"
    return snippets.get(f"{folder}/{language}/{place}.html") or snippets.get(f"{folder}/{place}.html", "")


def gzip_size(record: BuildRecord | None, unit: str) -> int | None:
    """Return the size of the unit's default body snippet, in bytes after gzip; None without a build or snippet."""
    if record is None:
        return None
    sizes = (s.gzip for s in record.snippets if s.unit == unit and s.place == "body" and s.language is None)
    return next(sizes, None)
