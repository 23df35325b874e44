"""What awning prints does not depend on the locale, and no path or title can end a verb with a traceback."""

import json
import os
import subprocess
import sys

import pytest
from project import Project

pytestmark = pytest.mark.usefixtures("processes")

ELSEWHERE = {
    "another encoding": {"PYTHONIOENCODING": "cp1252"},
    "ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


def run(project, *arguments, **environ):
    command = [sys.executable, "-c", "from awning.cli import main; main()", *arguments]
    return subprocess.run(
        command, cwd=project.root, env={**os.environ, **environ}, capture_output=True, check=False
    )


def titled(root):
    project = Project(root).add_widget()
    manifest = root / "manifest.toml"
    lines = manifest.read_text(encoding="utf-8").splitlines()
    lines = ['app_title = "Rīga"' if line.startswith("app_title") else line for line in lines]
    manifest.write_text("\n".join(lines), encoding="utf-8")
    return project


@pytest.mark.parametrize("environ", ELSEWHERE.values(), ids=ELSEWHERE)
def test_piped_output_is_utf_8(tmp_path, environ):
    done = run(titled(tmp_path / "shop"), "build", "--json", **environ)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("utf-8"))["app"]["title"] == "Rīga"


@pytest.mark.parametrize("environ", [{}, ELSEWHERE["ASCII"]], ids=["UTF-8", "ASCII"])
def test_workspace_path_may_have_any_characters(tmp_path, environ):
    project = titled(tmp_path / os.fsdecode("Rīga r".encode() + b"\xff"))
    done = run(project, "build", "--json", **environ)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["out"].endswith("dist")
    assert run(project, "check", **environ).returncode == 0
    assert json.loads(run(project, "build", "--json", **environ).stdout)["unchanged"]


def test_file_name_that_is_not_utf_8_is_refused_and_named(tmp_path):
    project = titled(tmp_path / "shop")
    (project.root / "widgets/note" / os.fsdecode(b"a\xff.ts")).write_text("export const a = 1;\n")
    done = run(project, "build")
    assert done.returncode == 2
    assert "widgets/note/a\ufffd.ts" in done.stderr.decode("utf-8")
    assert b"Traceback" not in run(project, "check").stderr
