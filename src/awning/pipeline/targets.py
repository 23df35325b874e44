"""The targets of `awning check PATHS`: finds them, inspects them, and fixes their scripts.

A path is a workspace, a widget, a shared folder, or a folder or file of scripts, in a workspace or outside of one. All
widgets of one workspace are one target, and all its single files and shared folders are another, so that a workspace is
not inspected for each path.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from awning.check.files import ENDINGS, script_files
from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.errors import AwningError, ConfigurationError
from awning.pipeline.incremental import inspect_workspace
from awning.pipeline.verdict import Verdict
from awning.workspace.author_file import rewrite_file
from awning.workspace.root import find_workspace
from awning.workspace.sources import encoding_error, find_sources, read_source


def script_findings(path: str, text: str, dialect: Dialect) -> list[Diagnostic]:
    """Return what the rules for scripts find in one text, without what its comments silence."""
    from awning.check.files import check_text  # noqa: PLC0415 - imports the parser
    from awning.check.suppressions import remove_ignored  # noqa: PLC0415

    return remove_ignored(check_text(path, text, dialect).diagnostics, lambda _path: text)


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseScripts:
    """Scripts that are in no folder below widgets/ of a workspace.

    Diagnostics name a script by its path from `base`, or by its whole path if it is not below `base`.
    """

    base: Path
    files: tuple[Path, ...]
    dialect: Dialect = field(default_factory=Dialect)

    def inspect(self) -> Verdict:
        fatal: list[Diagnostic] = []
        others: list[Diagnostic] = []
        for file in self.files:
            path = (file.relative_to(self.base) if file.is_relative_to(self.base) else file).as_posix()
            content = read_source(file, path)
            if isinstance(content, Diagnostic):
                fatal.append(content)
                continue
            fatal += filter(None, [encoding_error(content, path)])
            text = content.decode("utf-8", "replace").removeprefix("\ufeff")
            others += script_findings(path, text, self.dialect)
        return Verdict(fatal=tuple(fatal), others=tuple(others))

    def scripts(self) -> Iterable[Path]:
        """Return the scripts that may be fixed."""
        return self.files


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceFiles:
    """A workspace, or some of its widgets, or some of its files.

    `widgets` names the widgets that are inspected; if it is empty, all are. If `files` is not empty, only diagnostics
    in these files are reported, and only these files are fixed. A folder in `files` stands for all files below it.
    """

    root: Path
    widgets: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    types: bool = True

    @property
    def dialect(self) -> Dialect:
        return dialect_of(self.root)

    def inspect(self) -> Verdict:
        verdict = inspect_workspace(self.root, only=self.widgets, types=self.types)
        if not self.files:
            return verdict

        def in_files(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
            return tuple(d for d in diagnostics if d.place is not None and self._is_selected(d.place.path))

        fatal, others = in_files(verdict.fatal), in_files(verdict.others)
        if verdict.fatal and not fatal:
            # An error in another file may have ended the inspection before the rules for scripts ran.
            scripts = LooseScripts(
                base=self.root, files=tuple(self.scripts()), dialect=self.dialect
            ).inspect()
            fatal, others = scripts.fatal, tuple(dict.fromkeys((*others, *scripts.others)))
            place = verdict.fatal[0].place or "the workspace"
            unchecked = f"types, styles and templates are not checked: {place} has an error (awning check)"
            return replace(verdict, fatal=fatal, others=others, unchecked=unchecked)
        return replace(verdict, fatal=fatal, others=others)

    def scripts(self) -> Iterator[Path]:
        """Yield the scripts that may be fixed: the selected ones below widgets/, without links out of the workspace."""
        sources = find_sources(self.root)
        refused = {diagnostic.place.path for diagnostic in sources.diagnostics if diagnostic.place}
        for path in sources.paths:
            is_script = path.startswith("widgets/") and path.endswith(ENDINGS) and path not in refused
            if is_script and self._is_selected(path):
                yield self.root / path

    def _is_selected(self, path: str) -> bool:
        if not self.files:
            return not self.widgets or path.split("/")[1] in self.widgets
        return (self.root / path) in self._selected or not self._selected.isdisjoint(
            (self.root / path).parents
        )

    @property
    def _selected(self) -> frozenset[Path]:
        return frozenset(self.files)


CheckTarget = LooseScripts | WorkspaceFiles


def check_targets(paths: Iterable[Path], *, types: bool = True) -> Iterator[CheckTarget]:
    """Yield the targets of the paths; the workspace around the current folder when there is no path.

    Raises ConfigurationError for a path that does not exist or has nothing to check. Without a path, it raises this
    error when the current folder is not in a workspace. Without `types`, their type errors are not looked for.
    """
    paths = tuple(paths)
    if not paths:
        yield WorkspaceFiles(root=find_workspace(Path.cwd()), types=types)
        return
    widgets: dict[Path, set[str]] = {}
    files: dict[Path, list[Path]] = {}
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"{path} does not exist")
        root = workspace_around(path)
        inside = path_in_workspace(path, root).parts if root else ()
        if root is None or (inside and inside[0] != "widgets") or (path.is_file() and len(inside) < 3):  # noqa: PLR2004
            yield _loose_scripts(path, dialect_of(root) if root else Dialect())
        elif path.is_file() or _is_shared(inside):
            files.setdefault(root, []).append(root.joinpath(*inside))
        else:
            widgets.setdefault(root, set()).add(inside[1] if len(inside) > 1 else "")
    for root, names in widgets.items():
        chosen = () if "" in names else tuple(sorted(names))
        yield WorkspaceFiles(root=root, widgets=chosen, types=types)
    for root, listed in files.items():
        folders = {file.relative_to(root).parts for file in listed}
        # The check of a shared file depends on the widgets that use it, so all widgets are inspected.
        inspected = () if any(map(_is_shared, folders)) else tuple(sorted({parts[1] for parts in folders}))
        yield WorkspaceFiles(root=root, widgets=inspected, files=tuple(sorted(set(listed))), types=types)


def fix_scripts(target: CheckTarget) -> Iterator[tuple[Path, int]]:
    """Fix the scripts of a target. Yields each changed file and the number of its fixes.

    A file that cannot be read or is not UTF-8 stays unchanged. Raises ConfigurationError for one that is read-only.
    """
    from awning.check.fixing import apply_fixes  # noqa: PLC0415 - imports the parser

    dialect = target.dialect
    for file in target.scripts():
        content = read_source(file, str(file))
        if isinstance(content, Diagnostic):
            continue
        text, count = apply_fixes(file.name, content.decode("utf-8", "replace"), dialect)
        if count and content.decode("utf-8", "replace").encode() == content:
            rewrite_file(file, text)
            yield file, count


def merge_inspections(inspections: Iterable[Verdict], baseline: Path | None) -> Verdict:
    """Return the verdicts of several targets as one verdict. It has each diagnostic once.

    `baseline` replaces the baselines of the targets. If it is None, the baseline of the first target that has one is
    used.
    """
    inspections = tuple(inspections)
    return Verdict(
        fatal=tuple(dict.fromkeys(diagnostic for verdict in inspections for diagnostic in verdict.fatal)),
        others=tuple(dict.fromkeys(diagnostic for verdict in inspections for diagnostic in verdict.others)),
        baseline=baseline or next((verdict.baseline for verdict in inspections if verdict.baseline), None),
        unchecked=next((verdict.unchecked for verdict in inspections if verdict.unchecked), None),
    )


def update_baseline(verdict: Verdict) -> Path:
    """Write all diagnostics except the fatal ones to the baseline's file, and return that file.

    Raises ConfigurationError when neither `--baseline` nor pyproject.toml names a file.
    """
    from awning.check.baseline import write_baseline  # noqa: PLC0415 - rarely needed

    if verdict.baseline is None:
        hint = '--baseline FILE --update-baseline, or baseline = "FILE" in [tool.awning]'
        raise ConfigurationError("--update-baseline needs a file", hint=hint)
    write_baseline(verdict.baseline, verdict.others)
    return verdict.baseline


def dialect_of(root: Path) -> Dialect:
    """Return the dialect of the workspace's profile; the default one when the profile cannot be read."""
    from awning.workspace.reader import read_profile  # noqa: PLC0415 - rarely needed

    try:
        return read_profile(root).dialect
    except AwningError:
        return Dialect()


