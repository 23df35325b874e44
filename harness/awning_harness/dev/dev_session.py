"""One run of the dev server: the app on its website, the last good build, and the problems since that build.

The snippets are set as a publisher sets them: the app's default snippets, and the instance's snippets in each language.
So the simulated service chooses the snippets of a page and fills in their placeholders as for a published app.
"""

import re
import secrets
import threading
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from awning.build_record import BuildRecord, Place
from awning.contract import Dialect
from awning.diagnostics import Place as FilePlace
from awning.diagnostics import has_errors
from awning.errors import AwningError, Faulty, shown_as
from awning.pipeline.incremental import BuildResult
from awning.pipeline.live import Rebuilt, WidgetPatch
from awning.pipeline.phases import build_workspace
from awning.pipeline.script_origin import ScriptOrigins
from awning.snippet.compose import without_stamp
from awning.workspace.messages import pseudo_code, pseudo_workspace
from awning.workspace.model import Profile
from awning.workspace.reader import read_workspace
from awning.workspace.sources import find_sources
from awning.workspace.store.store import Store
from awning.workspace.store.store_files import shipped_store
from awning.workspace.widgets import TEMPLATE_ENDING
from awning_harness.dev import page_messages
from awning_harness.dev.page_errors import AuthorPlace, PageError, PageErrors
from awning_harness.dev.stream import MessageFor
from awning_harness.service import PageSnippets, Service
from awning_harness.storefront import FixedWebsite

MARKS = ("<!--awning-snippet {}-->", "<!--/awning-snippet-->")
"""Comments around the app's body snippet; the first one has the revision. `jsrc/inspector/redraw.ts` reads them."""


_LONGEST_WAIT_S = 20.0
_OTHER_LANGUAGE = "the patch has no snippet in the language of the page"
_OTHER_SHOP = "the languages or the store changed"
_OTHER_HEAD = "the head snippet changed"
_VERBATIM = "a verbatim widget's scripts may run only once on a page"
_SCRIPTS = (".ts", ".mts", ".js", ".mjs")


@dataclass(slots=True)
class DevSource:
    """The snippets of the dev website. Comments mark the app's body snippet, so that the inspector can replace it.

    `site` is replaced when the workspace's languages change, because the simulated service has no way to change the
    languages of a website.
    """

    service: Service
    site: FixedWebsite
    revision: int = 0
    """The number of changes that pages must show: builds, patches, and changes of the app data."""
    shop_revision: int = 0
    """The revision in which the languages or the store changed last."""
    _begun: ContextVar[int] = field(default_factory=lambda: ContextVar("revision"))
    """The revision when the present request began: its page has the languages and the store of that time."""
    hurry: Callable[[str], object] = bool
    """Called to request a build with the snippet of a language."""
    failed_builds: int = 0
    """The number of builds that failed. When it grows, pages stop waiting."""
    _current: frozenset[str | None] | None = None
    """The languages whose snippet is up to date; None for all languages.

    Empty before the first build, and while a patch waits for its build.
    """
    _turned: threading.Condition = field(default_factory=threading.Condition)

    def set_current(self, languages: frozenset[str | None] | None) -> None:
        with self._turned:
            self._current = languages
            self._turned.notify_all()

    def count_failed_build(self) -> None:
        with self._turned:
            self.failed_builds += 1
            self._turned.notify_all()

    def wait_until_current(self, *languages: str) -> None:
        """Wait until the snippets of these languages are up to date. If they are not, request their build.

        The wait also ends when a build fails, or after _LONGEST_WAIT_S seconds. The snippets are then out of date.
        """
        with self._turned:
            before = self.failed_builds
            for language in languages:
                if not self._is_current(language):
                    self.hurry(language)
            self._turned.wait_for(
                lambda: self.failed_builds != before or all(map(self._is_current, languages)), _LONGEST_WAIT_S
            )

    def _is_current(self, language: str) -> bool:
        return self._current is None or language in self._current

    def website(self, website_id: int) -> FixedWebsite | None:
        self._begun.set(self.revision)
        return self.site if website_id == self.site.id else None

    def websites(self) -> tuple[FixedWebsite, ...]:
        return (self.site,)

    def page_snippets(
        self, website_id: int, language: str, data: Mapping[str, Any] | None = None
    ) -> tuple[PageSnippets, ...]:
        """Wait until the snippets in `language` are up to date, and return them, with marks around the body snippet.

        The revision is read before the snippets. If a build ends in between, the page reloads once too often, but never
        too rarely.
        """
        self.wait_until_current(language)
        revision, begun = self.revision, self._begun.get(self.revision)
        start, end = MARKS[0].format(begun if begun < self.shop_revision else revision), MARKS[1]
        own = (
            replace(s, body=f"{start}{s.body}{end}")
            for s in self.service.page_snippets(website_id, language, data)
        )
        return tuple(own)

    def body(self, language: str) -> str:
        """Return the HTML between the marks on a page in `language`."""
        snippets = self.service.page_snippets(self.site.id, language)
        return snippets[0].body if snippets else ""


