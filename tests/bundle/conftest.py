"""A small source tree, and esbuild, for the tests of `awning.bundle`."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from awning.bundle.request import BundleRequest, BundleResult, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.programs import Binary

JSRC = {
    "runtime/index.ts": "export const slot = (render: unknown) => render; export const unused = 'never shipped';\n",
    "runtime/run.ts": "export const run = (all: unknown) => console.log(AWNING_GLOBAL, AWNING_EVENT_PREFIX, all);\n",
    "runtime/template/index.ts": "export const escape = (text: string) => text;\n",
    "types/index.ts": "export type Item = { price: number };\n",
}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def esbuild() -> Binary:
    return find_esbuild()


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., BundleRequest]:
    """`tree(files, *entries, **options)` writes the files below `ws`, and returns the request for the entries."""

    def make(files: Mapping[str, str], *entries: str, **options: object) -> BundleRequest:
        root = write(tmp_path / "ws", files)
        jsrc = write(tmp_path / "jsrc", JSRC)
        named = tuple(EntryPoint(Path(entry).stem, root / entry) for entry in entries)
        return BundleRequest(entry_points=named, root=root, jsrc=jsrc, **options)

    return make


@pytest.fixture
def bundled(esbuild: Binary, tree: Callable[..., BundleRequest]) -> Callable[..., BundleResult]:
    return lambda *args, **options: bundle(esbuild, tree(*args, **options))
