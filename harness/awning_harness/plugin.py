"""pytest's options and fixtures. The work is in `awning_harness.testing` and `awning_harness.shop`.

pytest loads this module wherever awning is installed, even without the harness's dependencies or outside workspaces. So
the module imports what needs these dependencies only when it is used.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from awning_harness.checks.snapshots.outcomes import add_options as add_snapshot_options
from awning_harness.explore import add_options as add_explore_options

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from playwright.sync_api import Browser, BrowserType

    from awning_harness.checks.collector import WidgetFile
    from awning_harness.shop import Shop
    from awning_harness.testing import Storefront
    from awning_harness.visit.frames.globals import GlobalsWithoutApps
    from awning_harness.visit.frames.widget import WidgetBench
    from awning_harness.visit.pages.tabs import Recording, Tabs

pytest_plugins = (
    "awning_harness.runs.processes",
    "awning_harness.explore",
    "awning_harness.fixtures",
    "awning_harness.fixtures.widget",
    "awning_harness.fixtures.endless_widgets",
)

OPENED = pytest.StashKey[list["Storefront | WidgetBench"]]()
"""The storefronts and benches of a test, in the order in which they were opened."""
FOLDER = pytest.StashKey[str]()
"""The folder for the files that a test leaves."""
REPLAYED = pytest.StashKey[dict[tuple[str, ...], str]]()
"""The tests whose visits were played again, by the cause of their failure."""
ISOLATIONS = ("origin", "context")
SOURCES = ("widget.toml", "pyproject.toml", "test_*.py")
"""Files that show that a folder has sources and not only results, so that it must not be emptied."""
HARNESS_INSTALLED = find_spec("playwright") is not None and find_spec("starlette") is not None


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("awning")
    group.addoption(
        "--awning-dist",
        metavar="DIR",
        default=None,
        help="test the snippets in DIR instead of building them from the workspace",
    )
    group.addoption(
        "--awning-built",
        metavar="DIR",
        default=None,
        help="like --awning-dist, but DIR holds only some widgets; others are built when a test needs them",
    )
    add_explore_options(group)
    add_snapshot_options(group)
    group.addoption(
        "--awning-report",
        action="store_true",
        help="write report.html with pictures of every state to the folder of --output, as awning test does",
    )
    group.addoption(
        "--isolation",
        choices=ISOLATIONS,
        default="origin",
        help="what each storefront test has of its own: an origin in a kept tab, or a browser context, which is slower",
    )
    group.addoption(
        "--pseudo",
        action="store_true",
        help="also test every state in the pseudo-language, whose texts are longer and have accents and brackets",
    )
    group.addoption(
        "--matrix",
        choices=("pairs", "full"),
        default="pairs",
        help="how the checks combine states, languages, themes, policies and assumptions: every pair of them, or all",
    )


def pytest_configure(config: pytest.Config) -> None:
    if HARNESS_INSTALLED:
        config.pluginmanager.import_plugin("awning_harness.checks.outcomes")
        config.pluginmanager.import_plugin("awning_harness.checks.snapshots.outcomes")
        config.pluginmanager.import_plugin("awning_harness.run_report.summary")
        config.pluginmanager.import_plugin("awning_harness.run_report.recorder")
        config.pluginmanager.import_plugin("awning_harness.checks.fixtures")
    config.addinivalue_line(
        "markers",
        "isolation(kind): 'context' gives the test's storefront a new browser context, 'origin' an origin of its own",
    )
    config.addinivalue_line(
        "markers",
        "unit(name): the widget, or 'app', that the fixtures are about; by default the widget in whose folder the test "
        "is, else the whole app",
    )
    config.addinivalue_line(
        "markers",
        "allow_problems(*parts, reason): problems of the page that do not fail the test; a part is of their text",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Empty the folder of `--output` before the tests, once for all processes.

    Raises UsageError when that folder has sources or contains the project. Also raises it when `--video` is used with a
    local browser and Playwright's ffmpeg is not installed.
    """
    config = session.config
    if (
        HARNESS_INSTALLED
        and config.getoption("--video") != "off"
        and not os.environ.get("AWNING_BROWSER_ADDRESS")
    ):
        from awning.errors import ConfigurationError  # noqa: PLC0415
        from awning_harness.browser import require_ffmpeg  # noqa: PLC0415

        try:
            require_ffmpeg()
        except ConfigurationError as error:
            raise pytest.UsageError(str(error)) from error
    output = config.getoption("--output", default=None)
    if not HARNESS_INSTALLED or not output or hasattr(config, "workerinput") or config.option.collectonly:
        return
    folder = Path(output).resolve()
    has_sources = any(path.is_file() for name in SOURCES for path in folder.rglob(name))
    if has_sources or config.rootpath.resolve().is_relative_to(folder):
        raise pytest.UsageError(
            f"--output {output} would be emptied, and has sources; name a folder of its own"
        )
    shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """If `-x` has stopped the run, set the exit status to that of failed tests, as it is in a single process.

    With several processes, pytest-xdist sets it to that of a run that the user has interrupted.
    """
    leave_out_hypothesis(session.config)
    processes = session.config.pluginmanager.getplugin("dsession")
    is_stopped = bool(getattr(processes, "shouldstop", False))
    if is_stopped and session.exitstatus == pytest.ExitCode.INTERRUPTED:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def leave_out_hypothesis(config: pytest.Config) -> None:
    """Take Hypothesis out of the summary of a run that did not use it: it would be imported there, which takes long."""
    plugins = config.pluginmanager
    is_unused = "hypothesis" not in sys.modules and not plugins.hasplugin("dsession")
    if is_unused and plugins.hasplugin("hypothesispytest"):
        plugins.unregister(name="hypothesispytest")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """At the end of a test, fail it if its pages have problems that no marker allows."""
    yield
    if all_opened := item.stash.get(OPENED, []):
        from awning_harness.visit.pages.problems import require_none  # noqa: PLC0415

        require_none([problem for opened in all_opened for problem in opened.problems()], item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the open pages of a test to its report, while they are still there. The traceback ends in the test."""
    if call.excinfo and HARNESS_INSTALLED:
        from awning_harness.fixtures.tracebacks import end_in_test  # noqa: PLC0415

        end_in_test(call.excinfo, item)
    report = yield
    all_opened = item.stash.get(OPENED, [])
    if report.when == "call" and all_opened:
        from awning_harness.evidence import EvidenceOptions, ReplayRequest, add_evidence  # noqa: PLC0415

        request = call.excinfo and ReplayRequest(
            error=call.excinfo.value,
            test=item.nodeid,
            is_check=any(name == "check" for name, _ in item.user_properties),
            replayed=item.config.stash.setdefault(REPLAYED, {}),
        )
        for number, opened in enumerate(all_opened, 1):
            folder = Path(item.stash[FOLDER], *(() if number == 1 else (str(number),)))
            add_evidence(report, opened, EvidenceOptions.by(item.config, folder), request)
    return report


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> WidgetFile | None:
    """Collect the checks of a widget from its `widget.toml`."""
    if file_path.name != "widget.toml" or not HARNESS_INSTALLED:
        return None
    from awning_harness.checks.collector import WidgetFile  # noqa: PLC0415

    return WidgetFile.from_parent(parent, path=file_path)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if HARNESS_INSTALLED and not {"state", "situation"}.isdisjoint(metafunc.fixturenames):
        from awning_harness.checks.collector import parametrize_check  # noqa: PLC0415

        parametrize_check(metafunc)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_name: str, pytestconfig: pytest.Config
) -> dict[str, Any]:
    """Launch the Chromium that awning finds, unless pytest-playwright's options or the environment choose a browser."""
    from awning_harness.browser import ensure_browser, ensure_window, launch_arguments  # noqa: PLC0415
    from awning_harness.runs.browser_address import VARIABLE  # noqa: PLC0415

    is_chosen = (
        os.environ.get(VARIABLE)
        or "channel" in browser_type_launch_args
        or "executable_path" in browser_type_launch_args
    )
    if is_chosen or browser_name != "chromium":
        return browser_type_launch_args
    chromium = ensure_window() if pytestconfig.getoption("--headed") else ensure_browser(print)
    arguments = [*browser_type_launch_args.get("args", []), *launch_arguments()]
    return {**browser_type_launch_args, "executable_path": str(chromium.path), "args": arguments}


@pytest.fixture(scope="session")
def launch_browser(
    launch_browser: Callable[..., Browser],
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
) -> Callable[..., Browser]:
    """Connect to the browser that AWNING_BROWSER_ADDRESS names; launch one only if the variable is not set."""
    from awning_harness.runs.browser_address import VARIABLE, open_browser  # noqa: PLC0415

    if not os.environ.get(VARIABLE):
        return launch_browser
    return lambda **options: open_browser(browser_type, {**browser_type_launch_args, **options})


@pytest.fixture(scope="session", autouse=HARNESS_INSTALLED)
def delete_output_dir() -> None:
    """Replace the fixture of pytest-playwright that empties the folder of `--output`.

    That fixture runs in each process of pytest-xdist, so a process that starts late deletes what others have written.
    """


@pytest.fixture(scope="session")
def awning_shop(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The simulated service and storefront with the workspace's app, for the whole test session."""
    from awning.errors import AwningError  # noqa: PLC0415
    from awning_harness.shop import open_shop  # noqa: PLC0415

    complete = pytestconfig.getoption("--awning-dist")
    partial = pytestconfig.getoption("--awning-built")
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("awning")
        dist = Path(complete) if complete else Path(partial) if partial else None
        try:
            shop = stack.enter_context(
                open_shop(
                    pytestconfig.rootpath, dist=dist, partial=not complete and dist is not None, folder=folder
                )
            )
        except AwningError as error:
            _give_up(str(error), pytestconfig)
        yield shop


@pytest.fixture(scope="session")
def awning_dev_shop(awning_shop: Shop, pytestconfig: pytest.Config) -> Shop:
    """The same shop with a dev build. The first test that uses the fixture makes the build."""
    from awning.errors import AwningError  # noqa: PLC0415

    try:
        return awning_shop.with_dev_build()
    except AwningError as error:
        _give_up(str(error), pytestconfig)


def _give_up(why: str, config: pytest.Config) -> NoReturn:
    """End the run, because there is no shop. A worker process cannot end the run, so there the test fails."""
    if hasattr(config, "workerinput"):
        pytest.fail(why, pytrace=False)
    pytest.exit(f"the widgets do not build\n{why}", returncode=1)


@pytest.fixture(scope="session")
def awning_recording(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """The settings of Playwright's recordings of each test, from `--tracing` and `--video`."""
    from awning_harness.visit.pages.tabs import Recording  # noqa: PLC0415

    has_videos = pytestconfig.getoption("--video") != "off"
    return Recording(
        tracing=pytestconfig.getoption("--tracing") != "off",
        videos=tmp_path_factory.mktemp("videos") if has_videos else None,
    )


@pytest.fixture(scope="session")
def awning_tabs(awning_shop: Shop, browser: Browser, browser_name: str, awning_recording: Recording) -> Tabs:
    from awning_harness.visit.pages.tabs import Tabs  # noqa: PLC0415

    if browser_name != "chromium":
        pytest.fail(f"the fixture storefront needs Chromium, and --browser is {browser_name}", pytrace=False)
    return Tabs(
        browser=browser, storefront_url=awning_shop.running.storefront_url, recording=awning_recording
    )


@pytest.fixture
def storefront(
    awning_shop: Shop,
    awning_tabs: Tabs,
    awning_globals: GlobalsWithoutApps,
    request: pytest.FixtureRequest,
    output_path: str,
) -> Iterator[Storefront]:
    """A shop for one test, with the test's unit installed as an app."""
    unit = awning_shop.unit_of_test(request.node)
    with _opened(
        awning_shop, awning_tabs, awning_globals, unit=unit, test=request.node, folder=output_path
    ) as opened:
        yield opened


@pytest.fixture
def dev_storefront(
    awning_dev_shop: Shop,
    awning_tabs: Tabs,
    awning_globals: GlobalsWithoutApps,
    request: pytest.FixtureRequest,
    output_path: str,
) -> Iterator[Storefront]:
    """The storefront with a dev build of the widget, which checks types. `errors` of a page also has type errors."""
    unit = awning_dev_shop.unit_of(request.path)
    with _opened(
        awning_dev_shop, awning_tabs, awning_globals, unit=unit, test=request.node, folder=output_path
    ) as opened:
        yield opened


@contextmanager
def _opened(
    shop: Shop, tabs: Tabs, without_apps: GlobalsWithoutApps, *, unit: str, test: pytest.Item, folder: str
) -> Iterator[Storefront]:
    """Open a storefront for a test."""
    from awning_harness.testing import open_storefront  # noqa: PLC0415

    isolated = _isolation(test) == "context"
    with (
        open_storefront(
            shop, tabs, without_apps, unit=unit, title=test.nodeid, own_context=isolated
        ) as storefront,
        noted(test, storefront, folder),
    ):
        yield storefront


@contextmanager
def noted(test: pytest.Item, opened: Storefront | WidgetBench, folder: str) -> Iterator[None]:
    """Keep `opened` in the test's stash while the block runs, for the test's report and the check for problems."""
    test.stash[FOLDER] = folder
    test.stash.setdefault(OPENED, []).append(opened)
    yield
    test.stash[OPENED].remove(opened)


def _isolation(test: pytest.Item) -> str:
    """Return `origin` or `context`: what the test's marker says, else the option."""
    marker = test.get_closest_marker("isolation")
    kind = marker.args[0] if marker and marker.args else test.config.getoption("--isolation")
    if kind not in ISOLATIONS:
        pytest.fail(f"there is no isolation {kind!r}; there are {' and '.join(ISOLATIONS)}", pytrace=False)
    return str(kind)


@pytest.fixture
def pseudo(storefront: Storefront) -> str:
    """The code of the pseudo-language, which is added to the test's shop: `storefront.cart(language=pseudo)`."""
    return storefront.with_pseudo_language()
