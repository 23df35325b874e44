"""Writes the pages of docs/reference from the code:

    .venv/bin/python packaging/make_reference.py [FOLDER]

Options of the command line, fixtures, keys of files and exports of the runtime are described once, where they are
defined. Another folder than docs/reference must be empty. `tests/repository/test_reference_is_current.py` compares the
pages with the code.
"""

import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from reference import checks, command_line, fixtures, rules, runtime, service, variables, workspace_files

from awning.cli.verbs import GROUP

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"


def main() -> int:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    if missing := command_line.verbs_not_installed(declared[GROUP]):
        names = ", ".join(missing)
        print(
            f"this environment is older than pyproject.toml, it has no {names}: python3 build.py",
            file=sys.stderr,
        )
        return 2
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else REFERENCE
    if folder != REFERENCE and folder.exists() and any(folder.iterdir()):
        print(f"{folder} is not empty; name a new folder", file=sys.stderr)
        return 2
    written = list(pages())  # before the old ones go: a fault in the code leaves them
    if folder == REFERENCE:
        shutil.rmtree(folder, ignore_errors=True)
    for path, text in written:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
    return 0


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every page."""
    yield from command_line.pages()
    yield from workspace_files.pages()
    yield from variables.pages()
    yield from fixtures.pages()
    yield from runtime.pages(ROOT / "jsrc" / "runtime")
    yield from service.pages()
    yield from rules.pages()
    yield from checks.pages()


if __name__ == "__main__":
    sys.exit(main())
