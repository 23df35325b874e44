"""Compares the uses of messages with their texts.

Errors: a key without a text; an argument that a text names, but a call does not pass. Warnings: an argument that no
text names; a text that is never used, is empty, or is still the text of the default language.

The compiler collects the keys in templates. Script facts have the keys of the calls of `t` in scripts. Any other string
literal of a script that equals a key counts as a use, because a variable may hold a key. So does a string of a template
that computes a key, and one of data.schema.json, such as a word of an enum: `t(data.material)`. A string that is the
fixed part of a computed key counts for each key with that part: `t(`size-${id}`)`, `t("size-" ~ id)`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from awning.contract.languages import base_language
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.script.file import ScriptFile
from awning.template.compiled_template import MessageUse
from awning.workspace.messages import ARGUMENT, arguments
from awning.workspace.model import Widget
from awning.workspace.offsets import find_toml_offsets, line_and_column

_COUNT = "count"
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TEMPLATE_ENDING = ".j2"
_COMPUTED_PART = re.compile(r"\$\{.*?\}", re.DOTALL)
_SEPARATORS = ("-", "_", ".")
"""What ends the fixed part of a computed key."""


def script_uses(script: ScriptFile) -> Iterator[MessageUse]:
    """Yield the uses in the calls `t("key", {...})` of a script."""
    for call in script.facts.message_calls:
        place = script.place(call.at)
        yield MessageUse(key=call.key, place=place, arguments=call.arguments, others=call.others)


def missing_messages(
    widget: Widget, uses: Iterable[MessageUse], texts: Mapping[str, str]
) -> list[Diagnostic]:
    """Return a diagnostic for each use of a key that no language of the widget has.

    `texts` maps each path to its file's text, from which the diagnostic quotes a line.
    """
    known = {key for messages in widget.messages.values() for key in messages}
    files = " and ".join(f"messages/{language}.toml" for language in widget.languages)
    advice = "add to each language" if widget.messages else f"there are no messages; write {files}, with"
    return [
        Diagnostic(
            rule="message-missing",
            message=f'no message "{use.key}" in widgets/{widget.name}/messages',
            place=use.place,
            hint=did_you_mean(use.key, known) or f'{advice}: {use.key} = "…"',
            excerpt=_line(use.place, texts),
        )
        for use in uses
        if use.key not in known
    ]


def _line(place: Place | None, texts: Mapping[str, str]) -> str | None:
    lines = texts.get(place.path, "").splitlines() if place else []
    return lines[place.line - 1] if place and 0 < place.line <= len(lines) else None


def missing_arguments(
    widget: Widget, uses: Iterable[MessageUse], texts: Mapping[str, str]
) -> list[Diagnostic]:
    """Return diagnostics for calls whose arguments differ from the names in braces in the texts.

    A missing argument is an error, because shoppers would see the braces. An argument that no text names is a warning.
    """
    diagnostics: list[Diagnostic] = []
    for use in uses:
        if use.arguments is None:
            continue
        needed = _needed_arguments(widget, use.key)
        lost = [name for name in needed if name not in use.arguments]
        diagnostics += [_missing_argument(widget, use, name, needed[name], texts) for name in lost]
        known_names = {*needed}.union(*(_needed_arguments(widget, other) for other in use.others))
        known = any(use.key in messages for messages in widget.messages.values())
        spare = [name for name in use.arguments if name not in known_names] if known and not lost else []
        diagnostics += [
            Diagnostic(
                rule="message-arguments",
                message=f'the message "{use.key}" has no {{{name}}} in any language: the argument is not shown',
                place=use.place,
                hint="remove it from the call, or add it to the texts",
                severity=Severity.WARNING,
                excerpt=_line(use.place, texts),
            )
            for name in spare
        ]
    return diagnostics


def _needed_arguments(widget: Widget, key: str) -> dict[str, list[str]]:
    """Return the names that a message needs, each with the languages that need it. Plural forms need `count`."""
    needed: dict[str, list[str]] = {}
    for language, messages in widget.messages.items():
        text = messages.get(key, "")
        chosen = frozenset() if isinstance(text, str) else {_COUNT}
        for name in sorted(arguments(text) | chosen):
            needed.setdefault(name, []).append(language)
    return needed


def _missing_argument(
    widget: Widget, use: MessageUse, name: str, languages: list[str], texts: Mapping[str, str]
) -> Diagnostic:
    written = ", ".join(_written(widget, use.key, language, texts) for language in languages)
    spare = [
        argument
        for argument in use.arguments or ()
        if argument != _COUNT and argument not in _needed_arguments(widget, use.key)
    ]
    close = next((argument for argument in spare if did_you_mean(name, [argument])), None)
    plural = name == _COUNT and any(not isinstance(m.get(use.key, ""), str) for m in widget.messages.values())
    needs = "has plural forms, which are chosen by count" if plural else f"has {{{name}}}"
    in_template = use.place is None or use.place.path.endswith(_TEMPLATE_ENDING)
    place = use.place
    hint = f't("{use.key}", {name}=...)' if in_template else f't("{use.key}", {{ {name}: ... }})'
    if close:
        place, hint = _argument(use.place, close, texts), f'"{close}" is passed: did you mean "{name}"?'
        hint += "" if plural else " One of the two is misspelt."
    return Diagnostic(
        rule="message-arguments",
        message=f'the message "{use.key}" {needs}, which is not passed here; the text is in {written}',
        place=place,
        hint=hint,
        excerpt=_line(place, texts),
    )


def _argument(call: Place | None, name: str, texts: Mapping[str, str]) -> Place | None:
    """Return the place of the argument `name` in a call; the call's own place if it has no such argument.

    None if the place of the call is not known.
    """
    if call is None:
        return None
    lines = texts.get(call.path, "").split("\n")
    start = sum(len(line) + 1 for line in lines[: call.line - 1]) + max(call.column - 1, 0)
    text = "\n".join(lines)
    end = r"=(?!=)" if call.path.endswith(_TEMPLATE_ENDING) else "[:,}]"
    match = re.compile(rf"(?<![\w$.\"']){re.escape(name)}(?=\s*{end})").search(text, start)
    if match is None:
        return call
    line, column = line_and_column(text, match.start())
    return Place(path=call.path, line=line, column=column)


def _written(widget: Widget, key: str, language: str, texts: Mapping[str, str]) -> str:
    place = _message_place(widget, key, language, texts)
    return str(Place(path=place.path, line=place.line))


def unused_messages(
    widget: Widget, uses: Iterable[MessageUse], strings: Iterable[str], texts: Mapping[str, str]
) -> list[Diagnostic]:
    """Return a diagnostic for each message that nothing in the widget uses, in the first language that has it.

    `strings` are those of its scripts and templates that may be keys.
    """
    texts_of_scripts = {*strings}
    used = {*(use.key for use in uses), *texts_of_scripts, *_strings(widget.data_schema)}
    computed = [*filter(None, map(_computed_key, texts_of_scripts))]
    unused: dict[str, str] = {}
    for language, messages in widget.messages.items():
        for key in messages:
            if key not in used and not any(pattern.fullmatch(key) for pattern in computed):
                unused.setdefault(key, language)
    return [
        Diagnostic(
            rule="message-unused",
            message=f'nothing uses the message "{key}"',
            place=_message_place(widget, key, language, texts),
            hint="remove it from every language",
        )
        for key, language in unused.items()
    ]


def _computed_key(text: str) -> re.Pattern[str] | None:
    """Return a pattern of the keys of which a string is the fixed part; None if it is no such part."""
    parts = _COMPUTED_PART.split(text) if "${" in text else [text, ""] if text.endswith(_SEPARATORS) else []
    is_key = any(map(_WORD.search, parts)) and not any(map(str.isspace, "".join(parts)))
    return re.compile(".+".join(map(re.escape, parts))) if is_key else None


def _strings(value: object) -> Iterator[str]:
    """Yield all strings in a JSON value that are not keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def doubtful_texts(widget: Widget, texts: Mapping[str, str]) -> list[Diagnostic]:
    """Return a diagnostic for each message that is empty, or that is probably still to be translated."""
    return [*_empty_messages(widget, texts), *_untranslated_messages(widget, texts)]


