"""Bundles linkedom, the DOM on which `awning check` runs scripts, into `jsrc/vendor`:

    .venv/bin/python packaging/bundle_dom.py [--check]

npm installs the packages that `packaging/dom/package-lock.json` pins by their hashes. The result depends only on them
and on the pinned esbuild. `--check` writes nothing; the exit code is 1 if the files in `jsrc/vendor` differ.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from awning.bundle.run import find_esbuild

HERE = Path(__file__).resolve().parent
VENDOR = HERE.parent / "jsrc" / "vendor"


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: python packaging/bundle_dom.py [--check]", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(HERE / "dom", folder, dirs_exist_ok=True)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, check=True)
        files = {
            f"linkedom-{_version(folder)}.js": _bundled(folder),
            "linkedom-licences.txt": _licences(folder),
        }
    differing = [name for name, content in files.items() if not _is_same(VENDOR / name, content)]
    if arguments:
        print("\n".join(differing))
        return int(bool(differing))
    for name, content in files.items():
        (VENDOR / name).write_bytes(content)
    return 0


def _is_same(file: Path, content: bytes) -> bool:
    return file.is_file() and file.read_bytes() == content


def _version(folder: Path) -> str:
    package = json.loads((folder / "node_modules/linkedom/package.json").read_text(encoding="utf-8"))
    return str(package["version"])


def _bundled(folder: Path) -> bytes:
    options = "--bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --log-level=error"
    command = [str(find_esbuild().path), "dom.js", *options.split()]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def _licences(folder: Path) -> bytes:
    """Return the licences of all packages in the bundle, in the order of their names."""
    texts = [
        f"{file.parent.name}\n\n{file.read_text(encoding='utf-8').strip()}\n"
        for file in sorted((folder / "node_modules").glob("*/LICENSE*"))
    ]
    return ("\n".join(texts)).encode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
