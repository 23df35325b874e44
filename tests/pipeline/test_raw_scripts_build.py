"""Scripts without a default export: raw if they name the service's global object, an error otherwise."""

import pytest

from awning.errors import Faulty

SPEAKS = 'svcPlugins.subscribeEvent("svc-content-after-price", () => {});\n'
RAW = {
    "alone": SPEAKS,
    "with a comment": f"// no export default\n/* export {{ x as default }} */\n{SPEAKS}",
    "with named exports": f"export const a = 1;\n{SPEAKS}",
    "with an import": f'import view from "./view.html.j2";\n{SPEAKS}view({{}});\n',
}


@pytest.mark.parametrize("script", RAW.values(), ids=RAW)
def test_raw_script_is_bundled_without_the_runtime(project, script):
    project.add_widget("note", widget_ts=script, view_html_j2="<p>x</p>").build()
    body = project.dist("widgets/note/body.html")
    assert body.count("subscribeEvent") == 1
    assert "svcPlugins" in body


def test_a_raw_script_may_be_in_another_file_of_the_widget(project):
    project.add_widget("note", widget_ts='import "./raw.ts";\n').add_file(
        "widgets/note/raw.ts", SPEAKS
    ).build()
    assert "subscribeEvent" in project.dist("body.html")


def test_raw_script_uses_the_global_of_the_profile(project):
    dialect = '[tool.awning]\nlanguages = ["en", "lv"]\n[tool.awning.profiles.default.dialect]\n'
    project.add_file("pyproject.toml", f'{dialect}global_object = "shopApps"\n')
    project.add_widget("note", widget_ts=SPEAKS.replace("svcPlugins", "shopApps")).build()
    assert "shopApps.subscribeEvent" in project.dist("body.html")


@pytest.mark.parametrize(
    "script",
    [
        'import { afterPrice } from "awning";\nexport const shown = afterPrice(() => "");\n',
        "const mySvcPlugins = 1;\n",
        "",
    ],
    ids=["named export", "another name", "empty"],
)
def test_missing_default_export_is_reported_once_at_the_script(project, script):
    project.add_widget("note", widget_ts=script).add_widget("other")
    with pytest.raises(Faulty) as raised:
        project.build()
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.rule, str(diagnostic.place)) == ("missing-export", "widgets/note/widget.ts:1:1")
    assert "export default" in diagnostic.hint


def test_style_of_a_raw_script_is_not_scoped(project):
    """The runtime does not wrap the HTML of a raw script: a rule for the widget's class would match nothing."""
    script = 'svcPlugins.subscribeEvent("svc-content-after-price", (_event, init) => { init(); });\n'
    project.add_widget("raw", widget_ts=script, style_css=".only { color: red }").build()
    assert "<style>.only{color:red}</style>" in project.dist("widgets/raw/body.html")
