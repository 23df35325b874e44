"""Databases of every earlier version are migrated to the newest one: once, completely or not at all, never back."""

import json
import re
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from kept_in import both
from sqlalchemy import inspect, text

from awning.cli import main
from awning.client import Secret
from awning.errors import DatabaseUnusable
from awning.host import records
from awning.host.migrating import migrate_tables
from awning.host.migrations import HOST
from awning.host.records import Records
from awning.publish import Inventory, Journal, state_at
from awning.publish.inventory import tables as inventory
from awning.publish.journal import tables as journal
from awning.publish.state.layout import Layout, bring_up, version_of
from awning.publish.state.migrations import INVENTORY, JOURNAL
from awning.publish.state.store import StateDir
from awning.publish.waves.run_state import RunStates

BEFORE = Path(__file__).parent / "before_versions"
LAYOUTS = {"inventory": INVENTORY, "journal": JOURNAL, "host": HOST}
TABLES = {"inventory": inventory.METADATA, "journal": journal.METADATA, "host": records.METADATA}


@pytest.fixture
def state(tmp_path, kept_in):
    return state_at(tmp_path / "state", kept_in.url)


def old(state, name):
    """Create a database file from before schema versions existed."""
    with closing(sqlite3.connect(state.database(name))) as connection:
        connection.executescript((BEFORE / f"{name}.sql").read_text())


def described(database, metadata):
    """Columns, keys and indexes of a database, without the details that differ between SQLite and PostgreSQL."""
    look = inspect(database.engine)
    return {
        table: (
            [(c["name"], c["nullable"]) for c in look.get_columns(table)],
            look.get_pk_constraint(table)["constrained_columns"],
            sorted(
                tuple(i["column_names"]) for i in look.get_indexes(table) if "duplicates_constraint" not in i
            ),
            sorted(tuple(u["column_names"]) for u in look.get_unique_constraints(table)),
        )
        for table in metadata.tables
    }


@both
@pytest.mark.parametrize("name", LAYOUTS)
def test_migration_steps_create_the_tables_of_the_code(state, tmp_path, name):
    created = StateDir(tmp_path / "made").connect("made")
    TABLES[name].create_all(created.engine)
    with closing(created), closing(state.open(LAYOUTS[name])) as stepped:
        assert described(stepped, TABLES[name]) == described(created, TABLES[name])


@pytest.mark.parametrize("name", LAYOUTS)
def test_unversioned_database_is_migrated(state, tmp_path, name):
    old(state, name)
    new = StateDir(tmp_path / "new").open(LAYOUTS[name])
    with closing(new), closing(state.open(LAYOUTS[name])) as stepped:
        assert described(stepped, TABLES[name]) == described(new, TABLES[name])
        assert version_of(stepped, LAYOUTS[name]) == LAYOUTS[name].newest


def test_migration_keeps_the_content_of_an_old_database(state):
    for name in LAYOUTS:
        old(state, name)
    with closing(Inventory.open(state)) as inventory:
        assert [(i.code.reveal(), i.name, i.languages) for i in inventory.all()] == [
            ("code-a", "shop", ("lv",))
        ]
    with closing(Journal.open(state)) as journal:
        assert [run["what"] for run in journal.runs()] == ["old"]
        assert journal.begin("new") == 2
    with closing(Records.open(state)) as records:
        assert records.installation("@a").code.reveal() == "code-a"
        assert records.take_turn("@a", "me") is None


def test_incomplete_old_database_is_completed(state):
    """The previous version created its tables one by one; a crash in between leaves only the first."""
    with closing(sqlite3.connect(state.database("host"))) as connection:
        connection.executescript((BEFORE / "host.sql").read_text().partition("CREATE TABLE session")[0])
    with closing(Records.open(state)) as records:
        assert records.session("none") is None


@both
@pytest.mark.parametrize("version", range(1, HOST.newest))
def test_every_earlier_version_is_migrated(state, version):
    with closing(state.open(replace(HOST, steps=HOST.steps[:version]))) as database:
        assert version_of(database, HOST) == version
        assert bring_up(database, HOST) == HOST.newest - version
        assert bring_up(database, HOST) == 0


