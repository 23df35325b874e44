"""`awning test`: finds or installs a Chromium, builds the snippets once, then runs pytest over the workspace."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from awning.cli.report import json_option
from awning.contract import Exit
from awning.diagnostics import closest
from awning.errors import ConfigurationError, Faulty
from awning.json_document import json_document
from awning.pipeline.phases import build_workspace
from awning.workspace.model import Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace
from awning_harness.browser import ensure_browser, ensure_window, require_ffmpeg
from awning_harness.run_report.results import no_results, read_results, results_file
from awning_harness.runs.browser_address import VARIABLE, browser_address, require_browser
from awning_harness.runs.child_process import run_to_end
from awning_harness.runs.chosen_tests import chosen_among, written_choice
from awning_harness.runs.last_run import begin_run
from awning_harness.runs.option_values import check_values, option_values, shard_arguments
from awning_harness.runs.run_plan import ChosenTests
from awning_harness.runs.selection import (
    DEFAULT_BASE,
    choose_affected,
    choose_failed,
    paths_among,
    separate_path,
    without_tests,
)
from awning_harness.runs.watching import watch_tests

ONE_PROCESS = ("-n", "--numprocesses", "--pdb", "--headed", "-s", "--capture=no", "--collect-only", "--co")
"""With one of these options, awning does not add `-n auto`.