def _empty_messages(widget: Widget, texts: Mapping[str, str]) -> Iterator[Diagnostic]:
    for language, messages in widget.messages.items():
        for key, message in messages.items():
            if not any(text.strip() for text in _forms(message)):
                yield Diagnostic(
                    rule="message-empty",
                    message=f'the message "{key}" is empty in {language}',
                    place=_message_place(widget, key, language, texts),
                    hint="write the text, or remove the message from every language",
                )


def _untranslated_messages(widget: Widget, texts: Mapping[str, str]) -> Iterator[Diagnostic]:
    default, *others = widget.languages
    written = widget.messages.get(default, {})
    for language in others:
        model = _copied_from(widget, language)
        if model:
            yield _copied_language(widget, language, model, texts)
            continue
        if _is_same_language(language, default):
            continue
        messages = {key: text for key, text in widget.messages.get(language, {}).items() if key in written}
        same = [key for key, text in messages.items() if text == written[key]]
        if 2 * len(same) >= len(messages):  # at most half are translated: the translation has only begun
            continue
        for key in same:
            if any(map(_is_sentence, _forms(messages[key]))):
                yield Diagnostic(
                    rule="message-untranslated",
                    message=f'the message "{key}" is in {language} the same as in {default}',
                    place=_message_place(widget, key, language, texts),
                    hint="translate it; where it is meant, # awning-ignore message-untranslated: the reason",
                )


