"""The slots in widget.toml are the slots that the script exports."""

import pytest
from project import Project

from awning.pipeline.incremental import inspect_workspace

CART = 'import { afterCart } from "awning";\n'
BOTH = 'import { afterCart, afterPrice } from "awning";\n'
VIEW = '({ t }) => `<p>${t("hello")}</p>`'


def mismatches(findings):
    return [finding for finding in findings if finding.rule == "slot-mismatch"]


def of_price(script):
    cart = f"{CART}export const slot = afterCart({VIEW});\nexport default slot;\n"
    return {"widget_ts": script, "cart_ts": cart, "view_html_j2": ""}


OTHER_SLOT = [
    f"{CART}export default afterCart({VIEW});\n",
    f"{CART}export default afterCart<Data>({VIEW}) as never;\n",
    f"{CART}const slot = (afterCart({VIEW}));\nexport default slot;\n",
    f"{CART}const slots = [afterCart({VIEW})];\nexport {{ slots as default }};\n",
    f'import {{ afterCart as cart }} from "awning";\nexport default [cart({VIEW})];\n',
    f'import * as awning from "awning";\nexport default awning.afterCart({VIEW});\n',
    f"{BOTH}export default [afterPrice({VIEW}), afterCart({VIEW})];\n",
]


@pytest.mark.parametrize("script", OTHER_SLOT)
def test_exported_slot_that_widget_toml_does_not_name_is_an_error(findings_of, script):
    [finding] = mismatches(findings_of(OTHER_SLOT, of_price)[script])
    assert finding.severity == "error"
    assert finding.place.path.endswith("/widget.ts")
    assert "fterCart" in script.splitlines()[finding.place.line - 1] or "cart(" in script
    toml = finding.place.path.replace("widget.ts", "widget.toml")
    assert finding.message == (f'the script exports afterCart(...), but the slot in {toml} is "after-price"')
    assert finding.hint == 'write slot = "after-cart" in widget.toml, or export afterPrice(...)'


SLOT_ELSEWHERE = [
    'export { default } from "./cart";\n',
    'export { slot as default } from "./cart.ts";\n',
    'import slot from "./cart";\nexport default slot;\n',
    'import { slot } from "./cart";\nexport default [slot];\n',
    'import * as cart from "./cart";\nexport default cart.slot;\n',
]


@pytest.mark.parametrize("script", SLOT_ELSEWHERE)
def test_slot_of_another_script_is_found_there(findings_of, script):
    [finding] = mismatches(findings_of(SLOT_ELSEWHERE, of_price)[script])
    assert str(finding.place).partition("/")[2].partition("/")[2] == "cart.ts:2:21"


def test_named_slot_that_the_script_does_not_export_is_an_error(tmp_path):
    toml = 'title = "Note"\nslots = ["after-cart", "after-checkout"]\n'
    script = f"{CART}export default afterCart({VIEW});\n"
    project = Project(tmp_path).add_widget("note", widget_toml=toml, widget_ts=script, view_html_j2="")
    [finding] = mismatches(inspect_workspace(project.root, types=False).counted())
    assert (str(finding.place), finding.severity) == ("widgets/note/widget.toml:2:24", "error")
    assert finding.message == (
        'the slot "after-checkout" is named here, but widget.ts exports no afterCheckout(...)'
    )


SLOT_NAMED = [
    ('slot = "after-cart"', f"{CART}export default afterCart({VIEW});\n"),
    (
        'slots = ["after-price", "after-cart"]',
        f"{BOTH}export default [afterCart({VIEW}), afterPrice({VIEW})];\n",
    ),
    ('slot = "after-price"', f"{BOTH}export default live ? afterCart({VIEW}) : afterPrice({VIEW});\n"),
    ('slot = "after-price"', f"{BOTH}export default [...more, afterCart({VIEW})];\n"),
    (
        'slot = "after-price"',
        f'import {{ afterCart }} from "./own";\nexport default afterCart({VIEW});\n',
    ),
    (
        'slot = "after-price"',
        f"{BOTH}const old = afterCart({VIEW});\nexport default afterPrice({VIEW});\n",
    ),
    ('slot = "after-price"', 'import a from "./widget";\nexport default a;\n'),
]


@pytest.mark.parametrize(("toml", "script"), SLOT_NAMED)
def test_other_exports_are_no_error(findings_of, toml, script):
    def files(case):
        own = "export const afterCart = (render) => render;\n"
        widget = {"widget_toml": f'title = "Note"\n{case[0]}\n', "widget_ts": case[1]}
        return {**widget, "own_ts": own, "view_html_j2": ""}

    assert mismatches(findings_of(SLOT_NAMED, files)[toml, script]) == []
