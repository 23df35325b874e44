"""The memory of builds: a result is found under its key as long as nothing that it depends on differs."""

import sqlite3

import pytest

from awning.diagnostics import Diagnostic, Place
from awning.pipeline.cache import memory
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of

TEXT: ResultKind[str] = ResultKind("text", str, on_disk=True)
PASSING: ResultKind[str] = ResultKind("passing", str)
FOUND: ResultKind[tuple[Diagnostic, ...]] = ResultKind("found", tuple[Diagnostic, ...], on_disk=True)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "cache" / "results.sqlite"


def stored(file, kind, key, value):
    """Store one result as a build does that ends."""
    one = Memory(file)
    one.put(kind, key, value)
    one.save()
    one.close()


def test_result_is_computed_once():
    one, computed = Memory(), []
    for _ in range(2):
        assert one.memo(TEXT, "a", lambda: computed.append(1) or "result") == "result"
    assert len(computed) == 1


def test_kinds_have_keys_of_their_own():
    one = Memory()
    one.put(TEXT, "a", "text")
    assert one.find(PASSING, "a") is None


@pytest.mark.parametrize("from_file", [False, True])
def test_result_that_read_files_is_found_while_they_are_the_same(file, from_file):
    one, states = Memory(file), {"x": "1", "y": "1"}
    one.put(TEXT, "a", "result", ["x"], states.__getitem__)
    one.save()
    one = Memory(file) if from_file else one
    states["y"] = "2"
    assert one.find(TEXT, "a", states.__getitem__) == "result"
    states["x"] = "2"
    assert one.find(TEXT, "a", states.__getitem__) is None


def test_result_of_other_reads_does_not_hide_the_first_one():
    one, states = Memory(), {"x": "1", "y": "1"}
    one.put(TEXT, "a", "of x", ["x"], states.__getitem__)
    states["x"] = "2"
    one.put(TEXT, "a", "of x and y", ["x", "y"], states.__getitem__)
    assert one.find(TEXT, "a", states.__getitem__) == "of x and y"
    states["y"] = "2"
    assert one.find(TEXT, "a", states.__getitem__) is None


def test_result_is_forgotten_when_two_builds_did_not_use_it():
    one = Memory()
    one.put(TEXT, "used", "u")
    one.put(TEXT, "unused", "x")
    for _ in range(2):
        one.settle()
        assert one.find(TEXT, "used") == "u"
    assert one.find(TEXT, "unused") is None


def test_next_process_finds_kept_results(file):
    diagnostic = Diagnostic(
        rule="r", message="m", place=Place(path="p", line=1), passed_at=(Place(path="q"),)
    )
    one = Memory(file)
    one.put(FOUND, "a", (diagnostic,))
    one.put(PASSING, "b", "x")
    one.save()
    assert Memory(file).find(FOUND, "a") == (diagnostic,)
    assert Memory(file).find(PASSING, "b") is None


def test_text_that_is_not_unicode_is_remembered_in_this_process_only(file):
    one = Memory(file)
    one.put(TEXT, "a", "\udcff")
    one.put(TEXT, "b", "plain")
    one.save()
    assert one.find(TEXT, "a") == "\udcff"
    assert Memory(file).find(TEXT, "a") is None
    assert Memory(file).find(TEXT, "b") == "plain"


