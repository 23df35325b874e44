"""The file of each helper of the run-time library, and the import lines of a module.

A module imports its helpers from their files, so the bundler reads only these files.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from awning.jsrc import jsrc_root

_FOLDERS = ("escape", "template")
"""The folders of jsrc/runtime with helpers."""

_EXPORT = re.compile(r"^export (?:(?:const|function\*?|class) (\w+)|\{([^}]*)\})", re.MULTILINE)


@cache
def helper_files() -> Mapping[str, str]:
    """Return the file of each helper, as an import path that the bundler resolves (`awning.bundle.request`).

    The files are read once, which takes some 5 ms.
    """
    runtime = jsrc_root() / "runtime"
    files: dict[str, str] = {}
    for folder in _FOLDERS:
        for file in sorted((runtime / folder).rglob("*.ts")):
            if file.name != "index.ts":
                path = f"awning/{file.relative_to(runtime).with_suffix('').as_posix()}"
                files.update(dict.fromkeys(_exported(file), path))
    return files


def _exported(file: Path) -> Iterator[str]:
    """Yield the names of the values that a file exports."""
    for match in _EXPORT.finditer(file.read_text(encoding="utf-8")):
        if match[1]:
            yield match[1]
        else:
            yield from (part.split(" as ")[-1].strip() for part in match[2].split(",") if part.strip())


def import_lines(helpers: Iterable[str]) -> list[str]:
    """Return one import statement per file, sorted."""
    files = helper_files()
    by_file: dict[str, list[str]] = {}
    for helper in sorted(helpers):
        by_file.setdefault(files[helper], []).append(helper)
    return [f'import {{ {", ".join(names)} }} from "{file}";' for file, names in sorted(by_file.items())]
