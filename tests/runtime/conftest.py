"""Widgets of a few lines, bundled as the pipeline bundles them, in small pages with the emulator."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from frames import SmallPages, open_small_pages
from playwright.sync_api import Browser
from shop_scripts import Snippet

from awning.bundle import BundleRequest, EntryPoint, bundle, find_esbuild
from awning.bundle.emulator import emulator_script
from awning.jsrc import jsrc_root


@pytest.fixture(scope="session")
def small_pages(browser: Browser) -> Iterator[SmallPages]:
    yield from open_small_pages(browser, emulator_script(find_esbuild()).decode())


@pytest.fixture(scope="session")
def snippet(tmp_path_factory: pytest.TempPathFactory) -> Snippet:
    """`snippet(widget, texts, data, insert)` is the script of a snippet with that one widget, run with these.

    `texts` is what makes `t`, and may use `page`; `data` is "part", or "" for a widget without a schema. All are code.
    `widget` is a widget.ts, or only a render function of after-price. `before` stands before the call of `run`, which
    it keeps from being called where it defines a `part` that is 0.
    """
    folder, numbers, esbuild = tmp_path_factory.mktemp("widgets"), count(), find_esbuild()

    def make(
        widget: str,
        texts: str = "String",
        data: str = "",
        insert: str = "replace",
        *,
        name: str = "sample",
        before: str = "",
        minify: bool = True,
        **defines: str,
    ) -> str:
        root = folder / str(next(numbers))
        page = f"page = {data}.page(page), " if data else ""
        fields = f"page, language: page.language, data: {f'{data}.data' if data else '{}'}, t: {texts}"
        on = "part" if "const part =" in before else "true"
        call = f'{on} && run("{name}", "aw-{name}", slots, page => ({page}{{ {fields} }}), {insert});'
        entry = _write(root, widget, f"{before}\n{call}")
        jsrc = jsrc_root()
        asked = BundleRequest(
            entry_points=(EntryPoint(name="body", path=entry),),
            root=root,
            jsrc=jsrc,
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
    names = "run, appData, byLanguage, keep, later, oneLanguage, plurals, replace, shadow"
    imports = f'import {{ {names} }} from "awning/run";\nimport slots from "./widget.ts";'
    entry = root / "entry.ts"
    entry.write_text(f"{imports}\n{call}\n", encoding="utf-8")
    return entry
