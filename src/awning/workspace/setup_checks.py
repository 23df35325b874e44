"""The lines of `awning doctor` about the workspace, its `.env` file and its state directory."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from awning.diagnostics import SetupCheck
from awning.errors import AwningError, Faulty
from awning.git import git_output
from awning.workspace.env_file import EnvFile
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace


def check_workspace(start: Path, environ: Mapping[str, str]) -> Iterator[SetupCheck]:
    """Check the workspace around `start`."""
    try:
        root = find_workspace(start)
    except AwningError as error:
        yield SetupCheck(name="workspace", state="warning", detail="no workspace here", hint=error.hint)
        return
    try:
        workspace = read_workspace(root, environ=environ)
    except Faulty as error:
        detail = f"{root}: {len(error.diagnostics)} findings"
        yield SetupCheck(name="workspace", state="missing", detail=detail, hint="run: awning check")
        return
    except AwningError as error:
        yield SetupCheck(name="workspace", state="missing", detail=error.message, hint=error.hint)
        return
    names = ", ".join(widget.name for widget in workspace.widgets) or "none"
    profile = workspace.profile
    service = without_password(profile.base_url) if profile.base_url else "no base_url"
    yield SetupCheck(name="workspace", state="ok", detail=str(root))
    yield SetupCheck(name="widgets", state="ok", detail=names)
    yield SetupCheck(name="languages", state="ok", detail=", ".join(workspace.languages))
    yield SetupCheck(name="profile", state="ok", detail=f"{profile.name} ({service})")


def check_env_file(file: EnvFile) -> Iterator[SetupCheck]:
    """Check a `.env` file. The result has the names of the variables, never their values."""
    name = file.path.name
    if file.problem is not None:
        yield SetupCheck(name=name, state="missing", detail=file.problem.message)
        return
    names = ", ".join(file.taken) or "nothing"
    overridden = f"; the environment overrides {', '.join(file.overridden)}" if file.overridden else ""
    detail = f"{file.path}: {names}{overridden}"
    if git_output(file.path.parent, "ls-files", "--", name):
        hint = f"git rm --cached {name}, name it in .gitignore, and change the secrets that were in it"
        yield SetupCheck(name=name, state="warning", detail=f"{detail}; git has it", hint=hint)
    else:
        yield SetupCheck(name=name, state="ok", detail=detail)
    for diagnostic in file.refused:
        line = diagnostic.place.line if diagnostic.place else 0
        yield SetupCheck(
            name=f"{name}:{line}", state="warning", detail=diagnostic.message, hint=diagnostic.hint
        )


def check_state_directory(path: Path) -> SetupCheck:
    """Check the state directory. The result is a warning when `git clean -fdx` would delete the directory."""
    if not path.is_dir():
        return SetupCheck(name="state", state="ok", detail=f"{path} (not made yet)")
    if not _would_git_clean(path):
        return SetupCheck(name="state", state="ok", detail=str(path))
    hint = "keep it outside of the repository: AWNING_STATE_DIR"
    return SetupCheck(
        name="state", state="warning", detail=f"{path}: git clean -fdx would delete it", hint=hint
    )


def without_password(url: str) -> str:
    """Return the URL without a user name and password."""
    scheme, separator, rest = url.partition("://")
    return f"{scheme}{separator}{rest.rsplit('@', 1)[-1]}" if separator and "@" in rest else url


def _would_git_clean(folder: Path) -> bool:
    """Return whether `git clean -fdx` would delete the folder.

    If git fails, return whether the folder is in a repository.
    """
    folder = folder.absolute()
    output = git_output(folder.parent, "clean", "-nfdx", "--", str(folder))
    if output is None:
        return any((parent / ".git").exists() for parent in folder.parents)
    return bool(output)