`-n` sets the number of processes itself; the others need a single process.
"""

SCREENSHOTS = "--screenshot=only-on-failure"
"""A failed test leaves a screenshot, its page and its events, unless a later `--screenshot` says otherwise."""

LAST_RUN = ("-p", "awning_harness.runs.last_run")
"""A run records what failed, for `--failed`."""

REPORT = "--awning-report"
"""A run leaves a page with its checks, failures, pictures of every state, and sizes."""

EXITS = {0: Exit.DONE, 1: Exit.FINDINGS, 2: Exit.FINDINGS, 3: Exit.FINDINGS, 4: Exit.USAGE, 5: Exit.USAGE}
"""The exit code of awning for each exit code of pytest. Pytest's 5 means that no test was found: a usage error. Its 2
means a test file that cannot be read, or `pytest.exit`: an interrupt also reaches awning, as KeyboardInterrupt.
"""
NO_TESTS = 5
NOT_FOUND = (
    "awning: the tests that failed are gone, or another option leaves them out; `awning test` runs all"
)
NOTHING_AFFECTED = "awning: no test to run: what differs reaches none of those that are selected"
NOTHING_MATCHES = "awning: no test matches; `awning test --collect-only -q` lists the names"


class WithRevision(click.Command):
    """A command with the option `--affected=REV`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse a revision that begins with a hyphen: click would read it as the next option."""
        options = args[: args.index("--")] if "--" in args else args
        for argument in options:
            if argument.startswith("--affected=-"):
                revision = argument.partition("=")[2]
                raise ConfigurationError(
                    f'--affected: "{revision}" is no revision', hint="a revision does not begin with a hyphen"
                )
        return super().parse_args(ctx, args)


@click.command(
    name="test",
    cls=WithRevision,
    context_settings={"ignore_unknown_options": True},
    short_help="Test every widget in a real browser.",
)
@click.option(
    "--affected",
    metavar="[REV]",
    is_flag=False,
    flag_value=DEFAULT_BASE,
    help="Run only what the files that differ from a commit can reach; by default from where the branch began.",
)
@click.option("--watch", is_flag=True, help="Test again after each save: what the saved files can reach.")
@click.option("--failed", is_flag=True, help="Run only the tests that failed when they last ran.")
@click.option("--shard", metavar="K/N", help="Run one of N parts of the tests, of about equal time: 1/4.")
@click.option("--connect", metavar="ADDRESS", envvar=VARIABLE, help="Use a browser that already runs there.")
@json_option
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
def test(
    pytest_args: tuple[str, ...],
    *,
    affected: str | None,
    watch: bool,
    failed: bool,
    shard: str | None,
    connect: str | None,
    as_json: bool,
) -> None:
    """Test every widget in a real browser: its states in every language, and its own tests.

    PYTEST_ARGS are passed to pytest unchanged. With paths of widgets, only those widgets are built. The exit code is 1
    when a test fails, or when a widget does not build or a test file cannot be read, and 2 when no test is found. With
    --failed, it is 0 when nothing failed, and 2 when that is not known: no run is recorded, or the last did not end.

    \b
    awning test                              everything
    awning test widgets/delivery-estimate    one widget
    awning test --json                       with the failures as JSON on standard output
    awning test --affected                   what differs from the merge base with the default branch, else from HEAD
    awning test --affected=HEAD~1            what differs from another commit; git compares, new files included
    awning test -k sold-out --headed         some tests, in a window
    awning test --pseudo                     also in longer, accented texts: a text outside of the messages stands out
    awning test --tracing=retain-on-failure  with Playwright's trace of each failed test
    awning test --random-order               in random order; --random-order-seed N repeats it
    awning test --store-durations            store how long each test takes, for --shard
    awning test --update-snapshots           store what every state looks like now
    awning test --explore 100 --seed 7       also 100 schedules of events and actions beyond the fixed checks
    awning test --matrix full                all combinations of states, languages, themes and policies
    awning test --pictures all               pictures of every state in all languages; or none
    awning test --screenshot off             no screenshots; on: also of tests that pass
    awning test -- --help                    list all options, pytest's too

    A failed test leaves a screenshot, its page and its events in test-results/. The run leaves test-results/report.html
    with the checks, the failures, pictures of every state, and the sizes.
    """
    root = find_workspace(Path.cwd())
    revision, pytest_args = separate_path(affected, pytest_args, root)
    if watch and as_json:
        raise ConfigurationError("--watch and --json exclude each other", hint="leave one of them out")
    check_values(pytest_args)
    check_paths(pytest_args, root)
    check_browser_options(pytest_args, is_remote=connect is not None)
    options = shard_arguments(shard)
    if revision is not None and any(argument.startswith("--awning-dist") for argument in pytest_args):
        message = "--affected chooses by what a build reads, and --awning-dist tests another build"
        raise ConfigurationError(message, hint="leave one of them out")
    paths = paths_among(pytest_args)
    choice = None if revision is None else choose_affected(root, revision, paths)
    if failed and not watch:
        choice = choose_failed(root, choice or chosen_among(pytest_args), paths)
        if choice.is_empty:
            say_nothing_failed(choice, as_json=as_json)
            return
    for line in choice.lines() if choice else ():
        click.echo(f"awning: {line}", err=True)
    needs_none = lists_only(pytest_args) or (choice is not None and choice.is_empty and not watch)
    browser = {} if needs_none else choose_browser(connect, is_headed="--headed" in pytest_args)
    if watch:
        os.environ.update(browser)
        again = ("--failed",) if failed else ()
        watch_tests(root, (*again, *options, *pytest_args), has_paths=bool(paths), first=choice)
        return
    with written_choice(choice) as arguments:
        code = run_tests(root, (*options, *pytest_args, *arguments), browser, as_json=as_json)
    if code == NO_TESTS:
        click.echo(why_no_tests(choice), err=True)
    raise click.exceptions.Exit(int(exit_code(code, choice)))


def exit_code(code: int, choice: ChosenTests | None) -> Exit:
    """Return the exit code of the verb for that of pytest. It is no failure when a change reaches no test."""
    is_none_reached = code == NO_TESTS and choice is not None and choice.only is None
    return Exit.DONE if is_none_reached else EXITS.get(code, Exit.FINDINGS)


def why_no_tests(choice: ChosenTests | None) -> str:
    """Return why pytest found no test."""
    if choice is None:
        return NOTHING_MATCHES
    return NOTHING_AFFECTED if choice.only is None else NOT_FOUND


def say_nothing_failed(choice: ChosenTests, *, as_json: bool) -> None:
    """Say why no test that failed is chosen, and with `as_json` also print the document of a run of no test."""
    lines = [*choice.lines()]
    click.echo(f"awning: {lines[-1]}", err=True)
    if as_json:
        click.echo(json_document({"ok": True, **no_results(lines), "report": None}, indent=2))


def choose_browser(address: str | None, *, is_headed: bool) -> Mapping[str, str]:
    """Return the environment variable that names the browser for the tests. A missing browser is installed.

    Raises ConfigurationError when no browser is found and none can be installed, when AWNING_BROWSER is not a program,
    when no window can be opened although `is_headed` is true, when `address` is malformed or used with `is_headed`,
    and when nothing listens at `address`.
    """
    if address is None:
        browser = ensure_window() if is_headed else ensure_browser(lambda text: click.echo(text, err=True))
        return {"AWNING_BROWSER": str(browser.path)}
    remote = browser_address({VARIABLE: address})
    if remote is None:
        raise ConfigurationError("--connect needs an address", hint="such as ws://127.0.0.1:3000/")
    if is_headed:
        raise ConfigurationError(
            "--headed opens a window here, and --connect uses a browser that already runs"
        )
    require_browser(remote)
    return {VARIABLE: remote.url}


def run_tests(
    root: Path, pytest_args: Sequence[str], variables: Mapping[str, str], *, as_json: bool = False
) -> int:
    """Build what the tests need, run pytest, and return its exit code. Raises Faulty when a widget does not build.

    With `as_json`, standard output gets the results, and standard error what pytest prints.
    """
    with results_file() if as_json else nullcontext() as results:
        file, options = results or (None, ())
        code = _run_pytest(root, (*pytest_args, *options), variables, to_stderr=as_json)
        if file is not None:
            is_ok = exit_code(code, chosen_among(pytest_args)) is Exit.DONE
            click.echo(json_document(_document(read_results(file), code, root, is_ok=is_ok), indent=2))
    return code


def _document(results: Mapping[str, Any] | None, code: int, root: Path, *, is_ok: bool) -> Mapping[str, Any]:
    """Return the fields of the document of `--json` about a run. `code` is the exit code of pytest."""
    report = root / "test-results" / "report.html"
    if results is None:
        error = f"pytest ended with code {code} before a test ran; standard error has its message"
        return {"ok": False, "error": error}
    return {"ok": is_ok, **results, "report": str(report) if report.is_file() else None}


def _run_pytest(
    root: Path, pytest_args: Sequence[str], variables: Mapping[str, str], *, to_stderr: bool
) -> int:
    if not lists_only(pytest_args):
        begin_run(root)
    with build_snippets(root, pytest_args, root) as dist:
        environ = {**os.environ, **variables}
        # One argument, because pytest would read a separate argument as a folder with tests.
        built = (f"--awning-built={dist}",) if dist else ()
        command = [
            sys.executable,
            "-m",
            "pytest",
            *built,
            *process_arguments(pytest_args),
            *color_arguments(environ),
            SCREENSHOTS,
            REPORT,
            *LAST_RUN,
            *pytest_args,
        ]
        return run_to_end(command, cwd=root, environ=environ, to_stderr=to_stderr)


def color_arguments(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the pytest option that turns colours off if NO_COLOR is set (no-color.org), else an empty tuple."""
    return ("--color=no",) if environ.get("NO_COLOR") else ()


