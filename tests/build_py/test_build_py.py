"""build.py makes .venv once, whole or not at all, and hands over."""

import ast
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from bootstrap import install, stamp
from bootstrap.complaint import BuildError
from bootstrap.install import REASONS, _pip_steps, choose_installer, hint_for
from bootstrap.interrupts import Interrupts

ROOT = Path(__file__).parents[2]


def test_the_first_call_makes_the_environment_and_hands_over(clone):
    done = clone.run("template", "compile", "a b")
    assert (done.returncode, done.stdout) == (0, f"awning template compile a b in {clone.root}\n")
    assert clone.calls == ["venv", "sync"]
    assert "making .venv with uv" in done.stderr
    assert "ready after" in done.stderr


def test_the_second_call_only_hands_over(clone):
    clone.run()
    done = clone.run("--version")
    assert (done.stdout, done.stderr) == (f"awning --version in {clone.root}\n", "")
    assert clone.calls == ["venv", "sync"]


def test_without_a_verb_it_builds_this_repository_from_anywhere(clone, tmp_path):
    assert clone.run(cwd=tmp_path).stdout == f"awning build in {clone.root}\n"
    assert clone.run("check", cwd=tmp_path).stdout == f"awning check in {tmp_path}\n"


@pytest.mark.parametrize("code", [0, 1, 5, 130])
def test_the_verbs_exit_code_passes_through(clone, code):
    assert clone.run("publish", AWNING_ENDS=str(code)).returncode == code


@pytest.mark.parametrize("name", stamp.INPUTS)
def test_a_change_to_what_it_is_made_from_makes_it_anew(clone, name):
    clone.run()
    with (clone.root / name).open("a") as file:
        file.write("\n")
    assert clone.run().returncode == 0
    assert clone.calls == ["venv", "sync"] * 2


def test_a_moved_clone_makes_it_anew(clone, tmp_path):
    clone.run()
    clone.root.rename(tmp_path / "moved")
    clone.root = tmp_path / "moved"
    assert clone.run().stdout == f"awning build in {clone.root}\n"
    assert clone.calls == ["venv", "sync"] * 2


def test_a_clone_reached_by_another_path_is_the_same_clone(clone, tmp_path):
    clone.run("--version")
    (tmp_path / "link").symlink_to(clone.root)
    clone.root = tmp_path / "link"
    assert clone.run("dev").returncode == 0
    assert clone.calls == ["venv", "sync"]


def test_an_environment_without_awning_is_made_anew(clone):
    clone.run()
    (clone.venv / "bin/awning").unlink()
    assert clone.run().returncode == 0


def test_a_failure_leaves_nothing_and_says_what_to_do(clone):
    done = clone.run(SAYS="error: Failed to fetch: dns error: failed to resolve host")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "failed to resolve host" in done.stderr
    assert "hint: check the network" in done.stderr
    assert list(clone.venv.iterdir()) == []
    assert clone.run().returncode == 0, "it can simply be run again"


def test_a_failure_to_renew_leaves_nothing_old_either(clone):
    clone.run()
    (clone.root / "uv.lock").write_text("changed")
    assert clone.run(SAYS="No space left on device").returncode == 2
    assert list(clone.venv.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_interrupted_it_leaves_nothing(clone, hung, number):
    _, err = hung.signal(number)
    assert hung.process.returncode == 130
    assert "interrupted" in err
    assert list(clone.venv.iterdir()) == []
    assert clone.run().returncode == 0


def test_interrupted_in_the_moment_of_its_start_an_installer_is_ended_too(monkeypatch, tmp_path):
    def start_and_interrupt(*arguments):
        started.append(start(*arguments))
        os.kill(os.getpid(), signal.SIGTERM)
        return started[0]

    start, started = install._start, []
    monkeypatch.setattr(install, "_start", start_and_interrupt)
    with (tmp_path / "lock").open("w") as lock, Interrupts() as interrupts, pytest.raises(KeyboardInterrupt):
        install._run(["sleep", "60"], tmp_path, dict(os.environ), interrupts, lock.fileno())
    assert started[0].returncode == -signal.SIGKILL


def test_killed_it_is_found_out_by_the_next_call_which_waits_for_the_installer_that_lives_on(clone, hung):
    hung.signal(signal.SIGKILL)
    assert (clone.venv / "half-made").exists()
    with clone.running() as second:
        assert "waiting for it" in clone.complaint(second)
        hung.release()
        out, _ = clone.said(second)
    assert (second.returncode, out) == (0, f"awning build in {clone.root}\n")
    assert clone.calls == ["venv", "sync"] * 2


def test_two_at_once_make_it_once(clone, hung):
    with clone.running("second") as second:
        assert "waiting for it" in clone.complaint(second)
        hung.release()
        first_out, _ = clone.said(hung.process)
        second_out, _ = clone.said(second)
    assert first_out == f"awning --version in {clone.root}\n"
    assert second_out == f"awning second in {clone.root}\n"
    assert clone.calls == ["venv", "sync"]


def test_a_foreign_environment_is_not_touched(clone):
    (clone.venv / "bin").mkdir(parents=True)
    (clone.venv / "pyvenv.cfg").write_text("home = /elsewhere\n")
    done = clone.run()
    assert done.returncode == 2
    assert "was not touched" in done.stderr
    assert "pip install -e" in done.stderr
    assert (clone.venv / "pyvenv.cfg").read_text() == "home = /elsewhere\n"
    assert clone.calls == []


def test_an_empty_folder_is_not_foreign(clone):
    clone.venv.mkdir()
    assert clone.run().returncode == 0


def test_a_file_in_the_way_is_not_touched(clone):
    clone.venv.write_text("mine")
    assert clone.run().returncode == 2
    assert clone.venv.read_text() == "mine"


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"AWNING_BUILD_WITH": "conda"}, "it can be uv or pip"),
        ({"AWNING_BUILD_WITH": "uv", "PATH": "/usr/bin:/bin"}, "uv is not on PATH"),
    ],
)
def test_an_installer_that_cannot_be_used_says_so(clone, environ, words):
    done = clone.run(**environ)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not clone.venv.exists()


