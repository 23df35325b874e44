"""The themes: looks of the simulated shop, most of which disturb the style or layout of a careless widget.

`?theme=<name>` sets a theme on any page. A theme consists of style sheets, the direction of the page, and other apps
around the app under test. The style sheets are in `assets/`, and one is derived from the shop's own (`assets.py`).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning_harness.storefront.scenarios import Scenario, make_crowd

SHOP_SHEET = "shop.css"
TINY_SHEET = "shop-tiny.css"

_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style", re.IGNORECASE | re.DOTALL)
_CLASS = re.compile(r"\.(?!aw-)([A-Za-z][\w-]*)(?=[^{}]*\{)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One look of the shop. `shows` describes what is unusual about it; `sheets` names its style sheets, in order."""

    name: str
    title: str
    shows: str
    sheets: tuple[str, ...] = (SHOP_SHEET,)
    direction: str = "ltr"
    crowded: bool = False


def _with_own_sheet(name: str, title: str, shows: str) -> Theme:
    return Theme(name=name, title=title, shows=shows, sheets=(SHOP_SHEET, f"theme-{name}.css"))


PLAIN = Theme(name="plain", title="Plain", shows="The shop's own look.")

THEMES: Mapping[str, Theme] = MappingProxyType(
    {
        theme.name: theme
        for theme in (
            PLAIN,
            _with_own_sheet(
                "reset",
                "Reset",
                "Margins, borders and list marks are removed; !important sets paragraphs, links and buttons.",
            ),
            Theme(
                name="tiny",
                title="Tiny",
                shows="The root font size is 10 px, so a rem is 10 px; the shop looks as always.",
                sheets=(TINY_SHEET,),
            ),
            Theme(
                name="rtl", title="Right to left", shows="The page runs from right to left.", direction="rtl"
            ),
            _with_own_sheet("dark", "Dark", "Light text on a dark page."),
            _with_own_sheet(
                "narrow", "Narrow", "The page is a column of 300 px, however wide the window is."
            ),
            Theme(
                name="crowded",
                title="Crowded",
                shows="Other apps are around: one is late, one has your class names, one throws.",
                crowded=True,
            ),
        )
    }
)

THEME_FILES = tuple(
    sheet
    for sheet in dict.fromkeys(sheet for theme in THEMES.values() for sheet in theme.sheets)
    if sheet not in (SHOP_SHEET, TINY_SHEET)
)


def neighbours(theme: Theme, bodies: Iterable[str]) -> Scenario | None:
    """Return the other apps of a theme; None if it has none.

    `bodies` are the body snippets whose class names one of these apps also uses.
    """
    return make_crowd(class_names(bodies)) if theme.crowded else None


def class_names(bodies: Iterable[str]) -> tuple[str, ...]:
    """Return the class names in the style elements of snippets, each once, without those that the build adds."""
    styles = (style for body in bodies for style in _STYLE.findall(body))
    return tuple(dict.fromkeys(name for style in styles for name in _CLASS.findall(style)))
