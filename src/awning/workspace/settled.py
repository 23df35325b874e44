"""Writes settled assumptions into a profile of pyproject.toml. Everything else in the file stays as it is."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from awning.errors import ConfigurationError
from awning.workspace.author_file import rewrite_file
from awning.workspace.model import SettledAnswer
from awning.workspace.toml_text import inline_value, toml_key


def save_settled(root: Path, profile: str, settled: Mapping[str, SettledAnswer]) -> Path:
    """Write the answers into the profile. Returns the path of the file.

    Raises ConfigurationError with the lines to add when the file is written in a way that they cannot be added to.
    """
    file = root / "pyproject.toml"
    old = file.read_bytes().decode("utf-8")
    entries = {id_: _entry(answer) for id_, answer in settled.items()}
    path = ("tool", "awning", "profiles", profile, "assumptions")
    new = "\n".join(_with_entries(old.replace("\r\n", "\n").split("\n"), path, entries))
    if not _is_added(old, new, path, entries):
        lines = "\n".join(_lines(entries))
        raise ConfigurationError(
            f"the answers cannot be added to {file}", hint=f"write them below {_header(path)}:\n{lines}"
        )
    if entries:
        rewrite_file(file, new.replace("\n", "\r\n") if "\r\n" in old else new)
    return file


def _entry(answer: SettledAnswer) -> dict[str, str]:
    return {name: value for name, value in asdict(answer).items() if value is not None}


def _lines(entries: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    yield from (f"{toml_key(id_)} = {inline_value(entry)}" for id_, entry in entries.items())


def _header(path: tuple[str, ...]) -> str:
    return f"[{'.'.join(map(toml_key, path))}]"


def _with_entries(
    lines: list[str], path: tuple[str, ...], entries: Mapping[str, Mapping[str, str]]
) -> list[str]:
    """Return the lines with the entries in the table at `path`, which is added at the end if it is missing."""
    begin = next((index for index, line in enumerate(lines) if _table_of(line) == path), None)
    if begin is None:
        while lines and not lines[-1].strip():
            lines.pop()
        return [*lines, "", _header(path), *_lines(entries), ""]
    after = (index for index in range(begin + 1, len(lines)) if lines[index].lstrip().startswith("["))
    end = next(after, len(lines))
    others = [line for line in lines[begin + 1 : end] if _key_of(line) not in entries]
    blank = len(others)
    while blank and not others[blank - 1].strip():
        blank -= 1
    return [*lines[: begin + 1], *others[:blank], *_lines(entries), *others[blank:], *lines[end:]]


def _table_of(line: str) -> tuple[str, ...] | None:
    """Return the path of the table that a line begins; None for any other line."""
    if not line.lstrip().startswith("[") or line.lstrip().startswith("[["):
        return None
    table, path = _parsed(line), []
    while table:
        [(name, table)] = table.items()
        path.append(name)
    return tuple(path)


def _key_of(line: str) -> str | None:
    return next(iter(_parsed(line)), None)


def _parsed(line: str) -> dict[str, Any]:
    try:
        return tomllib.loads(line)
    except ValueError:
        return {}


def _is_added(old: str, new: str, path: tuple[str, ...], entries: Mapping[str, Mapping[str, str]]) -> bool:
    """Return whether the new text has what the old one has, and the entries."""
    try:
        wanted, got = tomllib.loads(old), tomllib.loads(new)
    except ValueError:
        return False
    table = wanted
    for name in path:
        table = table.setdefault(name, {})
    table.update({id_: dict(entry) for id_, entry in entries.items()})
    return wanted == got
