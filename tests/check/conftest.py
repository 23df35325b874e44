"""Fixtures that call `awning check` in a folder of its own."""

import pytest
from cases_in_widgets import findings_of  # noqa: F401 - a fixture
from command_line import Result, run_awning
from project import Project

from awning.check.running.engine import Engine


class Checked(Result):
    """How a check ended. Its output is JSON."""

    @property
    def findings(self):
        return self.json["findings"]

    @property
    def rules(self):
        return [finding["rule"] for finding in self.findings]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "outside"


@pytest.fixture
def shop(tmp_path):
    return Project(tmp_path / "shop")


@pytest.fixture
def check(folder, monkeypatch, capfd):
    """`check("x.js")` runs `awning check` in a folder outside of workspaces, or in `cwd`.

    The output is JSON, unless `form` names another format. Type errors are looked for with `types`.
    """

    def call(*arguments, cwd=None, form="json", types=False):
        where = cwd or folder
        where.mkdir(exist_ok=True)
        monkeypatch.chdir(where)
        monkeypatch.delenv("AWNING_PROFILE", raising=False)
        options = ("--format", form, *(() if types else ("--no-types",)))
        return Checked(*run_awning(capfd, "check", *arguments, *options))

    return call


@pytest.fixture(scope="session")
def hasty_engine():
    started = Engine(seconds=0.1)
    yield started
    started.close()


@pytest.fixture
def in_haste(monkeypatch, hasty_engine):
    """For scripts that run until their time is over, however long it is."""
    monkeypatch.setattr("awning.check.running.behaviour.engine", lambda: hasty_engine)


@pytest.fixture
def write(folder):
    """Writes files into the folder outside of workspaces."""

    def write_file(name, text):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return file

    return write_file
