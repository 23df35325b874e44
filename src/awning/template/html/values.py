"""The values of attributes, and the values that a template prints anywhere.

An attribute's value is read with its quotes, its character references and, with a `ValueReader`, URLs and CSS in it.
`output` decides how a printed value is escaped in each HTML context, and where no value is allowed.

A reader gets decoded text, as in a browser: `java&Tab;script&colon;` is `javascript:`. `HtmlContext.pending` holds the
possible beginning of a reference.

One kind of reference is decoded here, but not by browsers: a reference without a semicolon, such as `&copy`, that
stands before "=", a letter or a digit. This can only matter for `&quot`, because readers look for none of the other
characters that such a reference can name.
"""

import re
from dataclasses import dataclass
from html import unescape

from awning.template.html.css import PAINT_ATTRIBUTE, STYLE_ATTRIBUTE
from awning.template.html.elements import Verdict, classify
from awning.template.html.html_context import (
    DATA,
    IN_ATTRIBUTE,
    IN_RCDATA,
    IN_TEXT,
    ITEM,
    NAMED,
    OTHER,
    RAW_STATES,
    AttributeUse,
    HtmlContext,
    HtmlRefusal,
    Interpolation,
    TokenizerState,
    ValueReader,
    after_first,
)
from awning.template.html.json_data import ScriptType
from awning.template.html.tags import animates_address
from awning.template.html.url import Srcset, Url, UrlPart

_END = {'"': re.compile('"'), "'": re.compile("'"), "": re.compile(r"[ \t\n\r\f>]")}
_OPEN_REFERENCE = re.compile(r"&(?:#[xX]?)?[0-9a-zA-Z]*\Z")
_LONGEST_REFERENCE = 1000
_BAD_UNQUOTED = re.compile("[\"'<=`]")


@dataclass(frozen=True, slots=True)
class Word:
    """Reads the value of `attributeName`: the name of the attribute that an SVG animation changes.

    The name is checked when it is complete.
    """

    text: str = ""

    def feed(self, text: str) -> "Word":
        return Word(self.text + text)

    def interpolate(self) -> tuple[Interpolation, ValueReader]:
        raise _animated("a value cannot be the attributeName of an SVG animation")

    def join(self, other: ValueReader) -> ValueReader | None:
        return self if self == other else None

    def close(self) -> None:
        if animates_address(self.text.strip().lower()):
            raise _animated(f"an SVG animation of {self.text.strip()} can make an address run script")


def verdict_of(context: HtmlContext) -> Verdict:
    """Return the use of the attribute that is being written."""
    element = "meta itemprop" if context.element == "meta" and context.data == ITEM else image_or(context)
    return classify(element, context.attribute, foreign=bool(context.foreign))


def image_or(context: HtmlContext) -> str:
    """Return the name of the element. Outside svg and math, <image> is <img> (WHATWG HTML, 13.2.6.4.7)."""
    return "img" if context.element == "image" and not context.foreign else context.element


def after_equals(context: HtmlContext, quote: str) -> HtmlContext:
    """Return the context at the beginning of a value."""
    return context._replace(
        state=TokenizerState.VALUE,
        quote=quote,
        value=None if context.closing else _reader(context),
        pending="",
    )


def in_value(context: HtmlContext, text: str, start: int) -> tuple[HtmlContext, int, str]:
    match = _END[context.quote].search(text, start)
    end = match.start() if match else len(text)
    if not context.quote:
        bad = _BAD_UNQUOTED.search(text[start:end])
        if bad:
            raise HtmlRefusal(
                "template-unquoted-value",
                f"an unquoted value cannot hold {bad.group()}",
                'quote the attribute: name="..."',
                bad.start(),
            )
    read = _read(context, text[start:end])
    if not match:
        return read, end, text[start:end]
    if end > start:
        return read, end, text[start:end]
    return closed(read), end + len(context.quote), context.quote or '"'


def _reader(context: HtmlContext) -> ValueReader | None:
    match verdict_of(context).use:
        case AttributeUse.URL | AttributeUse.IMAGE | AttributeUse.FRAME | AttributeUse.FRAGMENT as use:
            return Url(use)
        case AttributeUse.SRCSET:
            return Srcset()
        case AttributeUse.STYLE:
            return STYLE_ATTRIBUTE
        case AttributeUse.PAINT:
            return PAINT_ATTRIBUTE
        case AttributeUse.ANIMATED:
            return Word()
        case AttributeUse.PLAIN | AttributeUse.REFUSED:
            return ScriptType() if (context.element, context.attribute) == ("script", "type") else None


def _read(context: HtmlContext, text: str) -> HtmlContext:
    if context.value is None or not text:
        return context
    seen = context.pending + text
    match = _OPEN_REFERENCE.search(seen)
    pending = match.group() if match else ""
    if len(pending) > _LONGEST_REFERENCE:
        raise HtmlRefusal(
            "template-malformed-markup",
            f"a character reference is longer than {_LONGEST_REFERENCE} characters",
            'write "&amp;" where the character "&" is meant',
        )
    decoded = unescape(seen[: len(seen) - len(pending)])
    return context._replace(value=context.value.feed(decoded), pending=pending)


def closed(context: HtmlContext) -> HtmlContext:
    """Return the context after the end of a value. Raises HtmlRefusal when the value must not end here.

    An unfinished character reference at the end is decoded as browsers do.
    """
    data = context.data
    if context.value is not None:
        read = context.value.feed(unescape(context.pending))
        read.close()
        if isinstance(read, ScriptType) and data == NAMED:
            data = DATA if read.is_data() else OTHER
    return context._replace(
        state=TokenizerState.BEFORE_ATTRIBUTE, attribute="", quote="", value=None, pending="", data=data
    )


def _animated(message: str) -> HtmlRefusal:
    return HtmlRefusal(
        "template-animated-address", message, "animate another attribute, or change it from the script"
    )


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