SnippetPlace = tuple[str | None, Place]
"""A language (None for all) and `head` or `body`."""


def pseudo_snippets(root: Path) -> dict[SnippetPlace, str]:
    """Return the app's snippets in the pseudo-language; an empty mapping when the workspace has errors.

    They are built in a temporary folder, because `dist/` must hold only snippets that ship.
    """
    with TemporaryDirectory(prefix="awning-") as folder:
        out = Path(folder) / "dist"
        try:
            record = build_workspace(pseudo_workspace(read_workspace(root)), out=out, dev=True)
        except Faulty:
            return {}
        return {
            (snippet.language, snippet.place): (out / snippet.path).read_text(encoding="utf-8")
            for snippet in record.snippets
            if snippet.unit == "app" and snippet.language is not None
        }


BRANDNAME = "Rīgas Lins"
_MANIFEST = {"app_title": "App", "app_secret": ""}
_TEMPLATE_LINE = re.compile(rf"(\S+{re.escape(TEMPLATE_ENDING)}):(\d+)")


def _after_patch(error: AwningError | None, widget: str) -> AwningError | None:
    """Return the errors of a build without the type errors of a widget that was patched since: they may be mended.

    The types are checked again after the next build. All other errors hold until that build.
    """
    if not isinstance(error, Faulty):
        return error
    folder = f"widgets/{widget}/"
    left = tuple(
        diagnostic
        for diagnostic in error.diagnostics
        if not (
            diagnostic.rule == "type-error" and diagnostic.place and diagnostic.place.path.startswith(folder)
        )
    )
    return Faulty(left, hint=error.hint) if has_errors(left) else None


def no_snippets(_unit: str) -> Mapping[str, str]:
    return {}


