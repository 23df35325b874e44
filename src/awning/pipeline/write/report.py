"""Makes `dist/report.html`: the size of each snippet, and how many bytes of its script come from which file."""

import html
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from string import Template

from awning.build_record import WHOLE_APP, BuildRecord, BuiltSnippet, BuiltWidget, shorten_fingerprint
from awning.source_map import numbers
from awning.workspace.model import Workspace

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


_SOURCE = 1
"""The index of the source in a segment. The number there is relative to the source of the segment before."""


def bytes_by_source(code: bytes, source_map: bytes) -> dict[str, int]:
    """Return the number of bytes from each source, in the map's order. Code of the bundler itself counts under "".

    A segment covers the code up to the next segment of its line. Columns are in UTF-16 units, bytes in UTF-8.
    """
    content = json.loads(source_map)
    sources: list[str] = content["sources"]
    counts: Counter[str] = Counter()
    number = 0
    for line, mappings in zip(code.decode().split("\n"), content["mappings"].split(";"), strict=False):
        units = line.encode("utf-16-le")
        at, source = 0, ""
        for text in mappings.split(",") if mappings else ():
            delta = numbers(text)
            counts[source] += _bytes(units, at, at + delta[0])
            at += delta[0]
            number += delta[_SOURCE] if len(delta) > _SOURCE else 0
            source = sources[number] if len(delta) > _SOURCE else ""
        counts[source] += _bytes(units, at, len(units) // 2)
    return {source: counts[source] for source in (*sources, "") if counts[source]}


def _bytes(units: bytes, start: int, end: int) -> int:
    return len(
        units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass").encode("utf-8", "surrogatepass")
    )


def bytes_by_part(code: bytes, source_map: bytes) -> dict[str, int]:
    """Return the number of bytes in a unit's script by origin: each author's file, the runtime, and the rest.

    The largest number is first.
    """
    counts: Counter[str] = Counter()
    for source, count in bytes_by_source(code, source_map).items():
        counts[_part(source)] += count
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _part(source: str) -> str:
    if source.startswith("widgets/"):
        return source
    return "awning's runtime" if source.startswith("jsrc/") else "texts, settings and what joins them"
