"""Widgets of a few lines, bundled as the pipeline bundles them, in small pages with the emulator."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from frames import SmallPages, open_small_pages
from playwright.sync_api import Browser
from shop_scripts import Snippet

from awning.bundle.emulator import emulator_script
from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.jsrc import jsrc_root


@pytest.fixture(scope="session")
def small_pages(browser: Browser) -> Iterator[SmallPages]:
    yield from open_small_pages(browser, emulator_script(find_esbuild()).decode())


@pytest.fixture(scope="session")
def snippet(tmp_path_factory: pytest.TempPathFactory) -> Snippet:
    """`snippet(widget, texts, data, insert)` returns the script of a snippet that runs one widget with these values.

    `texts` makes the arguments of every render function. `data` is the name of a function that adds app data to them,
    or "" for a widget without a schema; `before` defines it. All are code. `widget` is a widget.ts, or only a render
    function of after-price. The same values are bundled once.
    """
    folder, numbers, esbuild = tmp_path_factory.mktemp("widgets"), count(), find_esbuild()

    @cache
    def make(
        widget: str,
        texts: str = "noMessages",
        data: str = "",
        insert: str = "replace",
        *,
        name: str = "sample",
        before: str = "",
        minify: bool = True,
        jsrc: Path | None = None,
        **defines: str,
    ) -> str:
        root = folder / str(next(numbers))
        common = f"{data}({texts})" if data else texts
        call = f'run("{name}", "aw-{name}", slots, {insert}, {common});'
        entry = _write(root, widget, f"{before}\n{call}")
        asked = BundleRequest(
            entry_points=(EntryPoint(name="body", path=entry),),
            root=root,
            jsrc=jsrc or jsrc_root(),
            source_maps=False,
            minify=minify,
            defines=defines,
        )
        return bundle(esbuild, asked).outputs["body"].code.decode()

    return make


def _write(root: Path, widget: str, call: str) -> Path:
    root.mkdir()
    if "export default" not in widget:
        widget = f'import {{ afterPrice }} from "awning";\nexport default afterPrice({widget});'
    (root / "widget.ts").write_text(widget, encoding="utf-8")
    names = (
        "run, appData, byLanguage, keep, later, noMessages, oneLanguage, plurals, replace, sampled, shadow"
    )
    imports = f'import {{ {names} }} from "awning/run";\nimport slots from "./widget.ts";'
    entry = root / "entry.ts"
    entry.write_text(f"{imports}\n{call}\n", encoding="utf-8")
    return entry
