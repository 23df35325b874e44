"""Builds a workspace while its author works on it: first what the open pages show, then everything else.

A save in one widget's folder becomes a patch: only that widget is read, compiled and bundled, in the languages of the
open pages. `build` then brings the whole app up to date, and inspects it. Both run the same phases as any other build,
and use the results of earlier builds. Neither writes to `dist/`. `save` writes the last build to the cache, so that the
next start shows it at once.
"""

import os
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from awning.diagnostics import Diagnostic, has_errors
from awning.errors import AwningError, Faulty
from awning.pipeline.build_session import BuildSession
from awning.pipeline.cache.shared_files import Stat
from awning.pipeline.incremental import BuildResult, errors_in
from awning.pipeline.phases import BuildOptions, UnwrittenBuild, run_phases
from awning.pipeline.read import (
    NEVER_CANCELLED,
    BuildCancelled,
    Checkpoint,
    SourceFile,
    SourceSet,
    Units,
    style_entry,
)
from awning.pipeline.saved_build import read_saved, write_saved
from awning.pipeline.types import find_type_errors
from awning.pipeline.verdict import with_further
from awning.snippet.compose import Parts, compose_unstamped, safe_style
from awning.workspace.document import Findings
from awning.workspace.model import Isolation, Widget, Workspace

_WHOLE = ("widget.toml", "states.toml", "data.schema.json")
"""Files of a widget that affect more than its own body snippet, so a patch cannot show their changes."""

