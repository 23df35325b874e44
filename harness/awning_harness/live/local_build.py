"""The app's snippets as a live page gets them: of a local build, with the placeholders filled as the service does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from awning.build_record import WHOLE_APP, BuildRecord, BuiltWidget, Place
from awning.contract import Dialect
from awning.contract.languages import base_language
from awning.live.deployed import CLASS, OwnMarks
from awning.publish.verify.verified_cell import ShownSnippets
from awning_harness.dev.dev_session import MARKS
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.snippets import Placeholders

Snippets = Mapping[tuple[str | None, Place], str]
"""Snippets by language (None is the default) and place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalBuild:
    """The snippets of one build: of all widgets, or of the one that is previewed.

    With a revision, comments mark the body snippet in a page, so that the inspector can redraw it in place.
    """

    record: BuildRecord
    snippets: Snippets
    dialect: Dialect
    widget: str | None = None
    revision: int | None = None

    @classmethod
    def of(
        cls,
        record: BuildRecord,
        read: Callable[[str], str],
        dialect: Dialect,
        *,
        unit: str = WHOLE_APP,
        revision: int | None = None,
    ) -> "LocalBuild":
        """Return the snippets of a unit of a build. `read` returns the text of a snippet by its path in `dist/`."""
        snippets = {
            (snippet.language, snippet.place): read(snippet.path)
            for snippet in record.snippets
            if snippet.unit == unit
        }
        widget = None if unit == WHOLE_APP else unit
        return cls(record=record, snippets=snippets, dialect=dialect, widget=widget, revision=revision)

    @property
    def marks(self) -> OwnMarks:
        classes = {name for text in self.snippets.values() for name in CLASS.findall(text)}
        return OwnMarks(
            title=self.record.title, classes=frozenset(classes), fingerprint=self.record.fingerprint[:12]
        )

    @property
    def widgets(self) -> tuple[BuiltWidget, ...]:
        return tuple(w for w in self.record.widgets if self.widget in (None, w.name))

    def filled(
        self, language: str | None, data: tuple[Any] | None, chosen: str | None = None
    ) -> dict[Place, str]:
        """Return the head and the body snippet of a page in `language`.

        `data` is a tuple with the app data, or with the text that stands in the page; None when there are none.
        `chosen` is the language of the snippets, if it is not the page's.
        """
        code = chosen or self.code_of(language)
        places: tuple[Place, ...] = ("head", "body")
        filling = Placeholders(
            dialect=self.dialect, assumptions=Assumptions(), language=code or "", data=data
        )
        filled = {
            place: filling.fill(self.snippets.get((code, place)) or self.snippets.get((None, place), ""))
            for place in places
        }
        if self.revision is not None:
            filled["body"] = f"{MARKS[0].format(self.revision)}{filled['body']}{MARKS[1]}"
        return filled

    def code_of(self, language: str | None) -> str | None:
        """Return the app's code of a page's language: `de` for a page in `de-AT`. Another language stays as it is."""
        general = base_language(language or "").lower()
        return (
            general
            if language not in self.record.languages and general in self.record.languages
            else language
        )

    def watched(self, disabled: frozenset[str]) -> ShownSnippets:
        """Return what observing a page must know about the snippets, in whichever language the page has them."""
        return ShownSnippets(
            texts=tuple(text for text in self.snippets.values() if text),
            disabled=disabled,
            raw=tuple(widget.name for widget in self.widgets if widget.raw),
            globals=frozenset(name for widget in self.widgets for name in widget.globals),
            slots={widget.name: widget.slots for widget in self.widgets},
        )
