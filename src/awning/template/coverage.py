"""Makes docs/template-coverage.md from the compiler's tables. The page lists which parts of Jinja2 are supported.

A test compares the page with this text, and the tables with Jinja2's own registries. To write the page again:

    python -m awning.template.coverage > docs/template-coverage.md
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from awning.template import expressions, filters, intl, methods, statements, tests
from awning.template.deviations import DEVIATIONS, STRICTER
from awning.template.nesting import DEEPEST
from awning.template.nesting import RULE as NESTING
from awning.template.template_set import LARGEST


def coverage_page() -> str:
    """Return the page, as Markdown."""
    return "\n".join(page_lines()) + "\n"


def page_lines() -> Iterator[str]:
    yield "# Features of Jinja2 in templates"
    yield ""
    yield "Generated from the compiler's tables (`awning.template.coverage`). A refused feature is a compile error with"
    yield "file, line and column. A template renders the same text as in Jinja2, except for the deviations below."
    yield ""
    yield "Templates are compared with a reference, Jinja2 with autoescape (`awning template render`). The reference"
    yield "does not know the place of a value. The compiler does: in addresses, `srcset` and styles, it escapes a value"
    yield "for [its place](escaping.md), so the text may differ. `-0.0` prints as `0`, in both. `xmlattr` is refused"
    yield "inside a tag, because the compiler must know the names of attributes."
    supported = [*expressions.TABLE, *statements.TABLE]
    refused = {**expressions.REFUSED, **statements.REFUSED}
    yield from section_lines(
        "Nodes", node_names(supported), {node.__name__: reason for node, reason in refused.items()}
    )
    yield from section_lines("Filters", filters.SUPPORTED, filters.REFUSED)
    yield from formatting_lines()
    yield from section_lines("Tests", [*tests.SUPPORTED, *tests.COMPILED], tests.REFUSED)
    yield from section_lines("Methods of values", [*methods.SUPPORTED, "format"], methods.REFUSED)
    yield from section_lines(
        "Globals", ["cycler", "dict", "joiner", "namespace", "range"], {"lipsum": "it is random"}
    )
    yield from ["", "## Deviations from Jinja2", ""]
    for deviation in DEVIATIONS:
        yield f"- **{deviation.id}**: {deviation.here} {deviation.why}"
    yield from ["", "## Errors at run time where Jinja2 renders something", ""]
    yield from (f"- {what}" for what in STRICTER.values())
    yield from limit_lines()


def limit_lines() -> Iterator[str]:
    """Yield the section about the limits of size and depth, and what happens beyond them."""
    yield from ["", "## Limits", ""]
    yield "Refused when a template is compiled:"
    yield ""
    yield f"- Brackets, tags, or the steps of an expression nested more than {DEEPEST} deep: `{NESTING}`."
    yield "  Several `~` or `elif` in a row do not count as nested."
    yield f"- A template of more than {LARGEST // 1024**2} MB: `template-too-large`."
    yield "- Templates that include, import or extend one another in a circle: `template-circle`."
    yield ""
    yield "Errors when a template is rendered:"
    yield ""
    yield "- A macro, a block or a loop with `recursive` that calls itself without end. The message names it."
    yield "- A range or a text that is longer than the errors above allow."
    yield ""
    yield "Compiling takes two to four times as long as Jinja2's own parser. The time grows with the length of the"
    yield "template: `benchmarks/templates`."


def formatting_lines() -> Iterator[str]:
    """Yield the section about the filters that Jinja2 does not have."""
    yield from ["", "## Filters of awning", ""]
    yield "Jinja2 does not have these filters. They format with the browser's Intl, so only a browser renders them."
    yield "See [formatting](formatting.md)."
    yield ""
    for name, spec in sorted(intl.FILTERS.items()):
        yield f"- `{name}({', '.join(intl.signature(spec))})`: {spec.description}"


def node_names(types: Iterable[type[Any]]) -> list[str]:
    return [node_type.__name__ for node_type in types]


def section_lines(title: str, supported: Iterable[str], refused: Mapping[str, str]) -> Iterator[str]:
    yield from [
        "",
        f"## {title}",
        "",
        "Supported: " + ", ".join(f"`{name}`" for name in sorted(supported)) + ".",
    ]
    if refused:
        yield from ["", "Refused:", ""]
        yield from (f"- `{name}`: {refused[name]}" for name in sorted(refused))


if __name__ == "__main__":
    sys.stdout.write(coverage_page())
