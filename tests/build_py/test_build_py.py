"""build.py has uv make `.venv` with what the verb needs, repairs what a kill left, and runs the command.

The uv of these tests is a shell script. `.ci/run` installs with real ones: the pinned uv, and one on the PATH.
"""

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60

UV = """#!/bin/sh
# Notes each call. `sync --check` succeeds when .venv has all that was asked for; `sync` makes that so, or misbehaves.
place=.venv/packages
wanted=$(echo "$@" | grep -o -e '--extra [a-z]*' -e '--all-extras' -e '--all-groups' | sort | tr '\\n' ';')
case "$*" in *--check*) grep -qFe "$wanted" "$place" 2>/dev/null; exit ;; esac
echo "$wanted" >> "$CALLS"
echo "$@" > "$CALLS.last"
mkdir -p .venv/bin
echo half > .venv/half-made
[ -z "$STARTED" ] || { echo > "$STARTED"; cat "$RELEASE"; }
[ -z "$SAYS" ] || { echo "$SAYS" >&2; exit 1; }
printf '#!/bin/sh\\necho "awning $* in $PWD"\\nexit ${AWNING_ENDS:-0}\\n' > .venv/bin/awning
chmod +x .venv/bin/awning
echo "$wanted" >> "$place"
rm .venv/half-made
"""
WIDGETS = "--extra harness;--extra host;"
EVERY_EXTRA = "--all-extras;"
OWN_TESTS = "--all-extras;--all-groups;"


class Clone:
    """A folder with the real build.py and a uv that is a shell script, first on the PATH."""

    def __init__(self, root: Path) -> None:
        self.root, self.venv, self.lock = root, root / ".venv", root / ".venv.lock"
        self.calls_file = root.parent / "calls"
        self.environ = {
            "PATH": f"{root.parent / 'bin'}:/usr/bin:/bin",
            "CALLS": str(self.calls_file),
            "HOME": str(root.parent),
        }

    @property
    def calls(self) -> list[str]:
        """The packages that were installed, a string for each call."""
        return self.calls_file.read_text().splitlines() if self.calls_file.exists() else []

    def start(
        self, *arguments: str, cwd: Path | None = None, python: str = sys.executable, **environ: str
    ) -> subprocess.Popen:
        return subprocess.Popen(
            [python, "-I", str(self.root / "build.py"), *arguments],
            cwd=cwd or self.root,
            env=self.environ | environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **how: str | Path | None) -> subprocess.CompletedProcess:
        process = self.start(*arguments, **how)
        out, err = process.communicate(timeout=PATIENCE_S)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@pytest.fixture
def clone(processes, tmp_path) -> Clone:
    root = tmp_path / "clone"
    (root / "packaging").mkdir(parents=True)
    for name in ("build.py", "packaging/uv.txt"):
        shutil.copy(ROOT / name, root / name)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/uv").write_text(UV.replace(".venv", str(root / ".venv")))
    (tmp_path / "bin/uv").chmod(0o755)
    return Clone(root)


@pytest.fixture
def halted(clone):
    """A call whose uv waits in the middle of its work, at a named pipe."""
    started, release = clone.root.parent / "started", clone.root.parent / "release"
    os.mkfifo(started)
    os.mkfifo(release)
    process = clone.start("first", STARTED=str(started), RELEASE=str(release))
    started.read_text()  # returns when uv is in the middle
    process.release = lambda: release.write_text("")
    yield process
    process.kill()
    process.communicate(timeout=PATIENCE_S)


def test_first_call_makes_the_environment_and_runs_the_command(clone):
    done = clone.run("template", "compile", "a b")
    assert (done.returncode, done.stdout) == (0, f"awning template compile a b in {clone.root}\n")
    assert clone.calls == [WIDGETS]
    assert "making .venv" in done.stderr


def test_second_call_only_runs_the_command(clone):
    clone.run()
    done = clone.run("--version")
    assert (done.stdout, done.stderr) == (f"awning --version in {clone.root}\n", "")
    assert clone.calls == [WIDGETS]


@pytest.mark.parametrize(
    ("verb", "packages"),
    [("dev", WIDGETS), ("build", WIDGETS), ("publish", EVERY_EXTRA), ("test", OWN_TESTS)],
)
def test_verb_gets_the_packages_that_it_needs(clone, verb, packages):
    assert clone.run(verb).returncode == 0
    assert clone.calls == [packages]


def test_test_of_another_workspace_needs_no_packages_of_awnings_own_tests(clone, tmp_path):
    assert clone.run("test", cwd=tmp_path).returncode == 0
    assert clone.calls == [WIDGETS]


def test_call_without_a_verb_builds_this_repository_from_any_folder(clone, tmp_path):
    assert clone.run(cwd=tmp_path).stdout == f"awning build in {clone.root}\n"
    assert clone.run("check", cwd=tmp_path).stdout == f"awning check in {tmp_path}\n"


@pytest.mark.parametrize("code", [0, 1, 5, 130])
def test_exit_code_of_the_command_is_returned(clone, code):
    assert clone.run("publish", AWNING_ENDS=str(code)).returncode == code


