"""Reads the variables in `.env` and `.env.<profile>`, in the workspace's root. All verbs use them.

    # a comment
    AWNING_BASE_URL=https://api.example.com/v1     # another comment, after a space
    export AWNING_PROFILE=live                     # `export` is for shells that read the file too
    AWNING_API_KEY='as it stands'
    AWNING_APP_SECRET="with \\" \\\\ \\n \\t"

The environment overrides `.env.<profile>`, which overrides `.env`. Each line has one variable. Nothing is expanded: a
`$` is a `$`. An invalid line ends every verb except `doctor` with an error, which shows the line's number but never its
text (docs/decisions/0008).

A workspace may come from somebody else. So only variables of awning that name no program apply (`variables.py`). Every
other variable is reported and left out.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from awning.contract import Exit
from awning.diagnostics import Diagnostic, Place, Severity
from awning.errors import ConfigurationError, Faulty
from awning.workspace.root import find_workspace
from awning.workspace.variables import FILE

NAME = ".env"
EXAMPLE = "example"
""".env.example is a template for `.env`, never the file of a profile."""

PROFILE = "AWNING_PROFILE"
MARK = "AWNING_FROM_ENV_FILE"
"""The variable with the names of the variables that came from `.env`, for this process and those that it starts."""

LARGEST = 256 * 1024
_ASSIGNMENT = re.compile(r"(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=")
_QUOTED = re.compile(r"""(?:'([^']*)'|"((?:[^"\\]|\\["\\nt])*)")(?:\s+#.*)?""")
_NO_ESCAPE = re.compile(r"""\"(?:[^"\\]|\\["\\nt])*\\[^"\\nt]""")
_COMMENT = re.compile(r"\s#")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}
_NAME_OF_PROFILE = re.compile(r"[\w-][\w.-]*")


class BadEnvFile(Faulty):
    """The file cannot be read or has invalid lines. The error never contains a line's text, which may be a secret."""

    exit_code = Exit.USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvFile:
    """The names of the variables in a `.env` file.

    The variables in `taken` apply. Those in `overridden` do not, because the environment or the profile's file has a
    value for them. `refused` has a warning for each variable that the file cannot set. `problem` is the reason why the
    file cannot be used; then no variable applies.
    """

    path: Path
    taken: tuple[str, ...] = ()
    overridden: tuple[str, ...] = ()
    refused: tuple[Diagnostic, ...] = ()
    problem: Faulty | None = None


Refuse = Callable[[str], tuple[str, str] | None]
"""Returns why a variable cannot come from `.env`, and what to do instead; None when it can."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One line of the file."""

    line: int
    name: str
    value: str


@contextmanager
def env_files_in_force(
    here: Path, environ: MutableMapping[str, str], profile: str | None, refuse: Refuse
) -> Iterator[tuple[EnvFile, ...]]:
    """Put the variables of the workspace's `.env` and `.env.<profile>` into `environ` during the block.

    `profile` is the profile that the user named. Without it, that of the environment, `.env` or pyproject.toml counts.
    Yields the files that exist, that of the profile first. A file with a problem raises nothing; the yielded `EnvFile`
    has the problem.
    """
    try:
        root = find_workspace(here)
    except ConfigurationError:
        yield ()
        return
    before = dict(environ)
    common = _read(root / NAME)
    named = next((entry.value for entry in common[1] if entry.name == PROFILE), None) if common else None
    chosen = profile or environ.get(PROFILE) or named or _profile_of(root)
    own = (
        _read(root / f"{NAME}.{chosen}") if _NAME_OF_PROFILE.fullmatch(chosen) and chosen != EXAMPLE else None
    )
    files: list[EnvFile] = []
    if own:
        files.append(_apply(*own, environ, lambda name: _PROFILE_HERE if name == PROFILE else refuse(name)))
    if common:
        files.append(_apply(*common, environ, refuse))
    taken = {name for file in files for name in file.taken}
    if taken:
        environ[MARK] = ",".join(sorted(taken | names_from_env_file(before)))
    try:
        yield tuple(files)
    finally:
        for name in (*taken, MARK):
            environ.pop(name, None)
        if MARK in before:
            environ[MARK] = before[MARK]


def names_from_env_file(environ: Mapping[str, str]) -> frozenset[str]:
    """Return the names of the variables in `environ` that came from a `.env`, also that of the parent process."""
    return frozenset(filter(None, environ.get(MARK, "").split(",")))


