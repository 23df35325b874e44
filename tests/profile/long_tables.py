"""A pytest plugin: a newcomer's run of all tests runs an even share of each long table of cases.

Test functions run, but not with all of their cases. `volumes.toml` has the most cases of a function:

    [cases-of-a-test]           usually
    [cases-of-a-browser-test]   in files `test_..._in_chromium.py`, whose cases open pages and wait for them
    [cases-of-a-check]          in the generated checks of a widget, except ALWAYS_WHOLE
    [cases-of-a-costly-test]    for the tables in `costly_tables.txt`, whose cases each take a third of a second or more
    [cases-of-a-long-test]      for `long_tests.txt`: tests of some 1.5 seconds or more, and files whose
                                tests share a run of pytest

A newcomer's run has no tests of the last kind. CI runs all cases, and so does a run that names a path, or has `-k`,
`-m` or `--lf`. The summary counts the cases and the tests that are left out.

A table is cut into as many stretches as cases may run, and from each stretch the case with the lowest checksum runs. So
the share covers the whole table, and is the same in every run and process. Unlike every third case, for example, it
does not always have the same language where three languages take turns.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from volumes import volume


def names_in(file: str) -> frozenset[str]:
    """Return the ids of test functions, without cases, and of whole files that a file of `tests/` lists.

    Paths are from the root.
    """
    return frozenset((Path(__file__).parent.parent / file).read_text(encoding="utf-8").splitlines())


COSTLY_TABLES = names_in("costly_tables.txt")
LONG_TESTS = names_in("long_tests.txt")

CHECKED_FILE = "widget.toml"
"""The file to which the generated checks of a widget belong."""

ALWAYS_WHOLE = "test_shows_its_state"
"""The check that runs for every state and language, because the README promises it."""


class LongTables:
    """The plugin; one per process. Outside of `folder`, it cuts only what the two lists name, and generated checks."""

    def __init__(
        self,
        config: pytest.Config,
        folder: Path,
        costly_tables: Collection[str] = COSTLY_TABLES,
        long_tests: Collection[str] = LONG_TESTS,
    ) -> None:
        self._config = config
        self._folder = folder
        self._costly_tables = costly_tables
        self._long_tests = long_tests
        self._left_out = (0, 0)
        """The numbers of cases and of long tests that this run leaves out."""

    @property
    def _is_worker(self) -> bool:
        return hasattr(self._config, "workerinput")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if not self._runs_all_tests():
            return
        tables: dict[tuple[str, int], list[str]] = {}
        for item in items:
            name = item.nodeid.partition("[")[0]
            if (cap := self._most_cases(item.path, name)) is not None:
                tables.setdefault((name, cap), []).append(item.nodeid)
        left_out = {
            name for (_, cap), names in tables.items() for name in set(names) - set(share(names, cap))
        }
        long_tests = {function for name in left_out if self._is_long(function := name.partition("[")[0])}
        cases = [name for name in left_out if name.partition("[")[0] not in long_tests]
        self._left_out = (len(cases), len(long_tests))
        items[:] = [item for item in items if item.nodeid not in left_out]

    def _is_long(self, name: str) -> bool:
        return name in self._long_tests or name.partition("::")[0] in self._long_tests

    def _most_cases(self, path: Path, name: str) -> int | None:
        """Return the most cases of the test function `name` that are run; None for all of them."""
        if self._is_long(name):
            return volume("cases-of-a-long-test")
        if name in self._costly_tables:
            return volume("cases-of-a-costly-test")
        if path.is_relative_to(self._folder):
            in_browser = path.stem.endswith("_in_chromium")
            return volume("cases-of-a-browser-test") if in_browser else volume("cases-of-a-test")
        is_check = path.name == CHECKED_FILE and not name.endswith(ALWAYS_WHOLE)
        return volume("cases-of-a-check") if is_check else None

    def _runs_all_tests(self) -> bool:
        """Return whether the command line selects neither paths nor tests. The controller sends workers the answer."""
        if self._is_worker:
            return bool(self._config.workerinput["runs_all_tests"])
        named = any(self._config.getoption(name, default=False) for name in ("keyword", "markexpr", "lf"))
        return self._config.args_source is pytest.Config.ArgsSource.TESTPATHS and not named

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["runs_all_tests"] = self._runs_all_tests()

    def pytest_sessionfinish(self) -> None:
        if self._is_worker:
            self._config.workeroutput["left_out"] = self._left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the counts of a worker. Every worker collects all tests, so all leave out the same cases."""
        self._left_out = tuple(getattr(node, "workeroutput", {}).get("left_out", self._left_out))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        cases, long_tests = self._left_out
        if cases or long_tests:
            terminalreporter.write_line(
                f"{cases} cases of long tables and {long_tests} long tests are left to CI: "
                "CI=true, or the path of a test file, runs them (tests/README.md)"
            )


def share(names: Sequence[str], most: int) -> list[str]:
    """Return at most `most` of the names of cases, spread evenly.

    A case with PostgreSQL is returned only if its stretch has no other, because PostgreSQL may be missing. The test
    would then be skipped.
    """
    if most == 0 or len(names) <= most:
        return list(names)[:most]
    bounds = [len(names) * number // most for number in range(most + 1)]
    return [
        min(names[first:end], key=lambda name: ("postgresql" in name, crc32(name.encode())))
        for first, end in pairwise(bounds)
    ]
