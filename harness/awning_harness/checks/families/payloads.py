"""Checks of payloads: hostile texts in every field, odd values, other currencies and languages.

The docstring of a check says what is wrong when the check fails.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from awning.contract.payloads import PARAMETERS, RECORDS
from awning_harness.checks.families import looks_at
from awning_harness.checks.hostile_texts import LONG_WORD, PLANTING, hostile_texts
from awning_harness.checks.situation import each_named, each_payload, each_state
from awning_harness.checks.subject import Subject
from awning_harness.visit.pages.causes import Cause, CauseKind
from awning_harness.visit.pages.visibility import quoted
from awning_harness.visit.trial import BlockLook, Move, Observed, Trial

CHOSEN = ("language", "page", "currency", "code", "position")
"""Fields that have one of a few fixed values. Of the hostile texts, only those of PLANTING are put into them."""

SIGNS = ("symbol", "decimal_separator", "thousands_separator")
"""Fields that hold one or two characters, and so never a long word."""

FIELD = re.compile(r"<(input|textarea)\b")
"""Matches a field in the HTML of a block."""

TYPED = ["<x-planted>", *PLANTING]
"""The texts that are typed into fields. A field may take only a few characters, so the first one is short."""

RAW = re.compile(
    r"\b(undefined|NaN|Infinity)\b|\[object |\d\.\d{6,}"
    r"|\bfunction\b[^()]{0,40}\([^()]*\)\s*\{"
    r"|(?:\([\w$,:.{}\[\]=\s]*\)|\b[a-z$_][\w$]?)=>(?:[\"'`!{]|[\w$]+[.(]|\([\w$]+\()"
    r"|\)\s*=>\s*(?:\{|`|[\w$]+\()"
)
"""Matches what a block shows when a value is missing, is not a number, is not formatted, or is a function.

Of functions with an arrow, it matches those without a space, as a build writes them, and those with a parenthesis
before the arrow. Ordinary texts have arrows, too.
"""

TAGS = re.compile(r'<(?P<name>[a-z][\w-]*)(?P<attributes>(?:\s[^\s"=]+="[^"]*")*)')
ATTRIBUTES = re.compile(r'\s([^\s"=]+)="([^"]*)"')
"""Match the start tags of HTML as the browser writes it, and the attributes of one."""
READ_ATTRIBUTES = frozenset(
    {
        "alt",
        "aria-description",
        "aria-label",
        "aria-placeholder",
        "aria-valuetext",
        "label",
        "placeholder",
        "title",
    }
)
"""The attributes that shoppers see or hear."""

PLAINLY = "on this page"
CURRENCIES = {"EUR": "€", "USD": "$", "JPY": "¥"}
WITH_DECIMALS = re.compile(r"¥\s?\d+[.,]\d{1,2}(?!\d)")

CALENDAR = """(languages) => Object.fromEntries(languages.map((language) => {
  const days = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1 + month % 7)));
  const week = Array.from({ length: 7 }, (_, day) => new Date(Date.UTC(2026, 2, 2 + day)));
  const names = (dates, options) => dates.map((date) => new Intl.DateTimeFormat(language, options).format(date));
  return [language, [...names(days, { month: "long" }), ...names(days, { month: "short" }),
    ...names(week, { weekday: "long" }), ...names(week, { weekday: "short" })]];
}))"""
"""JavaScript that returns the names of months and days by language."""


@looks_at(each_payload)
async def test_hostile_texts(subject: Subject) -> None:
    """A text of the payload runs as a script, becomes an element or an attribute, or breaks the layout.

    Or a text that a shopper types runs, or becomes an element or an attribute.
    """
    params = (await subject.usual()).params
    texts = hostile_texts(is_thorough=subject.is_thorough)
    size = max(1, len(list(_strings(params))))
    updates: list[Move] = [
        move for update in await subject.updates() for move in ({"update": update}, "look")
    ]
    payloads = [
        *(with_texts(params, texts[at:] + texts[:at], but=CHOSEN) for at in range(0, len(texts), size)),
        with_texts(params, PLANTING),
        with_texts(params, [LONG_WORD], but=(*CHOSEN, *SIGNS)),
    ]
    trials = [subject.trial("page", "loaded", "look", *updates, params=own) for own in payloads]
    *hostile, long = await subject.observe(*map(subject.on_a_phone, trials))
    for observed in (*hostile, long):
        require_harmless(subject, observed, "with a hostile text in the payload")
    subject.require_no_problems(long, "with long texts in the payload")
    for look in long.looks:
        await subject.require_fit(look, "with a word of 60 characters in the payload")
    if FIELD.search((await subject.usual()).last.form):
        (typed,) = await subject.observe(subject.trial("loaded", {"type": TYPED}, is_loaded=True))
        for sentence in typed.inserted:
            subject.fail(f"a text that a shopper types is inserted as HTML: {sentence}", at=typed.last)


@looks_at(each_payload)
async def test_odd_payloads(subject: Subject) -> None:
    """A payload with nulls, few fields, huge numbers, zeros or empty names makes errors, or is shown unformatted."""
    params = (await subject.usual()).params
    payloads = dict(odd_payloads(params))
    trials: list[Trial] = [subject.on_a_phone(subject.trial(params=own)) for own in payloads.values()]
    for name, observed in zip(payloads, await subject.observe(*trials), strict=True):
        when = f"with {name} in the payload"
        subject.require_no_problems(observed, when)
        require_no_raw_values(subject, observed.last, when)
        await subject.require_fit(observed.last, when)
        if observed.last.blocks > 1:
            subject.fail(f"{when} the page has {observed.last.blocks} blocks", at=observed.last)


@looks_at(each_state)
async def test_raw_values(subject: Subject) -> None:
    """The block shows `undefined`, `NaN`, a function, an unformatted number, a message's key or a `{name}`."""
    moves = [move for update in await subject.updates() for move in ({"update": update}, "look")]
    observed = await subject.observe_one(subject.trial("page", "loaded", *moves))
    for look in observed.looks:
        require_no_raw_values(subject, look)