_PATCHED = (".html.j2", ".ts", ".css", ".js", ".toml")
"""The endings of the files whose changes a patch can show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StylePatch:
    """A widget's style sheet in open pages, and the new one that replaces it. Both are as they are in snippets."""

    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetPatch:
    """The parts of a page that a change of one widget replaces.

    `bodies` has the widget's script as HTML, with the service's placeholders, by the language of the page. Its key None
    is for pages in languages that the app does not have. `bodies` is empty when nothing has changed. It is also empty
    when pages only need the new style sheet of a scoped widget.
    """

    widget: str
    style: StylePatch | None = None
    bodies: Mapping[str | None, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether pages need no change, for example because a file was saved without a difference."""
        return self.style is None and not self.bodies


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """The result of one turn: `built`, `patch`, or the `error` that ended the turn. After an error, dist/ is unchanged.

    `awning dev` also shows a build with errors that do not prevent it. Then both `built` and `error` are set. `changed`
    has the paths of the files that caused the turn, relative to the workspace. It is empty if no file did, as in the
    first turn.
    """

    built: BuildResult | None = None
    error: AwningError | None = None
    changed: tuple[str, ...] = ()
    seconds: float = 0.0
    patch: WidgetPatch | None = None
    """The change that open pages apply before the whole app is built again."""
    is_provisional: bool = False
    """Whether a complete build of the same files follows."""
    is_shown: bool = False
    """Whether open pages that applied every patch show this build already."""
    is_check: bool = False
    """Whether this is the last build again, with the findings of a check that followed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ShownPages:
    """What pages show that applied every patch: the last build, and the patches since."""

    build: UnwrittenBuild
    result: BuildResult
    files: Mapping[str, SourceFile]
    """The sources, by path, of the build and of the patches."""
    stats: Mapping[str, Stat]
    """The sizes (bytes) and modification times (ns) of the sources when the build read them, by path."""
    styles: Mapping[str, str]
    """The style sheets of the build and of the patches, by widget."""
    interactive: frozenset[str]
    type_errors: tuple[Diagnostic, ...] = ()
    """The type errors that the build reports."""
    is_patched: bool = False

    @property
    def workspace(self) -> Workspace:
        return self.build.sources.workspace

    def has(self, sources: SourceSet) -> bool:
        """Return whether pages show these files already."""
        before, now = (
            replace(workspace, widgets=(), diagnostics=())
            for workspace in (self.workspace, sources.workspace)
        )
        return (
            self.is_patched
            and before == now
            and sources.files.keys() == self.files.keys()
            and all(self.files[path] is file for path, file in sources.files.items())
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _CheckedTypes:
    """All type errors that the last check of types found, and the sources, by path, that it looked at."""

    errors: tuple[Diagnostic, ...] = ()
    files: Mapping[str, SourceFile] = field(default_factory=dict)

    def still_in(self, sources: SourceSet) -> tuple[Diagnostic, ...]:
        """Return the type errors in widgets whose files are those that were checked. Others may be mended."""
        before, now = self.files, sources.files
        changed = {
            _folder(path) for path in before.keys() | now.keys() if before.get(path) is not now.get(path)
        }
        if any(folder.startswith("_") or not folder for folder in changed):  # it may affect every widget
            return ()
        affected = changed | sources.importing_others if changed else changed
        return tuple(
            error for error in self.errors if error.place is None or _folder(error.place.path) not in affected
        )


@dataclass(slots=True)
class LiveWorkspace:
    """Builds one workspace again and again. Any thread may call its methods."""

    session: BuildSession
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    types: bool = True
    """Whether `check_types` looks for type errors."""
    only: str | None = None
    """The widget that builds have alone; None for all widgets."""
    _pages: _ShownPages | None = None
    """None before the first build and after a build that failed."""
    _checked: _CheckedTypes = field(default_factory=_CheckedTypes)
    _is_broken: bool = False
    """Whether the last build failed."""
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def root(self) -> Path:
        return self.session.sources.root

    @property
    def last_result(self) -> BuildResult | None:
        """The result of the last build; None before the first build and after a build that failed."""
        return self._pages.result if self._pages else None

    def read(self) -> Workspace:
        """Read the workspace. The next build reads only what has changed since.

        Raises as `awning.workspace.reader.read_workspace` does.
        """
        with self._lock:
            workspace = self.session.read_workspace(self.environ)
        if self.only is None:
            return workspace
        return replace(workspace, widgets=tuple(w for w in workspace.widgets if w.name == self.only))

    def saved(self) -> BuildResult | None:
        """Return the build that an earlier process saved; None without one, or when something has changed since."""
        return read_saved(self.root, self.environ)

    def save(self) -> None:
        """Save the last build for the next process, unless it failed or a patch followed it."""
        with self._lock:
            pages = self._pages
            if pages is not None and not pages.is_patched:
                write_saved(self.root, self.environ, pages.build, pages.result, pages.stats)

    def build(
        self,
        languages: Collection[str] | None = None,
        *,
        inspects: bool = True,
        checkpoint: Checkpoint = NEVER_CANCELLED,
    ) -> Rebuilt:
        """Build the head snippets of the app, and its body snippets for pages in these languages.

        If `languages` is None, all body snippets are built; if it is empty, those of the app's first language. Without
        `inspects`, the build is quicker: the rules of the check do not run, and no types for editors are written.

        Raises Faulty when the app cannot be built, ConfigurationError as `run_phases` does, and when the profile does
        not exist or the baseline cannot be read. Raises BuildCancelled when the checkpoint cancels the build; the
        previous build then stays the last one.
        """
        with self._lock:
            try:
                pages = self._build(languages, inspects, checkpoint)
            except BuildCancelled:
                raise
            except Exception:
                self._pages, self._is_broken = None, True
                raise
            is_shown = self._pages is not None and self._pages.has(pages.build.sources)
            self._pages, self._is_broken = pages, False
            return _rebuilt(pages.result, is_shown=is_shown)

    def _build(
        self, languages: Collection[str] | None, inspects: bool, checkpoint: Checkpoint
    ) -> _ShownPages:
        workspace = self.read()
        bodies = None if languages is None else _own(workspace, languages)
        options = BuildOptions(
            units=Units.APP,
            dev=True,
            inspects=inspects,
            types=False,
            weighs=False,
            checkpoint=checkpoint,
            chosen=lambda planned: bodies is None or planned.place == "head" or planned.language in bodies,
        )
        build = run_phases(workspace, options, self.environ, self.session)
        type_errors = self._checked.still_in(build.sources)
        diagnostics = with_further(build.verdict, type_errors if inspects else ()).counted()
        if build.assembled is None:
            raise Faulty(diagnostics)
        result = BuildResult(
            record=replace(build.assembled.record, allowed_errors=errors_in(diagnostics)),
            out=workspace.dist,
            diagnostics=diagnostics,
            own_store=workspace.own_store,
            contents={snippet.planned.path: snippet.content for snippet in build.assembled.snippets},
            bodies=bodies,
        )
        styled = {w.name for p in build.sources.planned_snippets for w in p.style_entries.values()}
        return _ShownPages(
            build=build,
            result=result,
            files=build.sources.files,
            stats=self.session.sources.stats(),
            styles={name: _css(build, name) for name in styled},
            interactive=build.interactive,
            type_errors=type_errors,
        )

    def check_types(self, checkpoint: Checkpoint = NEVER_CANCELLED) -> Rebuilt | None:
        """Look for type errors in the files of the last build, and return that build with them.

        Returns None when there is nothing new to report: the last build failed, a patch followed it, or its type errors
        are those that it reports already. Raises BuildCancelled when the checkpoint cancels the check, and
        ConfigurationError when TypeScript does not run.
        """
        pages = self._pages
        if not self.types or pages is None or pages.is_patched:
            return None
        build, session = pages.build, self.session
        errors = tuple(
            find_type_errors(
                build.sources,
                build.modules,
                session.memory,
                session.type_server,
                self.environ,
                known=session.sources,
                checkpoint=checkpoint,
            )
        )
        session.memory.save()
        with self._lock:
            if self._pages is not pages:
                return None
            is_known = pages.type_errors == self._checked.errors == errors
            self._checked = _CheckedTypes(errors=errors, files=build.sources.files)
            diagnostics = with_further(build.verdict, errors).counted()
            record = replace(pages.result.record, allowed_errors=errors_in(diagnostics))
            result = replace(pages.result, diagnostics=diagnostics, record=record)
            self._pages = replace(pages, result=result, type_errors=errors)
            return None if is_known else replace(_rebuilt(result, is_shown=True), is_check=True)

    def look(self) -> set[str]:
        """Return the paths of the sources that have changed since the workspace was last read or looked at."""
        with self._lock:
            return self.session.sources.look()

    def patch(self, changed: Collection[str], languages: Collection[str]) -> WidgetPatch | None:
        """Return the patch for a change of these files, for pages in these languages.

        The patch is empty if the files have the same content as before. Returns None when only a build of the whole app
        can show the change. Raises Faulty when the widget cannot be built.
        """
        with self._lock:
            pages = self._pages
            widget = _patchable(pages, changed) if pages else None
            if pages is None or widget is None:
                return None
            self.session.sources.look_at(changed)
            if all(self.session.sources.file(path) is pages.files[path] for path in changed):
                return WidgetPatch(widget=widget.name)
            return self._patch(pages, widget, changed, languages)

    def _patch(
        self, pages: _ShownPages, widget: Widget, changed: Collection[str], languages: Collection[str]
    ) -> WidgetPatch | None:
        name, workspace = widget.name, pages.workspace
        findings = Findings()
        widget = self.session.sources.widgets.read(widget.folder, workspace.languages, findings) or widget
        if has_errors(findings.diagnostics):
            raise Faulty(tuple(findings.diagnostics))
        wanted = _own(workspace, languages)
        kill_switch = any(planned.kill_switch for planned in pages.build.sources.planned_snippets)
        options = BuildOptions(
            only=(name,),
            dev=True,
            inspects=False,
            adds=True,
            weighs=False,
            chosen=lambda planned: planned.place == "body" and planned.language in wanted,
        )
        alone = replace(workspace, widgets=(widget,), kill_switch=kill_switch, diagnostics=())
        built = run_phases(alone, options, self.environ, self.session)
        if built.assembled is None:
            raise Faulty(built.verdict.counted())
        after = _css(built, name)
        before = pages.styles.get(name, "")
        if before != after and not (before and after):
            return None
        self._pages = replace(
            pages,
            files={**pages.files, **built.sources.files},
            styles={**pages.styles, name: after},
            interactive=pages.interactive - {name} | built.interactive,
            is_patched=True,
        )
        only_style = (
            all(path.endswith(".css") for path in changed)
            and widget.isolation is Isolation.SCOPED
            and (name in pages.interactive) == (name in built.interactive)
        )
        return WidgetPatch(
            widget=name,
            style=StylePatch(before=before, after=after) if before != after else None,
            bodies={} if only_style else _bodies(built),
        )

    def unit(self, name: str) -> Mapping[str, str]:
        """Return the snippets of one widget alone, by path as in `dist/`.

        Empty when there is no such widget, the last build of the app failed, the workspace cannot be read, or the
        widget cannot be built. Before the first build, the workspace is read. Raises as `run_phases` does.
        """
        with self._lock:
            try:
                pages = self._pages
                workspace = None if self._is_broken else pages.workspace if pages else self.read()
            except AwningError:
                workspace = None
            if workspace is None or name not in {widget.name for widget in workspace.widgets}:
                return {}
            options = BuildOptions(only=(name,), dev=True, inspects=False, adds=True, weighs=False)
            built = run_phases(workspace, options, self.environ, self.session)
            snippets = built.assembled.snippets if built.assembled else ()
            return {snippet.planned.path: snippet.content.decode() for snippet in snippets}


def _rebuilt(result: BuildResult, *, is_shown: bool) -> Rebuilt:
    """Return the turn with a build of the whole app. If it has errors, they did not prevent it."""
    error = Faulty(result.diagnostics) if has_errors(result.diagnostics) else None
    return Rebuilt(built=result, error=error, is_shown=is_shown)


def _patchable(pages: _ShownPages, changed: Collection[str]) -> Widget | None:
    """Return the one widget whose files have changed; None when a patch cannot show all effects of the change."""
    sources, folders = pages.build.sources, {path.split("/")[1] for path in changed if path.count("/") > 1}
    if len(folders) != 1 or sources.importing_others:
        return None
    workspace, (folder,) = sources.workspace, folders
    widget = next((widget for widget in sources.widgets if widget.name == folder), None)
    if widget is None or workspace.beacon or pages.build.verdict.fatal:
        return None
    refused = {f"widgets/{folder}/{name}" for name in _WHOLE}
    if widget.head:
        refused.add(widget.head.relative_to(workspace.root).as_posix())
    fits = all(
        path.startswith("widgets/")
        and path.endswith(_PATCHED)
        and path not in refused
        and path in pages.files
        and (workspace.root / path).is_file()
        for path in changed
    )
    return widget if fits else None


def _css(build: UnwrittenBuild, widget: str) -> str:
    """Return the style sheet of a widget as it is in a snippet; empty when the widget has none."""
    output = build.bundle.outputs.get(style_entry(widget))
    return safe_style(output.code.decode()) if output else ""


def _folder(path: str) -> str:
    """Return the name of the folder below widgets/ that a file is in; empty for other files."""
    top, _, rest = path.partition("/")
    return rest.partition("/")[0] if top == "widgets" else ""


def _own(workspace: Workspace, languages: Collection[str]) -> frozenset[str | None]:
    """Return the languages of the body snippets that pages in `languages` get. None stands for the default snippet.

    If `languages` is empty, the result has the app's first language.
    """
    pages = languages or workspace.languages[:1] or ("",)
    return frozenset(language if language in workspace.languages else None for language in pages)


def _bodies(built: UnwrittenBuild) -> dict[str | None, str]:
    """Return the script of each snippet as HTML, without the style, by language."""
    sources = built.sources
    return {
        planned.language: compose_unstamped(
            Parts(
                app=sources.app,
                script=built.bundle.outputs[planned.entry].code.decode() if planned.compiled else "",
                data=planned.reads_app_data,
            ),
            sources.dialect,
        )
        for planned in sources.planned_snippets
    }