def _is_same_language(code: str, other: str) -> bool:
    """Return whether two codes are variants of one language, such as `en` and `en-GB`."""
    return base_language(code) == base_language(other)


def _copied_from(widget: Widget, language: str) -> str | None:
    """Return the first earlier language of which `language` has all the texts; None if there is none.

    A variant of a language is no copy of it, nor are texts that may well be the same in two languages (`_is_telling`).
    """
    own = _texts_by_key(widget, language)
    earlier = widget.languages[: widget.languages.index(language)]
    models = [model for model in earlier if _texts_by_key(widget, model) == own]
    if not models or any(_is_same_language(language, model) for model in models):
        return None
    return models[0] if _is_telling({text for forms in own.values() for text in forms}) else None


def _texts_by_key(widget: Widget, language: str) -> dict[str, set[str]]:
    """Return the texts of each message. Plural forms are a set, because languages have different numbers of forms."""
    return {key: set(_forms(message)) for key, message in widget.messages.get(language, {}).items()}


def _is_telling(texts: Iterable[str]) -> bool:
    """Return whether equal texts show that a language was copied, because they have `_TELLING` words or more.

    One or two short texts, a brand, and words such as "Total" are the same in many languages.
    """
    return sum(len(_words(text)) for text in texts) >= _TELLING


_TELLING = 5


def _copied_language(widget: Widget, language: str, model: str, texts: Mapping[str, str]) -> Diagnostic:
    count = len(widget.messages[language])
    return Diagnostic(
        rule="message-untranslated",
        message=f"all {count} messages in {language} are the same as in {model}",
        place=_message_place(widget, next(iter(widget.messages[language])), language, texts),
        hint="translate them, or remove the language from the widget (`languages` in widget.toml); "
        "where it is meant, # awning-ignore message-untranslated: the reason",
    )


def _is_sentence(text: str) -> bool:
    """Return whether a text has at least two words (of two letters or more), at least one of them in lower case.

    Other texts, such as names, numbers, units, signs, URLs and e-mail addresses, may be the same in two languages.
    """
    words = _words(text)
    return len(words) > 1 and any(map(str.islower, words))


def _words(text: str) -> list[str]:
    """Return the words of two letters or more, without tags, arguments, URLs and e-mail addresses."""
    parts = ARGUMENT.sub("0", _TAG.sub(" ", text)).split()
    return _WORD.findall(" ".join(part for part in parts if "://" not in part and "@" not in part))


def _forms(message: str | Mapping[str, str]) -> list[str]:
    """Return the texts of a message: one, or its plural forms."""
    return [message] if isinstance(message, str) else [*message.values()]


def _message_place(widget: Widget, key: str, language: str, texts: Mapping[str, str]) -> Place:
    path = f"widgets/{widget.name}/messages/{language}.toml"
    text = texts.get(path, "")
    line, column = line_and_column(text, find_toml_offsets(text).get((key,), 0))
    return Place(path=path, line=line, column=column)