def check_browser_options(pytest_args: Sequence[str], *, is_remote: bool) -> None:
    """Raise ConfigurationError for a browser other than Chromium, and for videos without Playwright's ffmpeg.

    `is_remote` means that the browser already runs elsewhere (`--connect`). Then no ffmpeg is needed here.
    """
    for option, value in option_values(pytest_args):
        if option == "--browser" and value != "chromium":
            raise ConfigurationError(
                f"awning tests in Chromium, not in {value}",
                hint="Leave --browser out. Your own tests can use another browser with pytest itself.",
            )
        if option == "--video" and value != "off" and not is_remote:
            require_ffmpeg()


def check_paths(pytest_args: tuple[str, ...], here: Path) -> None:
    """Check the paths among the arguments.

    Raises ConfigurationError when a path does not exist, or is a file of a widget without tests of its own.
    """
    for path in paths_among(pytest_args):
        file = here / path
        if not file.exists():
            raise ConfigurationError(f"{path} does not exist", hint=suggest_path(path, here))
        if file.is_file() and (folder := widget_around(file, here)) and not has_tests(file):
            hint = f"name the widget's folder: awning test {folder}"
            raise ConfigurationError(f"{path} has no tests of its own", hint=hint)


def widget_around(file: Path, here: Path) -> str | None:
    """Return the folder of the widget that a file is in, as seen from `here`; None outside of all widgets."""
    beside = here / "widgets"
    inner = file.relative_to(beside).parts if file.is_relative_to(beside) else ()
    has_widget = bool(inner) and (beside / inner[0] / "widget.toml").is_file()
    return f"widgets/{inner[0]}" if has_widget else None


