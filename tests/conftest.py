"""Settings and plugins for all tests.

Hypothesis has no deadlines, because a test must not fail on a busy machine. `tests/volumes.toml` has the number of
examples of each property test, which `volume("name")` returns, and of those that name none.

After a browser test, Playwright's synchronous interface leaves its event loop marked as running in the main thread, and
asyncio refuses to run another loop there. The mark is removed around tests without a browser, so that tests can run in
any order.

In a run of several processes, `awning test` inside a test runs in one, because the outer run already uses every core.

Tests, and the processes that they start, handle Ctrl-C. In the background of a shell script, the run would ignore the
signal, and these processes would inherit that.

The modules in tests/profile have the rest:

    tiers           what a test uses decides in which runs it is
    distribution    the tests of a file stay in one process
    bytecode        the Pythons that tests start share their bytecode
    leaks           secrets are marked while tests run, and a leak fails the run
    nested_runs     `pytest` inside a test loads no plugin for property tests
    verified_once   esbuild and TypeScript are verified once per process
    own_packages    a run without the packages of the group `test` ends before it collects
"""

import asyncio
import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bytecode import cache_bytecode
from distribution import Distribution, number_of_processes
from hypothesis import settings
from kept_in import copied, kept_in, postgres
from leaks import plant_canaries
from nested_runs import FEWER_PLUGINS
from own_packages import require_packages
from playwright.sync_api import expect
from tiers import Tiers
from verified_once import verify_once
from volumes import volume

__all__ = ["copied", "kept_in", "postgres"]  # fixtures

settings.register_profile(
    "awning", deadline=None, print_blob=True, max_examples=volume("properties-without-a-name")
)
settings.load_profile("awning")


def pytest_configure(config: pytest.Config) -> None:
    require_packages(Path(__file__).parents[1])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # A busy machine takes longer than the usual 5 s. What is already there is not waited for.
    expect.set_options(timeout=30_000)
    if hasattr(config, "workerinput"):
        os.environ["PYTEST_XDIST_AUTO_NUM_WORKERS"] = "0"
    cache_bytecode(config)
    verify_once(config)
    config.pluginmanager.register(Tiers(config), "tiers")
    config.pluginmanager.register(Distribution(config), "distribution")
    plant_canaries(config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Return the number of processes. pytest-xdist asks before `pytest_configure` registers our plugins."""
    return number_of_processes()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[object]:
    """Keep the garbage collector from looking at the tests again and again, which live until the run ends."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_finish() -> None:
    """Set the options of the pytest runs that tests start.

    With pytest-xdist, the controller collects nothing, so its workers do not inherit these options.
    """
    os.environ["PYTEST_ADDOPTS"] = FEWER_PLUGINS


@pytest.fixture(scope="session")
def processes() -> None:
    """For tests and fixtures that start programs (tests/profile/tiers.py)."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    return (yield from _without_playwrights_mark(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _without_playwrights_mark(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Tear down without Playwright's mark, except for the session: closing the browser after the last test needs it."""
    if nextitem is not None:
        return (yield from _without_playwrights_mark(item))
    if "playwright" not in getattr(item, "fixturenames", ()):
        with _lifted_mark():
            item.session._setupstate.teardown_exact(item.session)
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
