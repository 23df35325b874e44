"""The scan finds planted secrets in every encoding, in files, archives and databases, and in output."""

import base64
import gzip
import os
import re
import secrets
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from canaries import CHOSEN_MARK, CODE_MARK, HEX_MARK, MARKS, leaks_in, leaks_in_tree
from leaks import ALLOWED

PROFILE = Path(__file__).parents[1] / "profile"
WRITTEN = {
    "as it is": str,
    "in capitals": str.upper,
    "hex": lambda text: text.encode().hex(),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "in a form": quote_plus,
    "percent-encoded": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "JSON escapes": lambda text: "".join(f"\\u{ord(letter):04x}" for letter in text),
}


@pytest.mark.parametrize("mark", MARKS.values())
@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "user:"])
def test_secret_is_found_in_every_encoding(mark, written, before):
    hidden = "some text " + WRITTEN[written](f"{before}{mark}0123456789~") + " and more"
    [leak, *_] = leaks_in("a file", hidden.encode())
    assert MARKS[leak.kind] == mark
    assert 10 <= leak.offset < len(hidden)


def test_text_without_a_planted_secret_has_no_leaks():
    assert not list(leaks_in("a file", b"5ec7e7 CanaryIn planted canary SVC-0123456789abcdef"))


@pytest.fixture
def folder():
    """A folder outside the run's temporary tree, because that tree is scanned at the end of the run."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def test_leaks_in_files_databases_and_archives_are_found(folder):
    secret = f"SVC-{HEX_MARK}0123"
    (folder / "log.txt").write_text(f"key={secret}\n")
    (folder / secret).touch()
    (folder / "page.html.gz").write_bytes(gzip.compress(secret.encode()))
    with zipfile.ZipFile(folder / "trace.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("network", secret * 2)
    with closing(sqlite3.connect(folder / "state.db")) as db:
        db.execute("CREATE TABLE kept (value BLOB)")
        db.execute("INSERT INTO kept VALUES (?)", ("x" * 4000 + secret + "x" * 9000,))
        db.commit()
    leaks = {leak.where: leak.offset for leak in leaks_in_tree(folder)}
    assert leaks.pop("log.txt") == 8
    assert {name.partition(" (")[0] for name in leaks} == {secret, "page.html.gz", "trace.zip", "state.db"}


def test_vanishing_file_does_not_stop_the_scan(folder, monkeypatch):
    for name in ("gone", "there"):
        (folder / name).write_text(HEX_MARK)
    read = Path.read_bytes

    def taken_away(path):
        if path.name == "gone":
            path.unlink()
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", taken_away)
    assert [leak.where for leak in leaks_in_tree(folder)] == ["there"]


def test_generated_tokens_begin_with_a_mark():
    assert secrets.token_hex(16).startswith(HEX_MARK)
    assert len(secrets.token_hex(16)) == 32
    assert secrets.token_urlsafe(24).startswith(CODE_MARK)
    assert secrets.token_hex(16) != secrets.token_hex(16)
    assert CODE_MARK not in secrets.token_urlsafe(12)


def test_allowed_places_are_patterns_with_reasons():
    for place, why in ALLOWED:
        assert re.compile(place)
        assert why


LEAKING = f"""
import pathlib, secrets, subprocess, sys

def test_file(tmp_path):
    (tmp_path / "journal.jsonl").write_text('{{"code": "' + secrets.token_urlsafe(24) + '"}}')

def test_print():
    print("the key is", secrets.token_hex(16))

def test_child():
    subprocess.run([sys.executable, "-c", "print({CHOSEN_MARK + "-pw"!r})"], capture_output=True, check=True)

def test_log():
    from awning_harness.service.log import RequestLog
    RequestLog().add(at="", method="GET", path="/" + secrets.token_hex(16), operation=None, status=200, error_code=None)

def test_quiet_log():
    import logging
    logging.getLogger("awning.host").debug("code %s", secrets.token_urlsafe(24))

def test_page():
    from starlette.responses import HTMLResponse
    HTMLResponse("<p>" + secrets.token_urlsafe(24).encode().hex())
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("workers", ["0", "2"])
def test_leaking_run_fails_and_names_the_place(folder, workers):
    lines = "from leaks import plant_canaries as pytest_configure\n"
    (folder / "conftest.py").write_text(lines, encoding="utf-8")
    (folder / "test_leaking.py").write_text(LEAKING, encoding="utf-8")
    options = [
        "-n",
        workers,
        "-p",
        "no:cacheprovider",
        "-p",
        "no:schemathesis",
        "--basetemp",
        "temp",
        "--rootdir",
        ".",
    ]
    command = [sys.executable, "-m", "pytest", *options, "test_leaking.py"]
    environ = {**os.environ, "PYTHONPATH": str(PROFILE), "PYTEST_ADDOPTS": "", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=folder, env=environ, stdout=subprocess.PIPE, check=False, text=True)
    assert done.returncode == 1
    assert "6 passed" in done.stdout
    for place in (
        r"test_file0/journal\.jsonl, offset 10: authCode or session \(as it is\)",
        r"test_leaking\.py::test_print \[Captured stdout call\], offset 11: key or token",
        r"output of a child process in test_leaking\.py::test_child, offset 0: chosen secret",
        r"request log in test_leaking\.py::test_log, offset \d+: key or token",
        r"test_quiet_log \[Captured log call\], offset \d+: authCode or session",
        r"page of a server in test_leaking\.py::test_page, offset 3: authCode or session \(hex\)",
    ):
        assert re.search(place, done.stdout)
    assert HEX_MARK not in done.stdout.replace("-n", "")
