"""One run of the dev server: the app on its website, the last build that worked, and what went wrong since.

The snippets reach the page as the publisher would bring them: the default with the manifest, each language's set on
the website; so that precedence and placeholders are the service's own.
"""

import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from awning.build_record import BuildRecord
from awning.contract import Dialect
from awning.errors import AwningError
from awning.pipeline import Rebuilt, source_place
from awning.workspace import TEMPLATE_ENDING, pseudo_code
from awning_harness.dev import messages
from awning_harness.dev.pseudo import Spot, pseudo_snippets
from awning_harness.dev.source import DevSource
from awning_harness.dev.stream import Tell
from awning_harness.dev.thrown import Thrown
from awning_harness.service import Service
from awning_harness.storefront import FixedWebsite

BRANDNAME = "Rīgas Lins"
_MANIFEST = {"app_title": "App", "app_secret": ""}
_TEMPLATE_LINE = re.compile(rf"\S+{re.escape(TEMPLATE_ENDING)}:\d+")


@dataclass(slots=True)
class Session:
    """What `take` is given by the watching thread and pages ask for. The lock is held while either happens."""

    root: Path
    service: Service
    source: DevSource
    app_id: int
    auth_code: str
    pseudo: bool = False
    """Whether the shop also has the pseudo-language."""
    record: BuildRecord | None = None
    failure: AwningError | None = None
    seconds: float = 0.0
    data: dict[str, Any] = field(default_factory=dict)
    dist: Path = field(default_factory=Path)
    """The folder of the last build that worked."""
    _shown: dict[Spot, str] = field(default_factory=dict)
    _thrown: dict[Thrown, str | None] = field(default_factory=dict)
    """What widgets of the build shown threw, and where in the author's files."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def dialect(self) -> Dialect:
        return self.service.dialect

    @property
    def languages(self) -> tuple[str, ...]:
        return self.source.site.languages

    @property
    def revision(self) -> int:
        return self.source.revision

    def take(self, turn: Rebuilt) -> Tell | None:
        """Show what a build made; returns what pages are to be told."""
        with self._lock:
            self.seconds = turn.seconds
            if turn.error is not None:
                self.failure = turn.error
                message = messages.failed(turn.error)
                return lambda _language: message
            healed, self.failure = self.failure is not None, None
            if turn.built is None:
                return None
            self.dist = turn.built.out
            return self._show(turn.built.record, healed=healed)

    def put_data(self, data: Mapping[str, Any]) -> Tell:
        """Store the app data, as `set_data` would; pages are redrawn with it."""
        with self._lock:
            self.service.set_data(self.auth_code, dict(data))
            self.data = dict(data)
            self.source.revision += 1
            return self._redraw()

    def threw(self, thrown: Thrown) -> tuple[str | None, str | None]:
        """Where it was thrown, and the line to say of it: None if it was said of this build, or is of an older one."""
        with self._lock:
            if thrown.revision != self.revision:
                return None, None
            if thrown in self._thrown:
                return self._thrown[thrown], None
        place = self._place_of(thrown)
        with self._lock:
            line = thrown.said(place)
            known = {one.said(at) for one, at in self._thrown.items()}
            self._thrown[thrown] = place
            return place, None if line in known else line

    def _place_of(self, thrown: Thrown) -> str | None:
        """`path:line:column`, or `path:line` of a template. None if the workspace cannot be built any more."""
        if not thrown.line:
            return None
        try:
            place = source_place(
                self.root, language=thrown.language or None, line=thrown.line, column=thrown.column
            )
        except (AwningError, OSError):
            return None
        if place is None:
            return None
        if place.path.endswith(TEMPLATE_ENDING):
            # The source map has no lines of templates; the error of a template names its own.
            named = _TEMPLATE_LINE.search(thrown.message)
            return named[0] if named else place.path
        return f"{place.path}:{place.line}:{place.column}"

    def hello(self) -> messages.Message:
        return messages.hello(self.revision, self.failure)

    def _show(self, record: BuildRecord, *, healed: bool) -> Tell | None:
        self.record = record
        changed = self._install(record)
        languages = self._languages(record)
        languages_changed = languages != self.languages
        self.source.site = replace(self.source.site, languages=languages)
        if not changed and not languages_changed:
            return self._fixed() if healed else None
        self.source.revision += 1
        self._thrown.clear()
        if languages_changed or any(place == "head" for _, place in changed):
            message = messages.reload(self.revision)
            return lambda _language: message
        return self._redraw()

    def _languages(self, record: BuildRecord) -> tuple[str, ...]:
        return (*record.languages, pseudo_code(record.languages[0])) if self.pseudo else record.languages

    def _fixed(self) -> Tell:
        message = messages.fixed(self.revision)
        return lambda _language: message

    def _redraw(self) -> Tell:
        revision, body = self.revision, self.source.body
        return lambda language: messages.redraw(revision, body(language))

    def _install(self, record: BuildRecord) -> set[Spot]:
        """Bring the built snippets to the website; returns the places that are new."""
        built: dict[Spot, str] = {
            (snippet.language, snippet.place): (self.dist / snippet.path).read_text(encoding="utf-8")
            for snippet in record.snippets
            if snippet.unit == "app"
        }
        if self.pseudo:
            built |= pseudo_snippets(self.root)
        gone = {place: "" for place in self._shown if place not in built}
        changed = {place for place, html in (gone | built).items() if self._shown.get(place, "") != html}
        if any(language is None for language, _ in changed):
            head, body = built.get((None, "head"), ""), built.get((None, "body"), "")
            self.service.set_default_snippets(self.app_id, head=head, body=body)
        for language, place in changed:
            if language is not None:
                html = built.get((language, place)) or None
                self.service.set_snippet(self.auth_code, html, language=language, place=place)
        self._shown = built
        return changed


def open_session(
    root: Path, *, languages: tuple[str, ...], dialect: Dialect, title: str, pseudo: bool = False
) -> Session:
    """A service of its own, one website, the app installed on it; nothing built yet."""
    service = Service(dialect=dialect)
    website = service.create_website(languages=languages, brandname=BRANDNAME)
    app_id, _ = service.register_app(_MANIFEST | {"app_title": title, "app_secret": secrets.token_hex(16)})
    auth_code = service.install(app_id, website.id)
    site = FixedWebsite(id=website.id, languages=languages, brandname=BRANDNAME)
    source = DevSource(service=service, site=site)
    return Session(
        root=root,
        service=service,
        source=source,
        app_id=app_id,
        auth_code=auth_code,
        pseudo=pseudo,
        dist=root / "dist",
    )