@dataclass(slots=True)
class DevSession:
    """The state of the dev server, guarded by a lock.

    The watching thread changes it with `apply`. Requests read it, and change it with `put_data` and `record_error`.
    """

    root: Path
    service: Service
    source: DevSource
    app_id: int
    auth_code: str
    pseudo: bool = False
    """Whether the shop also has the pseudo-language."""
    store: Store = field(default_factory=shipped_store)
    """The store of the shop, as it was when the workspace was last read without an error."""
    record: BuildRecord | None = None
    failure: AwningError | None = None
    seconds: float = 0.0
    data: dict[str, Any] = field(default_factory=dict)
    unit: Callable[[str], Mapping[str, str]] = no_snippets
    """A function that takes a widget's name and returns the snippets of this widget alone, by path in `dist/`."""
    _installed: dict[SnippetPlace, str] = field(default_factory=dict)
    _build_error: AwningError | None = None
    """The errors of the build that pages show. They hold until pages show the next build, also after a patch."""
    _is_built: bool = True
    """Whether the pages show the files as they are now, perhaps in spite of errors."""
    _unshown: frozenset[str] = frozenset()
    """The files that have changed since the last build or patch that pages show."""
    _built: frozenset[str | None] | None = None
    """The languages whose body snippets are in the last build; None if it has those of all languages."""
    _errors: PageErrors = field(init=False)
    _origins: ScriptOrigins = field(init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._errors = PageErrors(self._place_of)
        self._origins = ScriptOrigins(self.root)

    @property
    def dialect(self) -> Dialect:
        return self.service.dialect

    @property
    def languages(self) -> tuple[str, ...]:
        return self.source.site.languages

    @property
    def revision(self) -> int:
        return self.source.revision

    def follow(self, turn: Rebuilt) -> tuple[Rebuilt, MessageFor | None]:
        """Show a turn as `apply` does, whatever happens. Returns the turn that is shown, and the message.

        A bug in awning is shown like an error in the user's files.
        """
        try:
            return turn, self.apply(turn)
        except Exception as error:  # noqa: BLE001 - watching goes on whatever happens
            failed = replace(turn, built=None, patch=None, error=shown_as(error))
            return failed, self.apply(failed)

    def apply(self, turn: Rebuilt) -> MessageFor | None:
        """Show the result of a build or a patch; returns the message for the open pages, None if there is none."""
        with self._lock:
            self.seconds = turn.seconds
            before, self.failure = self.failure, turn.error
            self._is_built = turn.built is not None or turn.patch is not None
            self._unshown |= frozenset(turn.changed)
            if turn.built is not None:
                self._build_error = turn.error
            if turn.patch is not None:
                self.failure = self._build_error = _after_patch(self._build_error, turn.patch.widget)
                patched = self._patch(turn.patch, keeps_changes=self._keeps_changes(turn))
                self._unshown = frozenset()
                return patched
            message_for = None if turn.built is None else self._show(turn.built, turn)
            if turn.built is not None:
                self._unshown = frozenset()
            if turn.built is not None or not turn.is_provisional:
                self.source.set_current(self._built)
            if turn.built is None and not turn.is_provisional:
                self.source.count_failed_build()
            if message_for is not None:
                error = turn.error
                return lambda language: page_messages.beside(message_for(language), error)
            if turn.error is not None:
                message = page_messages.failed(turn.error, is_built=self._is_built)
                return lambda _language: message
            if before is None:
                return None
            fixed = page_messages.fixed(self.revision)
            return lambda _language: fixed

    def _patch(self, patch: WidgetPatch, *, keeps_changes: bool) -> MessageFor:
        """Return the message that shows a patch on the open pages. The build that follows sets the snippets."""
        self.source.set_current(frozenset())
        self._begin_revision()
        revision, bodies, failure = self.revision, patch.bodies, self.failure

        def message_for(language: str) -> page_messages.Message:
            body = bodies.get(language, bodies.get(None)) if bodies else None
            filled = None if body is None else self.service.filled(self.auth_code, body, language)
            if bodies and body is None:  # no page in this language was open when the patch was made
                return page_messages.reload(revision, _OTHER_LANGUAGE)
            message = page_messages.patch(
                revision, patch.widget, style=patch.style, body=filled, keeps_changes=keeps_changes
            )
            return page_messages.beside(message, failure)

        return message_for

    def _begin_revision(self) -> None:
        self.source.revision += 1
        self._errors.clear()
        self._origins = ScriptOrigins(self.root)

    def put_data(self, data: Mapping[str, Any]) -> MessageFor:
        """Store the app data, as the Apps API's `set_data` would; returns the message that redraws the pages."""
        self.source.wait_until_current(*(language for language in self._built or () if language))
        with self._lock:
            self._set_data(data)
            self.source.revision += 1
            return self._redraw(keeps_changes=True)

    def take_data(self, data: Mapping[str, Any]) -> None:
        """Take the app data that a page has already, so that the next messages have them, too."""
        with self._lock:
            self._set_data(data)

    def _set_data(self, data: Mapping[str, Any]) -> None:
        self.service.set_data(self.auth_code, dict(data))
        self.data = dict(data)

    def record_error(self, error: PageError) -> tuple[AuthorPlace | None, str | None]:
        """Return the place of an error, and a text for the terminal.

        Both are None for an error of another revision. The place is None if it is unknown, and the text is None if it
        was already printed.
        """
        with self._lock:
            if error.revision != self.revision:
                return None, None
        return self._errors.record(error)

    def _place_of(self, error: PageError) -> AuthorPlace | None:
        """Return the place of an error in the author's file.

        None if the error has no line, the build has no place for it, or the sources cannot be read or built.
        """
        if not error.line:
            return None
        try:
            place = self._origins.place(
                language=error.language or None,
                unit=error.unit or "app",
                line=error.line,
                column=error.column,
            )
            if place is None:
                return None
            if place.path.endswith(TEMPLATE_ENDING):
                named = self._template_line(error.message)
                # If both name the same line, the map also has the column. If a helper of the runtime throws, only the
                # message has the right line.
                if named is not None and (named.path, named.line) != (place.path, place.line):
                    place = named
        except (AwningError, OSError):
            return None
        try:
            source = (self.root / place.path).read_text(encoding="utf-8")
        except (OSError, ValueError):  # the file was changed in the meantime
            source = ""
        return AuthorPlace.at(place, source)

    def _template_line(self, message: str) -> FilePlace | None:
        """Return the place in a template that an error's message names; None if it names none.

        None also if the path is not a source of the workspace. The message comes from a page, so it may have any path.
        """
        line = _TEMPLATE_LINE.search(message)
        if line is None:
            return None
        sources = find_sources(self.root)
        # A refused source is, for example, a symbolic link that leads out of the workspace.
        refused = {diagnostic.place.path for diagnostic in sources.diagnostics if diagnostic.place}
        is_source = line[1] in sources.paths and line[1] not in refused
        return FilePlace(path=line[1], line=int(line[2])) if is_source else None

    def allowed_globals(self) -> frozenset[str]:
        """Return the globals that the widgets of the last build may leave on pages."""
        widgets = self.record.widgets if self.record else ()
        return frozenset(name for widget in widgets for name in widget.globals)

    @property
    def own_languages(self) -> tuple[str, ...]:
        """The languages of the workspace, without the pseudo-language."""
        added = pseudo_code(self.languages[0]) if self.pseudo else None
        return tuple(language for language in self.languages if language != added)

    def hello(self) -> page_messages.Message:
        return page_messages.hello(self.revision, self.failure, is_built=self._is_built)

    def _show(self, built: BuildResult, turn: Rebuilt) -> MessageFor | None:
        record = self.record = built.record
        before, self._built = self._built, built.bodies
        changed = {
            (language, place)
            for language, place in self._install(built)
            if place == "head" or before is None or language in before
        }
        languages = record.languages
        if self.pseudo:
            languages = (*languages, pseudo_code(languages[0]))
        languages_changed = languages != self.languages
        store = built.own_store or shipped_store()
        shop_changed = languages_changed or store.fingerprint != self.store.fingerprint
        if shop_changed:
            self.source.shop_revision = self.revision + 1
        self.source.site = replace(self.source.site, languages=languages)
        self.store = store
        if (not changed or turn.is_shown) and not shop_changed:
            return None
        self._begin_revision()
        if shop_changed or any(place == "head" for _, place in changed):
            message = page_messages.reload(self.revision, _OTHER_SHOP if shop_changed else _OTHER_HEAD)
            return lambda _language: message
        return self._redraw(keeps_changes=self._keeps_changes(turn))

    def _keeps_changes(self, turn: Rebuilt) -> bool:
        """Return whether no script is among the files that changed since the pages were last up to date.

        Returns False when it is not known which files changed.
        """
        return bool(turn.changed) and not any(path.endswith(_SCRIPTS) for path in self._unshown)

    def _redraw(self, *, keeps_changes: bool) -> MessageFor:
        revision, body = self.revision, self.source.body
        if self.record and any(widget.verbatim for widget in self.record.widgets):
            # A script of a verbatim widget may declare its names only once on a page, so the page loads again.
            return lambda _language: page_messages.reload(revision, _VERBATIM)
        return lambda language: page_messages.redraw(revision, body(language), keeps_changes=keeps_changes)

    def _install(self, result: BuildResult) -> set[SnippetPlace]:
        """Set the built snippets on the website; returns the places that changed by more than the build's stamp."""
        built: dict[SnippetPlace, str] = {
            (snippet.language, snippet.place): result.snippet(snippet.path)
            for snippet in result.record.snippets
            if snippet.unit == "app"
        }
        if self.pseudo:
            built |= pseudo_snippets(self.root)
        removed = {place: "" for place in self._installed if place not in built and self._is_removed(place)}
        changed = {
            place for place, html in (removed | built).items() if self._installed.get(place, "") != html
        }
        if any(language is None for language, _ in changed):
            head, body = built.get((None, "head"), ""), built.get((None, "body"), "")
            self.service.set_default_snippets(self.app_id, head=head, body=body)
        for language, place in changed:
            if language is not None:
                html = built.get((language, place)) or None
                self.service.set_snippet(self.auth_code, html, language=language, place=place)
        before, self._installed = (
            self._installed,
            {place: html for place, html in (self._installed | removed | built).items() if html},
        )
        return {
            place
            for place in changed
            if without_stamp(before.get(place, "")) != without_stamp(self._installed.get(place, ""))
        }

    def _is_removed(self, place: SnippetPlace) -> bool:
        """Return whether a snippet that the last build lacks was removed.

        A body snippet may be missing only because the build was not asked for its language. Then it was not removed.
        """
        language, name = place
        return name == "head" or self._built is None or language in self._built


def open_dev_session(
    root: Path,
    *,
    languages: tuple[str, ...],
    title: str,
    profile: Profile | None = None,
    pseudo: bool = False,
    unit: Callable[[str], Mapping[str, str]] = no_snippets,
    store: Store | None = None,
) -> DevSession:
    """Make a session: a new service with one website, on which the app is installed. Nothing is built yet.

    `store` is the store of the workspace, if it has its own. The service has the names of `profile`, and gives the
    answers that are settled there.
    """
    profile = profile or Profile()
    service = Service.of_profile(profile)
    website = service.create_website(languages=languages, brandname=BRANDNAME)
    app_id, _ = service.register_app(_MANIFEST | {"app_title": title, "app_secret": secrets.token_hex(16)})
    auth_code = service.install(app_id, website.id)
    site = FixedWebsite(id=website.id, languages=languages, brandname=BRANDNAME)
    source = DevSource(service=service, site=site)
    return DevSession(
        root=root,
        service=service,
        source=source,
        app_id=app_id,
        auth_code=auth_code,
        pseudo=pseudo,
        unit=unit,
        store=store or shipped_store(),
    )