_PROFILE_HERE = (
    "it chose this file",
    "set it in .env or in the environment, or name the profile with --profile",
)

_File = tuple[Path, tuple[Assignment, ...], Faulty | None]


def _read(path: Path) -> _File | None:
    if not path.is_file():
        return None
    try:
        return path, read_env_file(path), None
    except Faulty as problem:
        return path, (), problem


def _apply(
    path: Path,
    assignments: Iterable[Assignment],
    problem: Faulty | None,
    environ: MutableMapping[str, str],
    refuse: Refuse,
) -> EnvFile:
    """Put the variables that `.env` may set into `environ`, unless it has them.

    `environ` has a variable also when it has `<name>_FILE`, which names a file.
    """
    taken: dict[str, str] = {}
    overridden: list[str] = []
    refused: list[Diagnostic] = []
    for entry in assignments:
        reason = refuse(entry.name)
        if reason:
            diagnostic = _diagnostic(path, entry.line, f"{entry.name} is not applied: {reason[0]}")
            refused.append(replace(diagnostic, severity=Severity.WARNING, hint=reason[1]))
        elif entry.name in environ or environ.get(entry.name + FILE, "").strip():
            overridden.append(entry.name)
        else:
            taken[entry.name] = entry.value
    environ.update(taken)
    return EnvFile(
        path=path,
        taken=tuple(taken),
        overridden=tuple(overridden),
        refused=tuple(refused),
        problem=problem,
    )


def _profile_of(root: Path) -> str:
    """Return the profile that pyproject.toml names. A file with errors is reported when the workspace is read."""
    try:
        settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8-sig"))["tool"]["awning"]
        return str(settings.get("profile", "default"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "default"


def read_env_file(path: Path) -> tuple[Assignment, ...]:
    """Return the assignments of a file, in order.

    Raises BadEnvFile when the file cannot be read, is too large, or has invalid lines or a variable twice.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _bad_file(path, f"it cannot be read: {error.strerror}") from None
    if len(content) > LARGEST:
        raise _bad_file(path, f"it is larger than {LARGEST // 1024} KB")
    assignments: dict[str, Assignment] = {}
    diagnostics: list[Diagnostic] = []
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            variable = _variable(line)
        except ValueError as error:
            diagnostics.append(_diagnostic(path, number, str(error)))
            continue
        if variable is None:
            continue
        name, value = variable
        if name in assignments:
            message = f"{name} is already on line {assignments[name].line}"
            diagnostics.append(_diagnostic(path, number, message))
        else:
            assignments[name] = Assignment(number, name, value)
    if diagnostics:
        raise BadEnvFile(diagnostics)
    return tuple(assignments.values())


def _variable(line: bytes) -> tuple[str, str] | None:
    """Return the name and the value in a line; None for an empty line or a comment.

    Raises ValueError for an invalid line. Its message does not contain the value.
    """
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise ValueError("this is not UTF-8") from None
    if not text or text.startswith("#"):
        return None
    if "\0" in text:
        raise ValueError("a variable cannot hold the character NUL")
    assignment = _ASSIGNMENT.match(text)
    if assignment is None:
        raise ValueError("this is not NAME=value")
    return assignment[1], _value(text[assignment.end() :])


def _value(written: str) -> str:
    text = written.lstrip()
    if not text.startswith(("'", '"')):
        return _COMMENT.split(written, maxsplit=1)[0].strip()
    quoted = _QUOTED.fullmatch(text)
    if quoted is None:
        problem = "the value does not end with its quotation mark"
        if _NO_ESCAPE.match(text):
            problem = r"""in "...", a \ stands before ", \, n or t only; in '...', it stands for itself"""
        raise ValueError(f"this is not NAME=value: {problem}")
    if quoted[1] is not None:
        return quoted[1]
    return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), quoted[2])


def _bad_file(path: Path, message: str) -> BadEnvFile:
    return BadEnvFile([_diagnostic(path, 0, message)])


def _diagnostic(path: Path, line: int, message: str) -> Diagnostic:
    hint = "write one variable on each line: NAME=value, NAME='value' or NAME=\"value\"; # begins a comment"
    name = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    return Diagnostic(rule="env-file", message=message, place=Place(path=name, line=line), hint=hint)
