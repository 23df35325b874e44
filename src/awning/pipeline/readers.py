"""Which widgets read a file outside of their own folder, such as a template or a style of `widgets/_shared/`.

A build of all widgets knows it: it has the files that are bundled into each snippet, and the names that each template
includes. `SourceSet.using` adds the widgets that merely name a file, because the traits of a widget depend on it. The
scripts of a shared folder give traits to all widgets, so what such a script was before tells which widgets it changes.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TypeVar

from awning.diagnostics import has_errors
from awning.pipeline.build_session import build_session
from awning.pipeline.cache.shared_files import locked
from awning.pipeline.phases import BuildOptions, UnwrittenBuild, run_phases
from awning.pipeline.read import SCRIPT_ENDINGS, TEXT_ENDINGS, SourceFile, SourceSet, read_sources
from awning.pipeline.stage.entry_points import MIGRATIONS, find_widget_traits
from awning.script.file import ScriptFile
from awning.script.imports import levels_up
from awning.workspace.model import Workspace
from awning.workspace.widgets import TEMPLATE_ENDING

_EVERYWHERE = ("/package.json", "/tsconfig.json")
"""The names of files that can change what any import means."""
File = TypeVar("File")
_DEPTH = 2
"""The number of slashes in the path of a file directly in a widget's folder."""


def find_readers(
    workspace: Workspace,
    paths: Collection[str],
    environ: Mapping[str, str] = os.environ,
    before: Mapping[str, bytes | None] | None = None,
) -> Mapping[str, frozenset[str]] | None:
    """Return the names of the widgets that read each file from outside of its folder, by the file's path.

    `paths` are relative to the workspace, and files below widgets/, also deleted ones. A file that only its own widget
    reads is left out. The result is None when the widgets do not build, because then nothing is known. A build is only
    made for a file of a shared folder, or if a script or style may import from another widget's folder.

    `before` has the earlier contents of the files of shared folders among `paths`; None for a file that was not there.
    Without it, every widget counts as a reader of a shared script.

    Raises as `read_sources` and `run_phases` do.
    """
    with locked(workspace.cache / "build.lock"), build_session(workspace.root, lasts=False) as session:
        session.sources.look()
        sources = read_sources(workspace, session.sources)
        crosses = _crosses_folders(sources)
        asked = [path for path in paths if crosses or _folder(path).startswith("_")]
        if not asked:
            return {}
        options = BuildOptions(
            only=tuple(widget.name for widget in workspace.widgets), rules=False, for_tests=True, weighs=False
        )
        build = run_phases(workspace, options, environ, session)
        if build.assembled is None or has_errors(build.verdict.others):
            return None
        readers = _Readers(sources, build, before)
        by_path = {path: readers.of(path) - {_folder(path)} for path in asked}
        return {path: names for path, names in by_path.items() if names}


@dataclass(frozen=True)
class _Readers:
    """What each widget has read in a build of all widgets. `sources` are its files, `before` as for `find_readers`."""

    sources: SourceSet
    build: UnwrittenBuild
    before: Mapping[str, bytes | None] | None

    def of(self, path: str) -> frozenset[str]:
        """Return the names of the widgets that read a file, or that read it before it was deleted."""
        is_shared = _folder(path).startswith("_")
        is_shared_script = is_shared and path.endswith(SCRIPT_ENDINGS)
        if path.endswith(_EVERYWHERE):
            return self._names
        readers = {widget for widget, files in self._files.items() if path in files}
        if is_shared_script:
            readers |= self._changed_in_trait
        readers |= {widget for widget, names in self._included.items() if path in names}
        if path not in self.sources.files and not (is_shared and path.endswith(TEMPLATE_ENDING)):
            readers.update(self._near(_folder(path)))
        using = self.sources.using(path) if is_shared and not is_shared_script else frozenset[str]()
        return self._names if any(folder.startswith("_") for folder in using) else frozenset(readers | using)

    def _near(self, folder: str) -> Iterator[str]:
        """Yield the widgets that may have read a deleted file of a folder.

        An import of a deleted file either fails the build, or means another file of the same folder, or may be missing.
        """
        unresolved = self.build.bundle.unresolved
        for name, files in self._files.items():
            if any(path.startswith(f"widgets/{folder}/") for path in files) or files & unresolved:
                yield name

    @cached_property
    def _changed_in_trait(self) -> frozenset[str]:
        """The names of the widgets of which shared files change a trait; of all if the earlier files are not known."""
        earlier = self._earlier_sources()
        if earlier is None:
            return self._names
        now, then = find_widget_traits(self.sources), find_widget_traits(earlier)
        changes = (getattr(now, trait.name) ^ getattr(then, trait.name) for trait in fields(now))
        return frozenset[str]().union(*changes)

    def _earlier_sources(self) -> SourceSet | None:
        """Return the sources with the shared files as they were before; None if that is not known."""
        if self.before is None:
            return None
        contents = {path: each for path, each in self.before.items() if each is not None}
        earlier = {path: SourceFile(path, contents[path]) for path in contents if path.endswith(TEXT_ENDINGS)}
        if any(file.encoding_fault for file in earlier.values()):
            return None
        scripts = {
            path: ScriptFile(path=path, text=file.text, dialect=self.sources.dialect)
            for path, file in earlier.items()
            if path.endswith(SCRIPT_ENDINGS)
        }
        return replace(
            self.sources,
            files={**_without(self.sources.files, self.before), **earlier},
            scripts={**_without(self.sources.scripts, self.before), **scripts},
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(widget.name for widget in self.sources.widgets)

    @cached_property
    def _files(self) -> Mapping[str, set[str]]:
        """The paths of the files that are bundled into the snippets and migrations of each widget, by its name."""
        files: dict[str, set[str]] = {name: set() for name in self._names}
        for planned in self.build.sources.planned_snippets:
            for output in (planned.entry, *planned.style_entries):
                files[planned.unit].update(self.build.bundle.reads.get(output, ()))
        migrating = self.sources.migrating
        migrated = self.build.bundle.reads.get(MIGRATIONS, ())
        for name in migrating:  # all migrations are in one script
            files[name].update(path for path in migrated if _folder(path) not in migrating)
        return files

    @cached_property
    def _included(self) -> Mapping[str, set[str]]:
        """The paths that the templates of each widget may include from a shared folder, by the widget's name."""
        included: dict[str, set[str]] = {}
        for module in self.build.modules.values():
            names = (f"widgets/_shared/{name}" for name in module.included)
            included.setdefault(_folder(module.path), set()).update(names)
        return included


def _crosses_folders(sources: SourceSet) -> bool:
    """Return whether a script or style may import from another widget's folder."""
    return bool(sources.importing_others) or any(
        path.endswith(_EVERYWHERE)
        or (path.endswith(".css") and levels_up([file.text]) > path.count("/") - _DEPTH)
        for path, file in sources.files.items()
    )


def _without(files: Mapping[str, File], paths: Collection[str]) -> dict[str, File]:
    return {path: file for path, file in files.items() if path not in paths}


def _folder(path: str) -> str:
    """Return the name of the folder below widgets/ that a file is in."""
    return path.split("/")[1]
