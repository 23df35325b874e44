"""Makes `dist/report.html`, a self-contained page with the size of each snippet."""

import html
from collections.abc import Mapping
from pathlib import Path
from string import Template

from awning.build_record import WHOLE_APP, BuildRecord, BuiltSnippet, BuiltWidget, shorten_fingerprint
from awning.workspace import Workspace

_PAGE = Path(__file__).with_name("report.html")
"""The page's template.

It is not read with importlib.resources, which imports zipfile and so takes longer than making the page.
"""


def report_page(record: BuildRecord, workspace: Workspace, parts: Mapping[str, Mapping[str, int]]) -> str:
    """Return the report as HTML. `parts` maps each unit to the sizes in bytes of its default body by origin.

    Budgets come from the workspace, all other values from the record.
    """
    budgets = {widget.name: widget.budget for widget in workspace.widgets} | {WHOLE_APP: workspace.budget}
    page = Template(_PAGE.read_text(encoding="utf-8"))
    app = [snippet for snippet in record.snippets if snippet.unit == WHOLE_APP]
    bodies = [snippet for snippet in app if snippet.place == "body" and snippet.gzip]
    return page.substitute(
        title=_e(record.title),
        version=_e(record.version),
        fingerprint=record.fingerprint,
        short=shorten_fingerprint(record.fingerprint),
        languages=_e(", ".join(record.languages)),
        widgets="1 widget" if len(record.widgets) == 1 else f"{len(record.widgets)} widgets",
        awning=_e(record.awning),
        esbuild=_e(record.esbuild),
        facts="".join(
            f"<div><dt>{_e(snippet.language or 'default')}, gzip</dt><dd>{_kilo(snippet.gzip)}</dd></div>"
            for snippet in bodies
        ),
        app=_app_section(app, budgets.get(WHOLE_APP), parts.get(WHOLE_APP, {})),
        sections="".join(
            _widget(widget, record, budgets.get(widget.name), parts.get(widget.name, {}))
            for widget in record.widgets
        ),
    )


def _e(text: str) -> str:
    return html.escape(text)


def _kilo(count: int) -> str:
    """Return a size such as `9 123 B` or `12.3 kB`.

    Up to 9999 bytes the size is exact, because an exact number is no longer than a rounded one.
    """
    return f"{count:,} B".replace(",", "\u202f") if count < 10_000 else f"{count / 1000:.1f} kB"  # noqa: PLR2004


def _app_section(app: list[BuiltSnippet], budget: int | None, parts: Mapping[str, int]) -> str:
    if not app:
        return ""
    about = '<p class="about">All widgets in one snippet.</p>'
    return f"<section><h2>The app</h2>{about}{_table(app, budget)}{_parts(parts)}</section>"


def _parts(parts: Mapping[str, int]) -> str:
    """Return a table of the sizes of the default body by origin; empty without them."""
    if not parts:
        return ""
    most = max(parts.values())
    rows = "".join(
        f'<tr><th>{_e(part)}</th><td>{_kilo(count)}</td><td class="bar">{_bar(count, most, None)}</td></tr>'
        for part, count in sorted(parts.items(), key=lambda item: -item[1])
    )
    about = "<summary>What the default body is made of, before gzip</summary>"
    return f"<details>{about}<table class=parts>{rows}</table></details>"


def _widget(widget: BuiltWidget, record: BuildRecord, budget: int | None, parts: Mapping[str, int]) -> str:
    mine = [snippet for snippet in record.snippets if snippet.unit == widget.name]
    sources = "".join(
        f"<li><code>{_e(source.path)}</code> <i>{source.sha256[:8]}</i></li>" for source in widget.sources
    )
    kind = ("verbatim",) if widget.verbatim else ()
    about = (", ".join(widget.slots) or "no slot", ", ".join(widget.languages), *kind)
    return (
        f'<section id="{_e(widget.name)}"><h2>{_e(widget.title)}</h2>'
        f'<p class="about"><code>{_e(widget.name)}</code> · {_e(" · ".join(about))}</p>'
        f"{_table(mine, budget)}{_parts(parts)}"
        f"<details><summary>{len(widget.sources)} source files</summary><ul>{sources}</ul></details></section>"
    )


def _table(snippets: list[BuiltSnippet], budget: int | None) -> str:
    """Return the table of snippets.

    All bars have the same scale, up to the budget or to the heaviest snippet, whichever is more.
    """
    full = max([budget or 0, *(snippet.gzip for snippet in snippets)])
    rows = "".join(_row(snippet, full, budget) for snippet in snippets if snippet.bytes)
    return (
        "<table><thead><tr><th>Snippet</th><th>Raw</th><th>Gzip</th><th>Budget</th><td></td></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _row(snippet: BuiltSnippet, full: int, budget: int | None) -> str:
    weighed = budget if snippet.place == "body" and snippet.language is None else None
    over = " class=over" if weighed and snippet.gzip > weighed else ""
    allowed = f"<small>{_kilo(weighed)}</small>" if weighed else ""
    return (
        f"<tr{over}><th>{_e(snippet.path)}</th><td>{_kilo(snippet.bytes)}</td><td>{_kilo(snippet.gzip)}</td>"
        f'<td>{allowed}</td><td class="bar">{_bar(snippet.gzip, full, weighed)}</td></tr>'
    )


def _bar(weight: int, full: int, budget: int | None) -> str:
    """Return the HTML of a bar: the weight as a part of `full`, with a mark at the budget."""
    end = f'<b style="left:{budget * 100 / full:.1f}%" title="budget {budget} B"></b>' if budget else ""
    return f'<div><i style="width:{weight * 100 / full:.1f}%"></i>{end}</div>'
