"""`awning gallery` in a workspace."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Result, run_awning
from gallery_workspace import add_widgets
from project import Project

Write = Callable[..., Result]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = add_widgets(tmp_path / "shop")
    monkeypatch.chdir(project.root)
    return project


@pytest.fixture
def write(workspace: Project, capfd: pytest.CaptureFixture[str]) -> Write:
    """`write("--json")` runs `awning gallery --out gallery --json` in the workspace."""
    return lambda *arguments: run_awning(capfd, "gallery", "--out", "gallery", *arguments)
