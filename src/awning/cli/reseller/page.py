"""The report as one HTML page: no script, no request to anywhere, plots as inline SVG, light and dark."""

from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from awning.cli.reseller.columns import shown
from awning.cli.reseller.figures import BINS, Report, Usage

WIDTH = 640
BAR = 22
TOP = 15
NAMES = 170


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One website in the plot of usage: three lengths in SVG units."""

    label: str
    y: int
    spent: float
    expected: float
    limit: float
    title: str


def report_page(found: Report) -> str:
    """The whole page."""
    return _template().render(
        report=found,
        summary={name: shown(value) for name, value in found.summary().items()},
        bars=bars(found),
        histogram=histogram(found),
        width=WIDTH,
        names=NAMES,
        bar=BAR,
        shown=shown,
    )


def bars(found: Report) -> tuple[Bar, ...]:
    """The websites that used most, on one scale."""
    most = sorted(found.usage, key=lambda one: (-one.website.ai_spent, one.website.id))[:TOP]
    most = [one for one in most if one.website.ai_spent]
    largest = max((max(one.expected, one.website.ai_limit) for one in most), default=1)
    scale = (WIDTH - NAMES - 10) / max(largest, 1)
    return tuple(_bar(one, n, scale) for n, one in enumerate(most))


def histogram(found: Report) -> tuple[tuple[str, int, float], ...]:
    """Label, count and height (0 to 1) of each tenth."""
    tallest = max(found.shares) or 1
    step = 100 // BINS
    return tuple(
        (f"{n * step}-{(n + 1) * step} %", count, count / tallest) for n, count in enumerate(found.shares)
    )


def _bar(one: Usage, n: int, scale: float) -> Bar:
    site = one.website
    return Bar(
        label=(site.brandname or f"website {site.id}")[:24],
        y=n * BAR,
        spent=round(site.ai_spent * scale, 1),
        expected=round(one.expected * scale, 1),
        limit=round(site.ai_limit * scale, 1),
        title=f"{site.brandname}: {site.ai_spent} of {site.ai_limit} used, {one.expected} expected",
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
