"""The traits of widgets are read from code and texts of scripts, never from comments."""

import pytest
from project import Project

IMPORT = 'import { afterPrice } from "awning";\n'
SHOWS = IMPORT + 'export default afterPrice(({ t }) => t("hello"));\n'

PATCHED = {
    "// <button> would be live\n": False,
    "const live_ = 1, options = [1 < 2];\n": False,
    "const html = `<button>${1}</button>`;\n": True,
    "const show = (node: HTMLElement) => { node.tabIndex = 0; };\n": True,
    'const show = (node: HTMLElement) => node.setAttribute("tabindex", "0");\n': True,
    '// as in "../other/widget.ts"\n': False,
    'import "../other/links.ts";\n': True,
}
WAITS = {
    "// then fetch it, async\n": False,
    'import { meanwhile } from "awning";\n': True,
    'const text = "then await";\n': False,
    "export const load = (it: { then(): void }) => it.then();\n": True,
    "export const load = async () => 1;\n": True,
    'export const load = () => import("./other.ts");\n': True,
    'export const load = () => window["fetch"]("/a");\n': True,
}
RAW = {
    "// svcPlugins calls this\nexport const shown = 1;\n": False,
    'export const event = "svcPluginsReady";\n': False,
    'export const global = window["svcPlugins"];\n': True,
    'export const global = new Function("return svcPlugins.initContentHandler");\n': True,
}


@pytest.fixture(scope="module")
def entry_of(tmp_path_factory):
    """`entry_of(code)`: the generated entry point of the widget whose script has this code. All are built at once."""
    folder = tmp_path_factory.mktemp("traits")
    project = Project(folder / "shop").add_widget("other", links_ts="export {};\n")
    names = {code: f"w{number}" for number, code in enumerate((*PATCHED, *WAITS))}
    for code, name in names.items():
        project.add_widget(name, view_html_j2="<p>x</p>", other_ts="export {};\n", widget_ts=code + SHOWS)
    entries = project.stage(folder / "staged") / "entries"
    return lambda code: (entries / f"{names[code]}/en/body.ts").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", PATCHED)
def test_content_is_patched_when_the_script_makes_it_interactive_or_imports_from_another_widget(
    entry_of, code
):
    assert ("keep" in entry_of(code)) is PATCHED[code]


@pytest.mark.parametrize("code", WAITS)
def test_asynchronous_script_is_awaited(entry_of, code):
    assert ("later(" in entry_of(code)) is WAITS[code]


@pytest.mark.parametrize("script", RAW)
def test_script_is_raw_when_it_names_the_global_object(findings_of, script):
    rules = {finding.rule for finding in findings_of(RAW, lambda script: {"widget_ts": script})[script]}
    assert ("missing-export" not in rules) is RAW[script]
