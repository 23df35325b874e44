"""The join of two HTML contexts where branches meet, and the check at the template's end.

After `{% if %}` the compiler joins the ends of all arms; a missing arm ends in the context in which it begins. After a
loop it joins the start with the end of the body, and reads the body again from there until nothing changes. Equal
contexts join to themselves. A few differences do not matter. All others are refused.
"""

from awning.template.html.html_context import (
    MIXED,
    OTHER,
    RAW_STATES,
    HtmlContext,
    HtmlRefusal,
    TokenizerState,
    after_first,
)

_NAME_MAY_END = frozenset(
    {
        TokenizerState.TAG_NAME,
        TokenizerState.ATTRIBUTE_NAME,
        TokenizerState.AFTER_NAME,
        TokenizerState.BEFORE_ATTRIBUTE,
        TokenizerState.NAME_ENDED,
        TokenizerState.SELF_CLOSING,
    }
)
_QUOTE_HINT = 'quote the attribute around the branches: name="{% if ... %}...{% endif %}"'


def join(a: HtmlContext, b: HtmlContext) -> HtmlContext:
    """Return the context after branches that end in `a` and `b`. Raises HtmlRefusal when they cannot be joined."""
    if a.first is not b.first:
        a, b = after_first(a), after_first(b)
    if a == b:
        return a
    joined = _in_tag(a, b) if {a.state, b.state} <= _NAME_MAY_END else _in_value(a, b)
    if joined is None:
        valued = {TokenizerState.BEFORE_VALUE, TokenizerState.VALUE}
        unquoted = any(c.state in valued and not c.quote for c in (a, b))
        difference = ", but at different places in it" if describe(a) == describe(b) else ""
        raise HtmlRefusal(
            "template-branch-mismatch",
            f"one branch ends {describe(a)}, the other {describe(b)}{difference}",
            _QUOTE_HINT if unquoted else "let every branch open and close the same tags and quotes",
        )
    return joined


def finish(context: HtmlContext) -> None:
    """Check the end of a template.

    Raises HtmlRefusal when the end is inside a tag, a comment, svg, math, select, or an element with raw text such as
    script.
    """
    if context.state is not TokenizerState.TEXT:
        raise HtmlRefusal(
            "template-unfinished-markup",
            f"the template ends {describe(context)}",
            f"close the value with {context.quote}, the quotation mark that begins it"
            if context.state is TokenizerState.VALUE and context.quote
            else "close what is open before the template ends",
        )
    inside = context.foreign[-1] if context.foreign else "select" if context.select else ""
    if inside:
        raise HtmlRefusal(
            "template-unfinished-markup", f"the template ends inside <{inside}>", f"write </{inside}>"
        )


def describe(context: HtmlContext) -> str:
    """Return a context in words, for the end of a sentence such as "the branch ends ..."."""
    if context.state in RAW_STATES:
        return f"inside <{context.element}>"
    if context.state is TokenizerState.TEXT:
        if context.foreign:
            return f"in text inside <{context.foreign[-1]}>"
        return "in text inside <select>" if context.select else "in text"
    if context.state is TokenizerState.VALUE:
        return f"inside the {_quoted(context)} value of {context.attribute} of <{context.element}>"
    return _DESCRIPTIONS[context.state].format(element=context.element, attribute=context.attribute)


_DESCRIPTIONS = {
    TokenizerState.TAG_OPEN: 'right after "<"',
    TokenizerState.END_TAG_OPEN: 'right after "</"',
    TokenizerState.TAG_NAME: "in the tag name <{element}",
    TokenizerState.BEFORE_ATTRIBUTE: "inside the tag <{element}>",
    TokenizerState.ATTRIBUTE_NAME: "in the attribute name {attribute} of <{element}>",
    TokenizerState.AFTER_NAME: "after the attribute name {attribute} of <{element}>",
    TokenizerState.BEFORE_VALUE: 'after "{attribute}=" of <{element}>',
    TokenizerState.SELF_CLOSING: 'after "/" in the tag <{element}>',
    TokenizerState.NAME_ENDED: "inside the tag <{element}>",
    TokenizerState.DECLARATION: 'after "<!"',
    TokenizerState.COMMENT: "inside a comment",
    TokenizerState.BOGUS_COMMENT: "inside a declaration",
    TokenizerState.DOCTYPE: "inside a doctype",
}


def _quoted(context: HtmlContext) -> str:
    return {"": "unquoted", '"': "double-quoted", "'": "single-quoted"}[context.quote]


def _in_tag(a: HtmlContext, b: HtmlContext) -> HtmlContext | None:
    """Join two contexts inside a tag, as in `<option{% if on %} selected{% endif %}>`; None if that is not possible.

    If a branch ends in a name, the result is NAME_ENDED, so that later text cannot extend the name.
    """
    if _around_tag(a) != _around_tag(b) or (a.state is b.state is TokenizerState.TAG_NAME):
        return None
    slashed = TokenizerState.SELF_CLOSING in {a.state, b.state}
    if slashed and (a.foreign or a.element in {"svg", "math"}):
        return None
    names = {a.state, b.state} & {
        TokenizerState.TAG_NAME,
        TokenizerState.ATTRIBUTE_NAME,
        TokenizerState.NAME_ENDED,
    }
    state = TokenizerState.NAME_ENDED if names else TokenizerState.BEFORE_ATTRIBUTE
    typed = a.element == "script" and "type" in {a.attribute, b.attribute}
    data = OTHER if typed else a.data if a.data == b.data else MIXED
    return a._replace(state=state, attribute="", data=data)


def _around_tag(context: HtmlContext) -> tuple[object, ...]:
    data = "" if context.element == "meta" else context.data
    return (context.element, context.closing, context.foreign, context.select, data)


def _in_value(a: HtmlContext, b: HtmlContext) -> HtmlContext | None:
    """Join two contexts in one value, style or data script; None if the reader of the value cannot join them."""
    if a.value is None or b.value is None:
        return None
    value = a.value.join(b.value)
    return (
        a._replace(value=value)
        if value is not None and a._replace(value=value) == b._replace(value=value)
        else None
    )
