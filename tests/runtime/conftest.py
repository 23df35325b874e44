"""Widgets of a few lines, bundled as the pipeline bundles them, in small pages with the emulator."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from frames import SmallPages, open_small_pages
from playwright.sync_api import Browser
from shop_scripts import Snippet

from awning.bundle import BundleRequest, Entry, bundle, find_esbuild
from awning.check import sole_slot
from awning.cli.emulator import emulator_script
from awning.jsrc import jsrc_root
from awning.pipeline.flat import flat_source


@pytest.fixture(scope="session")
def small_pages(browser: Browser) -> Iterator[SmallPages]:
    yield from open_small_pages(browser, emulator_script(find_esbuild()).decode())


@pytest.fixture(scope="session", params=["run", "written out"])
def snippet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Snippet:
    """`snippet(widget, texts, data, insert)` is the script of a snippet with that one widget, run with these.

    Once by `run`, as beside other widgets, and once written out, as alone; a widget with several slots is always run.

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
        given = Given(name=name, texts=texts, data=data, insert=insert, before=before)
        entry = _write(root, widget, given, alone=request.param == "written out")
        jsrc = jsrc_root()
        asked = BundleRequest(
            entries=(Entry(name="body", path=entry),),
            root=root,
            jsrc=jsrc,
            source_maps=False,
            minify=minify,
            defines=defines,
        )
        return bundle(esbuild, asked).outputs["body"].code.decode()

    return make


@dataclass(frozen=True, kw_only=True)
class Given:
    """What the entry of a widget says of it, as code."""

    name: str
    texts: str
    data: str
    insert: str
    before: str

    @property
    def fields(self) -> str:
        return f"page, language: page.language, data: {f'{self.data}.data' if self.data else '{}'}"

    @property
    def on(self) -> str:
        return "part" if "const part =" in self.before else "true"

    def run(self) -> str:
        page = f"page = {self.data}.page(page), " if self.data else ""
        common = f"page => ({page}{{ {self.fields}, t: {self.texts} }})"
        return f'{self.on} && run("{self.name}", "aw-{self.name}", render, {common}, {self.insert});'

    def written_out(self, slot: str) -> str:
        page = f"{self.data}.page(param.page)" if self.data else "param.page || {}"
        known = {
            "NAME": f'"{self.name}"',
            "ROOT": f'"aw-{self.name}"',
            "SLOT": f'"{slot}"',
            "INSERT": "null" if self.insert == "replace" else self.insert,
            "ON": self.on,
            "BEGIN": f"(page = {page}, t = {self.texts})",
            "GIVEN": f"{{ {self.fields}, t }}",
        }
        return f"let page, t;\n{flat_source(known)}"


def _write(root: Path, widget: str, given: Given, *, alone: bool) -> Path:
    root.mkdir()
    if "export default" not in widget:
        widget = f'import {{ afterPrice }} from "awning";\nexport default afterPrice({widget});'
    slot = sole_slot(widget) if alone else None
    if slot:
        start, end = slot.module
        widget = f'{widget[:start]}"awning/bare"{widget[end:]}'
    (root / "widget.ts").write_text(widget, encoding="utf-8")
    names = "run, appData, byLanguage, keep, later, oneLanguage, plurals, replace, shadow, tell"
    started = given.written_out(slot.function) if slot else given.run()
    imports = f'import {{ {names} }} from "awning/run";\nimport render from "./widget.ts";'
    entry = root / "entry.ts"
    entry.write_text(f"{imports}\n{given.before}\n{started}\n", encoding="utf-8")
    return entry
