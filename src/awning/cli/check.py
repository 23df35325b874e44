"""`awning check`: what is wrong in a workspace or in single scripts, without building or running anything."""

import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from awning.check.files import ENDINGS, script_files
from awning.cli.report import counted, say
from awning.contract import Dialect, Exit
from awning.diagnostics import Diagnostic, Severity, has_errors
from awning.errors import AwningError, ConfigurationError
from awning.pipeline.cache.shared_files import replace_file
from awning.pipeline.incremental import inspect_workspace
from awning.pipeline.verdict import Verdict
from awning.workspace.root import find_workspace
from awning.workspace.sources import encoding_error, find_sources, read_source

FORMS = ("text", "json", "sarif", "github", "junit")


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(FORMS), default="text", show_default=True, help="How to print."
)
@click.option(
    "--fix", is_flag=True, help="Change what can be changed with certainty; each change is checked again."
)
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Report only what this file does not know. Default: what pyproject.toml names ([tool.awning] baseline).",
)
@click.option(
    "--update-baseline", is_flag=True, help="Write what is found to the baseline, and report nothing."
)
def check(
    paths: tuple[Path, ...], *, form: str, fix: bool, baseline: Path | None, update_baseline: bool
) -> int:
    """Find what is wrong in the workspace around here, or in PATHS: workspaces, widgets, folders or files of scripts.

    What is an error here is one for `awning build` and `awning dev`. Nothing is written, but by --fix and
    --update-baseline.

    Exit codes: 0 no error (warnings and notes alone are 0), 1 errors, 2 usage or configuration.
    """
    targets = list(_targets(paths))
    if fix:
        _fix(targets)
    looked = [target.look() for target in targets]
    baseline = baseline or next((one.baseline for one in looked if one.baseline), None)
    if update_baseline:
        found = _noted(looked, baseline)
    else:
        every = Verdict(
            fatal=tuple(found for one in looked for found in one.fatal),
            others=tuple(found for one in looked for found in one.others),
            baseline=baseline,
        )
        found = list(every.counted())
    found.sort(key=_first_errors)
    _print(found, form)
    return Exit.FINDINGS if has_errors(found) else Exit.DONE


def _first_errors(diagnostic: Diagnostic) -> tuple[bool, str]:
    """Sorts errors first, then by file. The order inside a file stays."""
    place = diagnostic.place
    return diagnostic.severity is not Severity.ERROR, place.path if place else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleFiles:
    """Files outside of a workspace. `base` is the folder that their paths are relative to."""

    base: Path
    files: tuple[Path, ...]
    dialect: Dialect = field(default_factory=Dialect)

    def look(self) -> Verdict:
        from awning.check.files import check_text  # noqa: PLC0415 - brings the parser
        from awning.check.suppressions import remove_ignored  # noqa: PLC0415

        broken: list[Diagnostic] = []
        others: list[Diagnostic] = []
        for file in self.files:
            path = _shown(file, self.base)
            content = read_source(file, path)
            if isinstance(content, Diagnostic):
                broken.append(content)
                continue
            broken += filter(None, [encoding_error(content, path)])
            text = _text(content)
            found = check_text(path, text, self.dialect).diagnostics
            others += remove_ignored(found, lambda _path, text=text: text)  # type: ignore[misc]
        return Verdict(fatal=tuple(broken), others=tuple(others))


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceFiles:
    """A workspace, or some of its widgets, or some of its files."""

    root: Path
    widgets: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()

    def look(self) -> Verdict:
        found = inspect_workspace(self.root, only=self.widgets)
        names = {file.relative_to(self.root).as_posix() for file in self.files}
        if not names:
            return found
        others = tuple(d for d in found.others if d.place and d.place.path in names)
        return replace(found, fatal=tuple(d for d in found.fatal if _is_of(d, names)), others=others)

    def scripts(self) -> Iterator[Path]:
        """Scripts that may be fixed: sources of the workspace, and not what a link brings from elsewhere."""
        sources = find_sources(self.root)
        refused = {diagnostic.place.path for diagnostic in sources.diagnostics if diagnostic.place}
        names = {file.relative_to(self.root).as_posix() for file in self.files}
        for path in sources.paths:
            asked = path in names if names else not self.widgets or path.split("/")[1] in self.widgets
            if path.startswith("widgets/") and asked and path.endswith(ENDINGS) and path not in refused:
                yield self.root / path


def _is_of(diagnostic: Diagnostic, names: Container[str]) -> bool:
    return diagnostic.place is not None and diagnostic.place.path in names


