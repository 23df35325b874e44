"""What every test needs.

Hypothesis runs without deadlines, since a busy machine is no failure. How many examples a property test runs is said
in volumes.toml, by name: `volume("name")` from `volumes`.

Playwright's synchronous interface leaves its event loop marked as running in the worker's main thread once a browser
test has been there, and asyncio refuses to run another. The mark is lifted around tests that have no browser, so that
any test may run after any other.

`awning test` inside a test runs in one process: the outer run uses every core already.

Interrupts are heard in tests, and by what they start, though a run in a script's background, or under nohup, would
ignore them and hand that on.

`pytest` inside a test loads no plugin for property tests: `nested_runs`.

A run of all tests leaves cases of long tables to CI: `long_tables`.

In several processes, a file's tests stay together: `distribution`.

The Pythons that tests start share their bytecode: `bytecode`.

Secrets are marked while tests run, and a run that leaves one where it should not be fails: `leaks`.
"""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bytecode import cache_bytecode
from distribution import Distribution
from hypothesis import settings
from leaks import plant_canaries
from long_tables import LongTables
from nested_runs import FEWER_PLUGINS

settings.register_profile("awning", deadline=None, print_blob=True)
settings.load_profile("awning")


def pytest_configure(config: pytest.Config) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput"):
        os.environ["PYTEST_XDIST_AUTO_NUM_WORKERS"] = "0"
    cache_bytecode(config)
    config.pluginmanager.register(LongTables(config, Path(__file__).parent), "long-tables")
    config.pluginmanager.register(Distribution(config), "distribution")
    plant_canaries(config)


def pytest_collection_finish() -> None:
    """Set what tests hand on to pytest. The controller collects nothing, so its workers keep their plugins."""
    os.environ["PYTEST_ADDOPTS"] = FEWER_PLUGINS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    return (yield from _without_playwrights_mark(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _without_playwrights_mark(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Tear down the last test before the session, whose browser is closed with the mark in place."""
    if nextitem is not None:
        return (yield from _without_playwrights_mark(item))
    if "playwright" not in getattr(item, "fixturenames", ()):
        with _lifted_mark():
            item.session._setupstate.teardown_exact(item.parent)
    return (yield)


@contextmanager
def _lifted_mark() -> Iterator[None]:
    marked = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(marked)


def _without_playwrights_mark(item: pytest.Item) -> Iterator[None]:
    if "playwright" in getattr(item, "fixturenames", ()):
        return (yield)
    with _lifted_mark():
        return (yield)
