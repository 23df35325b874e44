"""PostgreSQL as state server: accepted URLs, unusable servers, hidden passwords, and a store that machines share."""

import asyncio
import errno
import hashlib
import logging
import socket
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import date

import pytest
from publishers import Publisher
from sqlalchemy import Engine, event

from awning.client import Secret
from awning.errors import ConfigurationError, DatabaseUnusable
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal, JournalUnwritable
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.journal_entry import SnippetText as KeptText
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import cells_of_run
from awning.publish.state.postgres import advisory, open_postgres
from awning.publish.state.server import StateServer, database_url, state_at
from awning.publish.state.store import Busy
from awning.publish.state.tables import STATE
from awning_harness.postgres_server import PORTS, _free_port

CANARY = "canary-p4ss%2Fword"
PLAIN = "canary-p4ss/word"


def said(error):
    """Return the text of an exception with its chain, its traceback and its hint."""
    return "".join(traceback.format_exception(error)) + repr(error) + str(getattr(error, "hint", ""))


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"mysql://user:{CANARY}@host/db", "not a PostgreSQL URL"),
        (f"postgresql+psycopg2://user:{CANARY}@host/db", "not a PostgreSQL URL"),
        (f"sqlite:///{CANARY}", "not a PostgreSQL URL"),
        (f"postgresql://user:{CANARY}@host:port/db", "not a database URL"),
        (f"postgresql://user:{CANARY}@host", "names no database"),
        (CANARY, "not a database URL"),
    ],
)
def test_invalid_url_is_refused_without_showing_it(url, words):
    with pytest.raises(ConfigurationError, match=words) as caught:
        database_url({"AWNING_DATABASE_URL": url})
    assert "canary" not in said(caught.value)
    assert "postgresql://user:password@host/database" in caught.value.hint


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://user:{CANARY}@host/db",
        f"postgres://user:{CANARY}@host:5433/db?sslmode=require",
        f"postgresql+psycopg://user@host/db?password={CANARY}",
        f"postgresql://host/db?sslpassword={CANARY}&user=u",
    ],
)
def test_open_database_hides_its_password(url):
    with closing(open_postgres(Secret(url))) as database:
        texts = " ".join(
            map(
                repr,
                (
                    database,
                    database.engine,
                    database.engine.url,
                    database.engine.pool,
                    StateServer(Secret(url)),
                ),
            )
        )
        texts += (
            database.display_name
            + str(database.engine.url)
            + database.engine.url.render_as_string(hide_password=False)
        )
    assert "canary" not in texts


def test_url_can_come_from_a_file(tmp_path):
    (tmp_path / "url").write_text("postgresql://host/db\n")
    assert (
        database_url({"AWNING_DATABASE_URL_FILE": str(tmp_path / "url")}).reveal() == "postgresql://host/db"
    )
    assert database_url({}) is None


def test_missing_driver_is_reported_with_the_package_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigurationError, match="needs psycopg, which is not installed") as caught:
        open_postgres(Secret("postgresql://host/db"))
    assert "pip install 'awning[postgres]'" in caught.value.hint


def test_port_of_a_server_is_none_that_systems_give_to_others(postgres):
    """It stays free until the server has started, and while it is stopped."""
    assert postgres.port in PORTS


def test_server_without_any_free_port_is_not_started(monkeypatch):
    def fail(address):
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(socket, "create_server", fail)
    with pytest.raises(OSError, match="too many open files"):
        _free_port()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"password": PLAIN}, "refuses the user or the password"),
        ({"database": "nowhere"}, "there is no such database"),
        ({"port": 9}, "the server does not answer"),
        ({"user": "nobody"}, "refuses the user or the password"),
    ],
)
def test_unusable_server_is_reported_without_the_password(postgres, changed, words, caplog):
    caplog.set_level(logging.DEBUG)
    user, password = changed.get("user", "awning"), changed.get("password", postgres.password)
    where = f"127.0.0.1:{changed.get('port', postgres.port)}/{changed.get('database', 'postgres')}"
    with pytest.raises(DatabaseUnusable, match=words) as caught:
        Inventory.open(StateServer(Secret(f"postgresql://{user}:{password.replace('/', '%2F')}@{where}")))
    assert caught.value.hint
    assert password not in said(caught.value) + caplog.text


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("sslmode=require", "the server has no SSL"),
        ("sslmode=verify-full&sslrootcert=/no/such/file", "no SSL|no root certificate"),
        ("sslmod=x", 'the parameter "sslmod": there is no such parameter'),
        ("sslmode=x", 'the parameter "sslmode": it cannot have that value'),
        ("keepalives_idle=x", 'the parameter "keepalives_idle": it cannot have that value'),
        ("passwort=planted-canary-0452", 'the parameter "passwort": there is no such parameter'),
    ],
)
def test_unsupported_url_parameters_are_reported(postgres, parameters, words):
    url = f"postgresql://awning:{postgres.password.replace('/', '%2F')}@127.0.0.1:{postgres.port}/postgres"
    with pytest.raises(DatabaseUnusable, match=words) as caught:
        Inventory.open(StateServer(Secret(f"{url}?{parameters}")))
    assert caught.value.hint
    assert "canary" not in said(caught.value)
    assert postgres.password not in said(caught.value)