@looks_at(each_named)
async def test_currency(subject: Subject) -> None:
    """The block shows amounts in another currency than the shop, or decimals of a currency that has none."""
    state = replace(subject.situation.state, currency=None)
    trials = [replace(subject.trial(options={"currency": code}), state=state) for code in CURRENCIES]
    by_code = dict(zip(CURRENCIES, await subject.observe(*trials), strict=True))
    texts = {code: observed.last.text + observed.last.form for code, observed in by_code.items()}
    own = str(dict(state.data)) + str(dict(state.fetch))
    for code, symbol in CURRENCIES.items():
        others = {name: sign for name, sign in CURRENCIES.items() if name != code and sign not in own}
        for name, sign in others.items():
            if sign in texts[code] and code not in own:
                what = f"in a shop with {code} the block shows {sign} ({name}), not only {symbol}"
                subject.fail(what, at=by_code[code].last)
    if WITH_DECIMALS.search(by_code["JPY"].last.text):
        look = by_code["JPY"].last
        subject.fail(f"the block shows yen with decimals: {quoted(look.text.strip()[:100])}", at=look)


@looks_at(each_payload)
async def test_language(subject: Subject) -> None:
    """In one of the widget's languages, the block shows a text, or the name of a month or day, in another language."""
    languages = subject.widget.languages
    trials = [replace(subject.trial(), language=language) for language in languages]
    looks = {
        language: observed.last
        for language, observed in zip(languages, await subject.observe(*trials), strict=True)
    }
    names = subject.laboratory.evaluate(CALENDAR, [*languages])
    for language, look in looks.items():
        words = set(re.findall(r"[^\W\d_]{3,}", look.content))
        own = {word for name in names[language] for word in re.findall(r"[^\W\d_]+", name)}
        for other in languages:
            foreign = {word for name in names[other] for word in re.findall(r"[^\W\d_]{3,}", name)} - own
            if wrong := sorted(words & foreign - _own_words(subject, language)):
                subject.fail(f"in {language} the block shows {wrong[0]!r}, which is {other}", at=look)
        if part := _untranslated(subject, language, look.content):
            subject.fail(f"in {language} the block shows a text of {languages[0]}: {quoted(part)}", at=look)


