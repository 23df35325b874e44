#!/usr/bin/env python3
"""Starts awning from a bare clone, with nothing but Python 3.11 or later:

    python3 build.py              build the widgets to dist/      (awning build)
    python3 build.py dev          a shop with the widgets in it   (awning dev)
    python3 build.py ANYTHING     the same as `awning ANYTHING`

uv makes `.venv` from uv.lock, with the packages that the verb needs. It is the `uv` on the PATH. Without one, a pinned
uv is installed into `.uv`, outside of `.venv`: a uv inside an environment cannot make that environment anew.

A killed uv can leave a package without some of its files, and uv does not notice this later. So `.venv.lock` is not
empty while uv changes `.venv`. A call that finds it like that, and no other call at work, makes `.venv` anew.

This file is valid for Python 3.6 too, so that an old Python prints an error message and not a syntax error.
"""

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from typing import NoReturn

if sys.version_info < (3, 11):
    found = ".".join(str(part) for part in sys.version_info[:2])
    sys.stderr.write(f"build.py: awning needs Python 3.11 or later, and this is Python {found}\n")
    sys.stderr.write("build.py:   hint: run it with a newer one, such as python3.12 build.py\n")
    sys.exit(2)

WINDOWS = sys.platform == "win32"
ROOT = os.path.dirname(os.path.realpath(__file__))  # the same path, even through a link
VENV = os.path.join(ROOT, ".venv")
AWNING = os.path.join(VENV, "Scripts" if WINDOWS else "bin", "awning.exe" if WINDOWS else "awning")
LOCK = os.path.join(ROOT, ".venv.lock")
PINNED_UV = os.path.join(ROOT, "packaging", "uv.txt")
UV = os.path.join("bin", "uv.exe" if WINDOWS else "uv")
STATE_VERBS = ("data", "doctor", "host", "instances", "publish", "release")
"""Verbs that may meet PostgreSQL or an encrypted inventory."""


def main(arguments: list[str]) -> int:
    """Start awning in `.venv`, which is made first if the verb needs that. Without a verb, build this repository."""
    if not arguments:
        os.chdir(ROOT)
        arguments = ["build"]
    packages = packages_for(arguments[0])
    if is_changing() or not is_present(packages):
        make(packages)
    if not WINDOWS:
        os.execv(AWNING, [AWNING, *arguments])  # noqa: S606 - no shell is wanted
    return subprocess.call([AWNING, *arguments])


def packages_for(verb: str) -> list[str]:
    """Return options of `uv sync` for the packages of a verb. Here, `test` runs the tests of awning itself too."""
    here = os.path.join(os.path.realpath(os.getcwd()), "")
    if verb == "test" and here.startswith(os.path.join(ROOT, "")):
        return ["--all-extras", "--all-groups"]
    return ["--all-extras"] if verb in STATE_VERBS else ["--extra", "harness", "--extra", "host"]


def is_changing() -> bool:
    return os.path.exists(LOCK) and os.path.getsize(LOCK) > 0


def is_present(packages: list[str]) -> bool:
    """Return whether `.venv` has the locked packages. uv finds out in some 25 ms, without a network."""
    uv = find_uv()
    if not uv:
        return False
    check = [*sync(uv, packages), "--check"]
    return subprocess.run(check, env=environment(), capture_output=True, check=False).returncode == 0


def make(packages: list[str]) -> None:
    """Make `.venv` have the packages, one call at a time. Packages of other verbs stay.

    uv inherits the lock, so that the next call waits for it even after this process is killed. On Windows it does not.
    """
    began = time.monotonic()
    with open(LOCK, "a+b", buffering=0) as lock:
        wait_for(lock.fileno())
        os.set_inheritable(lock.fileno(), True)
        uv = find_uv() or install_uv()
        if is_changing():
            shutil.rmtree(VENV, ignore_errors=True)
        say("making .venv, once (up to 160 MB are downloaded)")
        lock.write(b"changing")
        code = subprocess.call(sync(uv, packages), env=environment(), stdout=sys.stderr, close_fds=False)
        if code >= 0:  # uv ended by itself, and not by a signal
            lock.truncate(0)
        if code:
            fail("uv", "behind a proxy, set HTTPS_PROXY and SSL_CERT_FILE")
    say(f"ready after {time.monotonic() - began:.0f} s")


def wait_for(lock: int) -> None:
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)
    else:
        import msvcrt

        os.lseek(lock, 1024, os.SEEK_SET)  # a byte that nobody reads
        locked = False
        while not locked:
            with suppress(OSError):  # after ten seconds of waiting
                msvcrt.locking(lock, msvcrt.LK_LOCK, 1)
                locked = True


def find_uv() -> str | None:
    """Return the uv on the PATH, or else the pinned one if it is installed."""
    pinned = os.path.join(pinned_folder(), UV)
    return shutil.which("uv") or (pinned if os.path.exists(pinned) else None)


def pinned_folder() -> str:
    with open(PINNED_UV, encoding="ascii") as file:
        return os.path.join(ROOT, ".uv", file.readline().split()[0])


def install_uv() -> str:
    """Install the pinned uv, completely or not at all, and return its path."""
    say("there is no uv on the PATH: installing one into .uv")
    folder, unfinished = pinned_folder(), os.path.join(ROOT, ".uv", "unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet"]
    options = ["--no-compile", "--require-hashes", "--target", unfinished, "-r", PINNED_UV]
    if subprocess.call(pip + options, env=environment(), stdout=sys.stderr, close_fds=False):
        fail("pip", "without pip, install uv: https://docs.astral.sh/uv; behind a proxy, set HTTPS_PROXY")
    os.rename(unfinished, folder)
    return os.path.join(folder, UV)


def sync(uv: str, packages: list[str]) -> list[str]:
    python = getattr(sys, "_base_executable", sys.executable)  # uv may replace .venv, so not the Python in it
    place = ["--project", ROOT, "--python", python, "--no-python-downloads"]
    return [uv, "sync", "--locked", "--inexact", "--no-default-groups", "--quiet", *place, *packages]


def environment() -> dict[str, str]:
    """Return the environment of uv and pip, without the variables that name another place to install to."""
    elsewhere = ("VIRTUAL_ENV", "PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_REQUIRE_VIRTUALENV")
    kept = {name: value for name, value in os.environ.items() if name not in elsewhere}
    return {**kept, "UV_PROJECT_ENVIRONMENT": VENV, "PIP_ROOT_USER_ACTION": "ignore"}


def fail(program: str, hint: str) -> NoReturn:
    """Exit with 2 after a program that has said why it failed."""
    say(f"error: {program} failed, for the reason above")
    say(f"  hint: {hint}; then run this again")
    sys.exit(2)


def say(line: str) -> None:
    sys.stderr.write(f"build.py: {line}\n")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("interrupted")
        sys.exit(130)
    except OSError as error:
        say(f"error: {error}")
        say("  hint: the clone must be complete, and in a folder that you may write to and run programs from")
        sys.exit(2)
