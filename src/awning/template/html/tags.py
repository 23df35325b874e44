"""Checks tags and attribute names, and computes the context after a tag (WHATWG HTML, 13.2.6).

In svg, math and select, browsers read text depending on the tree that they build. No tree is built here, so these
elements may contain only tags that all browsers treat alike.
"""

from awning.template.html import elements
from awning.template.html.css import STYLE_ELEMENT
from awning.template.html.elements import URL
from awning.template.html.html_context import DATA, ITEM, MIXED, HtmlContext, HtmlRefusal, TokenizerState
from awning.template.html.json_data import Json

_DEEPEST = 100
_FOREIGN_HINT = (
    "only drawing elements may stand there; put HTML outside of the svg, and text into <text> or <title>"
)


def check_tag(context: HtmlContext) -> None:
    """Check the complete name of a tag. Raises HtmlRefusal when the tag is refused."""
    element = context.element
    if element in elements.REFUSED_ELEMENTS:
        raise HtmlRefusal(
            "template-refused-element",
            f"<{element}> cannot be in a snippet: {elements.REFUSED_ELEMENTS[element]}",
            "leave it out",
        )
    if context.foreign:
        _check_foreign(context)
    elif context.select and not context.closing and element in elements.NOT_IN_SELECT:
        raise _misplaced(context, "a select", "only option, optgroup, hr and plain elements may stand there")


def check_attribute(context: HtmlContext) -> None:
    """Check the complete name of an attribute. Raises HtmlRefusal for the few that are refused even with fixed text."""
    if context.attribute == "srcdoc" or (context.element, context.attribute) == ("meta", "http-equiv"):
        raise HtmlRefusal(
            "template-refused-attribute",
            f"{context.attribute} cannot be in a snippet: it can replace the page or hide one in an attribute",
            "leave it out",
        )
    if context.element == "meta" and context.attribute == "name" and context.data in {ITEM, MIXED}:
        raise HtmlRefusal(
            "template-refused-attribute",
            "a <meta> has itemprop or name, not both: by its name, its content can change the page",
            "write two <meta>",
        )


def leave_tag(context: HtmlContext) -> HtmlContext:
    """Return the context after a tag's ">". Raises HtmlRefusal when svg or math elements are nested too deeply."""
    clean = context.in_text()
    if context.closing:
        return _after_end_tag(context, clean)
    if context.foreign or context.element in elements.FOREIGN_ROOTS:
        return _after_foreign_tag(context, clean)
    if context.element == "script" and context.data == DATA:
        return clean._replace(state=TokenizerState.SCRIPT, element=context.element, value=Json())
    return _after_start_tag(context.element, clean)


def animates_address(attribute: str) -> bool:
    """Return whether an SVG animation of this attribute, an address or a handler, could make the page run a script."""
    return attribute in URL or attribute.startswith("on") or attribute.endswith(":href")


def _after_start_tag(element: str, clean: HtmlContext) -> HtmlContext:
    if element in elements.WITHOUT_FIRST_NEWLINE:
        clean = clean._replace(first=True)
    if element in elements.RCDATA_ELEMENTS:
        return clean._replace(state=TokenizerState.RCDATA, element=element)
    if element in elements.RAWTEXT_ELEMENTS:
        return clean._replace(state=TokenizerState.RAWTEXT, element=element)
    if element == "script":
        return clean._replace(state=TokenizerState.SCRIPT, element=element)
    if element == "style":
        return clean._replace(state=TokenizerState.STYLE, element=element, value=STYLE_ELEMENT)
    return clean._replace(select=True) if element == "select" else clean


def _after_foreign_tag(context: HtmlContext, clean: HtmlContext) -> HtmlContext:
    element = context.element
    opens = element in elements.FOREIGN_ROOTS or element in _text_only(context)
    if not opens or context.state is TokenizerState.SELF_CLOSING:
        return clean
    if len(context.foreign) >= _DEEPEST:
        raise HtmlRefusal(
            "template-foreign-content",
            f"svg and math elements are nested more than {_DEEPEST} deep",
            "close each: </svg>, </math>",
        )
    return clean._replace(foreign=(*context.foreign, element))


def _text_only(context: HtmlContext) -> frozenset[str]:
    return elements.SVG_TEXT_ONLY if _root(context) == "svg" else elements.MATH_TEXT_ONLY


def _after_end_tag(context: HtmlContext, clean: HtmlContext) -> HtmlContext:
    if context.foreign and context.element == context.foreign[-1]:
        return clean._replace(foreign=context.foreign[:-1])
    return clean._replace(select=False) if context.element == "select" else clean


def _check_foreign(context: HtmlContext) -> None:
    inside = context.foreign[-1]
    if context.closing and context.element == inside:
        return
    text_only = inside in elements.TEXT_ONLY
    if text_only or context.element not in elements.FOREIGN_ELEMENTS[_root(context)]:
        raise _misplaced(context, f"<{inside}>", _FOREIGN_HINT)


def _root(context: HtmlContext) -> str:
    """Return the innermost open svg or math element."""
    return next(name for name in reversed(context.foreign) if name in elements.FOREIGN_ROOTS)


def _misplaced(context: HtmlContext, place: str, hint: str) -> HtmlRefusal:
    tag = f"</{context.element}>" if context.closing else f"<{context.element}>"
    return HtmlRefusal(
        "template-foreign-content",
        f"{tag} cannot stand inside {place}: browsers differ in how they read what follows",
        hint,
    )