def require_harmless(subject: Subject, observed: Observed, when: str) -> None:
    """Fail the test if a hostile text ran as JavaScript, or became an element or an attribute."""
    if observed.ran:
        subject.fail(f"{when}, it runs as a script", at=observed.last)
    for look in observed.looks:
        if look.planted:
            planted = ", ".join(look.planted[:3])
            subject.fail(f"{when}, it becomes a part of the page: {planted}", at=look)


def is_harmful(observed: Observed) -> bool:
    """Return whether a hostile text ran, or became a part of the page."""
    return bool(observed.ran) or any(look.planted for look in observed.looks)


def require_no_raw_values(subject: Subject, look: BlockLook, when: str = "") -> None:
    """Fail the test if the block shows an unformatted value, the key of a message or a name in braces.

    Without `when`, the page has what the shop itself sends, so that two checks that see one value have one cause.
    """
    for what, match in raw_values(look.text, look.form):
        value = match.string[max(0, match.start() - 30) : match.end() + 20].strip()
        cause = None if when else Cause(CauseKind.VALUE, match[0])
        subject.fail(f"{when or PLAINLY} {what} a raw value: {quoted(value)}", cause, at=look)
    if key := next(_unfilled(subject, look.text), None):
        cause = None if when else Cause(CauseKind.VALUE, key)
        subject.fail(f"{when or PLAINLY} the block shows {key!r} instead of a text", cause, at=look)


