"""What the options and paths of `awning test` select: `--affected`, `--failed`, and paths among pytest's arguments."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from awning.diagnostics import first_few
from awning.errors import ConfigurationError, Faulty
from awning_harness.runs.choice import choose_tests
from awning_harness.runs.comparison import compare, is_revision
from awning_harness.runs.last_run import read_last_run
from awning_harness.runs.run_plan import MOST_NAMES, ChosenTests

DEFAULT_BASE = "merge base"
"""The value of `--affected` without a revision. No revision has a space in it."""
NO_TEST_RAN = "no test was run, because not every chosen widget builds"

WITHOUT_VALUE = (
    "-x",
    "-v",
    "-vv",
    "-q",
    "-s",
    "--pseudo",
    "--update-snapshots",
    "--random-order",
    "--store-durations",
    "--full-page-screenshot",
    "--headed",
    "--lf",
    "--ff",
    "--collect-only",
    "--co",
)
"""Options without a value. The argument after such an option may be a path."""


def separate_path(
    affected: str | None, pytest_args: tuple[str, ...], root: Path
) -> tuple[str | None, tuple[str, ...]]:
    """Return the revision of `--affected`, and pytest's arguments with the path that stands in its place, if it is one.

    In `awning test --affected widgets/note`, click takes the path for the revision. Raises ConfigurationError when a
    text is both.
    """
    is_path = bool(affected) and affected != DEFAULT_BASE and (root / str(affected).split("::")[0]).exists()
    if affected is None or not is_path:
        return affected, pytest_args
    if is_revision(root, affected):
        raise ConfigurationError(
            f'--affected: "{affected}" is a revision and a path',
            hint=f"for the revision, write its whole name (refs/heads/...); for the path: {affected} --affected",
        )
    return DEFAULT_BASE, (affected, *pytest_args)


def choose_affected(root: Path, revision: str, paths: Collection[str] = ()) -> ChosenTests:
    """Return the tests in paths that what differs from a revision can reach.

    Raises ConfigurationError as `compare` does, and Faulty when the workspace has errors.
    """
    comparison = compare(root, None if revision == DEFAULT_BASE else revision)
    try:
        choice = choose_tests(root, comparison.paths, contents_before=comparison.contents_before)
    except Faulty as error:
        raise without_tests(error) from error
    count = len(comparison.paths)
    compared = f"{count} {'file differs' if count == 1 else 'files differ'} from {comparison.base}"
    return replace(choice, compared=compared).within(paths)


def choose_failed(root: Path, choice: ChosenTests | None, paths: Collection[str]) -> ChosenTests:
    """Return, of a choice, the tests that failed when they last ran. Without a choice, all are chosen in the paths.

    Raises ConfigurationError when no run is recorded, and when nothing is known to have failed, but the last run did
    not reach its end.
    """
    last = read_last_run(root)
    if last is None:
        raise ConfigurationError(
            "--failed: no run of the tests is recorded here", hint="run `awning test` first"
        )
    unfinished = f"the last run did not reach its end: {last.unfinished}"
    if last.unfinished and not last.count:
        raise ConfigurationError(
            f"--failed: nothing is known to have failed, but {unfinished}", hint="`awning test` runs all"
        )
    base = choice or ChosenTests(root=str(root), everything="--failed").within(paths)
    chosen = base.only_failed(last.failed, last.unread)
    if not chosen.is_empty:
        return replace(chosen, note=f"{unfinished}; `awning test` runs all" if last.unfinished else "")
    part = f", of a part of the tests ({last.part})" if last.part else ""
    where = "reached by what differs" if chosen.compared else f"in {first_few(chosen.paths, MOST_NAMES)}"
    if last.unfinished:
        raise ConfigurationError(
            f"--failed: {last.count} failed, none of them {where}, but {unfinished}",
            hint="`awning test` runs all",
        )
    others = f"{last.count} failed, none of them {where}; `awning test --failed` runs all that failed"
    nothing = f"nothing failed in the last run{part}; `awning test` runs all"
    return replace(chosen, note=others if last.count else nothing)


def paths_among(pytest_args: Sequence[str]) -> tuple[str, ...]:
    """Return the paths among the arguments; empty with `--pyargs`.

    An argument after an option may be the option's value, so it is left out unless the option is in WITHOUT_VALUE.
    """
    if "--pyargs" in pytest_args:
        return ()
    pairs = pairwise(("", *pytest_args))
    return tuple(
        argument.split("::")[0]
        for before, argument in pairs
        if not argument.startswith("-") and (not before.startswith("-") or before in WITHOUT_VALUE)
    )


def without_tests(error: Faulty) -> Faulty:
    """Return the error with the hint that no test was run."""
    return Faulty(error.diagnostics, hint="; ".join(filter(None, [error.hint, NO_TEST_RAN])))
