"""Finds the binary of a program: the one that an environment variable names, else the pinned one that came with awning.

The files of a pinned program are verified right before each start, and by `awning doctor`. A named binary is only asked
for its version.
"""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from awning.diagnostics import SetupCheck, SetupState
from awning.errors import ProgramUnusable
from awning.programs.pin import Program, listing, this_platform

VERSION_LIMIT_S = 20.0
MOST_SHOWN = 60
"""The maximum number of characters of the output of `--version` that an error message quotes."""
_VERSION = re.compile(r"(?:Version )?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)")


@dataclass(frozen=True, slots=True)
class Binary:
    """One binary of a program. `package` is the folder with the files of a pinned program, `sha256` the hash that its
    `listing` must have. Both are None when the user named the binary.
    """

    program: Program
    path: Path
    version: str
    package: Path | None = None
    sha256: str | None = None

    @property
    def is_pinned_version(self) -> bool:
        return self.version == self.program.version

    @property
    def identity(self) -> str:
        """What differs when another program is at the path: version, path, size and modification time."""
        try:
            stat = self.path.stat()
        except OSError:
            return f"{self.version} {self.path}"
        return f"{self.version} {self.path} {stat.st_size} {stat.st_mtime_ns}"

    @property
    def origin(self) -> str:
        """Where the binary comes from, as `awning doctor` shows it."""
        return "installed" if self.package else self.program.variable


def find_program(
    program: Program,
    environ: Mapping[str, str] = os.environ,
    *,
    search: Sequence[str] | None = None,
    platform: str | None = None,
) -> Binary:
    """Return the binary to run. `search` are the folders that may hold the program's folder.

    By default they are the folders of `sys.path`: the program is in site-packages, but in an editable installation
    awning's own sources are elsewhere, so a search beside them would not find it. Raises ProgramUnusable with a hint
    when the program is not pinned for this machine or not installed, or when the binary that the environment variable
    names does not run as this program.
    """
    named = environ.get(program.variable)
    if named:
        return _named_binary(program, Path(named).expanduser())
    platform = platform or this_platform()
    pin = program.pin_for(platform)
    if pin is None:
        raise ProgramUnusable(
            f"awning carries no {program.name} for {platform}",
            hint=f"set {program.variable} to a binary of {program.name} {program.version} for this machine",
        )
    for folder in sys.path if search is None else search:
        package = Path(folder or ".").absolute() / program.folder
        path = package / program.binary_for(platform)
        if path.is_file():
            return Binary(
                program=program, path=path, version=program.version, package=package, sha256=pin.sha256
            )
    raise ProgramUnusable(
        f"{program.name} {program.version} ({pin.platform}) is not installed beside awning",
        hint="install awning again (in a clone: `python3 build.py` with .venv removed), "
        f"or set {program.variable} to a binary of {program.name}",
    )


def check_program(
    program: Program,
    environ: Mapping[str, str],
    *,
    search: Sequence[str] | None = None,
    platform: str | None = None,
) -> SetupCheck:
    """Return the line of `awning doctor` about a program. The files of a pinned one are compared with their hash."""
    try:
        binary = find_program(program, environ, search=search, platform=platform)
    except ProgramUnusable as error:
        can_do_without = not program.is_needed and not environ.get(program.variable)
        state: SetupState = "warning" if can_do_without else "missing"
        return SetupCheck(name=program.name, state=state, detail=error.message, hint=error.hint)
    try:
        verify(binary)
    except ProgramUnusable as error:
        return SetupCheck(name=program.name, state="missing", detail=error.message, hint=error.hint)
    verified = "verified" if binary.sha256 else "yours, not verified"
    return SetupCheck(
        name=program.name,
        state="ok" if binary.is_pinned_version else "warning",
        detail=f"{binary.version} ({binary.origin}, {verified}) {binary.path}",
        hint=None if binary.is_pinned_version else f"awning is tested with {program.version}",
    )


def verify(binary: Binary) -> None:
    """Compare the files of a pinned program with their hash, which takes 6 ms for 11 MB.

    Raises ProgramUnusable when the hash differs or a file cannot be read.
    """
    if binary.package is None:
        return
    hashes: dict[str, str] = {}
    try:
        for path in binary.package.rglob("*"):
            if not path.is_dir():
                with path.open("rb") as file:
                    name = path.relative_to(binary.package).as_posix()
                    hashes[name] = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unusable(binary, error.strerror or str(error)) from error
    actual = hashlib.sha256(listing(hashes).encode(errors="surrogateescape")).hexdigest()
    if actual != binary.sha256:
        name, version = binary.program.name, binary.version
        raise ProgramUnusable(
            f"{binary.package} is not the {name} {version} that awning was made with, so it was not run: "
            f"SHA-256 of all files {actual}, expected {binary.sha256}",
            hint="install awning again (in a clone: remove .venv and run `python3 build.py`)",
        )


def unusable(binary: Binary, reason: str) -> ProgramUnusable:
    """Return the error for a binary that does not run."""
    program = binary.program
    source = f"the {program.name} that came with awning" if binary.package else program.variable
    return ProgramUnusable(
        f"{program.name} does not run ({binary.path}): {reason}",
        hint=f"this is {source}; set {program.variable} to {_article(program.name)} {program.version} "
        "that runs on this machine",
    )


def _named_binary(program: Program, path: Path) -> Binary:
    """Return the binary that the environment variable names. Its hash is not checked, because the user has chosen it.

    Raises ProgramUnusable when it does not run, or its `--version` is not a version.
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
        raise ProgramUnusable(
            f"{program.variable} names {path}, which does not run as {program.name}: {_reason(error)}",
            hint=f"correct {program.variable}, or unset it to use the {program.name} that came with awning",
        ) from error
    version = _VERSION.fullmatch(done.stdout.strip())
    if not version:
        answer = _shortened(done.stdout.strip())
        raise ProgramUnusable(
            f"{program.variable} names {path}, which is not {program.name}: `--version` gave {answer}",
            hint=f"name {_article(program.name)} {program.version} binary, "
            f"or unset it to use the {program.name} that came with awning",
        )
    return Binary(program=program, path=path.absolute(), version=version[1])


def _article(name: str) -> str:
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _shortened(answer: str) -> str:
    """Return the beginning of the output in quotes. Another program may print a page of text."""
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
