"""The elements of HTML whose tags may be left out (HTML, 13.1.2 Elements, 13.1.2.4 Optional tags)."""

from collections.abc import Mapping
from types import MappingProxyType

VOID = frozenset(
    [
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
OPTIONAL = frozenset(
    [
        "html",
        "head",
        "body",
        "p",
        "li",
        "dt",
        "dd",
        "rt",
        "rp",
        "optgroup",
        "option",
        "colgroup",
        "caption",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "td",
        "th",
    ]
)
CLOSED_BY: Mapping[str, frozenset[str]] = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "rt": frozenset({"rt", "rp"}),
    "rp": frozenset({"rt", "rp"}),
    "option": frozenset({"option", "optgroup", "hr"}),
    "optgroup": frozenset({"optgroup", "hr"}),
    "td": frozenset({"td", "th", "tr", "tbody", "tfoot"}),
    "th": frozenset({"td", "th", "tr", "tbody", "tfoot"}),
    "tr": frozenset({"tr", "tbody", "tfoot"}),
    "thead": frozenset({"tbody", "tfoot"}),
    "tbody": frozenset({"tbody", "tfoot"}),
    "caption": frozenset({"colgroup", "thead", "tbody", "tfoot", "tr"}),
    "colgroup": frozenset({"thead", "tbody", "tfoot", "tr"}),
    "p": frozenset(
        [
            "address",
            "article",
            "aside",
            "blockquote",
            "center",
            "details",
            "dialog",
            "dir",
            "div",
            "dl",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hgroup",
            "hr",
            "main",
            "menu",
            "nav",
            "ol",
            "p",
            "pre",
            "search",
            "section",
            "table",
            "ul",
        ]
    ),
}
"""The start tags that close an open element, by its name."""

FOREIGN = frozenset({"svg", "math"})
"""The elements whose content is not HTML. In them, `<style/>` is a complete element without content."""
HTML_INSIDE = MappingProxyType(
    {
        "svg": frozenset({"foreignobject", "desc", "title"}),
        "math": frozenset({"mi", "mo", "mn", "ms", "mtext"}),
    }
)
"""The elements of SVG and MathML whose content is HTML (HTML standard, 13.2.6)."""
ANNOTATION = "annotation-xml"
"""The element of MathML whose content is HTML if its `encoding` says so."""