def test_failed_installation_shows_its_reason_and_can_be_run_again(clone):
    done = clone.run(SAYS="error: Failed to fetch: dns error")
    assert (done.returncode, done.stdout) == (2, "")
    assert "dns error" in done.stderr
    assert "hint: behind a proxy" in done.stderr
    assert clone.run().returncode == 0


def test_failed_installation_keeps_the_environment_that_is_there(clone):
    clone.run("dev")
    assert clone.run("test", SAYS="error: Failed to fetch: dns error").returncode == 2
    assert clone.run("dev", SAYS="error: Failed to fetch: dns error").returncode == 0


def test_call_after_a_kill_works_without_an_environment(clone):
    clone.lock.write_text("changing")
    assert clone.run("dev").returncode == 0
    assert clone.lock.read_bytes() == b""


def run_without_uv(clone: Clone, python: str) -> subprocess.CompletedProcess:
    """Run build.py with no uv on the PATH. `python` is the program that has to run pip."""
    code = f"import sys, runpy; sys.executable = {python!r}; runpy.run_path('build.py', run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-I", "-c", code],
        cwd=clone.root,
        env=clone.environ | {"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_failed_installation_of_uv_can_be_run_again(clone):
    for _ in range(2):
        done = run_without_uv(clone, "/bin/false")
        assert done.returncode == 2
        assert "error: pip failed" in done.stderr
    assert clone.run("dev").returncode == 0


def test_test_of_a_folder_beside_the_clone_is_that_of_another_workspace(clone):
    beside = clone.root.parent / "clone2"
    beside.mkdir()
    assert clone.run("test", cwd=beside).returncode == 0
    assert clone.calls == [WIDGETS]


def test_killed_call_leaves_an_environment_that_the_next_call_makes_anew(clone, halted):
    halted.send_signal(signal.SIGKILL)
    halted.release()  # uv ends; without build.py, nobody notes that it has
    halted.wait(PATIENCE_S)
    (clone.venv / "left").write_text("by a killed uv")
    assert clone.run("second").stdout == f"awning second in {clone.root}\n"
    assert not (clone.venv / "left").exists()
    assert clone.calls == [WIDGETS] * 2


def test_call_waits_for_the_uv_of_a_killed_call(clone, halted):
    halted.send_signal(signal.SIGKILL)
    halted.wait(PATIENCE_S)
    with clone.start("second") as second:
        halted.release()
        out, _ = second.communicate(timeout=PATIENCE_S)
    assert out == f"awning second in {clone.root}\n"
    assert clone.calls == [WIDGETS] * 2


def test_two_concurrent_calls_install_one_after_the_other(clone, halted):
    with clone.start("second") as second:
        halted.release()
        first_out, _ = halted.communicate(timeout=PATIENCE_S)
        second_out, _ = second.communicate(timeout=PATIENCE_S)
    assert first_out == f"awning first in {clone.root}\n"
    assert second_out == f"awning second in {clone.root}\n"
    assert clone.lock.read_bytes() == b""


def test_interrupted_installation_ends_with_130(clone, halted):
    halted.send_signal(signal.SIGINT)
    halted.release()
    _, err = halted.communicate(timeout=PATIENCE_S)
    assert halted.returncode == 130
    assert "interrupted" in err
    assert clone.run().returncode == 0


def test_environment_is_made_by_a_python_outside_of_it(clone, tmp_path):
    """uv may replace `.venv`, and cannot do so with the Python in it."""
    venv.create(tmp_path / "other", symlinks=True)
    clone.run("dev", python=tmp_path / "other/bin/python")
    used = clone.calls_file.with_suffix(".last").read_text().partition("--python ")[2].split()[0]
    assert not Path(used).is_relative_to(tmp_path)


def test_incomplete_clone_is_reported(clone):
    (clone.root / "packaging/uv.txt").unlink()
    done = clone.run(PATH="/usr/bin:/bin")
    assert done.returncode == 2
    assert "packaging/uv.txt" in done.stderr
    assert "the clone must be complete" in done.stderr


def test_unwritable_folder_is_reported(clone):
    clone.lock.mkdir()  # stands for a read-only folder, also where the tests run as root
    done = clone.run()
    assert done.returncode == 2
    assert ".venv.lock" in done.stderr
    assert "that you may write to" in done.stderr


def test_python_without_pip_is_told_to_install_uv(clone):
    done = run_without_uv(clone, "/bin/false")
    assert done.returncode == 2
    assert "install uv" in done.stderr


def test_pinned_uv_has_hashes_for_every_platform():
    text = (ROOT / "packaging/uv.txt").read_text(encoding="ascii")
    assert re.match(r"uv==\d+\.\d+\.\d+ \\\n", text)
    assert text.count("--hash=sha256:") > 10


def test_old_python_gets_a_message_about_its_version():
    source = (ROOT / "build.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    assert "needs Python 3.11 or later" in source
    check = min(node.lineno for node in ast.walk(tree) if isinstance(node, ast.Compare))
    annotated = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.returns]
    assert min(annotated) > check, "an old Python cannot evaluate list[str]"