def dialect_of(root: Path) -> Dialect:
    from awning.workspace.reader import read_profile  # noqa: PLC0415 - as above

    try:
        return read_profile(root).dialect
    except AwningError:
        return Dialect()


def _shown(file: Path, base: Path) -> str:
    return file.relative_to(base).as_posix() if file.is_relative_to(base) else file.as_posix()


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace").removeprefix("\ufeff")


Target = SingleFiles | WorkspaceFiles


def _targets(paths: tuple[Path, ...]) -> Iterator[Target]:
    """The targets of the paths. Widgets and files of one workspace are one target."""
    if not paths:
        yield WorkspaceFiles(root=find_workspace(Path.cwd()))
        return
    widgets: dict[Path, set[str]] = {}
    files: dict[Path, list[Path]] = {}
    for path in paths:
        if not path.exists():
            raise ConfigurationError(f"{path} does not exist")
        root = _workspace_of(path)
        inside = _inside(path, root).parts if root else ()
        if root is None or (inside and inside[0] != "widgets") or (path.is_file() and len(inside) < 3):  # noqa: PLR2004
            yield _loose(path, dialect_of(root) if root else Dialect())
        elif path.is_file():
            files.setdefault(root, []).append(root.joinpath(*inside))
        else:
            widgets.setdefault(root, set()).add(inside[1] if len(inside) > 1 else "")
    yield from _together(widgets, files)


def _together(widgets: dict[Path, set[str]], files: dict[Path, list[Path]]) -> Iterator[Target]:
    for root, names in widgets.items():
        yield WorkspaceFiles(root=root, widgets=() if "" in names else tuple(sorted(names)))
    for root, listed in files.items():
        names = {file.relative_to(root).parts[1] for file in listed}
        yield WorkspaceFiles(root=root, widgets=tuple(sorted(names)), files=tuple(sorted(set(listed))))


def _inside(path: Path, root: Path) -> Path:
    """Where it is in the workspace, as it is written: a widget may be a link to a folder elsewhere."""
    written = Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the link
    around = next((folder for folder in (written, *written.parents) if folder.resolve() == root), None)
    return written.relative_to(around) if around else path.resolve().relative_to(root)


def _workspace_of(path: Path) -> Path | None:
    try:
        return find_workspace(path if path.is_dir() else path.parent)
    except ConfigurationError:
        return None


def _loose(path: Path, dialect: Dialect) -> SingleFiles:
    if path.is_file() and not path.name.endswith(ENDINGS):
        raise ConfigurationError(
            f"{path} is no script", hint=f"files that are checked end with {' '.join(ENDINGS)}"
        )
    files = (path,) if path.is_file() else tuple(script_files(path))
    if not files:
        hint = f"a workspace, a widget, or files that end with {' '.join(ENDINGS)}"
        raise ConfigurationError(f"{path} holds nothing to check", hint=hint)
    return SingleFiles(base=Path(), files=files, dialect=dialect)


def _fix(targets: list[Target]) -> None:
    from awning.check.fixing import apply_fixes  # noqa: PLC0415 - as above

    for target in targets:
        scripts = target.files if isinstance(target, SingleFiles) else target.scripts()
        dialect = target.dialect if isinstance(target, SingleFiles) else dialect_of(target.root)
        for file in scripts:
            content = read_source(file, str(file))
            if isinstance(content, Diagnostic):
                continue
            text, count = apply_fixes(file.name, content.decode("utf-8", "replace"), dialect)
            if count and content.decode("utf-8", "replace").encode() == content:
                written = file.resolve()
                mode = written.stat().st_mode
                replace_file(written, text.encode())
                written.chmod(mode)
                say(f"{file}: {count} fixed")


def _noted(looked: Iterable[Verdict], baseline: Path | None) -> list[Diagnostic]:
    """Write the baseline; what is left is what no baseline can hold."""
    from awning.check.baseline import write_baseline  # noqa: PLC0415 - as above

    if baseline is None:
        hint = '--baseline FILE --update-baseline, or baseline = "FILE" in [tool.awning]'
        raise ConfigurationError("--update-baseline needs a file", hint=hint)
    others = [found for one in looked for found in one.others]
    write_baseline(baseline, others)
    say(f"{baseline}: {len(others)} noted")
    return [found for one in looked for found in one.fatal]


def _print(found: list[Diagnostic], form: str) -> None:
    from awning.check.formats import FORMATS  # noqa: PLC0415 - as above

    text = FORMATS[form](found)
    if text:
        click.echo(text)
    if form == "text":
        say(counted(Counter(str(one.severity) for one in found)) or "nothing found")
        if found:
            say(f"awning explain {found[0].rule}: what the rule asks for")
