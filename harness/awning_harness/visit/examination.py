"""The script that examines blocks with axe-core, and with the style sheets of each theme of the shop.

axe-core comes from the package `axe-playwright-python`. It is removed from the page after each examination.
"""

import json
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path

from awning.check.repeated_ids import REFERENCES
from awning.contract.shop import THEMES
from awning_harness.storefront.themes import SHOP_SHEET, sheet_names, theme_sheets

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
"""axe-core's tags for the rules of the Web Content Accessibility Guidelines, levels A and AA."""


@cache
def axe() -> str:
    """Return axe-core's script."""
    return (package_files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


@cache
def examination() -> str:
    """Return JavaScript that examines the elements of a selector, as `examine.js` says. The page has `axe` before."""
    script = Path(__file__).with_name("examine.js").read_text(encoding="utf-8").strip()
    constants = {"themes": _themes(), "tags": TAGS, "references": sorted(REFERENCES)}
    return f"(selector) => ({script})({{ selector, ...{json.dumps(constants)} }})"


def _themes() -> list[dict[str, str]]:
    """Return the style and the direction of each theme that can be shown on an open page.

    A crowded theme is left out, because its other apps can only be added when a page is opened.
    """
    shop = (package_files("awning_harness.storefront") / "assets" / SHOP_SHEET).read_text(encoding="utf-8")
    sheets = theme_sheets(shop)
    return [
        {
            "name": theme.name,
            "style": "\n".join(sheets[name] for name in sheet_names(theme)),
            "direction": theme.direction,
        }
        for theme in THEMES.values()
        if not theme.crowded
    ]
