"""Tables are created whole, once, by whoever comes first; tables of another version are refused and left alone."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest
from kept_in import both
from sqlalchemy import Column, Integer, MetaData, Table, inspect, select
from warm_python import WarmProcess

from awning.cli import main
from awning.client import Secret
from awning.errors import DatabaseUnusable
from awning.host.host_records import HostRecords
from awning.host.migrating import migrate_tables
from awning.publish.journal.journal import Journal
from awning.publish.state.layout import LAYOUT, VERSION, create, version_of
from awning.publish.state.server import state_at
from awning.publish.state.tables import HEALTH, STATE
from awning.publish.waves.run_state import RunStates

LAYOUTS = {layout.name: layout for layout in (STATE, HEALTH)}


@pytest.fixture(scope="session")
def copied():
    return "template1"


@pytest.fixture
def state(tmp_path, kept_in):
    return state_at(tmp_path / "state", kept_in.url)


def content_of(database):
    """Return the tables of a database, and the rows of the table of versions."""
    with database.reading() as connection:
        look = inspect(connection)
        versions = connection.execute(select(LAYOUT)).all() if look.has_table("layout") else []
        return sorted(look.get_table_names()), sorted(map(tuple, versions))


@both
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("version", [VERSION + 1, -1])
def test_tables_of_an_unknown_version_are_refused_and_left_alone(state, layout, version):
    with closing(state.open(layout)) as database:
        with database.writing() as connection:
            connection.execute(LAYOUT.update().where(LAYOUT.c.name == layout.name).values(version=version))
        before = content_of(database)
        message = f"its {layout.name} tables are of version {version}, and this awning knows only version 1"
        for refused in (lambda: state.open(layout), lambda: version_of(database, layout)):
            with pytest.raises(DatabaseUnusable, match=f" cannot be used: {message}") as caught:
                refused()
            assert "the awning that wrote it" in caught.value.hint
        assert content_of(database) == before


@both
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_tables_without_a_version_are_refused_and_left_alone(state, layout):
    theirs = Table(layout.tables[-1].name, MetaData(), Column("number", Integer))
    with closing(state.connect(layout.name)) as database:
        with database.writing(alone=True) as connection:
            database.backend.make_schema(connection)
            theirs.create(connection)
        before = content_of(database)
        with pytest.raises(DatabaseUnusable, match=f"it has a table `{theirs.name}`, but no version of it"):
            state.open(layout)
        assert content_of(database) == before


@both
def test_tables_of_an_awning_before_the_first_release_are_refused_and_left_alone(state):
    """Such a database has a version for each of the groups that are now the group `state`."""
    with closing(state.open(STATE)) as database:
        with database.writing() as connection:
            connection.execute(LAYOUT.insert().values(name="journal", version=4))
        before = content_of(database)
        with pytest.raises(DatabaseUnusable, match=r"tables of an awning before 0\.1\.0: journal"):
            Journal.open(state)
        assert content_of(database) == before


@both
def test_creation_that_fails_creates_nothing(state):
    def fails(connection):
        connection.exec_driver_sql("INSERT INTO nowhere VALUES (1)")

    with closing(state.connect("state")) as database:
        with pytest.raises(DatabaseUnusable):
            create(database, replace(STATE, complete=fails))
        assert content_of(database) == ([], [])


@both
def test_concurrent_workers_create_the_tables_once(state):
    created = []
    counting = replace(STATE, complete=created.append)
    databases = [state.connect("state") for _ in range(6)]
    with ThreadPoolExecutor(len(databases)) as pool:
        list(pool.map(lambda database: create(database, counting), databases))
    for database in databases:
        database.close()
    assert len(created) == 1


OPEN = """
import os, sys
from pathlib import Path
from awning.host.host_records import HostRecords
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.state.server import state_at
from awning.client import Secret
url = os.environ.get("AWNING_DATABASE_URL")
state = state_at(Path(sys.argv[1]), Secret(url) if url else None)
for kind in (HostRecords, Journal):
    kind.open(state).close()
print(state.hash_of(Secret("code-a")))
"""


@pytest.mark.usefixtures("processes")
@both
def test_concurrent_processes_create_the_tables_without_errors(state, kept_in, tmp_path):
    environ = {**os.environ, "AWNING_DATABASE_URL": kept_in.url.reveal()} if kept_in.url else None
    started = [WarmProcess(["-c", OPEN, tmp_path / "state"], environ) for _ in range(4)]
    ended = [process.communicate(timeout=120) for process in started]
    assert [err for _, err in ended] == [""] * 4
    assert len({out for out, _ in ended}) == 1, "they call an instance by the same hash"


@pytest.fixture
def call(state, kept_in, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("AWNING_STATE_DIR", str(tmp_path / "state"))
    if kept_in.url:
        monkeypatch.setenv("AWNING_DATABASE_URL", kept_in.url.reveal())

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(["host", "migrate", *arguments])
        return ended.value.code, *capsys.readouterr()

    return run


@both
def test_migrate_lists_missing_tables_and_creates_them(call):
    code, out, _ = call("--check")
    assert (code, re.findall(r"(\w+) +version 0, (\d) to take", out)[-1]) == (1, ("health", "1"))
    code, out, _ = call("--json")
    assert (code, {row["name"]: row["missing"] for row in json.loads(out)["tables"]}["state"]) == (0, 1)
    code, out, _ = call("--check")
    assert (code, "to take" in out) == (0, False)


@both
def test_server_start_creates_every_table(world, call):
    world.browser()
    assert call("--check")[0] == 0


def test_migrate_check_creates_no_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("AWNING_STATE_DIR", str(tmp_path / "state"))
    with pytest.raises(SystemExit):
        main(["host", "migrate", "--check"])
    assert not (tmp_path / "state").exists()


@both
def test_migrate_refuses_tables_of_an_unknown_version(call, state):
    with closing(state.open(STATE)) as database, database.writing() as connection:
        connection.execute(LAYOUT.update().values(version=VERSION + 1))
    code, out, err = call("--json")
    assert code == 2
    assert f"version {VERSION + 1}" in err + out


def test_missing_right_to_create_tables_is_reported_with_a_hint(kept_in, postgres, tmp_path):
    with postgres.database() as url:
        name = url.rpartition("/")[2]
        postgres.run(f"DROP ROLE IF EXISTS {name}_guest")
        postgres.run(f"CREATE ROLE {name}_guest LOGIN PASSWORD 'canary-of-the-guest'")
        guest = Secret(f"postgresql://{name}_guest:canary-of-the-guest@127.0.0.1:{postgres.port}/{name}")
        with pytest.raises(DatabaseUnusable, match="the user may not do this") as caught:
            HostRecords.open(state_at(tmp_path, guest))
        assert "awning host migrate" in caught.value.hint
        for _ in migrate_tables(tmp_path, Secret(url), check=False):
            pass
        postgres.run(f"GRANT USAGE ON SCHEMA awning TO {name}_guest", name)
        postgres.run(
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA awning TO {name}_guest", name
        )
        postgres.run(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA awning TO {name}_guest", name)
        with closing(Journal.open(state_at(tmp_path, guest))) as journal:
            assert journal.begin("by one who may only write") == 1
        assert all(tables.missing == 0 for tables in migrate_tables(tmp_path, guest, check=True))
        with closing(RunStates.open(state_at(tmp_path, guest))) as states:
            assert states.running() == frozenset()
        postgres.run(f"DROP OWNED BY {name}_guest", name)
        postgres.run(f"DROP ROLE {name}_guest")
