"""build.py makes .venv once, completely or not at all, and runs the command."""

import ast
import os
import re
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from bootstrap import install, stamp
from bootstrap.complaint import BuildError
from bootstrap.install import REASONS, _pip_steps, base_python, choose_installer, hint_for
from bootstrap.interrupts import Interrupts

ROOT = Path(__file__).parents[2]


def test_first_call_makes_the_environment_and_runs_the_command(clone):
    done = clone.run("template", "compile", "a b")
    assert (done.returncode, done.stdout) == (0, f"awning template compile a b in {clone.root}\n")
    assert clone.calls == ["venv", "sync"]
    assert "making .venv with uv" in done.stderr
    assert "ready after" in done.stderr


def test_second_call_only_runs_the_command(clone):
    clone.run()
    done = clone.run("--version")
    assert (done.stdout, done.stderr) == (f"awning --version in {clone.root}\n", "")
    assert clone.calls == ["venv", "sync"]


def test_call_without_a_verb_builds_this_repository_from_any_folder(clone, tmp_path):
    assert clone.run(cwd=tmp_path).stdout == f"awning build in {clone.root}\n"
    assert clone.run("check", cwd=tmp_path).stdout == f"awning check in {tmp_path}\n"


@pytest.mark.parametrize("code", [0, 1, 5, 130])
def test_exit_code_of_the_command_is_returned(clone, code):
    assert clone.run("publish", AWNING_ENDS=str(code)).returncode == code


@pytest.mark.parametrize("name", stamp.INPUTS)
def test_changed_input_remakes_the_environment(clone, name):
    clone.run()
    with (clone.root / name).open("a") as file:
        file.write("\n")
    assert clone.run().returncode == 0
    assert clone.calls == ["venv", "sync"] * 2


def test_environment_is_remade_by_another_python_than_its_own(clone):
    clone.run()
    venv.create(clone.venv, symlinks=True)
    (clone.root / "uv.lock").write_text("changed")
    clone.python = str(clone.venv / "bin/python")
    done = clone.run()
    assert done.returncode == 0, done.stderr
    made_with = clone.calls_file.read_text().splitlines()[-1].partition("--python ")[2].split()[0]
    assert Path(made_with).exists()
    assert not Path(made_with).is_relative_to(clone.venv)


def test_moved_clone_remakes_the_environment(clone, tmp_path):
    clone.run()
    clone.root.rename(tmp_path / "moved")
    clone.root = tmp_path / "moved"
    assert clone.run().stdout == f"awning build in {clone.root}\n"
    assert clone.calls == ["venv", "sync"] * 2


def test_clone_reached_by_a_link_keeps_its_environment(clone, tmp_path):
    clone.run("--version")
    (tmp_path / "link").symlink_to(clone.root)
    clone.root = tmp_path / "link"
    assert clone.run("dev").returncode == 0
    assert clone.calls == ["venv", "sync"]


def test_environment_without_awning_is_remade(clone):
    clone.run()
    (clone.venv / "bin/awning").unlink()
    assert clone.run().returncode == 0


def test_failed_install_leaves_nothing_and_has_a_hint(clone):
    done = clone.run(SAYS="error: Failed to fetch: dns error: failed to resolve host")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "failed to resolve host" in done.stderr
    assert "hint: check the network" in done.stderr
    assert list(clone.venv.iterdir()) == []
    assert clone.run().returncode == 0, "it can simply be run again"


def test_failed_renewal_leaves_nothing(clone):
    clone.run()
    (clone.root / "uv.lock").write_text("changed")
    assert clone.run(SAYS="No space left on device").returncode == 2
    assert list(clone.venv.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_interrupted_install_leaves_nothing(clone, hung, number):
    _, err = hung.signal(number)
    assert hung.process.returncode == 130
    assert "interrupted" in err
    assert list(clone.venv.iterdir()) == []
    assert clone.run().returncode == 0


def test_installer_is_ended_when_interrupted_at_its_start(monkeypatch, tmp_path):
    def start_and_interrupt(*arguments):
        started.append(start(*arguments))
        os.kill(os.getpid(), signal.SIGTERM)
        return started[0]

    start, started = install._start, []
    monkeypatch.setattr(install, "_start", start_and_interrupt)
    with (tmp_path / "lock").open("w") as lock, Interrupts() as interrupts, pytest.raises(KeyboardInterrupt):
        install._run(["sleep", "60"], tmp_path, dict(os.environ), interrupts, lock.fileno())
    assert started[0].returncode == -signal.SIGKILL


def test_next_call_after_a_kill_waits_for_the_running_installer(clone, hung):
    hung.signal(signal.SIGKILL)
    assert (clone.venv / "half-made").exists()
    with clone.running() as second:
        assert "waiting for it" in clone.complaint(second)
        hung.release()
        out, _ = clone.said(second)
    assert (second.returncode, out) == (0, f"awning build in {clone.root}\n")
    assert clone.calls == ["venv", "sync"] * 2


def test_two_concurrent_calls_make_the_environment_once(clone, hung):
    with clone.running("second") as second:
        assert "waiting for it" in clone.complaint(second)
        hung.release()
        first_out, _ = clone.said(hung.process)
        second_out, _ = clone.said(second)
    assert first_out == f"awning --version in {clone.root}\n"
    assert second_out == f"awning second in {clone.root}\n"
    assert clone.calls == ["venv", "sync"]


def test_foreign_environment_is_not_touched(clone):
    (clone.venv / "bin").mkdir(parents=True)
    (clone.venv / "pyvenv.cfg").write_text("home = /elsewhere\n")
    done = clone.run()
    assert done.returncode == 2
    assert "was not changed" in done.stderr
    assert "pip install -e" in done.stderr
    assert (clone.venv / "pyvenv.cfg").read_text() == "home = /elsewhere\n"
    assert clone.calls == []


def test_empty_venv_folder_is_used(clone):
    clone.venv.mkdir()
    assert clone.run().returncode == 0


def test_file_named_venv_is_not_touched(clone):
    clone.venv.write_text("mine")
    assert clone.run().returncode == 2
    assert clone.venv.read_text() == "mine"


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"AWNING_BUILD_WITH": "conda"}, "use uv or pip"),
        ({"AWNING_BUILD_WITH": "uv", "PATH": "/usr/bin:/bin"}, "uv is not on PATH"),
    ],
)
def test_unusable_installer_is_reported(clone, environ, words):
    done = clone.run(**environ)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not clone.venv.exists()


