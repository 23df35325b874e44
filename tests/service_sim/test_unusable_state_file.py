"""A state file that is locked, full, damaged or of another version: it is reported with a hint, and nothing is lost."""

import json
import sqlite3
from contextlib import closing
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from command_line import run_awning

from awning.errors import DatabaseUnusable
from awning_harness.service import Service, serve
from awning_harness.service.store import database


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state.db"


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(database, "BUSY_MS", 50)


def told(state):
    with pytest.raises(DatabaseUnusable) as caught:
        Service(state)
    assert "state.db cannot be used as the state of a service" in caught.value.message
    return caught.value


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (0, "another program"),
        (2, "an older awning wrote it (tables of version 2"),
        (99, "a newer awning wrote it"),
    ],
)
def test_a_file_of_another_version_is_refused_and_not_changed(state, version, words):
    with closing(sqlite3.connect(state)) as other:
        other.execute("CREATE TABLE website (id)")
        other.execute(f"PRAGMA user_version = {version}")
    trouble = told(state)
    assert words in trouble.message
    assert trouble.hint == "name another file, or delete this file to start with an empty state"
    with closing(sqlite3.connect(state)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("website",)]


def test_missing_folder_is_reported(tmp_path):
    assert told(tmp_path / "no" / "state.db").hint == f"make the folder {tmp_path / 'no'} first"


def test_locked_file_is_reported(state, impatient):
    Service(state).close()
    with closing(sqlite3.connect(state, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert (
            told(state).hint
            == "another program is writing to the file: stop that program, or name another file"
        )
    Service(state).close()


def test_damaged_file_is_reported(state):
    Service(state).close()
    content = bytearray(state.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    state.write_bytes(content)
    assert "restore a copy" in told(state).hint


def test_command_reports_an_unusable_file_without_a_traceback(state, capsys):
    state.write_bytes(b"no database at all, but long enough to be read as one" * 30)
    output = run_awning(capsys, "service", "--port", "0", "--state", state)
    assert (output.code, output.out) == (2, "")
    assert output.err.startswith(f"error: {state} cannot be used as the state of a service")
    assert "Traceback" not in output.err


class Full:
    """A service whose disk is full."""

    def __init__(self, service):
        with service.database.reading() as db:
            self._db = db
        pages = self._db.execute("PRAGMA page_count").fetchone()[0]
        self._db.execute(f"PRAGMA max_page_count = {pages}")

    def make_room(self):
        self._db.execute("PRAGMA max_page_count = 100000")


def test_full_disk_loses_nothing_and_writing_resumes_with_room(state):
    service = Service(state)
    app_id, _ = service.register_app({"app_title": "A"})
    code = service.install(app_id, service.create_website().id)
    service.set_snippet(code, "kept")
    full = Full(service)
    with pytest.raises(DatabaseUnusable, match="full") as caught:
        service.set_snippet(code, "x" * 1_000_000)
    assert "free some space on its disk" in caught.value.hint
    assert service.snippet(code) == "kept"
    full.make_room()
    service.set_snippet(code, "x" * 1_000_000)
    service.close()
    again = Service(state)
    assert len(again.snippet(code)) == 1_000_000
    again.close()


def ask(url, key, body):
    request = Request(url, json.dumps(body).encode(), {"Authorization": f"ApiKey {key}"})
    try:
        with urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_calls_get_503_while_the_disk_is_full(state, capsys):
    service = Service(state)
    with serve(service) as running:
        app_id, key = service.register_app({"app_title": "A"})
        code = service.install(app_id, service.create_website().id)
        url = f"{running.apps_url}/apps/set_snippet/?authCode={code}"
        full = Full(service)
        status, answer = ask(url, key, {"snippet": "x" * 1_000_000})
        assert (status, answer["error"], answer["error_code"]) == (503, True, 503)
        full.make_room()
        assert ask(url, key, {"snippet": "x" * 1_000_000}) == (200, {"error": False})
    service.close()
    output = capsys.readouterr().err
    assert "database or disk is full" in output
    assert "Traceback" not in output


def test_long_foreign_write_is_waited_for_and_then_reported(state, impatient):
    service = Service(state)
    website = service.create_website()
    with closing(sqlite3.connect(state, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseUnusable, match="locked"):
            service.create_website()
        assert service.website(website.id) == website
    assert service.create_website().id == website.id + 1
    service.close()
