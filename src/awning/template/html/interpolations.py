"""Decides how a printed value is escaped in each HTML context, and where no value is allowed."""

from html import unescape

from awning.template.html.attribute_values import after_equals, verdict_of
from awning.template.html.html_context import RAW_STATES, HtmlContext, TokenizerState, after_first
from awning.template.html.interpolation import (
    IN_ATTRIBUTE,
    IN_RCDATA,
    IN_TEXT,
    AttributeUse,
    HtmlRefusal,
    Interpolation,
)
from awning.template.html.url import Url, UrlPart

_IN_NAMES = frozenset(
    {
        TokenizerState.BEFORE_ATTRIBUTE,
        TokenizerState.ATTRIBUTE_NAME,
        TokenizerState.AFTER_NAME,
        TokenizerState.SELF_CLOSING,
        TokenizerState.NAME_ENDED,
    }
)
_IN_COMMENTS = frozenset(
    {TokenizerState.DECLARATION, TokenizerState.COMMENT, TokenizerState.BOGUS_COMMENT, TokenizerState.DOCTYPE}
)
_REFERENCE_IS_HARMLESS = frozenset({UrlPart.QUERY, UrlPart.FRAGMENT, UrlPart.LATER})
"""Parts of a URL where a percent-encoded value cannot complete a harmful character reference: `?a=1&{{ name }}=2`."""


def output(context: HtmlContext) -> tuple[HtmlContext, Interpolation]:
    """Return the context after a printed value, and its interpolation.

    At the beginning of a textarea or pre, a newline is printed before the value, because browsers drop the first one.
    Raises HtmlRefusal when a value is refused here.
    """
    if context.first:
        after, interpolation = output(after_first(context))
        return after, interpolation.with_before("\n")
    state = context.state
    if state is TokenizerState.TEXT:
        return context, IN_TEXT
    if state is TokenizerState.VALUE:
        return _value(context)
    if state is TokenizerState.BEFORE_VALUE:
        after, interpolation = _value(after_equals(context, ""))
        return after, interpolation.with_before('"')
    if state in RAW_STATES:
        return _raw(context)
    raise _refused(context)


def _value(context: HtmlContext) -> tuple[HtmlContext, Interpolation]:
    if context.closing:
        raise _no_attribute("an end tag's attributes are ignored by browsers")
    verdict = verdict_of(context)
    if verdict.use is AttributeUse.REFUSED:
        raise HtmlRefusal(verdict.rule, verdict.message, verdict.hint)
    if context.value is None:
        return context, IN_ATTRIBUTE[context.quote or '"']
    # A value right after "&" could complete a reference: `java&{{ x }}` with `#115;cript:`.
    if context.pending and not (
        isinstance(context.value, Url) and context.value.part in _REFERENCE_IS_HARMLESS
    ):
        raise HtmlRefusal(
            "template-open-reference",
            f'a value after "{context.pending}" could complete a character reference',
            'write "&amp;", or end the reference with ";"',
        )
    interpolation, value = context.value.feed(unescape(context.pending)).interpolate()
    return context._replace(value=value, pending=""), interpolation


def _raw(context: HtmlContext) -> tuple[HtmlContext, Interpolation]:
    if context.pending:
        raise HtmlRefusal(
            "template-dynamic-tag",
            f'a value after "{context.pending}" could complete an end tag',
            "write &lt; for the character",
        )
    if context.state is TokenizerState.RCDATA:
        return context, IN_RCDATA
    if context.state in {TokenizerState.STYLE, TokenizerState.SCRIPT} and context.value is not None:
        interpolation, value = context.value.interpolate()
        return context._replace(value=value), interpolation
    raise _raw_refused(context)


def _raw_refused(context: HtmlContext) -> HtmlRefusal:
    if context.state is TokenizerState.SCRIPT:
        return HtmlRefusal(
            "template-script-value",
            "a value cannot be printed into a script",
            'put it into an attribute, <div data-value="{{ ... }}">, and read dataset.value in the script; data '
            'for others goes into <script type="application/json"> as {{ value|tojson }}',
        )
    return HtmlRefusal(
        "template-raw-text-value",
        f"a value cannot be printed inside <{context.element}>: nothing can be escaped there",
        "print it outside",
    )


def _refused(context: HtmlContext) -> HtmlRefusal:
    if context.state in _IN_COMMENTS:
        return HtmlRefusal(
            "template-comment-value",
            "a value cannot be printed into a comment",
            "use {# a template comment #}",
        )
    if context.state in _IN_NAMES:
        return _no_attribute("a value cannot be an attribute or part of an attribute's name")
    return HtmlRefusal(
        "template-dynamic-tag",
        "a value cannot be a tag's name or part of it",
        "write the tags and choose between them with {% if %}; write &lt; for the character",
    )


def _no_attribute(message: str) -> HtmlRefusal:
    return HtmlRefusal(
        "template-dynamic-attribute",
        message,
        "write the name and print into its value, or choose with {% if %}: <option{% if on %} selected{% endif %}>",
    )
