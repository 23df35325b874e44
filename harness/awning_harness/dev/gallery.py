"""The widget gallery: every state of every widget, in every language, each in a small page of its own."""

from dataclasses import dataclass
from pathlib import Path

from awning.build_record import BuildRecord
from awning.contract import Dialect
from awning.workspace import State, Widget
from awning_harness.dev.stage import Staged, plain, staged
from awning_harness.storefront.inline_json import inline_json


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePage:
    """One state in one language: what the page fires, and the widget's own snippets."""

    state: State
    language: str
    staged: Staged
    head: str
    body: str


def stage_page(
    widget: Widget, state: State, language: str, *, languages: tuple[str, ...], dist: Path, dialect: Dialect
) -> StagePage:
    def snippet(place: str) -> str:
        html = unit_snippet(dist, widget.name, language, place)
        data = inline_json({widget.name: plain(state.data)})
        return html.replace(dialect.app_data_placeholder, data).replace(
            dialect.language_placeholder, language
        )

    return StagePage(
        state=state,
        language=language,
        staged=staged(state, language, languages, dialect),
        head=snippet("head"),
        body=snippet("body"),
    )


def unit_snippet(dist: Path, unit: str, language: str, place: str) -> str:
    """The unit's built snippet of this language, else its default; "" where there is none."""
    folder = dist / "widgets" / unit
    for file in (folder / language / f"{place}.html", folder / f"{place}.html"):
        if file.is_file() and (html := file.read_text(encoding="utf-8")):
            return html
    return ""


def gzip_size(record: BuildRecord | None, unit: str) -> int | None:
    """Gzip bytes of the unit's default body snippet."""
    if record is None:
        return None
    sizes = (s.gzip for s in record.snippets if s.unit == unit and s.place == "body" and s.language is None)
    return next(sizes, None)
