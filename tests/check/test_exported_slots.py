"""The slots in widget.toml are the slots that the script exports."""

import pytest
from project import Project

from awning.pipeline import inspect_workspace

CART = 'import { afterCart } from "awning";\n'
BOTH = 'import { afterCart, afterPrice } from "awning";\n'
VIEW = '({ t }) => `<p>${t("hello")}</p>`'


def found(tmp_path, toml, script, **files):
    project = Project(tmp_path).add_widget(
        "note", widget_toml=f'title = "Note"\n{toml}\n', widget_ts=script, **files
    )
    (project.root / "widgets/note/view.html.j2").unlink()
    findings = inspect_workspace(project.root).counted()
    return [finding for finding in findings if finding.rule == "slot-mismatch"]


@pytest.mark.parametrize(
    "script",
    [
        f"{CART}export default afterCart({VIEW});\n",
        f"{CART}export default afterCart<Data>({VIEW}) as never;\n",
        f"{CART}const slot = (afterCart({VIEW}));\nexport default slot;\n",
        f"{CART}const slots = [afterCart({VIEW})];\nexport {{ slots as default }};\n",
        f'import {{ afterCart as cart }} from "awning";\nexport default [cart({VIEW})];\n',
        f'import * as awning from "awning";\nexport default awning.afterCart({VIEW});\n',
        f"{BOTH}export default [afterPrice({VIEW}), afterCart({VIEW})];\n",
    ],
)
def test_exported_slot_that_widget_toml_does_not_name_is_an_error(tmp_path, script):
    [finding] = found(tmp_path, 'slot = "after-price"', script)
    assert finding.severity == "error"
    assert finding.place.path == "widgets/note/widget.ts"
    assert "fterCart" in script.splitlines()[finding.place.line - 1] or "cart(" in script
    assert finding.message == (
        'the script exports afterCart(...), but the slot in widgets/note/widget.toml is "after-price"'
    )
    assert finding.hint == 'write slot = "after-cart" in widget.toml, or export afterPrice(...)'


@pytest.mark.parametrize(
    "script",
    [
        'export { default } from "./cart";\n',
        'export { slot as default } from "./cart.ts";\n',
        'import slot from "./cart";\nexport default slot;\n',
        'import { slot } from "./cart";\nexport default [slot];\n',
        'import * as cart from "./cart";\nexport default cart.slot;\n',
    ],
)
def test_slot_of_another_script_is_found_there(tmp_path, script):
    cart = f"{CART}export const slot = afterCart({VIEW});\nexport default slot;\n"
    [finding] = found(tmp_path, 'slot = "after-price"', script, cart_ts=cart)
    assert str(finding.place) == "widgets/note/cart.ts:2:21"


def test_named_slot_that_the_script_does_not_export_is_an_error(tmp_path):
    toml = 'slots = ["after-cart", "after-checkout"]'
    [finding] = found(tmp_path, toml, f"{CART}export default afterCart({VIEW});\n")
    assert (str(finding.place), finding.severity) == ("widgets/note/widget.toml:2:24", "error")
    assert finding.message == (
        'the slot "after-checkout" is named here, but widget.ts exports no afterCheckout(...)'
    )


@pytest.mark.parametrize(
    ("toml", "script"),
    [
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
    ],
)
def test_other_exports_are_no_error(tmp_path, toml, script):
    own = "export const afterCart = (render) => render;\n"
    assert found(tmp_path, toml, script, own_ts=own) == []