def test_incomplete_clone_is_reported(clone):
    (clone.root / "uv.lock").unlink()
    done = clone.run()
    assert done.returncode == 2
    assert "uv.lock cannot be read" in done.stderr
    assert "clone again" in done.stderr


def test_unwritable_folder_is_reported(clone):
    (clone.root / ".venv.lock").mkdir()  # stands for a read-only folder, also where the tests run as root
    done = clone.run()
    assert done.returncode == 2
    assert ".venv.lock cannot be written" in done.stderr


def test_python_without_venv_gets_a_hint(monkeypatch):
    monkeypatch.setenv("AWNING_BUILD_WITH", "pip")
    monkeypatch.setattr("bootstrap.install.find_spec", lambda name: None if name == "ensurepip" else name)
    with pytest.raises(BuildError, match="no venv module") as raised:
        choose_installer()
    assert "python3-venv" in raised.value.hint


def test_pip_installs_with_hashes():
    environment, packages, own = _pip_steps(Path("/clone"))
    assert environment == [base_python(), "-m", "venv", "/clone/.venv"]
    assert {"--require-hashes", "--no-deps", "/clone/requirements.lock"} <= set(packages)
    assert {"--no-deps", "--no-build-isolation", "--editable", "/clone"} <= set(own), (
        "built with the locked hatchling"
    )


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("OSError: [Errno 28] No space left on device", "disk space"),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE",
            "differs from the lock",
        ),
        ("error: Hash mismatch for `click==8.5.1`", "differs from the lock"),
        ("[Errno 30] Read-only file system: '/x'", "folder of your own"),
        ("The lockfile at `uv.lock` needs to be updated, but `--locked` was provided", "uv lock"),
        ("NewConnectionError: Failed to establish a new connection: [Errno -3]", "HTTPS_PROXY"),
        ("SSLError: CERTIFICATE_VERIFY_FAILED", "SSL_CERT_FILE"),
        ("awning: esbuild could not be downloaded from https://x: timed out.", "begins with `awning:`"),
        ("something never seen", "the lines above have the reason"),
    ],
)
def test_message_of_the_installer_becomes_a_hint(message, advice):
    assert advice in hint_for(message)


def test_marks_of_reasons_are_in_lower_case():
    assert all(mark == mark.lower() for mark, _ in REASONS)


def test_old_python_gets_a_message_about_its_version():
    source = (ROOT / "build.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    assert "needs Python 3.11 or later" in source
    guarded = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    check = min(node.lineno for node in ast.walk(tree) if isinstance(node, ast.Compare))
    assert guarded
    assert all(line > check for line in guarded), "what needs a new Python is imported after the check"


def test_second_call_imports_no_heavy_modules(clone):
    clone.run()
    code = """
import os, runpy, sys
before = set(sys.modules)
os.execv = lambda *_: (print(*sorted(set(sys.modules) - before)), sys.exit())
sys.argv = ["build.py"]
runpy.run_path(os.environ["BUILD_PY"], run_name="__main__")
"""
    command = [sys.executable, "-I", "-S", "-c", code]
    environ = clone.environ | {"BUILD_PY": str(clone.root / "build.py")}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "bootstrap.stamp" in loaded
    assert not {"subprocess", "pathlib", "shutil", "bootstrap.environment", "bootstrap.install"} & loaded


def test_inputs_of_the_stamp_exist():
    assert all((ROOT / name).is_file() for name in stamp.INPUTS)
    hook = (ROOT / "packaging/hatch_build.py").read_text(encoding="utf-8")
    beside = set(re.findall(r'HERE / "(\w+\.py)"', hook))
    assert {f"packaging/{name}" for name in beside} <= set(stamp.INPUTS)
