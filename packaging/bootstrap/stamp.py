"""The stamp: a hash of everything that `.venv` is made from. It is written into `.venv` when the environment is
complete.
"""

import hashlib
import os
import sys

from bootstrap.complaint import BuildError

INPUTS = (
    "pyproject.toml",
    "uv.lock",
    "requirements.lock",
    "packaging/hatch_build.py",
    "packaging/fetch_esbuild.py",
    "packaging/bootstrap/install.py",
    "src/awning/bundle/pin.py",
)
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
AWNING = os.path.join(".venv", SCRIPTS, "awning.exe" if os.name == "nt" else "awning")
STAMP = os.path.join(".venv", "awning-stamp")


def wanted(root: str, python: tuple[int, ...] = sys.version_info[:2]) -> str:
    """Return the stamp of the environment that this clone needs. Raises BuildError when an input cannot be read.

    The stamp depends on the folder, because an environment cannot be moved, and on the version of Python.
    """
    digest = hashlib.sha256(f"{os.path.realpath(root)}\n{python}\n".encode(errors="surrogateescape"))
    for name in INPUTS:
        try:
            with open(os.path.join(root, name), "rb") as file:
                digest.update(hashlib.sha256(file.read()).digest())
        except OSError as error:
            raise BuildError(
                f"{name} cannot be read: {error.strerror}", hint="the clone is incomplete: clone again"
            ) from error
    return digest.hexdigest()


def present(root: str) -> str | None:
    """Return the stamp of the present environment; None without one, empty if awning is missing in the environment."""
    try:
        with open(os.path.join(root, STAMP), encoding="ascii") as file:
            stamp = file.read()
    except (OSError, ValueError):
        return None
    return stamp if os.path.exists(os.path.join(root, AWNING)) else ""


def write(root: str, stamp: str) -> None:
    path = os.path.join(root, STAMP)
    with open(f"{path}.new", "w", encoding="ascii") as file:
        file.write(stamp)
    os.replace(f"{path}.new", path)
