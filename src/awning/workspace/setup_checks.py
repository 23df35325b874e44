"""The lines of `awning doctor` about the workspace, its `.env` file and its state directory."""

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from awning.diagnostics import SetupCheck
from awning.errors import AwningError, Faulty
from awning.workspace.env_file import NAME, EnvFile
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace

GIT_TIMEOUT_S = 20


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


def check_env_file(file: EnvFile) -> SetupCheck:
    """Check the `.env` file. The result has the names of the variables, never their values."""
    if file.problem is not None:
        return SetupCheck(name=NAME, state="missing", detail=file.problem.message)
    names = ", ".join(file.taken) or "nothing"
    overridden = f"; the environment overrides {', '.join(file.overridden)}" if file.overridden else ""
    detail = f"{file.path}: {names}{overridden}"
    tracked = _git(file.path.parent, "ls-files", "--", file.path.name)
    if tracked is None or not tracked.strip():
        return SetupCheck(name=NAME, state="ok", detail=detail)
    hint = "git rm --cached .env, name it in .gitignore, and change the secrets that were in it"
    return SetupCheck(name=NAME, state="warning", detail=f"{detail}; git has it", hint=hint)


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
    output = _git(folder.parent, "clean", "-nfdx", "--", str(folder))
    if output is None:
        return any((parent / ".git").exists() for parent in folder.parents)
    return bool(output.strip())


def _git(folder: Path, *arguments: str) -> str | None:
    """Return the output of git in `folder`; None when git is missing or fails, as it does without a repository."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=GIT_TIMEOUT_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return result.stdout if result.returncode == 0 else None
