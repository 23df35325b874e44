"""`awning doctor`: shows what is installed, found and missing. It prints no secret. Only --fix changes something.

With --assumptions: what is guessed, what is settled, and what this app depends on.
"""

import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import click

import awning
from awning.cli.report import json_option, print_result, say
from awning.cli.verbs import joined_verbs
from awning.client.secret import check_private, check_secret, secret_files
from awning.contract import Exit
from awning.contract.assumptions import ASSUMPTION_SETS, ASSUMPTIONS, DEFAULT_SET, Assumption
from awning.contract.assumptions.subjects import Uses, users_of
from awning.data_schema.patterns import are_patterns_checked
from awning.diagnostics import SetupCheck, SetupState, first_few
from awning.errors import AwningError, ConfigurationError
from awning.jsrc import jsrc_root
from awning.programs import PROGRAMS, check_program
from awning.workspace.env_file import EnvFile
from awning.workspace.model import Profile, SettledAnswer
from awning.workspace.reader import find_profile
from awning.workspace.root import find_state_directory, find_workspace
from awning.workspace.setup_checks import (
    check_env_file,
    check_state_directory,
    check_workspace,
    without_password,
)
from awning.workspace.variables import VARIABLES

MOST_USERS = 4
"""The most users of an assumption that a line names."""
Basis = Literal["guess", "observed", "probe", "capture", "hand"]


@dataclass(frozen=True, kw_only=True)
class KnownAssumption:
    """An assumption, with what is known of it for one profile and one app.

    `used_by` is what in the app depends on it; None without a workspace that can be read.
    """

    assumption: Assumption
    settled: SettledAnswer | None
    used_by: tuple[str, ...] | None

    @cached_property
    def basis(self) -> Basis:
        """Why its answer is believed: it was settled for the profile, observed at a live service, or is a guess."""
        if self.settled is not None:
            return self.settled.by
        return "observed" if self.assumption.is_observed else "guess"

    @property
    def answer(self) -> str:
        return self.settled.answer if self.settled else self.assumption.sets[DEFAULT_SET]

    @property
    def way(self) -> str | None:
        """How a user can settle it; None when awning has no way."""
        from awning.probe.probes import PROBES  # noqa: PLC0415 - imports SQLAlchemy

        if self.assumption.fields:
            return "awning payload check FILE --settle"
        probe = PROBES.get(self.assumption.id)
        if probe is None:
            return None
        more = " --throwaway" if probe.leaves else ""
        return f"awning probe --instance ID --only {self.assumption.id}{more}"

    def as_json(self) -> dict[str, Any]:
        return {
            **self.assumption.as_json(),
            "answer": self.answer,
            "basis": self.basis,
            "on": self.settled.on if self.settled else None,
            "service": self.settled.service if self.settled else None,
            "used_by": None if self.used_by is None else list(self.used_by),
            "settle": self.way,
        }


def print_assumptions(environ: Mapping[str, str], *, as_json: bool) -> None:
    profile, uses = find_profile(None, environ), _find_uses(environ)
    known = [
        KnownAssumption(
            assumption=assumption,
            settled=profile.settled.get(assumption.id),
            used_by=None if uses is None else users_of(assumption, uses),
        )
        for assumption in ASSUMPTIONS.values()
    ]
    documents = [each.as_json() for each in known]
    print_result(as_json, _listing(known, profile), indent=2, profile=profile.name, assumptions=documents)


def _listing(known: list[KnownAssumption], profile: Profile) -> Iterator[str]:
    yield f"Answers of the sets {' / '.join(ASSUMPTION_SETS)}, or the settled one."
    width = max(map(len, ASSUMPTIONS))
    for heading, listed in _groups(known, profile):
        if listed:
            yield f"\n{heading} ({len(listed)})"
        for each in listed:
            yield from (line.rstrip() for line in _assumption_lines(each, width))


def _find_uses(environ: Mapping[str, str]) -> Uses | None:
    """Return what the app of this folder uses; None outside of a workspace, and when it cannot be read."""
    try:
        root = find_workspace(Path.cwd())
    except ConfigurationError:
        return None
    from awning.pipeline.uses import find_uses  # noqa: PLC0415 - reads and compiles the app

    try:
        return find_uses(root, environ)
    except AwningError as error:
        say("note: which assumptions this app depends on is not known, because it has errors: awning check")
        say(f"  {error.message.partition(chr(10))[0]}")
        return None


def _groups(known: list[KnownAssumption], profile: Profile) -> Iterator[tuple[str, list[KnownAssumption]]]:
    """Yield the headings, each with its assumptions: first the guesses that the app depends on."""
    open_ones = [each for each in known if each.settled is None]
    used = [each for each in open_ones if each.used_by]
    yield "This app depends on these guesses", [each for each in used if each.basis == "guess"]
    yield f'Settled for the profile "{profile.name}"', [each for each in known if each.settled]
    yield (
        "This app depends on these answers, observed at other services",
        [each for each in used if each.basis == "observed"],
    )
    rest = [each for each in open_ones if not each.used_by]
    for side in dict.fromkeys(each.assumption.side for each in rest):
        others = "" if rest[0].used_by is None else ", not used by this app"
        yield f"Of {side}{others}", [each for each in rest if each.assumption.side == side]


def _assumption_lines(each: KnownAssumption, width: int) -> Iterator[str]:
    assumption = each.assumption
    settled = each.settled
    answers = " / ".join(assumption.sets[name] for name in ASSUMPTION_SETS)
    if settled:
        answers = ", ".join(filter(None, (settled.answer, settled.by, settled.on, settled.service)))
    yield f"  {assumption.id:<{width}}  {answers}{'' if settled else f'  [{each.basis}]'}"
    yield f"  {'':<{width}}  {assumption.question}"
    if each.used_by:
        yield f"  {'':<{width}}  used by {first_few(each.used_by, MOST_USERS)}"
    if each.way and not settled:
        yield f"  {'':<{width}}  settle it: {each.way}"


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
