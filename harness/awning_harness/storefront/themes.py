"""What makes a theme of the simulated shop: its style sheets, and other apps around the app under test.

`?theme=<name>` sets a theme on any page. The themes are rows in `awning.contract.shop`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from awning.contract.shop import ROOT_PX, THEMES, Theme
from awning_harness.storefront.scenarios import Scenario, make_crowd

SHOP_SHEET = "shop.css"

_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style", re.IGNORECASE | re.DOTALL)
_CLASS = re.compile(r"\.(?!aw-)([A-Za-z][\w-]*)(?=[^{}]*\{)")


_REM = re.compile(r"(@media[^{]*)|(\d*\.?\d+)rem")


def sheet_names(theme: Theme) -> tuple[str, ...]:
    """Return the names of the style sheets of a theme, in order."""
    shop = SHOP_SHEET if theme.root_px == ROOT_PX else f"shop-{theme.name}.css"
    return (shop, f"theme-{theme.name}.css") if theme.style else (shop,)


def theme_sheets(shop: str) -> Mapping[str, str]:
    """Return the style sheets of all themes by name. `shop` is the shop's own."""
    sheets: dict[str, str] = {}
    for theme in THEMES.values():
        own, *further = sheet_names(theme)
        sheets[own] = at_root_size(shop, theme.root_px)
        sheets |= dict.fromkeys(further, theme.style)
    return sheets


def at_root_size(style: str, root_px: int) -> str:
    """Return a style sheet that looks the same, but sets another font size of the root element, as many themes do.

    A `rem` in a media query is not scaled, because the root font size does not affect it.
    """
    if root_px == ROOT_PX:
        return style

    def scale(match: re.Match[str]) -> str:
        return match[1] or f"{float(match[2]) * ROOT_PX / root_px:g}rem"

    return f"html{{font-size:{100 * root_px / ROOT_PX:g}%}}\n" + _REM.sub(scale, style)


def look_style(look: Mapping[str, Any]) -> str:
    """Return the style sheet of a store's own look; "" without one. The store's files hold only safe values."""
    rules = {
        ":root": (("--ink", look.get("color")), ("--paper", look.get("background"))),
        "body": (("font-family", look.get("font")), ("font-size", _px(look.get("font_size")))),
        '[class^="placeholder-"]': (("max-width", _px(look.get("slot_width"))),),
    }
    texts = {name: "".join(f"{k}:{v};" for k, v in values if v) for name, values in rules.items()}
    return "".join(f"{name}{{{text}}}" for name, text in texts.items() if text)


def _px(number: int | None) -> str | None:
    return None if number is None else f"{number}px"


def neighbours(theme: Theme, bodies: Iterable[str]) -> Scenario | None:
    """Return the other apps of a theme; None if it has none.

    `bodies` are the body snippets whose class names one of these apps also uses.
    """
    return make_crowd(class_names(bodies)) if theme.crowded else None


def class_names(bodies: Iterable[str]) -> tuple[str, ...]:
    """Return the class names in the style elements of snippets, each once, without those that the build adds."""
    styles = (style for body in bodies for style in _STYLE.findall(body))
    return tuple(dict.fromkeys(name for style in styles for name in _CLASS.findall(style)))
