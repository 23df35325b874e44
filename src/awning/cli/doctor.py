"""`awning doctor`: what is installed and found, and what is missing. Changes nothing, prints no secret."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict
from pathlib import Path

import click

import awning
from awning.bundle import ESBUILD_VERSION, find_esbuild
from awning.cli.assumptions import lines
from awning.cli.checkup import Check, State
from awning.cli.env_file import NAME, EnvFile
from awning.cli.state_path import state_path
from awning.cli.verbs import joined_verbs
from awning.client.secret import Secret, find_secret
from awning.contract import Exit
from awning.contract.assumptions import ASSUMPTIONS
from awning.errors import AwningError, Faulty
from awning.jsrc import jsrc_root
from awning.workspace import find_workspace, read_workspace

VARIABLES: Mapping[str, bool] = {
    "AWNING_PROFILE": False,
    "AWNING_BASE_URL": False,
    "AWNING_RESELLER_URL": False,
    "AWNING_PORTAL_URL": False,
    "AWNING_STATE_DIR": False,
    "AWNING_ESBUILD": False,
    "AWNING_BROWSER": False,
    "AWNING_API_KEY": True,
    "AWNING_APP_SECRET": True,
    "AWNING_AUTH_CODE": True,
    "AWNING_DATABASE_URL": True,
    "AWNING_RESELLER_PASSWORD": True,
}
"""The environment that matters, and whether its value is a secret."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.option(
    "--assumptions", "assumed", is_flag=True, help="What is assumed where the specification is silent."
)
@click.pass_obj
def doctor(env_file: EnvFile | None, *, as_json: bool, assumed: bool) -> int:
    """Say what is installed, found and missing. Exit code 1 when something that is needed is missing."""
    if assumed:
        _print_assumptions(as_json=as_json)
        return Exit.DONE
    checks = [*examine(Path.cwd(), os.environ), *([_env_file(env_file)] if env_file else [])]
    missing = any(check.state == "missing" for check in checks)
    if as_json:
        document = {"schema_version": 1, "ok": not missing, "checks": [asdict(check) for check in checks]}
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        _print(checks)
    return Exit.FINDINGS if missing else Exit.DONE


def _print_assumptions(*, as_json: bool) -> None:
    every = ASSUMPTIONS.values()
    if as_json:
        document = {"schema_version": 1, "assumptions": [asdict(assumption) for assumption in every]}
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(lines(every)))


def _print(checks: list[Check]) -> None:
    width = max(len(check.name) for check in checks)
    marks: Mapping[State, str] = {"ok": " ", "warning": "!", "missing": "x"}
    for check in checks:
        click.echo(f"{marks[check.state]} {check.name:<{width}}  {check.found}")
        if check.hint:
            click.echo(f"  {'':<{width}}  hint: {check.hint}")


def examine(here: Path, environ: Mapping[str, str]) -> Iterator[Check]:
    """Every check, in the order they are shown."""
    version = platform.python_version()
    where = f"{version} ({sys.executable}), {platform.system()} {platform.machine()}"
    yield Check(name="Python", state="ok", found=where)
    yield Check(name="awning", state="ok", found=f"{awning.__version__} ({Path(awning.__file__).parent})")
    yield _jsrc()
    yield _esbuild(environ)
    yield from _joined(environ)
    yield from _workspace(here, environ)
    yield from _state(environ)
    for name, secret in VARIABLES.items():
        yield _secret(name, environ) if secret else _variable(name, environ)


def _env_file(file: EnvFile) -> Check:
    """Which names it gave, never a value."""
    if file.problem is not None:
        return Check(name=NAME, state="missing", found=file.problem.message)
    names = ", ".join(file.taken) or "nothing"
    own = f"; the environment has its own {', '.join(file.own)}" if file.own else ""
    found = f"{file.path}: {names}{own}"
    if not _is_in_git(file.path):
        return Check(name=NAME, state="ok", found=found)
    hint = "git rm --cached .env, name it in .gitignore, and change the secrets that were in it"
    return Check(name=NAME, state="warning", found=f"{found}; git has it", hint=hint)


def _is_in_git(path: Path) -> bool:
    answer = _git(path.parent, "ls-files", "--", path.name)
    return answer is not None and bool(answer.strip())


def _variable(name: str, environ: Mapping[str, str]) -> Check:
    value = environ.get(name)
    return Check(name=name, state="ok", found=_without_password(value) if value else "not set")


def _secret(name: str, environ: Mapping[str, str]) -> Check:
    """Whether it is there, and where: found as the verbs find it, which may be in a keyring or a file."""
    if environ.get(name, "").strip():
        return Check(name=name, state="ok", found="set")
    try:
        found = find_secret(name, environ)
    except AwningError as error:
        return Check(name=name, state="warning", found=error.message, hint=error.hint)
    if found is None:
        return Check(name=name, state="ok", found="not set")
    file = environ.get(f"{name}_FILE")
    return Check(
        name=name, state="ok", found=f"set, by {name}_FILE or a keyring" if file else "set, in a keyring"
    )


