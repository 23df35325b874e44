"""The command line as a user calls it, and files with captured events."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from command_line import run_awning
from kept_browser import KeptBrowser
from live_shop import live_shop
from project import Project


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop")


@pytest.fixture(scope="module")
def kept_browser():
    with closing(KeptBrowser()) as kept:
        yield kept


@pytest.fixture
def awning(project, kept_browser, monkeypatch, capfd):
    """`awning("payload", "check", file)` runs a command in the project's folder. Returns exit code, stdout, stderr."""

    def call(*arguments):
        monkeypatch.chdir(project.root)
        monkeypatch.delenv("AWNING_PROFILE", raising=False)
        return run_awning(capfd, *arguments)

    kept_browser.put_in_place(monkeypatch)
    return call


@pytest.fixture(scope="module")
def shop():
    """The second shop, served."""
    with live_shop() as running:
        yield running


@pytest.fixture
def record(awning, tmp_path):
    """`record(address, *options)` records a visit into the folder `recorded`."""

    def call(address, *options):
        return awning("record", address, "--allow-private", "-o", tmp_path / "recorded", "--json", *options)

    return call


@pytest.fixture
def captured(tmp_path):
    """Writes a captured event, or a text, to a file. Returns its path."""

    def write(content: object, name: str = "event.json") -> Path:
        file = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        file.write_text(text, encoding="utf-8")
        return file

    return write