def has_tests(file: Path) -> bool:
    """Return whether a file of a widget is a test file: Python, or `widget.toml`, whose tests are the checks."""
    return file.suffix == ".py" or file.name == "widget.toml"


def suggest_path(path: str, here: Path) -> str | None:
    """Return a hint with the path of a similar name in the same folder; None when no name is similar."""
    folder = (here / path).parent
    beside = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    close = closest(Path(path).name, beside)
    return f'did you mean "{Path(path).with_name(close)}"?' if close else None


def process_arguments(pytest_args: Sequence[str]) -> tuple[str, ...]:
    """Return `-n auto`; an empty tuple with an option of ONE_PROCESS, with a path of a file, or on a single CPU.

    It is also empty when a choice has no test.
    """
    asked = any(
        argument.split("=")[0] in ONE_PROCESS or argument.startswith("-n") for argument in pytest_args
    )
    narrow = any(Path(argument.split("::")[0]).is_file() for argument in pytest_args)
    choice = chosen_among(pytest_args)
    narrow = narrow or (choice is not None and choice.is_empty)
    return () if asked or narrow or (os.cpu_count() or 1) < 2 else ("-n", "auto")  # noqa: PLR2004


LISTS_ONLY = frozenset(
    {"--collect-only", "--co", "--help", "-h", "--version", "-V", "--fixtures", "--markers"}
)
"""With one of these options, no test runs."""


def lists_only(pytest_args: Sequence[str]) -> bool:
    return not LISTS_ONLY.isdisjoint(pytest_args)


@contextmanager
def build_snippets(root: Path, pytest_args: Sequence[str], here: Path) -> Iterator[Path | None]:
    """Yield a folder with the snippets of the selected widgets; None if no snippets are needed.

    They are built once before pytest starts, so a failure is reported once and not by every test of every process. A
    test that needs the whole app builds it. Raises Faulty when a widget does not build.
    """
    if lists_only(pytest_args) or any(argument.startswith("--awning-dist") for argument in pytest_args):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="awning-test-") as folder:
        dist = Path(folder) / "dist"
        try:
            workspace = read_workspace(root)
            selected = select_widgets(workspace, pytest_args, here)
            if selected is None:
                yield None
                return
            build_workspace(workspace, out=dist, only=selected, environ=os.environ, for_tests=True)
        except Faulty as error:
            raise without_tests(error) from error
        yield dist


def select_widgets(workspace: Workspace, pytest_args: Sequence[str], here: Path) -> tuple[str, ...] | None:
    """Return the names of the widgets whose tests are chosen, and that contain the paths among the arguments.

    An empty tuple stands for all widgets, and None for none. All are needed if there are neither a choice nor paths, or
    for tests outside of all widgets.
    """
    named = widgets_named(workspace, pytest_args, here)
    choice = chosen_among(pytest_args)
    if choice is None or choice.everything or (choice.app and choice.has_app_tests):
        return named
    names = tuple(widget.name for widget in workspace.widgets if widget.name in choice.widgets)
    return tuple(name for name in names if not named or name in named) or None


def widgets_named(workspace: Workspace, pytest_args: Sequence[str], here: Path) -> tuple[str, ...]:
    """Return the names of the widgets that contain the paths among the arguments.

    An empty tuple stands for all widgets. It is returned if there are no paths, or if a path is outside of all widgets.
    """
    paths = [here / path for path in paths_among(pytest_args)]
    chosen: dict[str, None] = {}
    for path in (path.resolve() for path in paths if path.exists()):
        names = [widget.name for widget in workspace.widgets if path.is_relative_to(widget.folder.resolve())]
        if not names:
            return ()
        chosen[names[0]] = None
    return tuple(chosen)