def _without_password(value: str) -> str:
    """An address may carry one: `https://name:password@host`."""
    scheme, separator, rest = value.partition("://")
    return f"{scheme}{separator}{rest.rsplit('@', 1)[-1]}" if separator and "@" in rest else value


def _jsrc() -> Check:
    try:
        return Check(name="runtime", state="ok", found=str(jsrc_root()))
    except AwningError as error:
        return Check(name="runtime", state="missing", found=error.message, hint=error.hint)


def _esbuild(environ: Mapping[str, str]) -> Check:
    try:
        esbuild = find_esbuild(environ)
    except AwningError as error:
        return Check(name="esbuild", state="missing", found=error.message, hint=error.hint)
    verified = "verified" if esbuild.origin == "installed" else "not the pinned binary, not verified"
    other = esbuild.version != ESBUILD_VERSION
    return Check(
        name="esbuild",
        state="warning" if other else "ok",
        found=f"{esbuild.version} ({esbuild.origin}, {verified}) {esbuild.path}",
        hint=f"awning is tested with {ESBUILD_VERSION}" if other else None,
    )


def _joined(environ: Mapping[str, str]) -> Iterator[Check]:
    """What other packages' verbs need: they say so themselves."""
    for verb in joined_verbs().values():
        checks = verb.load_checks()
        if checks:
            yield from checks(environ)


def _workspace(here: Path, environ: Mapping[str, str]) -> Iterator[Check]:
    try:
        root = find_workspace(here)
    except AwningError as error:
        yield Check(name="workspace", state="warning", found="none here", hint=error.hint)
        return
    try:
        workspace = read_workspace(root, environ=environ)
    except Faulty as error:
        count = len(error.diagnostics)
        hint = "awning check says which"
        yield Check(name="workspace", state="missing", found=f"{root}: {count} findings", hint=hint)
        return
    except AwningError as error:
        yield Check(name="workspace", state="missing", found=error.message, hint=error.hint)
        return
    names = ", ".join(widget.name for widget in workspace.widgets) or "none"
    profile = workspace.profile
    service = _without_password(profile.base_url) if profile.base_url else "no base_url"
    yield Check(name="workspace", state="ok", found=str(root))
    yield Check(name="widgets", state="ok", found=names)
    yield Check(name="languages", state="ok", found=", ".join(workspace.languages))
    yield Check(name="profile", state="ok", found=f"{profile.name} ({service})")


def _state(environ: Mapping[str, str]) -> Iterator[Check]:
    """Where inventory and journal are: a database is tried, a directory looked at. Neither is made."""
    from awning.publish import database_url  # noqa: PLC0415 - brings SQLAlchemy

    try:
        database = database_url(environ)
    except AwningError as error:
        yield Check(name="database", state="missing", found=error.message, hint=error.hint)
        return
    if database is not None:
        yield _database(database)
        return
    with suppress(AwningError):  # neither a workspace nor AWNING_STATE_DIR: nothing is kept
        yield _state_dir(state_path(environ))


def _database(url: Secret) -> Check:
    """Asked whether it answers."""
    from awning.publish.postgres import open_postgres  # noqa: PLC0415 - brings SQLAlchemy

    try:
        with closing(open_postgres(url)) as database, database.reading():
            return Check(name="database", state="ok", found=f"{database.shown}, which answers")
    except AwningError as error:
        return Check(name="database", state="missing", found=error.message, hint=error.hint)


def _state_dir(state: Path) -> Check:
    """Inventory, releases and journal are not in git: `git clean -fdx` would take them."""
    if not state.is_dir():
        return Check(name="state", state="ok", found=f"{state} (not made yet)")
    if not _git_cleans(state):
        return Check(name="state", state="ok", found=str(state))
    hint = "keep it outside of the repository: AWNING_STATE_DIR"
    return Check(name="state", state="warning", found=f"{state}: git clean -fdx would delete it", hint=hint)


def _git_cleans(folder: Path) -> bool:
    """Asks git, without cleaning anything; where git does not say, a repository around it is reason enough."""
    whole = folder.absolute()
    answer = _git(whole.parent, "clean", "-nfdx", "--", str(whole))
    if answer is None:
        return any((parent / ".git").exists() for parent in whole.parents)
    return bool(answer.strip())


def _git(folder: Path, *arguments: str) -> str | None:
    """What git answers in `folder`; None where it does not: it is not there, or this is no repository of ours."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout if answer.returncode == 0 else None
