"""The report as one HTML page: no script, no request to anywhere, bars beside their figures, light and dark."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from awning.cli.reseller.columns import shown
from awning.cli.reseller.figures import BINS, Report, Usage

TOP = 15
WHOLE = 100
"""The length of the longest bar."""
MOST_ROWS = 100
LABELS: Mapping[str, str] = MappingProxyType(
    {
        "credits_used": "AI credits used",
        "credits_expected": "AI credits expected",
        "near_limit": "near their limit",
        "extra_expiring": "extra credits expiring",
    }
)
"""What the page calls the figures of the summary, where their names do not say enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One website in the plot of usage: lengths in hundredths of the largest expected use.

    A limit beyond that has no mark.
    """

    label: str
    used: int
    allowed: int
    outlook: int
    spent: float
    expected: float
    limit: float | None


def report_page(found: Report) -> str:
    """The whole page."""
    return _template().render(
        report=found,
        summary={
            LABELS.get(n, n.replace("_", " ")): shown(v) for n, v in found.summary().items() if n != "at"
        },
        bars=bars(found),
        histogram=histogram(found),
        unlimited=sum(one.share is None for one in found.usage),
        most=MOST_ROWS,
        shown=shown,
    )


def bars(found: Report) -> tuple[Bar, ...]:
    """The websites that used most, on one scale."""
    most = sorted(found.usage, key=lambda one: (-one.website.ai_spent, one.website.id))[:TOP]
    most = [one for one in most if one.website.ai_spent]
    largest = max((one.expected for one in most), default=1)
    return tuple(_bar(one, WHOLE / max(largest, 1)) for one in most)


def histogram(found: Report) -> tuple[tuple[str, int, float], ...]:
    """Label, count and length (in hundredths of the longest) of each tenth."""
    longest = max(found.shares) or 1
    step = 100 // BINS
    return tuple(
        (f"{n * step} to {(n + 1) * step} %", count, round(count / longest * WHOLE, 1))
        for n, count in enumerate(found.shares)
    )


def _bar(one: Usage, scale: float) -> Bar:
    site = one.website
    limit = site.ai_limit * scale
    return Bar(
        label=site.brandname or f"website {site.id}",
        used=site.ai_spent,
        allowed=site.ai_limit,
        outlook=one.expected,
        spent=round(site.ai_spent * scale, 1),
        expected=round(one.expected * scale, 1),
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
