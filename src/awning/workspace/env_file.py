"""Reads the variables in `.env`, in the workspace's root. All verbs use them. The environment overrides them.

    # a comment
    AWNING_BASE_URL=https://api.example.com/v1     # another comment, after a space
    export AWNING_PROFILE=live                     # `export` is for shells that read the file too
    AWNING_API_KEY='as it stands'
    AWNING_APP_SECRET="with \\" \\\\ \\n \\t"

Each line has one variable. Nothing is expanded: a `$` is a `$`. An invalid line ends every verb except `doctor` with an
error, which shows the line's number but never its text (docs/decisions/0008).
"""

import os
import re
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from awning.contract import Exit
from awning.diagnostics import Diagnostic, Place
from awning.errors import ConfigurationError, Faulty
from awning.workspace.root import find_workspace

NAME = ".env"
LARGEST = 256 * 1024
_ASSIGNMENT = re.compile(r"(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*")
_QUOTED = re.compile(r"""(?:'([^']*)'|"((?:[^"\\]|\\["\\nt])*)")(?:\s+#.*)?""")
_COMMENT = re.compile(r"(?:^|\s)#")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}
_FILE = "_FILE"


class BadEnvFile(Faulty):
    """The file cannot be read or has invalid lines. The error never contains a line's text, which may be a secret."""

    exit_code = Exit.USAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvFile:
    """The names of the variables in a `.env` file.

    The variables in `taken` apply. Those in `overridden` do not, because the environment has a value for them.
    `problem` is the reason why the file cannot be used; then no variable applies.
    """

    path: Path
    taken: tuple[str, ...] = ()
    overridden: tuple[str, ...] = ()
    problem: Faulty | None = None


@contextmanager
def env_file_in_force(here: Path, environ: MutableMapping[str, str]) -> Iterator[EnvFile | None]:
    """Put the variables of the workspace's `.env` into `environ` during the block.

    Yields None if there is no file. A file with a problem raises nothing; the yielded `EnvFile` has the problem.
    """
    path = _find_env_file(here)
    if path is None:
        yield None
        return
    try:
        variables = read_env_file(path)
    except Faulty as problem:
        yield EnvFile(path=path, problem=problem)
        return
    # The environment overrides `.env`: with the variable itself, or with `<name>_FILE`, which names a file.
    taken = {
        name: value
        for name, value in variables.items()
        if name not in environ and not environ.get(name + _FILE, "").strip()
    }
    environ.update(taken)
    try:
        yield EnvFile(
            path=path, taken=tuple(taken), overridden=tuple(name for name in variables if name not in taken)
        )
    finally:
        for name in taken:
            environ.pop(name, None)


def read_env_file(path: Path) -> dict[str, str]:
    """Return the variables, in order.

    Raises BadEnvFile when the file cannot be read, is too large, or has invalid lines or a variable twice.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _bad_file(path, f"it cannot be read: {error.strerror}") from None
    if len(content) > LARGEST:
        raise _bad_file(path, f"it is larger than {LARGEST // 1024} KB")
    variables: dict[str, str] = {}
    lines: dict[str, int] = {}
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
        if name in lines:
            diagnostics.append(_diagnostic(path, number, f"{name} is already on line {lines[name]}"))
        else:
            lines[name], variables[name] = number, value
    if diagnostics:
        raise BadEnvFile(diagnostics)
    return variables


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


def _value(text: str) -> str:
    if not text.startswith(("'", '"')):
        return _COMMENT.split(text, maxsplit=1)[0].rstrip()
    quoted = _QUOTED.fullmatch(text)
    if quoted is None:
        raise ValueError("this is not NAME=value: the value does not end with its quotation mark")
    if quoted[1] is not None:
        return quoted[1]
    return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), quoted[2])


def _find_env_file(here: Path) -> Path | None:
    try:
        path = find_workspace(here) / NAME
    except ConfigurationError:
        return None
    return path if path.is_file() else None


def _bad_file(path: Path, message: str) -> BadEnvFile:
    return BadEnvFile([_diagnostic(path, 0, message)])


def _diagnostic(path: Path, line: int, message: str) -> Diagnostic:
    hint = "write one variable on each line: NAME=value, NAME='value' or NAME=\"value\"; # begins a comment"
    name = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    return Diagnostic(rule="env-file", message=message, place=Place(path=name, line=line), hint=hint)