def test_unknown_host_is_reported():
    with pytest.raises(DatabaseUnusable, match="its host is not known"):
        Inventory.open(StateServer(Secret("postgresql://awning@no-such-host.invalid/postgres")))


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("port", ["its own", "9"])
def test_commands_never_print_the_password(postgres, port, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AWNING_AUTH_CODE", "code-a")
    with postgres.database() as url:
        wrong = url if port == "its own" else url.replace(f":{postgres.port}/", ":9/")
        monkeypatch.setenv("AWNING_DATABASE_URL", wrong)
        for arguments in (
            ("instances", "add", "--name", "shop"),
            ("instances", "list", "--json"),
            ("publish", "log"),
        ):
            ended = Publisher.start(*arguments).wait()
            assert ended.code == (0 if port == "its own" else 2), ended.err
            assert postgres.password not in ended.out + ended.err
    assert list(tmp_path.iterdir()) == [], "no state directory is made where a server keeps everything"


@pytest.fixture
def state(postgres, copied, tmp_path):
    with postgres.database(copied=copied) as url:
        yield state_at(tmp_path, Secret(url))


def test_instances_written_by_one_machine_are_read_by_another(state, tmp_path):
    with closing(Inventory.open(state)) as here:
        here.put([here.instance("code-a", name="shop", languages="lv en", labels="gold")])
    elsewhere = StateServer(state._url)
    with closing(Inventory.open(elsewhere)) as there:
        [instance] = there.all()
        assert (instance.code.reveal(), instance.display_name, instance.languages) == (
            "code-a",
            "shop",
            ("lv", "en"),
        )
        assert instance.key == state.hash_of(Secret("code-a")), "the key is shared"


def test_second_publish_from_another_machine_is_busy(state):
    other = StateServer(state._url)
    with state.lock_runs(), pytest.raises(Busy), other.lock_runs():
        pass


def test_publish_that_has_ended_is_never_in_the_way_of_the_next(state):
    other = StateServer(state._url)
    for holder in [state, other] * 20:
        with holder.lock_runs():
            pass


def test_publish_waits_for_the_end_of_a_killed_one_at_the_server(state, monkeypatch):
    """The server notices some moments later that the client is gone."""
    with ExitStack() as killed:
        killed.enter_context(StateServer(state._url).lock_runs())
        tried = []

        def refused(connection, function, lock):
            answer = advisory(connection, function, lock)
            tried.append((function, answer))
            if len(tried) == 1:
                killed.close()
            return answer

        monkeypatch.setattr("awning.publish.state.postgres.advisory", refused)
        with state.lock_runs():
            assert tried[0] == ("pg_try_advisory_lock", False)


def test_publish_stops_writing_and_sending_when_its_lock_is_lost(state, postgres):
    """After a restart of the server, for example, the journal can be written again, but the lock is gone."""

    async def noted(writer):
        await writer.write(JournalEntry(run=1, kind=EntryKind.INTENT, note="sent next"))

    async def published(held):
        async with JournalWriter(journal, held) as writer:
            await noted(writer)
            postgres.run(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            with StateServer(state._url).lock_runs():
                for _ in range(2):
                    with pytest.raises(JournalUnwritable, match="lock of this publish was lost"):
                        await noted(writer)

    with closing(Journal.open(state)) as journal, state.lock_runs() as held:
        asyncio.run(published(held))
        assert len(list(journal.entries(1))) == 1


def test_journal_refuses_changes_and_removals(state):
    with closing(Journal.open(state)) as journal:
        run = journal.begin("kept")
        database = state.connect("state")
        for change in ("UPDATE entry SET note = 'x'", "DELETE FROM entry", "TRUNCATE entry"):
            with pytest.raises(DatabaseUnusable), database.writing() as connection:
                connection.exec_driver_sql(change)
        database.close()
        assert [entry["note"] for entry in journal.entries(run)] == ["kept"]


def test_threads_of_a_process_append_one_after_the_other(state):
    """Several sessions of a suspended process would hold the head's row in turn, each until its timeout."""
    under_way, most = [], 0

    def check(_connection):
        nonlocal most
        under_way.append(1)
        most = max(most, len(under_way))
        time.sleep(0.05)
        under_way.pop()

    with closing(Journal.open(state)) as journal, ThreadPoolExecutor(3) as threads:
        run = journal.begin("a run")
        entries = [JournalEntry(run=run, kind=EntryKind.INTENT, note=str(n)) for n in range(3)]
        for appending in [threads.submit(journal.append, [entry], check=check) for entry in entries]:
            appending.result()
    assert most == 1


def test_snippet_is_read_back_byte_for_byte(state):
    text = "<p>\0ā</p>"
    digest = hashlib.sha256(text.encode()).hexdigest()
    with closing(Journal.open(state)) as journal:
        journal.append(
            [JournalEntry(run=1, kind=EntryKind.INTENT, note="a\0b")],
            [KeptText(sha256=digest, text=text)] * 2,
        )
        assert journal.snippet(digest) == text
        assert next(journal.entries(1))["note"] == "ab"


def test_statement_error_contains_no_auth_code(state, caplog):
    caplog.set_level(logging.DEBUG)
    with closing(Inventory.open(state)) as inventory:
        database = state.connect("state")
        with database.writing() as connection:
            connection.exec_driver_sql(
                "ALTER TABLE instance ADD CONSTRAINT short CHECK (length(auth_code) < 3)"
            )
        database.close()
        code = "canary-code"
        with pytest.raises(DatabaseUnusable, match="it was refused") as caught:
            inventory.put([inventory.instance(code)])
    assert code not in said(caught.value) + caplog.text


ENTRIES = """
    INSERT INTO entry (seq, run, at, kind, instance, language, place, outcome, chain)
    SELECT n, 1, '2030-01-01', CASE mod(n, 2) WHEN 0 THEN 'intent' ELSE 'outcome' END,
        '@' || n, 'lv', 'body', 'applied', 'x'
    FROM generate_series(1, 20000) AS n
"""


@pytest.mark.usefixtures("processes")
def test_cells_of_a_run_are_read_by_the_indexes_of_their_kinds(postgres, copied):
    with postgres.database(copied=copied) as url:
        state = StateServer(Secret(url))
        with closing(Journal.open(state)) as journal, closing(state.open(STATE)) as database:
            with database.writing() as connection:
                connection.exec_driver_sql(ENTRIES)
                connection.exec_driver_sql("ANALYZE entry")
            plans = []

            @event.listens_for(Engine, "before_cursor_execute", retval=True)
            def explain(connection, cursor, statement, parameters, context, many):
                if "entry.kind =" in statement:
                    explained = connection.connection.driver_connection.execute(
                        f"EXPLAIN {statement}", parameters
                    )
                    plans.append(str(explained.fetchall()))
                return statement, parameters

            try:
                cells = cells_of_run(journal, 1, ["@8", "@9"])
            finally:
                event.remove(Engine, "before_cursor_execute", explain)
    assert (cells.ended, cells.intended) == ({("@9", "lv"): "applied"}, {("@8", "lv")})
    assert ["entry_one_" in plans[0], "entry_writes" in plans[1]] == [True, True], plans


WHOLE = {
    "check": lambda journal: journal.check(),
    "verify": lambda journal: journal.verify(),
    "prunable": lambda journal: journal.prunable(date(2026, 1, 1)),
    "totals": lambda journal: journal.totals(1),
    "runs": lambda journal: journal.runs(),
    "own_hashes": lambda journal: journal.own_hashes(),
    "entries": lambda journal: list(journal.entries()),
    "newest": lambda journal: list(journal.newest(1, EntryKind.OUTCOME)),
    "latest": lambda journal: list(journal.latest()),
}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("reads", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
def test_reading_of_a_whole_journal_has_no_time_limit(reads, tmp_path, kept_in):
    """The test reads the server's statement_timeout while each statement runs."""
    limits = {}

    def look(connection, _cursor, statement, *_):
        if "entry" in statement or "cell" in statement or "own_text" in statement:
            driver = connection.connection.driver_connection
            limits[statement] = driver.execute("SHOW statement_timeout").fetchone()[0]

    with closing(Journal.open(state_at(tmp_path / "state", kept_in.url))) as journal:
        journal.begin("a run")
        event.listen(Engine, "before_cursor_execute", look)
        try:
            reads(journal)
        finally:
            event.remove(Engine, "before_cursor_execute", look)
        assert limits
        assert set(limits.values()) == {"0"}


@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
def test_many_rows_are_sent_without_a_pipeline(tmp_path, kept_in, monkeypatch):
    """A process that is suspended between two messages of a pipeline would keep its locks."""
    with closing(Journal.open(state_at(tmp_path / "state", kept_in.url))) as journal:
        run = journal.begin("a run")
        monkeypatch.delattr("psycopg.Cursor.executemany")
        entries = [JournalEntry(run=run, kind=EntryKind.INTENT, note=f"%s;'{n}") for n in range(3)]
        journal.append(entries)
        assert [entry["note"] for entry in journal.entries(run)] == ["a run", "%s;'0", "%s;'1", "%s;'2"]