def test_an_incomplete_clone_says_so(clone):
    (clone.root / "uv.lock").unlink()
    done = clone.run()
    assert done.returncode == 2
    assert "uv.lock cannot be read" in done.stderr
    assert "clone again" in done.stderr


def test_a_folder_that_cannot_be_written_says_so(clone):
    (clone.root / ".venv.lock").mkdir()  # stands for a read-only folder, also where the tests run as root
    done = clone.run()
    assert done.returncode == 2
    assert ".venv.lock cannot be written" in done.stderr


def test_a_python_without_venv_says_what_to_install(monkeypatch):
    monkeypatch.setenv("AWNING_BUILD_WITH", "pip")
    monkeypatch.setattr("bootstrap.install.find_spec", lambda name: None if name == "ensurepip" else name)
    with pytest.raises(BuildError, match="no venv module") as raised:
        choose_installer()
    assert "python3-venv" in raised.value.hint


def test_with_pip_everything_is_checked_against_a_hash():
    venv, packages, own = _pip_steps(Path("/clone"))
    assert venv == [sys.executable, "-m", "venv", "/clone/.venv"]
    assert {"--require-hashes", "--no-deps", "/clone/requirements.lock"} <= set(packages)
    assert {"--no-deps", "--no-build-isolation", "--editable", "/clone"} <= set(own), (
        "built with the locked hatchling"
    )


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("OSError: [Errno 28] No space left on device", "disk space"),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE",
            "not what the lock names",
        ),
        ("error: Hash mismatch for `click==8.5.1`", "not what the lock names"),
        ("[Errno 30] Read-only file system: '/x'", "folder of your own"),
        ("The lockfile at `uv.lock` needs to be updated, but `--locked` was provided", "uv lock"),
        ("NewConnectionError: Failed to establish a new connection: [Errno -3]", "HTTPS_PROXY"),
        ("SSLError: CERTIFICATE_VERIFY_FAILED", "SSL_CERT_FILE"),
        ("awning: esbuild could not be downloaded from https://x: timed out.", "begins with `awning:`"),
        ("something never seen", "the lines above say why"),
    ],
)
def test_what_an_installer_says_becomes_what_to_do(said, advice):
    assert advice in hint_for(said)


def test_the_marks_are_in_lower_case():
    assert all(mark == mark.lower() for mark, _ in REASONS)


def test_old_pythons_can_read_it_and_get_a_sentence():
    source = (ROOT / "build.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    assert "needs Python 3.11 or later" in source
    guarded = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    check = min(node.lineno for node in ast.walk(tree) if isinstance(node, ast.Compare))
    assert guarded
    assert all(line > check for line in guarded), "what needs a new Python is imported after the check"


def test_the_fast_path_imports_nothing_heavy(clone):
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


def test_what_the_stamp_is_made_from_is_in_the_repository():
    assert all((ROOT / name).is_file() for name in stamp.INPUTS)
    hook = (ROOT / "packaging/hatch_build.py").read_text(encoding="utf-8")
    beside = set(re.findall(r'HERE / "(\w+\.py)"', hook))
    assert {f"packaging/{name}" for name in beside} <= set(stamp.INPUTS)