@both
def test_failed_step_leaves_the_database_unchanged(state):
    def fails(connection):
        connection.execute(text("CREATE TABLE half_way (id INTEGER)"))
        connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    next_one = Layout(name="host", steps=(*HOST.steps, fails))
    with closing(state.open(HOST)) as database:
        with pytest.raises(DatabaseUnusable):
            bring_up(database, next_one)
        assert version_of(database, HOST) == HOST.newest
        assert not inspect(database.engine).has_table("half_way")


@both
def test_newer_database_is_refused_and_unchanged(state):
    newer = Layout(name="host", steps=(*HOST.steps, lambda connection: None))
    state.open(newer).close()
    message = f"are of version {HOST.newest + 1}, this awning knows them up to {HOST.newest}"
    with pytest.raises(DatabaseUnusable, match=message) as caught:
        Records.open(state)
    assert "a later one" in caught.value.hint
    with closing(state.connect("host")) as database:
        assert version_of(database, newer) == newer.newest


@both
def test_concurrent_workers_apply_each_step_once(state):
    taken = []
    counting = Layout(
        name="host",
        steps=tuple(
            lambda c, n=n, step=step: (taken.append(n), step(c)) for n, step in enumerate(HOST.steps)
        ),
    )
    databases = [state.connect("host") for _ in range(6)]
    with ThreadPoolExecutor(len(databases)) as pool:
        steps = list(pool.map(lambda database: bring_up(database, counting), databases))
    for database in databases:
        database.close()
    assert sorted(steps, reverse=True) == [HOST.newest, 0, 0, 0, 0, 0]
    assert taken == list(range(HOST.newest))


OPEN = """
import sys
from pathlib import Path
from awning.host.records import Records
from awning.publish import Inventory, Journal, state_at
from awning.client import Secret
url = sys.stdin.read()
state = state_at(Path(sys.argv[1]), Secret(url) if url else None)
for kind in (Records, Journal):
    kind.open(state).close()
print(state.hash_of(Secret("code-a")))
"""


@pytest.mark.usefixtures("processes")
@both
def test_concurrent_processes_migrate_without_errors(state, kept_in, tmp_path):
    command = [sys.executable, "-c", OPEN, str(tmp_path / "state")]
    url = kept_in.url.reveal() if kept_in.url else ""
    started = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    ended = [process.communicate(url, timeout=120) for process in started]
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
def test_migrate_lists_missing_steps_and_applies_them(call):
    code, out, _ = call("--check")
    assert (code, re.findall(r"(\w+) +version 0, (\d) to take", out)[-1]) == (1, ("host", str(HOST.newest)))
    code, out, _ = call("--json")
    assert (code, {row["name"]: row["missing"] for row in json.loads(out)["tables"]}["host"]) == (
        0,
        HOST.newest,
    )
    code, out, _ = call("--check")
    assert (code, "to take" in out) == (0, False)


@both
def test_server_start_migrates_every_database(world, call):
    world.browser()
    assert call("--check")[0] == 0


def test_migrate_check_creates_no_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("AWNING_STATE_DIR", str(tmp_path / "state"))
    with pytest.raises(SystemExit):
        main(["host", "migrate", "--check"])
    assert not (tmp_path / "state").exists()


@both
def test_migrate_refuses_a_newer_database(call, state):
    state.open(Layout(name="journal", steps=(*JOURNAL.steps, lambda connection: None))).close()
    code, out, err = call("--json")
    assert code == 2
    assert f"version {JOURNAL.newest + 1}" in err + out


def test_missing_right_to_create_tables_is_reported_with_a_hint(kept_in, postgres, tmp_path):
    with postgres.database() as url:
        name = url.rpartition("/")[2]
        postgres.run(f"DROP ROLE IF EXISTS {name}_guest")
        postgres.run(f"CREATE ROLE {name}_guest LOGIN PASSWORD 'canary-of-the-guest'")
        guest = Secret(f"postgresql://{name}_guest:canary-of-the-guest@127.0.0.1:{postgres.port}/{name}")
        with pytest.raises(DatabaseUnusable, match="the user may not do this") as caught:
            Records.open(state_at(tmp_path, guest))
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
        assert all(tables.steps == 0 for tables in migrate_tables(tmp_path, guest, check=True))
        with closing(RunStates.open(state_at(tmp_path, guest))) as states:
            assert states.running() == frozenset()
        postgres.run(f"DROP OWNED BY {name}_guest", name)
        postgres.run(f"DROP ROLE {name}_guest")
