"""Where a value is printed: the hole's functions and the context after it, or why there may be none."""

from html import unescape

from awning.template.html.attribute_values import after_equals, verdict_of
from awning.template.html.context import RAW_STATES, Context, State
from awning.template.html.interpolation import (
    ATTRIBUTE_HOLES,
    RCDATA_HOLE,
    TEXT_HOLE,
    Hole,
    HtmlFault,
    Use,
    Value,
)
from awning.template.html.url import Part, Url

_IN_NAMES = frozenset(
    {State.BEFORE_ATTRIBUTE, State.ATTRIBUTE_NAME, State.AFTER_NAME, State.SELF_CLOSING, State.NAME_ENDED}
)
_IN_COMMENTS = frozenset({State.DECLARATION, State.COMMENT, State.BOGUS_COMMENT, State.DOCTYPE})
_REFERENCE_IS_HARMLESS = frozenset({Part.QUERY, Part.FRAGMENT, Part.LATER})
"""Percent-encoded values cannot complete a character reference that matters there: `?a=1&{{ name }}=2`."""


def output(context: Context) -> tuple[Context, Hole]:
    """The hole at `context` and the context after it. Raises HtmlFault where a value is refused."""
    state = context.state
    if state is State.TEXT:
        return context, TEXT_HOLE
    if state is State.VALUE:
        return _value(context)
    if state is State.BEFORE_VALUE:
        after, hole = _value(after_equals(context, ""))
        return after, hole.with_before('"')
    if state in RAW_STATES:
        return _raw(context)
    raise _refused(context)


def _value(context: Context) -> tuple[Context, Hole]:
    if context.closing:
        raise _no_attribute("an end tag's attributes are ignored by browsers")
    verdict = verdict_of(context)
    if verdict.use is Use.REFUSED:
        raise HtmlFault(verdict.rule, verdict.message, verdict.hint)
    if context.value is None:
        return context, ATTRIBUTE_HOLES[context.quote or '"']
    hole, value = _without_reference(context, context.value).hole()
    return context._replace(value=value, pending=""), hole


def _without_reference(context: Context, value: Value) -> Value:
    """A value right after "&" could complete a reference: `java&{{ x }}` with `#115;cript:`."""
    if context.pending and not (isinstance(value, Url) and value.part in _REFERENCE_IS_HARMLESS):
        raise HtmlFault(
            "template-open-reference",
            f'a value after "{context.pending}" could complete a character reference',
            'write "&amp;", or end the reference with ";"',
        )
    return value.feed(unescape(context.pending))


def _raw(context: Context) -> tuple[Context, Hole]:
    if context.pending:
        raise HtmlFault(
            "template-dynamic-tag",
            f'a value after "{context.pending}" could complete an end tag',
            "write &lt; where the text is meant",
        )
    if context.state is State.RCDATA:
        return context, RCDATA_HOLE
    if context.state in {State.STYLE, State.SCRIPT} and context.value is not None:
        hole, value = context.value.hole()
        return context._replace(value=value), hole
    raise _raw_refused(context)


def _raw_refused(context: Context) -> HtmlFault:
    if context.state is State.SCRIPT:
        return HtmlFault(
            "template-script-value",
            "a value cannot be printed into a script",
            'put it into an attribute, <div data-value="{{ ... }}">, and read dataset.value in the script; data '
            'for others goes into <script type="application/json"> as {{ value|tojson }}',
        )
    return HtmlFault(
        "template-raw-text-value",
        f"a value cannot be printed inside <{context.element}>: nothing can be escaped there",
        "print it outside",
    )


def _refused(context: Context) -> HtmlFault:
    if context.state in _IN_COMMENTS:
        return HtmlFault(
            "template-comment-value",
            "a value cannot be printed into a comment",
            "use {# a template comment #}",
        )
    if context.state in _IN_NAMES:
        return _no_attribute("a value cannot be an attribute or part of an attribute's name")
    return HtmlFault(
        "template-dynamic-tag",
        "a value cannot be a tag's name or part of it",
        "write the tags and choose between them with {% if %}; write &lt; where the text is meant",
    )


def _no_attribute(message: str) -> HtmlFault:
    return HtmlFault(
        "template-dynamic-attribute",
        message,
        "write the name and print into its value, or choose with {% if %}: <option{% if on %} selected{% endif %}>",
    )
