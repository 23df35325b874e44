"""The temporary folder of a build whose process was killed is removed by the next build."""

import os
import signal
import subprocess
import sys

import pytest

from awning.pipeline import build_session as module
from awning.pipeline.build_session import build_session, remove_abandoned

HOLDING = """
import sys
from pathlib import Path
from awning.pipeline import build_session as module
module._MEMORY_FOLDER, module._LEAST_FREE = sys.argv[1], 0
with module.build_session(Path(sys.argv[2]), writes=False) as session:
    print(session.folder.name, flush=True)
    sys.stdin.read()
"""


@pytest.mark.usefixtures("processes")
def test_next_build_removes_the_folder_of_a_killed_one(tmp_path, monkeypatch):
    monkeypatch.setattr("awning.pipeline.build_session._MEMORY_FOLDER", str(tmp_path))
    monkeypatch.setattr("awning.pipeline.build_session._LEAST_FREE", 0)
    (tmp_path / "workspace").mkdir()
    others = {"awning-of-somebody", "another"}
    for name in others:
        (tmp_path / name).mkdir()
    command = [sys.executable, "-c", HOLDING, str(tmp_path), str(tmp_path / "workspace")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as killed, subprocess.Popen(command, **pipes) as alive:
        folders = {process: process.stdout.readline().strip() for process in (killed, alive)}
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        assert (tmp_path / folders[killed]).is_dir()
        with build_session(tmp_path / "workspace", writes=False) as session:
            left = {path.name for path in tmp_path.iterdir()}
            assert left == {"workspace", *others, folders[alive], session.folder.name}
        alive.stdin.close()
    assert {path.name for path in tmp_path.iterdir()} == {"workspace", *others}


def test_folder_that_its_build_removes_meanwhile_gets_no_new_lock(tmp_path, monkeypatch):
    """The other build could not remove a folder with a new file in it."""
    folder = tmp_path / f"{module._PREFIX}ending"
    folder.mkdir()
    lock = folder / module._IN_USE
    lock.touch()
    is_taken, seen = module.is_taken, []

    def removed_before(path):
        path.unlink()
        seen.append((is_taken(path), path.exists()))
        return True

    monkeypatch.setattr(module, "is_taken", removed_before)
    remove_abandoned(tmp_path)
    assert seen == [(False, False)]
