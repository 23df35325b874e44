"""Files from outside of the sources are refused at their import. Packages are allowed."""

import pytest

from awning.errors import Faulty

SCRIPT = 'import { afterPrice } from "awning";\nimport more from "{path}";\nexport default afterPrice(() => more);\n'
WAYS = {
    "an absolute path": ("widget_ts", SCRIPT, "{top}/secret.json"),
    "a path up": ("widget_ts", SCRIPT, "../../../../../../secret.json"),
    "a path up to the root": ("widget_ts", SCRIPT, "../../../../../secret.json"),
    "a package above": ("widget_ts", SCRIPT, "above"),
    "a package that is a link": ("widget_ts", SCRIPT, "linked"),
    "a style": ("style_css", '\n@import "{path}";\n', "{top}/secret.css"),
    "a picture": ("style_css", "\n.a {{ background: url({path}) }}\n", "{top}/secret.svg"),
}


@pytest.fixture
def shop(project):
    top = project.root.parent
    for ending, text in {"json": '"of another"', "css": ".x { color: red }", "svg": "<svg/>"}.items():
        (top / f"secret.{ending}").write_text(text)
    project.add_file("secret.json", '"of another"')
    for folder in (top / "node_modules/above", top / "linked", project.root / "node_modules/own"):
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"main": "index.js"}')
        (folder / "index.js").write_text('export { default } from "./inner.js";')
        (folder / "inner.js").write_text('export default "from a package";')
    (project.root / "node_modules/linked").symlink_to(top / "linked")
    return project


@pytest.mark.parametrize("way", WAYS)
def test_file_from_outside_is_refused_at_its_import(shop, way):
    name, text, path = WAYS[way]
    path = path.format(top=shop.root.parent)
    shop.add_widget("note", **{name: text.replace("{path}", path).replace("{{", "{").replace("}}", "}")})
    with pytest.raises(Faulty) as raised:
        shop.build()
    diagnostic = raised.value.diagnostics[0]
    assert diagnostic.rule in {"file-outside", "unresolved-import"}, raised.value.message
    assert (diagnostic.place.line, path in diagnostic.excerpt) == (2, True)
    assert not (shop.root / "dist").exists()


def test_packages_of_the_workspace_are_bundled(shop):
    shop.add_widget("note", widget_ts=SCRIPT.replace("{path}", "own")).build()
    assert "from a package" in shop.dist("body.html")


def test_template_cannot_include_a_file_from_outside(shop):
    shop.add_widget("note", view_html_j2='{% include "../../../secret.json" %}')
    with pytest.raises(Faulty, match="template-not-found"):
        shop.build()
