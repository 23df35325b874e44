"""The command line, called as a user calls it, in a workspace of its own."""

import json
from dataclasses import dataclass

import pytest
from project import Project

from awning.cli import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


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
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Result(int(ended.value.code or 0), captured.out, captured.err)

    return call
