"""The store of a test's state: files, or a PostgreSQL server that the tests start.

    from kept_in import both
    pytestmark = both           # runs every test of the module on each of the two stores

The fixtures are in tests/conftest.py, for all rooms: a module that imported them would start a server of its own.

Without PostgreSQL, the tests on it are skipped with a message. With AWNING_TEST_POSTGRES=needed, as in CI, they fail.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import TYPE_CHECKING

import pytest
from canaries import CHOSEN_MARK

from awning.client import Secret

if TYPE_CHECKING:
    from awning_harness.postgres_server import PostgresServer

both = pytest.mark.parametrize("kept_in", ["sqlite", "postgresql"], indirect=True)


@dataclass
class Kept:
    """The store of a test's state. `url` is None for files in the state directory."""

    url: Secret | None = None
    server: "PostgresServer | None" = None


@pytest.fixture(scope="session")
def postgres() -> Iterator["PostgresServer"]:
    from awning_harness.postgres_server import NotInstalled, postgres_server  # noqa: PLC0415 - slow to import

    try:
        started = postgres_server(f"{CHOSEN_MARK}-{token_urlsafe(12)}")
        server = started.__enter__()
    except NotInstalled as missing:
        if os.environ.get("AWNING_TEST_POSTGRES") == "needed":
            raise
        pytest.skip(f"NOT TESTED ON POSTGRESQL, which is not installed here: {missing}")
    try:
        yield server
    finally:
        started.__exit__(None, None, None)


@pytest.fixture(scope="session")
def copied(postgres: "PostgresServer", tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a database with awning's tables, of which each test on PostgreSQL has a copy.

    To create the tables takes longer than most tests. A module that tests it has an empty database as `copied`.
    """
    from awning.host.migrating import migrate_tables  # noqa: PLC0415 - slow to import

    with postgres.database() as url:
        for _ in migrate_tables(tmp_path_factory.mktemp("tables"), Secret(url), check=False):
            pass
        yield url.rpartition("/")[2]


@pytest.fixture
def kept_in(request: pytest.FixtureRequest) -> Iterator[Kept]:
    if getattr(request, "param", "sqlite") == "sqlite":
        yield Kept()
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    leaks = request.config.pluginmanager.get_plugin("leaks")
    with server.database(copied=request.getfixturevalue("copied")) as url:
        yield Kept(Secret(url), server)
        for name, rows in server.tables(url.rpartition("/")[2]):
            leaks.hear(f"PostgreSQL of {request.node.nodeid}, table {name}", rows)
