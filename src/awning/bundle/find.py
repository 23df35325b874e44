"""Finds the esbuild to run: the binary that AWNING_ESBUILD names, else the pinned binary that came with awning.

The hash of a pinned binary is checked right before each start, and by `awning doctor`. A named binary is only asked for
its version.
"""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from awning.bundle.pin import FOLDER, VERSION, pin_for, this_platform
from awning.diagnostics import SetupCheck
from awning.errors import EsbuildUnusable

Origin = Literal["AWNING_ESBUILD", "installed"]
VERSION_LIMIT_S = 20.0
MOST_SHOWN = 60
"""The maximum number of characters of the output of `--version` that an error message quotes."""
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:[-+][\w.+-]+)?")


@dataclass(frozen=True, slots=True)
class Esbuild:
    """One esbuild binary. `sha256` is the hash that the binary must have; None when the user named the binary."""

    path: Path
    version: str
    origin: Origin
    sha256: str | None = None


def find_esbuild(
    environ: Mapping[str, str] = os.environ,
    *,
    search: Sequence[str] | None = None,
    platform: str | None = None,
) -> Esbuild:
    """Return the esbuild to run. `search` are the folders that may hold `awning_esbuild/`.

    By default they are the folders of `sys.path`: the binary is in site-packages, but in an editable installation
    awning's own sources are elsewhere, so a search beside them would not find it. Raises EsbuildUnusable with a hint
    when no esbuild is pinned for this machine or installed, or when the binary that AWNING_ESBUILD names does not run
    as esbuild.
    """
    named = environ.get("AWNING_ESBUILD")
    if named:
        return _named_esbuild(Path(named).expanduser())
    platform = platform or this_platform()
    pin = pin_for(platform)
    if pin is None:
        raise EsbuildUnusable(
            f"awning carries no esbuild for {platform}",
            hint=f"set AWNING_ESBUILD to an esbuild {VERSION} binary for this machine",
        )
    for folder in sys.path if search is None else search:
        path = Path(folder or ".").absolute() / FOLDER / pin.binary
        if path.is_file():
            return Esbuild(path=path, version=VERSION, origin="installed", sha256=pin.sha256)
    raise EsbuildUnusable(
        f"esbuild {VERSION} ({pin.platform}) is not installed beside awning",
        hint="install awning again (in a clone: `python3 build.py` with .venv removed), "
        "or set AWNING_ESBUILD to an esbuild binary",
    )


def check_esbuild(
    environ: Mapping[str, str], *, search: Sequence[str] | None = None, platform: str | None = None
) -> SetupCheck:
    """Return the line of `awning doctor` about esbuild. The bytes of a pinned binary are compared with its hash."""
    try:
        esbuild = find_esbuild(environ, search=search, platform=platform)
        verify_binary(esbuild)
    except EsbuildUnusable as error:
        return SetupCheck(name="esbuild", state="missing", detail=error.message, hint=error.hint)
    verified = "verified" if esbuild.sha256 else "yours, not verified"
    is_pinned_version = esbuild.version == VERSION
    return SetupCheck(
        name="esbuild",
        state="ok" if is_pinned_version else "warning",
        detail=f"{esbuild.version} ({esbuild.origin}, {verified}) {esbuild.path}",
        hint=None if is_pinned_version else f"awning is tested with {VERSION}",
    )


def verify_binary(esbuild: Esbuild) -> None:
    """Check the hash of a pinned binary, which takes 6 ms for 11 MB.

    Raises EsbuildUnusable when the hash differs or the file cannot be read.
    """
    if esbuild.sha256 is None:
        return
    try:
        with esbuild.path.open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unusable(esbuild, error.strerror or str(error)) from error
    if actual != esbuild.sha256:
        raise EsbuildUnusable(
            f"{esbuild.path} is not the esbuild {esbuild.version} that awning was made with, so it was not run: "
            f"SHA-256 {actual}, expected {esbuild.sha256}",
            hint="install awning again (in a clone: remove .venv and run `python3 build.py`)",
        )


def unusable(esbuild: Esbuild, reason: str) -> EsbuildUnusable:
    """Return the error for a binary that does not run."""
    source = "AWNING_ESBUILD" if esbuild.origin == "AWNING_ESBUILD" else "the esbuild that came with awning"
    return EsbuildUnusable(
        f"esbuild does not run ({esbuild.path}): {reason}",
        hint=f"this is {source}; set AWNING_ESBUILD to an esbuild {VERSION} that runs on this machine",
    )


def _named_esbuild(path: Path) -> Esbuild:
    """Return the binary that AWNING_ESBUILD names. Its hash is not checked, because the user has chosen it.

    Raises EsbuildUnusable when it does not run, or its `--version` is not a version.
    """
    try:
        done = subprocess.run(
            [path, "--version"],
            capture_output=True,
            text=True,
            timeout=VERSION_LIMIT_S,
            check=True,
            env={**os.environ},
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError) as error:
        raise EsbuildUnusable(
            f"AWNING_ESBUILD names {path}, which does not run as esbuild: {_reason(error)}",
            hint="correct AWNING_ESBUILD, or unset it to use the esbuild that came with awning",
        ) from error
    version = done.stdout.strip()
    if not _VERSION.fullmatch(version):
        raise EsbuildUnusable(
            f"AWNING_ESBUILD names {path}, which is not esbuild: `--version` gave {_shortened(version)}",
            hint=f"name an esbuild {VERSION} binary, or unset it to use the esbuild that came with awning",
        )
    return Esbuild(path=path.absolute(), version=version, origin="AWNING_ESBUILD")


def _shortened(answer: str) -> str:
    """Return the beginning of the output in quotes. A program that is not esbuild may print a page of text."""
    line = answer.partition("\n")[0]
    return f'"{line[:MOST_SHOWN]}…"' if line[:MOST_SHOWN] != answer else f'"{line}"'


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, subprocess.CalledProcessError):
        return f"`--version` ended with {error.returncode}"
    return (
        f"`--version` did not end within {VERSION_LIMIT_S:.0f} s"
        if isinstance(error, subprocess.TimeoutExpired)
        else str(error)
    )