def raw_values(text: str, form: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the raw values of a block, the first of its text and of each attribute, each with what has it.

    `form` is the block's HTML. A number with all its decimals is right where only the browser reads it, as in
    `<progress value>`.
    """
    if match := RAW.search(text):
        yield "the block shows", match
    for tag in TAGS.finditer(form):
        attributes = dict(ATTRIBUTES.findall(tag["attributes"]))
        for name, value in attributes.items():
            is_field = tag["name"] in {"input", "button"} and attributes.get("type") not in {
                "range",
                "hidden",
            }
            is_read = name in READ_ATTRIBUTES or (name == "value" and is_field)
            raw = (match for match in RAW.finditer(value) if is_read or not match[0][0].isdigit())
            if match := next(raw, None):
                yield f"the attribute {name} of <{tag['name']}> has", match


def _unfilled(subject: Subject, text: str) -> Iterator[str]:
    """Yield the message keys and the names in braces (`{count}`) that the text shows.

    A key is left out if it is a plain word, or a part of a message.
    """
    messages = subject.widget.messages.get(subject.situation.language, {})
    written = " ".join(_literals(messages.values()))
    for key in messages:
        is_word = "-" not in key and "_" not in key
        if not is_word and key not in written and re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", text):
            yield key
    for name in set(re.findall(r"\{\w+\}", written)):
        if name in text:
            yield name


def _literals(messages: Iterable[Any]) -> Iterator[str]:
    for message in messages:
        yield from [message] if isinstance(message, str) else message.values()


def _own_words(subject: Subject, language: str) -> set[str]:
    messages = subject.widget.messages.get(language, {})
    return {word for text in _literals(messages.values()) for word in re.findall(r"[^\W\d_]{3,}", text)}


def _untranslated(subject: Subject, language: str, text: str) -> str | None:
    """Return a part of a message that the block shows in the widget's first language, not in `language`.

    The `{names}` of a message separate its parts. Only messages that are translated into `language` count. `text` is
    what the block shows. Returns None when there is no such part.
    """
    messages, first = subject.widget.messages, subject.widget.languages[0]
    if language == first:
        return None
    own = messages.get(language, {})
    written = " ".join(_literals(own.values()))
    for key, message in messages.get(first, {}).items():
        if key in own and own[key] != message:
            for part in (p.strip() for each in _literals([message]) for p in re.split(r"\{\w+\}", each)):
                if len(part) > LEAST_PART and part not in written and part in text:
                    return part
    return None


LEAST_PART = 7
"""The number of characters that an untranslated part of a message must exceed to be reported.

A shorter part may also occur in the translation by chance.
"""


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _strings(inner)


def with_texts(params: Mapping[str, Any], texts: list[str], *, but: Iterable[str] = ()) -> dict[str, Any]:
    """Return the payload with each string replaced by the next of `texts`, which are used in turn.

    Fields in `but` stay.
    """
    numbers = count()
    left_out = frozenset(but)

    def replaced(value: Any, name: str) -> Any:
        if isinstance(value, Mapping):
            return {key: replaced(inner, key) for key, inner in value.items()}
        if isinstance(value, list):
            return [replaced(inner, name) for inner in value]
        if not isinstance(value, str) or name in left_out:
            return value
        return texts[next(numbers) % len(texts)]

    changed: dict[str, Any] = replaced(params, "")
    return changed


def odd_payloads(params: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield unusual payloads that a shop may have, each with a description."""
    yield (
        "empty names",
        with_texts(params, [""], but=(*CHOSEN, "id", "variant_id", "symbol", "decimal_separator")),
    )
    if "item" in params:
        yield "nulls", _with_values(params, {"stock": None, "weight": None}, only_variants="weight")
        yield (
            "huge numbers",
            _with_values(
                params,
                {"price": 123456789.99, "price_undiscounted": 987654321.5, "stock": 10**9, "weight": 10**9},
            ),
        )
        yield "zeros", _with_values(params, {"price": 0, "price_undiscounted": 0, "weight": 0, "stock": 0})
        # Each field is also zero alone, because a widget may show nothing when another field is 0.
        yield "no weight", _with_values(params, {"weight": 0})
        yield "a price of 0", _with_values(params, {"price": 0, "price_undiscounted": 0})
        yield "long fractions", _with_values(params, {"price": 0.1 + 0.2, "price_undiscounted": 1.1 + 2.2})
        yield "no variants", {**params, "item": {**params["item"], "variants": []}}
        return
    if "cartData" not in params:
        yield from _without_assumed_fields(params)
        return
    cart = params.get("cartData") or {}
    totals = {name: cart[name] for name in ("total", "total_no_discount") if name in cart}
    yield "only the known fields", {**params, "cartData": totals}
    yield "only the known fields and no currency", {**params, "cartData": totals, "currency": {}}
    yield (
        "nulls",
        {**params, "cartData": {**cart, **({"shipping_price": None} if "shipping_price" in cart else {})}},
    )
    for name, total in {"huge numbers": 123456789.99, "zeros": 0, "long fractions": 0.1 + 0.2}.items():
        yield name, {**params, "cartData": {**cart, "total": total, "total_no_discount": total}}


def _without_assumed_fields(params: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the payload without the fields that a real service may lack, of one record at a time."""
    for name, value in params.items():
        record = PARAMETERS[name].record if name in PARAMETERS else None
        assumed = (
            {field.name for field in RECORDS[record or ""] if field.source == "assumed"} if record else set()
        )
        if isinstance(value, Mapping) and assumed & set(value):
            known = {key: inner for key, inner in value.items() if key not in assumed}
            yield f"only the known fields of {name}", {**params, name: known}


def _with_values(
    params: Mapping[str, Any], values: Mapping[str, Any], *, only_variants: str = ""
) -> dict[str, Any]:
    """Return the payload with these values in the item and in each variant.

    The field `only_variants` is set only in variants.
    """
    item = params["item"]
    variants = [{**variant, **values} for variant in item.get("variants") or ()]
    own = {name: value for name, value in values.items() if name != only_variants}
    return {**params, "item": {**item, **own, "variants": variants}}
