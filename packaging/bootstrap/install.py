"""Installs the locked packages into `.venv`: with uv, or with venv and pip. After a failure, it gives a hint."""

import os
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from bootstrap.complaint import BuildError, say
from bootstrap.interrupts import Interrupts
from bootstrap.stamp import SCRIPTS

NETWORK = "check the network; behind a proxy set HTTPS_PROXY, with a company's certificates SSL_CERT_FILE"
AGAIN = "a download differs from the lock: try again; if a mirror or cache is set up, check it"
REASONS = (
    ("no space left", "free some disk space (the environment needs 400 MB) and run this again"),
    ("read-only file system", "the folder cannot be written: clone to a folder of your own"),
    (
        "permission denied",
        "a folder or cache cannot be written: check who owns the clone and your cache folder",
    ),
    ("do not match the hashes", AGAIN),
    ("hash mismatch", AGAIN),
    (
        "lockfile at `uv.lock` needs to be updated",
        "pyproject.toml and uv.lock differ: run `uv lock` (CONTRIBUTING.md)",
    ),
    ("required uv version", "update uv, or set AWNING_BUILD_WITH=pip"),
    ("awning: ", "the line above that begins with `awning:` says what to do"),
    ("connect", NETWORK),
    ("resolve", NETWORK),
    ("timed out", NETWORK),
    ("certificate", NETWORK),
    ("no matching distribution", f"{NETWORK}; and the package index (pip config list)"),
)
"""Parts of installers' messages, in lower case, each with a hint. The first part that occurs decides."""

MISLEADING = frozenset(
    {
        *("VIRTUAL_ENV", "PYTHONHOME", "PYTHONPATH", "UV_PROJECT_ENVIRONMENT"),
        *("PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_REQUIRE_VIRTUALENV"),
    }
)
"""Environment variables that would make an installer use another place than `.venv`, or refuse to install."""

SHOWN_LINES = 40


def choose_installer() -> str:
    """Return the installer that AWNING_BUILD_WITH names; without it, `uv` if it is on PATH, else `pip`.

    Raises BuildError for any other name, and when the installer cannot be used: `uv` is named and not on PATH, or `pip`
    is chosen and this Python lacks venv.
    """
    forced = os.environ.get("AWNING_BUILD_WITH", "")
    if forced not in ("", "uv", "pip"):
        raise BuildError(
            f"AWNING_BUILD_WITH is {forced!r}",
            hint="use uv or pip, or unset it",
        )
    if forced == "uv" and not shutil.which("uv"):
        raise BuildError(
            "AWNING_BUILD_WITH is uv, but uv is not on PATH", hint="install uv, or set it to pip"
        )
    installer = forced or ("uv" if shutil.which("uv") else "pip")
    if installer == "pip":
        _require_venv()
    return installer


def _require_venv() -> None:
    """Raise BuildError if this Python lacks venv. Debian and Ubuntu package it separately."""
    if find_spec("ensurepip") is None or find_spec("venv") is None:
        version = ".".join(str(part) for part in sys.version_info[:2])
        raise BuildError(
            "this Python has no venv module",
            hint=f"on Debian or Ubuntu: apt install python3-venv (or python{version}-venv); or install uv",
        )


def install(installer: str, root: Path, interrupts: Interrupts, *, keep_open: int) -> None:
    """Install into `root/.venv`. Raises BuildError when a step fails.

    `keep_open` is the handle of the lock. Except on Windows, the installer inherits it, so that it holds the lock, too.
    """
    steps = _uv_steps(root) if installer == "uv" else _pip_steps(root)
    environ = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    environ["UV_PROJECT_ENVIRONMENT"] = str(root / ".venv")
    for command in steps:
        _run(command, root, environ, interrupts, keep_open)


def base_python() -> str:
    """Return the Python for new environments: this one, or in an environment the one from which it was made.

    `.venv` cannot be made by its own Python, which is deleted first.
    """
    return str(getattr(sys, "_base_executable", sys.executable))  # the module venv uses it, too


def _uv_steps(root: Path) -> list[list[str]]:
    python = ["--python", base_python(), "--no-python-downloads"]
    return [
        ["uv", "venv", "--allow-existing", *python, str(root / ".venv")],
        ["uv", "sync", "--locked", "--all-extras", "--all-groups", *python],
    ]


def _pip_steps(root: Path) -> list[list[str]]:
    """Return the commands that install the locked packages with their hashes, and then awning.

    awning is built with the hatchling that is one of these packages.
    """
    python = str(root / ".venv" / SCRIPTS / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--no-deps"]
    return [
        [base_python(), "-m", "venv", str(root / ".venv")],
        [*pip, "--require-hashes", "-r", str(root / "requirements.lock")],
        [*pip, "--no-build-isolation", "--editable", str(root)],
    ]


def _run(
    command: list[str], root: Path, environ: dict[str, str], interrupts: Interrupts, keep_open: int
) -> None:
    """Run one step. Only if it fails, the end of its output is shown. An interrupt kills the step and, except on
    Windows, all processes that it started.
    """
    interrupts.hold()
    with _start(command, root, environ, keep_open) as process:
        try:
            interrupts.release()
            output = process.communicate()[0].decode(errors="replace")
        except BaseException:
            _kill(process)
            raise
    if process.returncode:
        for line in output.splitlines()[-SHOWN_LINES:]:
            say(f"  | {line}")
        raise BuildError(f"`{_short(command)}` ended with {process.returncode}", hint=hint_for(output))


def _start(
    command: list[str], root: Path, environ: dict[str, str], keep_open: int
) -> subprocess.Popen[bytes]:
    """Start a step. Except on Windows, it gets its own process group, so that all its processes can be killed."""
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        return subprocess.Popen(command, cwd=root, env=environ, stdout=pipe, stderr=subprocess.STDOUT)
    return subprocess.Popen(
        command,
        cwd=root,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=pipe,
        stderr=subprocess.STDOUT,
        pass_fds=(keep_open,),
        process_group=0,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def _short(command: list[str]) -> str:
    return " ".join([Path(command[0]).name, *command[1:4]])


def hint_for(output: str) -> str:
    """Return the hint for the output of an installer, or for a message of the system."""
    lowered = output.lower()
    return next(
        (hint for mark, hint in REASONS if mark in lowered),
        "the lines above have the reason; nothing half-made is left, so you can run this again",
    )
