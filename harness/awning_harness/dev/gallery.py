"""The widget gallery: every state of every widget, in every language, each in a small page of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.build_record import BuildRecord
from awning.contract import Dialect
from awning.workspace import Widget, WidgetState
from awning_harness.answers import Answer, answer_of
from awning_harness.dev.stage import Staged, plain, staged
from awning_harness.storefront.inline_json import inline_json


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePage:
    """One state in one language: what the page fires, and the widget's own snippets."""

    state: WidgetState
    language: str
    staged: Staged
    head: str
    body: str
    answers: Mapping[str, Mapping[str, Any]]
    """What other hosts answer here, by address: `status`, `type`, `body`."""


def stage_page(
    widget: Widget,
    state: WidgetState,
    language: str,
    *,
    languages: tuple[str, ...],
    dist: Path,
    dialect: Dialect,
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
        answers={url: _answered(answer_of(answer, widget.folder)) for url, answer in state.fetch.items()},
    )


def _answered(answer: Answer) -> Mapping[str, Any]:
    text = answer.body.decode(errors="replace")
    return {"status": answer.status, "type": answer.content_type, "body": text}


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