def _is_shared(parts: Sequence[str]) -> bool:
    """Return whether a path of a workspace is in a shared folder, or is one: `widgets/_shared/...`."""
    return len(parts) > 1 and parts[1].startswith("_")


def path_in_workspace(path: Path, root: Path) -> Path:
    """Return the path relative to the workspace.

    Links below the workspace are not followed, because a widget may be a link to a folder elsewhere.
    """
    written = Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the link
    parent = next((folder for folder in (written, *written.parents) if folder.resolve() == root), None)
    return written.relative_to(parent) if parent else path.resolve().relative_to(root)


def workspace_around(path: Path) -> Path | None:
    """Return the workspace around a path; None also for a path that no file can have, such as one that is too long."""
    try:
        return find_workspace(path if os.path.isdir(path) else path.parent)  # noqa: PTH112 - never fails
    except (ConfigurationError, OSError):
        return None


def _loose_scripts(path: Path, dialect: Dialect) -> LooseScripts:
    """Return the script at a path, or the scripts in the folder at that path.

    Raises ConfigurationError for a file that is not a script, or a folder without scripts.
    """
    if path.is_file() and not path.name.endswith(ENDINGS):
        raise ConfigurationError(
            f"{path} is not a script", hint=f"files that are checked end with {' '.join(ENDINGS)}"
        )
    files = (path,) if path.is_file() else tuple(script_files(path))
    if not files:
        hint = f"a workspace, a widget, or files that end with {' '.join(ENDINGS)}"
        raise ConfigurationError(f"{path} contains nothing to check", hint=hint)
    return LooseScripts(base=Path(), files=files, dialect=dialect)
