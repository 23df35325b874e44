"""The command line, called as a user calls it, in a workspace of its own."""

import pytest
from command_line import run_awning
from project import Project


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop")


@pytest.fixture
def awning(project, monkeypatch, capfd):
    """`awning("build", "--json")` runs a command in the project's folder. Returns exit code, stdout and stderr."""

    def call(*arguments, cwd=None, **environ):
        monkeypatch.chdir(cwd or project.root)
        for name in ("AWNING_PROFILE", "AWNING_API_KEY", "AWNING_STATE_DIR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        return run_awning(capfd, *arguments)

    return call
