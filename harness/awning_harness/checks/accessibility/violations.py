"""Runs axe-core on an opened page, to find the elements of the widget's blocks that break a rule.

axe-core comes from the package `axe-playwright-python`. It is loaded into the page for each examination, and removed
afterwards.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path

from awning.check.repeated_ids import REFERENCES
from awning.contract.shop import THEMES
from awning_harness.storefront.themes import SHOP_SHEET, sheet_names, theme_sheets
from awning_harness.visit.frames.widget_visit import WidgetVisit
from awning_harness.visit.pages.visibility import OWN_BLOCKS

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
"""axe-core's tags for the rules of the Web Content Accessibility Guidelines, levels A and AA."""

LONGEST_HTML = 120
_OWN_CLASS = re.compile(r"\s*\baw-[0-9a-f]+\b")
_EMPTY_CLASS = re.compile(r' class=" *"')
_HEADING = re.compile(r"Fix (?:any|all) of the following:\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One element that breaks a rule. `themes` are the themes in which it breaks the rule.

    None in `themes` stands for the page as it is.
    """

    rule: str
    impact: str | None
    help: str
    url: str
    html: str
    fix: str
    themes: tuple[str | None, ...]

    @property
    def element(self) -> str:
        """The element's HTML without the classes that the build adds, cut to LONGEST_HTML characters."""
        html = _EMPTY_CLASS.sub("", _OWN_CLASS.sub("", " ".join(self.html.split())))
        return html if len(html) <= LONGEST_HTML else f"{html[: LONGEST_HTML - 1]}…"

    @property
    def where(self) -> str:
        """The themes in words; empty if the violation is already on the page as it is, without another theme."""
        names = [name for name in self.themes if name is not None]
        return (
            "" if None in self.themes else f" in the theme{'s' if len(names) > 1 else ''} {', '.join(names)}"
        )

    @property
    def what_to_do(self) -> str:
        return "; ".join(part.strip() for part in _HEADING.sub("", self.fix).splitlines() if part.strip())


def examine(visit: WidgetVisit) -> tuple[Violation, ...]:
    """Return the violations in the widget's blocks: of axe-core's rules, and references to an id that is not unique.

    The rules with TAGS are checked on the open page, the contrast also in each theme but `crowded`.
    """
    visit.evaluate(_axe())
    arguments = {
        "selector": f".placeholder-{visit.slot} {OWN_BLOCKS}",
        "themes": _themes(),
        "tags": TAGS,
        "references": sorted(REFERENCES),
    }
    script = Path(__file__).with_name("examine.js").read_text(encoding="utf-8").strip()
    results = visit.evaluate(script, arguments)
    return tuple(Violation(**{**result, "themes": tuple(result["themes"])}) for result in results)


def describe_violations(violations: Sequence[Violation]) -> str:
    """Return a text with the violations by rule: what the rule requires, then each element and how to fix it."""
    rules = dict.fromkeys(violation.rule for violation in violations)
    count = "1 element breaks" if len(violations) == 1 else f"{len(violations)} elements break"
    lines = [f"{count} a rule of accessibility"]
    for rule in rules:
        lines += _rule_lines([violation for violation in violations if violation.rule == rule])
    return "\n".join(lines)


def _rule_lines(violations: Sequence[Violation]) -> Iterable[str]:
    first = violations[0]
    yield f"    {first.rule} ({first.impact}): {first.help}"
    for violation in violations:
        yield f"        {violation.element}{violation.where}"
        yield f"            {violation.what_to_do}"
    yield f"        {first.url.split('?')[0]}"


@cache
def _axe() -> str:
    return (package_files("axe_playwright_python") / "axe.min.js").read_text(
        encoding="utf-8"
    ) + "\n;undefined"


@cache
def _themes() -> tuple[dict[str, str], ...]:
    """Return the style and the direction of each theme that can be shown on an open page.

    A crowded theme is left out, because its other apps can only be added when a page is opened.
    """
    shop = (package_files("awning_harness.storefront") / "assets" / SHOP_SHEET).read_text(encoding="utf-8")
    sheets = theme_sheets(shop)
    return tuple(
        {
            "name": theme.name,
            "style": "\n".join(sheets[name] for name in sheet_names(theme)),
            "direction": theme.direction,
        }
        for theme in THEMES.values()
        if not theme.crowded
    )
