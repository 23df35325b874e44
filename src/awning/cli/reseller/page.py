"""Makes the report as one HTML page with a light and a dark style. The page has no JavaScript and loads nothing.

This module is separate from `report` because it imports Jinja2.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from awning.cli.reseller.table import cell_text
from awning.client.reseller.usage import BINS, UsageReport, WebsiteUsage

TOP = 15
WHOLE = 100
"""The length of the longest bar. All lengths are percentages of it."""
MOST_ROWS = 100
LABELS: Mapping[str, str] = MappingProxyType(
    {
        "credits_used": "AI credits used",
        "credits_expected": "AI credits expected",
        "near_limit": "near their limit",
        "extra_expiring": "extra credits expiring",
    }
)
"""Labels of figures in the summary. The label of any other figure is its field name, with spaces for `_`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One website in the plot of usage.

    `used`, `allowed` and `outlook` are the credits used, allowed and expected this month. `spent`, `limit` and
    `expected` are the lengths that show them, in percent of the longest bar. `limit` is None when it exceeds 100.
    """

    label: str
    used: int
    allowed: int
    outlook: int
    spent: float
    expected: float
    limit: float | None


def report_page(report: UsageReport) -> str:
    """Return the whole page."""
    return _template().render(
        report=report,
        summary={
            LABELS.get(n, n.replace("_", " ")): cell_text(v) for n, v in report.summary().items() if n != "at"
        },
        bars=bars(report),
        histogram=histogram(report),
        unlimited=sum(usage.share is None for usage in report.usage),
        most=MOST_ROWS,
        shown=cell_text,
    )


def bars(report: UsageReport) -> tuple[Bar, ...]:
    """Return the bars of the websites with the most usage, all on one scale."""
    top = sorted(report.usage, key=lambda usage: (-usage.website.ai_spent, usage.website.id))[:TOP]
    top = [usage for usage in top if usage.website.ai_spent]
    largest = max((usage.expected for usage in top), default=1)
    return tuple(_bar(usage, WHOLE / max(largest, 1)) for usage in top)


def histogram(report: UsageReport) -> tuple[tuple[str, int, float], ...]:
    """Return the label, the count and the length of each bar. Lengths are percentages of the longest bar."""
    longest = max(report.shares) or 1
    step = 100 // BINS
    return tuple(
        (f"{n * step} to {(n + 1) * step} %", count, round(count / longest * WHOLE, 1))
        for n, count in enumerate(report.shares)
    )


def _bar(usage: WebsiteUsage, scale: float) -> Bar:
    site = usage.website
    limit = site.ai_limit * scale
    return Bar(
        label=site.brandname or f"website {site.id}",
        used=site.ai_spent,
        allowed=site.ai_limit,
        outlook=usage.expected,
        spent=round(site.ai_spent * scale, 1),
        expected=round(usage.expected * scale, 1),
        limit=round(limit, 1) if limit <= WHOLE else None,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("awning.cli.reseller", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")