@pytest.mark.parametrize(
    "content", [b"", b"[", b"SQLite format 3\0" + b"x" * 4096], ids=["empty", "text", "torn"]
)
def test_damaged_file_is_begun_anew(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    assert Memory(file).find(TEXT, "a") is None
    stored(file, TEXT, "a", "result")
    assert Memory(file).find(TEXT, "a") == "result"


def test_value_of_another_shape_is_not_found(file):
    stored(file, ResultKind("found", int, on_disk=True), "a", 1)
    assert Memory(file).find(FOUND, "a") is None


def test_file_of_another_awning_is_begun_anew(file, monkeypatch):
    stored(file, TEXT, "a", "old")
    monkeypatch.setattr(memory, "package_stamp", lambda: "f" * 64)
    assert Memory(file).find(TEXT, "a") is None
    stored(file, TEXT, "b", "new")
    assert Memory(file).find(TEXT, "b") == "new"
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT count(*) FROM results").fetchone() == (1,)


def test_stamp_of_awning_is_part_of_each_key(monkeypatch):
    before = hash_of("a")
    monkeypatch.setattr(memory, "package_stamp", lambda: "other")
    assert hash_of("a") != before


def test_result_that_is_not_used_for_a_week_is_deleted(file, monkeypatch):
    stored(file, TEXT, "used", "u")
    stored(file, TEXT, "unused", "x")
    today = memory._today()
    for later in (4, 8):
        monkeypatch.setattr(memory, "_today", lambda later=later: today + later)
        one = Memory(file)
        assert one.find(TEXT, "used") == "u"
        one.save()
    assert Memory(file).find(TEXT, "unused") is None
    assert Memory(file).find(TEXT, "used") == "u"


def test_file_that_another_process_writes_delays_no_build(file, monkeypatch):
    monkeypatch.setattr(memory, "_BUSY_S", 0.01)
    stored(file, TEXT, "a", "result")
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        one = Memory(file)
        assert one.find(TEXT, "a") is None
        one.put(TEXT, "b", "new")
        one.save()
        assert one.find(TEXT, "b") == "new"
    assert Memory(file).find(TEXT, "a") == "result"


@pytest.fixture
def damage(file):
    """`damage(change)` changes the bytes of the only result in the file."""

    def write(change):
        with sqlite3.connect(file) as connection:
            (row,) = connection.execute("SELECT value FROM results").fetchall()
            connection.execute("UPDATE results SET value = ?", (change(row[0]),))

    return write


@pytest.mark.parametrize("at", [0, 15, 16, -1])
def test_damaged_result_is_not_found(file, damage, at):
    stored(file, TEXT, "a", "result")
    damage(lambda row: bytes(byte ^ (number == at % len(row)) for number, byte in enumerate(row)))
    assert Memory(file).find(TEXT, "a") is None


def test_shortened_result_is_not_found(file, damage):
    stored(file, TEXT, "a", "result")
    damage(lambda row: row[:4])
    assert Memory(file).find(TEXT, "a") is None


def test_result_of_another_user_is_not_found(file):
    one = Memory(file, b"ours")
    one.put(TEXT, "a", "result")
    one.save()
    assert Memory(file, b"theirs").find(TEXT, "a") is None
    assert Memory(file, b"ours").find(TEXT, "a") == "result"


def test_secret_of_the_user_stays_the_same_and_private(tmp_path):
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "APPDATA": str(tmp_path)}
    secret = memory.user_secret(environ)
    assert len(secret) == 32
    assert memory.user_secret(environ) == secret
    (written,) = tmp_path.rglob("results.key")
    assert written.stat().st_mode & 0o77 == 0


def test_secret_without_a_place_is_another_each_time(tmp_path):
    (tmp_path / "awning").write_text("a file")
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "APPDATA": str(tmp_path)}
    assert memory.user_secret(environ) != memory.user_secret(environ)


def test_journal_beside_the_file_is_not_played_back(file):
    stored(file, TEXT, "a", "result")
    journal = file.with_name("results.sqlite-journal")
    journal.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(600))
    stored(file, TEXT, "b", "new")
    assert not journal.exists()
    assert Memory(file).find(TEXT, "a") is None
    assert Memory(file).find(TEXT, "b") == "new"


def test_file_with_another_table_is_begun_anew(file):
    stored(file, TEXT, "a", "result")
    with sqlite3.connect(file) as connection:
        connection.execute("DROP TABLE results")
        connection.execute("CREATE VIEW results AS SELECT 1")
    assert Memory(file).find(TEXT, "a") is None
    stored(file, TEXT, "b", "new")
    assert Memory(file).find(TEXT, "b") == "new"


def test_doubtful_results_are_not_stored(file):
    one = Memory(file)
    one.put(TEXT, "before", "kept")
    one.stores = False
    assert one.memo(TEXT, "during", lambda: "doubtful") == "doubtful"
    one.save()
    for known in (one, Memory(file)):
        assert known.find(TEXT, "during") is None
        assert known.find(TEXT, "before") == "kept"


def test_file_that_became_too_large_is_deleted(file, monkeypatch):
    monkeypatch.setattr(memory, "_MOST_BYTES", 1)
    stored(file, TEXT, "a", "result")
    assert not file.exists()
