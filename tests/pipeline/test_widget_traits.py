"""The traits of widgets are read from code and texts of scripts, never from comments."""

from collections.abc import Callable

import pytest
from project import Project

from awning.pipeline import inspect_workspace

Staged = Callable[[str], str]

IMPORT = 'import { afterPrice } from "awning";\n'
SHOWS = IMPORT + 'export default afterPrice(({ t }) => t("hello"));\n'


@pytest.mark.parametrize(
    ("code", "patched"),
    [
        ("// <button> would be live\n", False),
        ("const live_ = 1, options = [1 < 2];\n", False),
        ("const html = `<button>${1}</button>`;\n", True),
        ("const show = (node: HTMLElement) => { node.tabIndex = 0; };\n", True),
        ('const show = (node: HTMLElement) => node.setAttribute("tabindex", "0");\n', True),
    ],
)
def test_content_is_patched_when_the_script_makes_it_interactive(
    project: Project, staged: Staged, code: str, *, patched: bool
) -> None:
    project.add_widget("note", view_html_j2="<p>x</p>", widget_ts=SHOWS + code).build()
    assert ("keep" in staged("note/en/body")) is patched


@pytest.mark.parametrize(
    ("code", "waits"),
    [
        ("// then fetch it, async\n", False),
        ('import { meanwhile } from "awning";\n', True),
        ('const text = "then await";\n', False),
        ("export const load = (it: { then(): void }) => it.then();\n", True),
        ("export const load = async () => 1;\n", True),
        ('export const load = () => import("./other.ts");\n', True),
        ('export const load = () => window["fetch"]("/a");\n', True),
    ],
)
def test_asynchronous_script_is_awaited(project: Project, staged: Staged, code: str, *, waits: bool) -> None:
    project.add_widget("note", other_ts="export {};\n", widget_ts=SHOWS + code).build()
    assert ("later(" in staged("note/en/body")) is waits


@pytest.mark.parametrize(
    ("code", "patched"),
    [
        ('// as in "../other/widget.ts"\n', False),
        ('import "../other/links.ts";\n', True),
    ],
)
def test_widget_that_imports_from_another_has_all_traits(
    project: Project, staged: Staged, code: str, *, patched: bool
) -> None:
    project.add_widget("other", links_ts="export {};\n")
    project.add_widget("note", view_html_j2="<p>x</p>", widget_ts=code + SHOWS).build()
    assert ("keep" in staged("note/en/body")) is patched


@pytest.mark.parametrize(
    ("script", "is_raw"),
    [
        ("// svcPlugins calls this\nexport const shown = 1;\n", False),
        ('export const event = "svcPluginsReady";\n', False),
        ('export const global = window["svcPlugins"];\n', True),
        ('export const global = new Function("return svcPlugins.initContentHandler");\n', True),
    ],
)
def test_script_is_raw_when_it_names_the_global_object(
    project: Project, staged: Staged, script: str, *, is_raw: bool
) -> None:
    project.add_widget("note", widget_ts=script)
    rules = {diagnostic.rule for diagnostic in inspect_workspace(project.root).counted()}
    assert ("missing-export" not in rules) is is_raw
