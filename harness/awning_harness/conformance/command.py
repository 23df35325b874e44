"""`awning test`: finds or installs a Chromium, then runs pytest over the workspace."""

import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import click

from awning.contract import Exit
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.workspace import find_workspace
from awning_harness.browser import ensure_browser
from awning_harness.conformance.built import snippets_for

ONE_PROCESS = ("-n", "--numprocesses", "--pdb", "--headed", "-s", "--capture=no", "--collect-only", "--co")
"""With one of these, the tests are not spread over processes."""

WITHOUT_VALUE = (
    "-x",
    "-v",
    "-vv",
    "-q",
    "-s",
    "--pseudo",
    "--headed",
    "--lf",
    "--ff",
    "--collect-only",
    "--co",
)
"""Options behind which a path may come."""

EXITS = {0: Exit.DONE, 1: Exit.FINDINGS, 2: Exit.INTERRUPTED, 3: Exit.FINDINGS, 4: Exit.USAGE, 5: Exit.USAGE}
"""pytest's exit codes, as ours. 5, no test was found, is a mistake in what was asked."""


@click.command(
    name="test",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    short_help="Test every widget in a real browser.",
)
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
def test(pytest_args: tuple[str, ...]) -> None:
    """Test every widget in a real browser: its states in every language, and its own tests.

    PYTEST_ARGS go to pytest as they are. With paths of widgets, only those are built. A test that fails and a widget
    that does not build are findings; no test found is a mistake in what was asked.

    \b
    awning test                              everything
    awning test widgets/delivery-estimate    one widget
    awning test -k sold_out --headed         some tests, in a window
    awning test --pseudo                     also with accented, longer texts: what is not in the messages stands out
    """
    root = find_workspace(Path.cwd())
    refuse_missing(pytest_args, root)
    browser = ensure_browser(lambda text: click.echo(text, err=True))
    with snippets_for(root, pytest_args, root) as dist:
        environ = {**os.environ, "AWNING_BROWSER": str(browser.path)}
        built = (
            (f"--awning-built={dist}",) if dist else ()
        )  # a folder by itself would be one that has the tests
        command = [
            sys.executable,
            "-m",
            "pytest",
            *built,
            *spread(pytest_args),
            *uncoloured(environ),
            *pytest_args,
        ]
        done = subprocess.run(command, cwd=root, env=environ, check=False)
    raise click.exceptions.Exit(int(EXITS.get(done.returncode, Exit.FINDINGS)))


def uncoloured(environ: Mapping[str, str]) -> tuple[str, ...]:
    """What keeps pytest from colours where NO_COLOR is set, whatever else asks for them (no-color.org)."""
    return ("--color=no",) if environ.get("NO_COLOR") else ()


def refuse_missing(pytest_args: tuple[str, ...], here: Path) -> None:
    """Raise ConfigurationError for a path that is none. What comes behind other options may be their value."""
    if "--pyargs" in pytest_args:
        return
    for before, argument in pairwise(("", *pytest_args)):
        path = argument.split("::")[0]
        value = before.startswith("-") and before not in WITHOUT_VALUE
        if not value and not argument.startswith("-") and not (here / path).exists():
            raise ConfigurationError(f"{path} does not exist", hint=near(path, here))


def near(path: str, here: Path) -> str | None:
    """A name beside it that may have been meant."""
    folder = (here / path).parent
    beside = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return did_you_mean(Path(path).name, beside)


def spread(pytest_args: tuple[str, ...]) -> tuple[str, ...]:
    """`-n auto` where the tests are many and nobody wants to watch them one by one."""
    asked = any(
        argument.split("=")[0] in ONE_PROCESS or argument.startswith("-n") for argument in pytest_args
    )
    narrow = any(Path(argument.split("::")[0]).is_file() for argument in pytest_args)
    return () if asked or narrow or (os.cpu_count() or 1) < 2 else ("-n", "auto")  # noqa: PLR2004
