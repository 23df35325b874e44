"""Makes docs/template-coverage.md from the compiler's tables. The page lists which parts of Jinja2 are supported.

A test compares the page with this text, and the tables with Jinja2's own registries. To write the page again:

    python -m awning.template.coverage > docs/template-coverage.md
"""

import sys
from collections.abc import Iterable, Iterator, Mapping

from jinja2 import nodes

from awning.template import filters, lowering, methods, own_filters
from awning.template.deviations import DEVIATIONS, STRICTER
from awning.template.parse import DEEPEST, LARGEST, NESTING

PARTS = (nodes.NSRef, nodes.Slice, nodes.Template, nodes.TemplateData)
"""Nodes that are compiled with the node around them."""


def coverage_page() -> str:
    """Return the page, as Markdown."""
    return "\n".join(page_lines()) + "\n"


def page_lines() -> Iterator[str]:
    yield "# Features of Jinja2 in templates"
    yield ""
    yield "A template renders the same text as in Jinja2 with autoescape (`awning template render`), except for the"
    yield "deviations below and for values in addresses, `srcset` and styles, which are escaped"
    yield "[for their place](escaping.md). A refused feature is an error of the build. `xmlattr` is refused inside a"
    yield "tag, because the compiler must know the names of attributes."
    written = {
        node.__name__: reason
        for node, reason in lowering.REFUSED.items()
        if node not in PARTS and reason != "only extensions make it"
    }
    yield from section_lines("Statements and expressions", "all of Jinja2's own.", written)
    yield from section_lines("Filters", "all others of Jinja2.", filters.REFUSED)
    yield from formatting_lines()
    yield from section_lines("Tests", "all of Jinja2.", {})
    yield from section_lines("Methods of values", listed([*methods.SUPPORTED, "format"]), methods.REFUSED)
    yield from section_lines(
        "Globals", listed(["cycler", "dict", "joiner", "namespace", "range"]), {"lipsum": "it is random"}
    )
    yield from ["", "## Deviations from Jinja2", ""]
    for deviation in DEVIATIONS:
        yield f"- **{deviation.id}**: {deviation.here} {deviation.why}"
    yield from ["", "## Errors at run time where Jinja2 renders something", ""]
    yield from (f"- {what}" for what in STRICTER.values())
    yield from limit_lines()


def limit_lines() -> Iterator[str]:
    """Yield the section about the limits of size and depth."""
    yield from ["", "## Limits", ""]
    yield f"- Brackets, tags, or the steps of an expression nested more than {DEEPEST} deep are refused (`{NESTING}`)."
    yield "  Several `~` or `elif` in a row do not count as nested."
    yield f"- A template of more than {LARGEST // 1024**2} MB is refused (`template-too-large`)."
    yield "- A macro, a block or a recursive loop that calls itself without end is an error when it is rendered."


def formatting_lines() -> Iterator[str]:
    """Yield the section about the filters that Jinja2 does not have."""
    yield from ["", "## Filters of awning", ""]
    yield "Only a browser renders those with `language` or `currency` ([formatting](formatting.md))."
    yield ""
    for name, spec in sorted(own_filters.FILTERS.items()):
        yield f"- `{name}({', '.join(spec.signature)})`: {spec.description}"


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) + "."


def section_lines(title: str, supported: str, refused: Mapping[str, str]) -> Iterator[str]:
    yield from ["", f"## {title}", "", f"Supported: {supported}"]
    if refused:
        names_by_reason: dict[str, list[str]] = {}
        for name in sorted(refused):
            names_by_reason.setdefault(refused[name], []).append(f"`{name}`")
        yield from ["", "Refused:", ""]
        yield from (f"- {', '.join(names)}: {reason}" for reason, names in names_by_reason.items())


if __name__ == "__main__":
    sys.stdout.write(coverage_page())
