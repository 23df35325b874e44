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
from awning.pipeline.incremental import BuildResult, errors_in
from awning.pipeline.phases import BuildOptions, UnwrittenBuild, find_type_errors, run_phases
from awning.pipeline.read import (
    NEVER_CANCELLED,
    BuildCancelled,
    Checkpoint,
    SourceFile,
    SourceSet,
    Units,
    style_entry,
)
from awning.pipeline.saved_build import SavedBuild
from awning.pipeline.verdict import with_further
from awning.snippet import Parts, compose_unstamped, safe_style
from awning.workspace import Isolation, Widget, Workspace
from awning.workspace.document import Findings

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


@dataclass(slots=True)
class LiveWorkspace:
    """Builds one workspace again and again. Any thread may call its methods."""

    session: BuildSession
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    types: bool = True
    """Whether `check_types` looks for type errors."""
    _typed: tuple[Diagnostic, ...] = ()
    """The type errors that builds report: those that `check_types` found last, in widgets that did not change since."""
    _checked: tuple[Diagnostic, ...] = ()
    """All type errors that `check_types` found last."""
    _checked_files: Mapping[str, SourceFile] = field(default_factory=dict)
    """The sources, by path, that `check_types` looked at last."""
    _last: UnwrittenBuild | None = None
    """The last build; None before the first build and after a build that failed."""
    _result: BuildResult | None = None
    """The result of the build `_last`; None when `_last` is None."""
    _files: dict[str, SourceFile] = field(default_factory=dict)
    """The sources, by path, of the last build and of the patches since."""
    _styles: dict[str, str] = field(default_factory=dict)
    """The style sheets of the last build and of the patches since, by widget."""
    _interactive: frozenset[str] = frozenset()
    _is_patched: bool = False
    _is_broken: bool = False
    """Whether the last build failed."""
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def root(self) -> Path:
        return self.session.sources.root

    @property
    def last_result(self) -> BuildResult | None:
        """The result of the last build; None before the first build and after a build that failed."""
        return self._result

    def read(self) -> Workspace:
        """Read the workspace. The next build reads only what has changed since.

        Raises as `awning.workspace.read_workspace` does.
        """
        with self._lock:
            return self.session.read_workspace(self.environ)

    def saved(self) -> BuildResult | None:
        """Return the build that an earlier process saved; None without one, or when something has changed since."""
        return SavedBuild(root=self.root, environ=self.environ).read()

    def save(self) -> None:
        """Save the last build for the next process, unless it failed or a patch followed it."""
        with self._lock:
            if self._last is not None and self._result is not None and not self._is_patched:
                saved = SavedBuild(root=self.root, environ=self.environ)
                saved.write(self._last, self._result, self.session.sources.stats())

    def build(
        self,
        languages: Collection[str] | None = None,
        *,
        inspects: bool = True,
        checkpoint: Checkpoint = NEVER_CANCELLED,
    ) -> "LiveBuild":
        """Build the head snippets of the app, and its body snippets for pages in these languages.

        If `languages` is None, all body snippets are built; if it is empty, those of the app's first language. Without
        `inspects`, the build is quicker: the rules of the check do not run, and no types for editors are written.

        Raises Faulty when the app cannot be built, ConfigurationError as `run_phases` does, and when the profile does
        not exist or the baseline cannot be read. Raises BuildCancelled when the checkpoint cancels the build; the
        previous build then stays the last one.
        """
        with self._lock:
            last, self._last = self._last, None
            last_result, self._result = self._result, None
            was_patched, self._is_patched = self._is_patched, False
            try:
                built = self._build(languages, last if was_patched else None, inspects, checkpoint)
            except BuildCancelled:
                self._last, self._result, self._is_patched = last, last_result, was_patched
                raise
            except Exception:
                self._is_broken = True
                raise
            self._is_broken = False
            return built

    def _build(
        self,
        languages: Collection[str] | None,
        patched: UnwrittenBuild | None,
        inspects: bool,
        checkpoint: Checkpoint,
    ) -> "LiveBuild":
        """Build as `build` does. `patched` is the previous build if patches followed it, else None."""
        workspace = self.session.read_workspace(self.environ)
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
        built = run_phases(workspace, options, self.environ, self.session)
        self._typed = self._unchanged(self._checked, built.sources)
        diagnostics = with_further(built.verdict, self._typed if inspects else ()).counted()
        if built.assembled is None:
            raise Faulty(diagnostics)
        files = dict(built.sources.files)
        is_shown = patched is not None and self._shows(files, workspace, patched)
        self._last, self._files = built, files
        styled = {w.name: w for p in built.sources.planned_snippets for w in p.style_entries.values()}
        self._styles = {name: self._css(built, widget) for name, widget in styled.items()}
        self._interactive = built.interactive
        result = BuildResult(
            record=replace(built.assembled.record, allowed_errors=errors_in(diagnostics)),
            out=workspace.dist,
            diagnostics=diagnostics,
            own_store=workspace.own_store,
            contents={snippet.planned.path: snippet.content for snippet in built.assembled.snippets},
            bodies=bodies,
        )
        error = Faulty(diagnostics) if has_errors(diagnostics) else None
        self._result = result
        return LiveBuild(result=result, error=error, is_shown=is_shown)

    def check_types(self, checkpoint: Checkpoint = NEVER_CANCELLED) -> "LiveBuild | None":
        """Look for type errors in the files of the last build, and return that build with them.

        Returns None when there is nothing new to report: the last build failed, a patch followed it, or its type errors
        are those that it reports already. Raises BuildCancelled when the checkpoint cancels the check, and
        ConfigurationError when TypeScript does not run.
        """
        with self._lock:
            last, result, is_patched = self._last, self._result, self._is_patched
        if not self.types or last is None or result is None or is_patched:
            return None
        options = BuildOptions(checkpoint=checkpoint)
        type_errors = tuple(
            find_type_errors(
                last.sources,
                last.modules,
                options,
                self.environ,
                self.session,
                is_current=lambda: self._last is last and not self._is_patched,
            )
        )
        self.session.memory.save()
        with self._lock:
            if self._last is not last or self._is_patched:
                return None
            before, self._typed, self._checked = (self._typed, self._checked), type_errors, type_errors
            self._checked_files = last.sources.files
            if before == (type_errors, type_errors):
                return None
            diagnostics = with_further(last.verdict, type_errors).counted()
            record = replace(result.record, allowed_errors=errors_in(diagnostics))
            self._result = replace(result, diagnostics=diagnostics, record=record)
            error = Faulty(diagnostics) if has_errors(diagnostics) else None
            return LiveBuild(result=self._result, error=error, is_shown=True)

    def _unchanged(self, errors: tuple[Diagnostic, ...], sources: SourceSet) -> tuple[Diagnostic, ...]:
        """Return the type errors in widgets whose files are those that were checked. Others may be mended."""
        before, now = self._checked_files, sources.files
        changed = {
            _folder(path) for path in before.keys() | now.keys() if before.get(path) is not now.get(path)
        }
        if any(folder.startswith("_") or not folder for folder in changed):  # it may affect every widget
            return ()
        affected = changed | sources.importing_others if changed else changed
        return tuple(
            error for error in errors if error.place is None or _folder(error.place.path) not in affected
        )

    def _shows(self, files: Mapping[str, SourceFile], workspace: Workspace, last: UnwrittenBuild) -> bool:
        """Return whether a page with the build `last` and all patches since then already shows these files."""
        before = last.sources.workspace
        same = replace(before, widgets=(), diagnostics=()) == replace(workspace, widgets=(), diagnostics=())
        return (
            same
            and files.keys() == self._files.keys()
            and all(self._files[path] is file for path, file in files.items())
        )

    def look(self) -> set[str]:
        """Return the paths of the sources that have changed since the workspace was last read or looked at."""
        with self._lock:
            return self.session.sources.look()

    def is_known(self, path: str) -> bool:
        """Return whether there was a source at `path` when the workspace was last read or looked at."""
        return self.session.sources.is_known(path)

    def was_folder(self, path: str) -> bool:
        """Return whether a source was below `path` when the workspace was last read or looked at."""
        return self.session.sources.has_below(path)

    def patch(self, changed: Collection[str], languages: Collection[str]) -> WidgetPatch | None:
        """Return the patch for a change of these files, for pages in these languages.

        The patch is empty if the files have the same content as before. Returns None when only a build of the whole app
        can show the change. Raises Faulty when the widget cannot be built.
        """
        with self._lock:
            widget = self._patchable(changed)
            if self._last is None or widget is None:
                return None
            self.session.sources.look_at(changed)
            if all(self.session.sources.file(path) is self._files[path] for path in changed):
                return WidgetPatch(widget=widget.name)
            return self._patch(self._last, widget, changed, languages)

    def _patchable(self, changed: Collection[str]) -> Widget | None:
        """Return the one widget whose files have changed; None when a patch cannot show all effects of the change."""
        last, folders = self._last, {path.split("/")[1] for path in changed if path.count("/") > 1}
        if last is None or len(folders) != 1 or last.sources.importing_others:
            return None
        workspace, (folder,) = last.sources.workspace, folders
        widget = next((widget for widget in last.sources.widgets if widget.name == folder), None)
        if widget is None or workspace.beacon or last.verdict.fatal:
            return None
        refused = {f"widgets/{folder}/{name}" for name in _WHOLE}
        if widget.head:
            refused.add(widget.head.relative_to(workspace.root).as_posix())
        fits = all(
            path.startswith("widgets/")
            and path.endswith(_PATCHED)
            and path not in refused
            and path in self._files
            and (workspace.root / path).is_file()
            for path in changed
        )
        return widget if fits else None

    def _patch(
        self, last: UnwrittenBuild, widget: Widget, changed: Collection[str], languages: Collection[str]
    ) -> WidgetPatch | None:
        name, workspace = widget.name, last.sources.workspace
        findings = Findings()
        widget = self.session.sources.widgets.read(widget.folder, workspace.languages, findings) or widget
        if has_errors(findings.diagnostics):
            raise Faulty(tuple(findings.diagnostics))
        wanted = _own(workspace, languages)
        kill_switch = any(planned.kill_switch for planned in last.sources.planned_snippets)
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
        after = self._css(built, widget)
        before = self._styles.get(name, "")
        if before != after and not (before and after):
            return None
        self._is_patched = True
        self._files |= built.sources.files
        self._styles[name] = after
        was_interactive, self._interactive = (
            name in self._interactive,
            self._interactive - {name} | built.interactive,
        )
        only_style = (
            all(path.endswith(".css") for path in changed)
            and widget.isolation is Isolation.SCOPED
            and was_interactive == (name in self._interactive)
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
                workspace = None if self._is_broken else self._last_workspace() or self.read()
            except AwningError:
                workspace = None
            if workspace is None or name not in {widget.name for widget in workspace.widgets}:
                return {}
            options = BuildOptions(only=(name,), dev=True, inspects=False, adds=True, weighs=False)
            built = run_phases(workspace, options, self.environ, self.session)
            snippets = built.assembled.snippets if built.assembled else ()
            return {snippet.planned.path: snippet.content.decode() for snippet in snippets}

    def _last_workspace(self) -> Workspace | None:
        return None if self._last is None else self._last.sources.workspace

    def _css(self, built: UnwrittenBuild, widget: Widget) -> str:
        """Return the widget's style sheet as it is in a snippet; empty when the widget has none."""
        output = built.outputs.get(style_entry(widget.name))
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
                script=built.outputs[planned.entry].code.decode() if planned.compiled else "",
                data=planned.reads_app_data,
            ),
            sources.dialect,
        )
        for planned in sources.planned_snippets
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveBuild:
    """A build of the whole app.

    `error` has all diagnostics of the build, if some are errors (which did not prevent the build); else it is None.
    `is_shown` is whether pages that applied every patch already show this build.
    """

    result: BuildResult
    error: Faulty | None
    is_shown: bool
