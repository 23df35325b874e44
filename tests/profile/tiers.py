"""A pytest plugin: what a test uses decides in which runs it is.

    browser    opens pages: fixtures of pytest-playwright
    database   uses a PostgreSQL server: the fixture `postgres`, or `kept_in` on PostgreSQL
    process    starts programs: the fixture `processes`
    fast       uses none of these

A newcomer's run has the fast tests, and all tests of one widget for each slot, the first in the app's order. CI runs
all tests, and so does a run that names a path, or has `-k`, `-m` or `--lf`. The last line says what was left out.

A fast test that starts a program all the same fails, so no list has to say which tests do. Programs that builds and
publishes start by themselves, and that end within some milliseconds, are not counted.
"""

import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from volumes import PROFILE

FAST = "fast"
MEANINGS = {"browser": "open pages", "process": "start programs", "database": "use PostgreSQL"}
SECONDS = {FAST: 0.05, "browser": 0.3, "database": 0.5, "process": 2.0}
"""What a test of a tier takes, roughly: a run begins with the files that take longest."""

NOT_COUNTED = ("esbuild", "git", "sh", "tsc")
OWN_CHILDREN = frozenset({"awning.check.running.worker", "awning.data_migration.worker"})
"""The modules of the processes in which authors' scripts run. Each is started once and serves all tests."""
STARTED = pytest.StashKey[list[str]]()


def tier_of(item: pytest.Item) -> str:
    names = set(getattr(item, "fixturenames", ()))
    parameters = getattr(item, "callspec", None)
    if names & {"playwright", "browser_type_launch_args"}:
        return "browser"
    if "postgres" in names or (parameters and parameters.params.get("kept_in") == "postgresql"):
        return "database"
    return "process" if "processes" in names else FAST


def widgets_to_test(root: Path) -> frozenset[str]:
    """Return the names of one widget for each slot, the first in the app's order."""
    order = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["awning"]["order"]
    slots = {
        name: tomllib.loads((root / "widgets" / name / "widget.toml").read_text(encoding="utf-8"))["slot"]
        for name in reversed(order)
    }
    return frozenset({slot: name for name, slot in slots.items()}.values())


class Tiers:
    """The plugin; one per process."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._left_out: Counter[str] = Counter()
        """The numbers of tests that this run leaves out, by tier, and as `widgets` those of other widgets."""
        self._current: pytest.Item | None = None
        sys.addaudithook(self._on_event)

    @property
    def _is_worker(self) -> bool:
        return hasattr(self._config, "workerinput")

    @property
    def _is_newcomers(self) -> bool:
        """Whether the command line selects nothing, outside of CI. The controller sends workers the answer."""
        if self._is_worker:
            return bool(self._config.workerinput["is_newcomers"])
        named = any(self._config.getoption(name, default=False) for name in ("keyword", "markexpr", "lf"))
        names_nothing = self._config.args_source is pytest.Config.ArgsSource.TESTPATHS and not named
        return names_nothing and PROFILE == "newcomer"

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if not self._is_newcomers:
            return
        widgets = self._config.rootpath / "widgets"
        chosen = widgets_to_test(self._config.rootpath)

        def reason_to_leave_out(item: pytest.Item) -> str:
            if item.path.is_relative_to(widgets):
                return "" if item.path.relative_to(widgets).parts[0] in chosen else "widgets"
            return "" if (tier := tier_of(item)) == FAST else tier

        reasons = {item.nodeid: reason_to_leave_out(item) for item in items}
        self._left_out = Counter(filter(None, reasons.values()))
        items[:] = [item for item in items if not reasons[item.nodeid]]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._current = item if tier_of(item) == FAST else None
        item.stash[STARTED] = []
        try:
            return (yield)
        finally:
            self._current = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        result = yield
        if item.stash[STARTED]:
            pytest.fail(
                f"it starts {item.stash[STARTED]}, so it needs the fixture `processes`", pytrace=False
            )
        return result

    def _on_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" and self._current:
            command = arguments[1]
            program = Path(str(arguments[0] or (command if isinstance(command, str) else command[0]))).name
            is_own = not OWN_CHILDREN.isdisjoint(command)
            if program.removesuffix(".exe") not in NOT_COUNTED and not is_own:
                self._current.stash[STARTED].append(program)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["is_newcomers"] = self._is_newcomers

    def pytest_sessionfinish(self) -> None:
        if self._is_worker:
            self._config.workeroutput["left_out"] = dict(self._left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the counts of a worker. Every worker collects all tests, so all leave out the same tests."""
        self._left_out = Counter(getattr(node, "workeroutput", {}).get("left_out", self._left_out))

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        if self._left_out and not self._is_worker:
            print(summary(self._left_out))  # noqa: T201 - the last line of the run


def summary(left_out: Counter[str]) -> str:
    """Return the last line of a newcomer's run: what else there is, and how to run it."""
    kinds = [f"{left_out[tier]} that {meaning}" for tier, meaning in MEANINGS.items() if left_out[tier]]
    if left_out["widgets"]:
        kinds.append(f"{left_out['widgets']} of the other widgets")
    return (
        f"Not run: {', '.join(kinds)}. `CI=true python3 build.py test` runs all, "
        "`python3 build.py test PATH` those in a folder or file."
    )
