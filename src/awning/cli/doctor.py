"""`awning doctor`: shows what is installed, found and missing. It prints no secret. Only --fix changes something."""

import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import click

import awning
from awning.cli.assumptions import print_assumptions
from awning.cli.report import json_option, print_result
from awning.cli.verbs import joined_verbs
from awning.client.secret import check_private, check_secret, secret_files
from awning.contract import Exit
from awning.data_schema.patterns import are_patterns_checked
from awning.diagnostics import SetupCheck, SetupState
from awning.errors import AwningError
from awning.jsrc import jsrc_root
from awning.programs import PROGRAMS, check_program
from awning.workspace.env_file import EnvFile
from awning.workspace.root import find_state_directory
from awning.workspace.setup_checks import (
    check_env_file,
    check_state_directory,
    check_workspace,
    without_password,
)
from awning.workspace.variables import VARIABLES


@click.command()
@json_option
@click.option(
    "--assumptions",
    "assumed",
    is_flag=True,
    help="Show the questions that the specification leaves open: what this app depends on, what is settled.",
)
@click.option("--fix", is_flag=True, help="Let only you read the state directory and the files of secrets.")
@click.pass_obj
def doctor(env_files: tuple[EnvFile, ...], *, as_json: bool, assumed: bool, fix: bool) -> int:
    """Show what is installed, found and missing. Exit code 1 when something necessary is missing."""
    if assumed:
        print_assumptions(os.environ, as_json=as_json)
        return Exit.DONE
    of_env_files = (check for file in env_files for check in check_env_file(file))
    checks = [*_all_checks(Path.cwd(), os.environ), *of_env_files, *_check_private(os.environ, fix=fix)]
    missing = any(check.state == "missing" for check in checks)
    documents = [check.as_json() for check in checks]
    print_result(as_json, _lines(checks), indent=2, ok=not missing, checks=documents)
    return Exit.FINDINGS if missing else Exit.DONE


def _lines(checks: Sequence[SetupCheck]) -> Iterator[str]:
    width = max(len(check.name) for check in checks)
    marks: Mapping[SetupState, str] = {"ok": " ", "warning": "!", "missing": "x"}
    for check in checks:
        yield f"{marks[check.state]} {check.name:<{width}}  {check.detail}"
        if check.hint:
            yield f"  {'':<{width}}  hint: {check.hint}"


def _all_checks(start: Path, environ: Mapping[str, str]) -> Iterator[SetupCheck]:
    version = f"{platform.python_version()} ({sys.executable}), {platform.system()} {platform.machine()}"
    yield SetupCheck(name="Python", state="ok", detail=version)
    package = f"{awning.__version__} ({Path(awning.__file__).parent})"
    yield SetupCheck(name="awning", state="ok", detail=package)
    yield _check_runtime()
    for program in PROGRAMS:
        yield check_program(program, environ)
    yield _check_patterns()
    for verb in joined_verbs().values():
        checks = verb.load_checks()
        if checks:
            yield from checks(environ)
    yield from check_workspace(start, environ)
    yield from _check_state(environ)
    for variable in VARIABLES:
        name, value = variable.name, environ.get(variable.name)
        if variable.secret:
            yield check_secret(name, environ)
        else:
            yield SetupCheck(name=name, state="ok", detail=without_password(value) if value else "not set")


def _check_runtime() -> SetupCheck:
    try:
        return SetupCheck(name="runtime", state="ok", detail=str(jsrc_root()))
    except AwningError as error:
        return SetupCheck(name="runtime", state="missing", detail=error.message, hint=error.hint)


def _check_patterns() -> SetupCheck:
    if are_patterns_checked():
        return SetupCheck(name="patterns", state="ok", detail="of a data.schema.json: checked")
    detail = "of a data.schema.json: not checked, because there is no quickjs-ng for this machine"
    return SetupCheck(name="patterns", state="warning", detail=detail)


def _check_state(environ: Mapping[str, str]) -> Iterator[SetupCheck]:
    """Check the database, or the state directory with inventory and journal. Creates neither."""
    from awning.publish.state.server import check_database, database_url  # noqa: PLC0415 - imports SQLAlchemy

    try:
        database = database_url(environ)
    except AwningError as error:
        yield SetupCheck(name="database", state="missing", detail=error.message, hint=error.hint)
        return
    if database is not None:
        yield check_database(database)
        return
    with suppress(AwningError):  # without a workspace and AWNING_STATE_DIR there is no state
        yield check_state_directory(find_state_directory(environ))


def _check_private(environ: Mapping[str, str], *, fix: bool) -> Iterator[SetupCheck]:
    """Check that others on this machine cannot read the state directory and the files of secrets."""
    from awning.publish.state.store import private_paths  # noqa: PLC0415 - imports SQLAlchemy

    if not environ.get("AWNING_DATABASE_URL"):
        with suppress(AwningError):
            yield from check_private("state access", private_paths(find_state_directory(environ)), fix=fix)
    for variable in VARIABLES:
        if variable.secret:
            files = secret_files([variable.name], environ)
            yield from check_private(f"{variable.name}_FILE", files, fix=fix)
