"""A widget in a shadow root uses a font and a custom property that its own style declares."""

from project import Project

from awning_harness.storefront import FixedSnippets

TOML = 'title = "Note"\nslot = "after-price"\nisolation = "shadow"\n'
SCRIPT = """\
import { afterPrice } from "awning";

export default afterPrice(() => '<p class="only">Arrives tomorrow</p>');
"""
STYLE = """\
@font-face { font-family: "Note Serif"; src: local("Liberation Serif"), local("DejaVu Serif"); }
@property --gap { syntax: "<length>"; inherits: false; initial-value: 37px; }
.only { font-family: "Note Serif"; padding-left: var(--gap); font-size: 2rem; }
"""
MEASURED = """() => {
  const inside = document.querySelector(".placeholder-after-price [data-order] *").shadowRoot.querySelector(".only");
  const { paddingLeft, fontSize } = getComputedStyle(inside);
  return { paddingLeft, fontSize, fonts: [...document.fonts].map((font) => font.family.replaceAll('"', "")) };
}"""


def test_fonts_and_custom_properties_of_a_shadow_root_work(tmp_path, shop_with, browser):
    project = Project(tmp_path / "app", languages=("en",))
    project.add_widget("note", widget_toml=TOML, widget_ts=SCRIPT, style_css=STYLE).build()
    page = browser.new_page()
    page.goto(f"{shop_with(FixedSnippets(body=project.dist('body.html')))}/en/product/1")
    assert page.evaluate(MEASURED) == {"paddingLeft": "37px", "fontSize": "32px", "fonts": ["Note Serif"]}
    page.close()
