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
MARKUP = {
    "text": ({"view_html_j2": "<p>x</p>"}, False),
    "hidden overflow": ({"view_html_j2": "<p>x</p>", "style_css": ".a { overflow: hidden }"}, False),
    "elements that do nothing": ({"view_html_j2": "<article>x</article><sup>1</sup>"}, False),
    "button": ({"view_html_j2": "<button>x</button>"}, True),
    "link": ({"view_html_j2": '<a href="/">x</a>'}, True),
    "tab index": ({"view_html_j2": '<div tabindex="0">x</div>'}, True),
    "scrolling": ({"view_html_j2": "<p>x</p>", "style_css": ".a { overflow-x: auto }"}, True),
    "shared template": ({"view_html_j2": '{% include "link.html.j2" %}'}, True),
    "template of a shared template": ({"view_html_j2": '{% include "row.html.j2" %}'}, True),
}
SHARED = {
    "link.html.j2": '<a href="/">x</a>',
    "button.html.j2": "<button>",
    "row.html.j2": '{% include "button.html.j2" %}',
}
RAW = {
    "// svcPlugins calls this\nexport const shown = 1;\n": False,
    'export const event = "svcPluginsReady";\n': False,
    'export const global = window["svcPlugins"];\n': True,
    'export const global = new Function("return svcPlugins.initContentHandler");\n': True,
}


@pytest.fixture(scope="module")
def entry_of(tmp_path_factory):
    """`entry_of(case)`: the generated entry point of a widget, by its code or its name. All are built at once."""
    folder = tmp_path_factory.mktemp("traits")
    project = Project(folder / "shop").add_widget("other", links_ts="export {};\n")
    for name, text in SHARED.items():
        project.add_file(f"widgets/_shared/{name}", text)
    scripts = {
        code: {"view_html_j2": "<p>x</p>", "other_ts": "export {};\n", "widget_ts": code + SHOWS}
        for code in (*PATCHED, *WAITS)
    }
    widgets = scripts | {name: files for name, (files, _) in MARKUP.items()}
    for number, files in enumerate(widgets.values()):
        project.add_widget(f"w{number}", **files)
    entries = project.stage(folder / "staged") / "entries"
    names = list(widgets)
    return lambda case: (entries / f"w{names.index(case)}/en/body.ts").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", PATCHED)
def test_content_is_patched_when_the_script_makes_it_interactive_or_imports_from_another_widget(
    entry_of, code
):
    assert ("keep" in entry_of(code)) is PATCHED[code]


@pytest.mark.parametrize("case", MARKUP)
def test_markup_and_style_make_a_widget_interactive(entry_of, case):
    assert ("keep" in entry_of(case)) is MARKUP[case][1]


def test_shared_script_makes_widgets_interactive(project, staged):
    project.add_file("widgets/_shared/links.ts", "export const link = '<button>x</button>';")
    project.add_widget("note", view_html_j2="<p>x</p>")
    assert "keep" in staged("note/en/body")


@pytest.mark.parametrize("code", WAITS)
def test_asynchronous_script_is_awaited(entry_of, code):
    assert ("later(" in entry_of(code)) is WAITS[code]


@pytest.mark.parametrize("script", RAW)
def test_script_is_raw_when_it_names_the_global_object(findings_of, script):
    rules = {finding.rule for finding in findings_of(RAW, lambda script: {"widget_ts": script})[script]}
    assert ("missing-export" not in rules) is RAW[script]
