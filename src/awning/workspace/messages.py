"""Reads `messages/<language>.toml` and compares the languages with each other. Makes the pseudo-language of them.

A message is a text, or a table of texts by plural category. All languages of a widget must have the same keys and
arguments. Otherwise the pages of one language would lack a text or a value.

The plural categories of a language are those for whole numbers (CLDR 48, plurals.xml, cardinal). The browser chooses
the category with `Intl.PluralRules`. A message may leave out the categories that `RARE` has for its language, because
no whole number below a million has these categories (only fractions, or "1 million de ...").

The pseudo-language is the default language's messages in changed letters, for tests and the dev shop. It is never
published. Its texts have accents and brackets and are about 35 % longer: `Arrives {date}` becomes `⟦Ååŕŕîvéš {date}⟧`.
So a text that does not come from the messages is easy to see, and a layout without room for a longer language breaks.
Arguments, markup and plural forms are unchanged. The code, such as `en-XA`, follows CLDR; plural rules and formats are
those of the default language.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from awning.contract import is_language_code
from awning.contract.languages import base_language
from awning.diagnostics import Severity, closest, did_you_mean
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.model import Message, Widget, Workspace
from awning.workspace.validation import describe_value

_CATEGORIES: tuple[tuple[str, str], ...] = (
    ("other", "id ja km ko lo ms my th vi yue zh"),
    ("zero one other", "lv"),
    ("one two other", "he"),
    ("one few other", "bs hr ro sr"),
    ("one two few other", "sl"),
    ("one few many other", "be cs lt pl ru sk uk"),
    ("one many other", "ca es fr it pt"),
    ("one two few many other", "ga mt"),
    ("zero one two few many other", "ar cy"),
    (
        "one other",
        (
            "af am az bg bn da de el en et eu fa fi fil gl gu hi hu hy is ka kk kn ky lb mk ml mn mr nb ne nl "
            "nn no pa si sq sv sw ta te tr ur uz zu"
        ),
    ),
)

ALL: tuple[str, ...] = ("zero", "one", "two", "few", "many", "other")

RARE: frozenset[tuple[str, str]] = frozenset(
    (language, "many") for language in ("ca", "cs", "es", "fr", "it", "lt", "pt", "sk")
)


def categories(language: str) -> tuple[str, ...] | None:
    """Return the categories of a language (`lv`, `pt-BR`), or None when the table does not have it."""
    base = base_language(language)
    return next((tuple(names.split()) for names, codes in _CATEGORIES if base in codes.split()), None)


ARGUMENT = re.compile(r"\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}")
_LIKE_AN_ARGUMENT = re.compile(r"\{\s*([^\W\d]\w*)\s*\}")
_COUNT = "count"


def read_messages(
    folder: Path, path: str, languages: tuple[str, ...], findings: Findings
) -> Mapping[str, Mapping[str, Message]]:
    """Return the messages by language and key. A language is absent if it has no readable file.

    `path` is the widget's folder in diagnostics. If there is no file, or `languages` is empty, the result is empty and
    nothing is reported: a widget may have no messages, and another check reports a workspace without languages.
    A missing file is reported for each language. But if a file has a name that is no language code, only this name is
    reported, because the file is probably the missing one under a wrong name.
    """
    here = folder / "messages"
    files = sorted(here.glob("*.toml")) if here.is_dir() else []
    if not files or not languages:
        return {}
    missing = [language for language in languages if language not in {file.stem for file in files}]
    _report_unused_files(files, path, languages, missing, findings)
    if all(is_language_code(file.stem) for file in files):
        _report_missing_files(path, languages, missing, findings)
    documents = {
        language: read_toml(here / f"{language}.toml", f"{path}/messages/{language}.toml", findings)
        for language in languages
        if language not in missing
    }
    readable = {language: document for language, document in documents.items() if document is not None}
    texts = {language: _well_formed(language, document) for language, document in readable.items()}
    _compare_languages(readable, texts)
    return texts


def _report_unused_files(
    files: list[Path], path: str, languages: tuple[str, ...], missing: list[str], findings: Findings
) -> None:
    for file in files:
        shown_path = f"{path}/messages/{file.name}"
        if not is_language_code(file.stem):
            close = did_you_mean(file.stem, missing or languages, cutoff=0.5)
            advice = (
                f"rename it: {missing[0]}.toml is missing" if missing else "name it after a language: en.toml"
            )
            message = f'"{file.stem}" is not a language code'
            findings.report("language-code", message, shown_path, hint=close or advice)
        elif file.stem not in languages:
            findings.report(
                "message-language",
                f'"{file.stem}" is not a language of this widget ({", ".join(languages)}): the file is not used',
                shown_path,
                hint="add it to `languages` in [tool.awning], and in widget.toml if that has `languages`",
            )


def _report_missing_files(
    path: str, languages: tuple[str, ...], missing: list[str], findings: Findings
) -> None:
    written = next((language for language in languages if language not in missing), None)
    for language in missing:
        name = f"{path}/messages/{language}.toml"
        start = f"copy {written}.toml to it and translate the texts" if written else "write it"
        hint = f'{start}, or remove "{language}" from `languages` in widget.toml or [tool.awning]'
        findings.report(
            "file-missing", f'{name} is missing: "{language}" is a language of this widget', name, hint=hint
        )


def _well_formed(language: str, document: Document) -> dict[str, Message]:
    """Return the messages of one file. Problems are reported. Values and plural forms that are no text are left out."""
    texts: dict[str, Message] = {}
    for key, value in document.values.items():
        if isinstance(value, str):
            texts[key] = _with_plain_arguments(document, value, (key,))
        elif isinstance(value, dict):
            _check_plural(language, document, key, value)
            texts[key] = {
                name: _with_plain_arguments(document, text, (key, name))
                for name, text in value.items()
                if isinstance(text, str)
            }
        else:
            message = f'"{key}" must be a text or a table of plural forms, not {describe_value(value)}'
            document.report("wrong-type", message, (key,))
    return texts


def _with_plain_arguments(document: Document, text: str, keys: tuple[str, ...]) -> str:
    """Return a text with `{name}` for `{ name }`. Names that pages do not replace are reported."""
    for name in _LIKE_AN_ARGUMENT.findall(text):
        if not name.isascii():
            message = (
                f"pages do not replace {{{name}}}: the name of an argument has only a to z, digits and _"
            )
            document.report("message-arguments", message, keys)
    return ARGUMENT.sub(r"{\1}", text)


def _check_plural(language: str, document: Document, key: str, forms: Mapping[str, Any]) -> None:
    """Check that a message's table has the plural categories of its language, each with a text."""
    known = categories(language) or ALL
    misspelt: set[str | None] = set()
    for name, text in forms.items():
        if name not in known:
            close = closest(name, [category for category in known if category not in forms])
            misspelt.add(close)
            hint = f'did you mean "{close}"?' if close else f"{language} has: {', '.join(known)}"
            message = f'"{name}" is not a plural category of {language}'
            document.report("message-plural", message, (key, name), hint=hint)
        elif not isinstance(text, str):
            document.report(
                "wrong-type", f'"{key}.{name}" must be a text, not {describe_value(text)}', (key, name)
            )
    missing = [
        name
        for name in known
        if name not in {*forms, *misspelt} and (base_language(language), name) not in RARE
    ]
    if "other" in missing:
        document.report("message-plural", f'"{key}" has no plural form "other"', (key,))
    elif missing and categories(language):
        names = " and ".join(f'"{name}"' for name in missing)
        document.report(
            "message-plural",
            f'"{key}" has no plural form {names}, which {language} uses; pages show "other" instead',
            (key,),
            severity=Severity.WARNING,
        )


def _compare_languages(documents: Mapping[str, Document], texts: Mapping[str, Mapping[str, Message]]) -> None:
    keys = Counter(key for document in documents.values() for key in document.values)
    for key in keys:
        reference, is_sure = _reference_language(key, documents, texts)
        for language, document in documents.items():
            if key not in document.values:
                _report_missing(document, key, documents[reference], keys)
            elif key in texts[reference] and key in texts[language]:
                _compare_arguments(
                    document,
                    key,
                    texts[language][key],
                    documents[reference],
                    texts[reference][key],
                    is_sure=is_sure,
                )


def _reference_language(
    key: str, documents: Mapping[str, Document], texts: Mapping[str, Mapping[str, Message]]
) -> tuple[str, bool]:
    """Return the language with which the others are compared, and whether it agrees with more than half of them.

    It is the first language whose message has the arguments that most languages have.
    """
    languages = [language for language, document in documents.items() if key in document.values]
    messages = {language: texts[language][key] for language in languages if key in texts[language]}
    ignored = {_COUNT} if any(not isinstance(message, str) for message in messages.values()) else set()
    names = {language: arguments(message) - ignored for language, message in messages.items()}
    frequency = Counter(names.values())
    reference = max(names, key=lambda language: frequency[names[language]], default=languages[0])
    return reference, 2 * frequency[names.get(reference, frozenset())] > len(names)


def _report_missing(document: Document, key: str, reference: Document, keys: Mapping[str, int]) -> None:
    """Report that a language lacks a message. `keys` are those of all languages with their numbers of languages.

    Of two keys of which one is probably the other, misspelt, only the one of more languages is reported as missing, or
    else the first.
    """
    close = closest(key, (name for name in document.values if name not in reference.values))
    if close and _weight(key, keys) < _weight(close, keys):
        return
    document.report(
        "message-missing",
        f'"{key}" has no text in this language',
        (close,) if close else (),
        hint=f"another language has it at {reference.place((key,))}"
        + (f'; "{close}" is not there: one of the two is misspelt' if close else ""),
    )


def _weight(key: str, keys: Mapping[str, int]) -> tuple[int, int]:
    return keys[key], -[*keys].index(key)


def _compare_arguments(
    document: Document,
    key: str,
    message: Message,
    reference: Document,
    reference_message: Message,
    *,
    is_sure: bool,
) -> None:
    """Report arguments that differ from the reference. A plural form may leave out `count`: "one hour left".

    Unless the reference is surely right, the hint says that either of two similar names may be misspelt.
    """
    ours, theirs = arguments(message), arguments(reference_message)
    if not (isinstance(message, str) and isinstance(reference_message, str)):
        ours, theirs = ours - {_COUNT}, theirs - {_COUNT}
    if ours == theirs:
        return
    names = ", ".join(f"{{{name}}}" for name in sorted(ours ^ theirs))
    sentence = f'"{key}" differs from {reference.path} in its arguments: {names}'
    pairs = ((name, closest(name, theirs - ours)) for name in sorted(ours - theirs))
    name, other = next((pair for pair in pairs if pair[1]), ("", None))
    if other:
        hint = f'did you mean "{other}"?' if is_sure else f"{{{name}}} or {{{other}}} is misspelt"
    document.report("message-arguments", sentence, (key,), hint=hint if other else None)


def arguments(message: Message) -> frozenset[str]:
    """Return the names between braces in a message; of a plural message, the names in any of its forms."""
    forms = [message] if isinstance(message, str) else list(message.values())
    return frozenset(name for form in forms for name in ARGUMENT.findall(form))


LONGER = 0.35
_VOWELS = frozenset("aeiouyåéîöûýAEIOUYÅÉÎÖÛÝāēīūĀĒĪŪäöüÄÖÜ")
_ACCENTED = str.maketrans(
    "abcdefghijklmnoprstuwyzABCDEFGHIJKLMNOPRSTUWYZ",
    "åƀçðéƒğĥîĵķļɱñöþŕšţûŵýžÅƁÇÐÉƑĞĤÎĴĶĻṀÑÖÞŔŠŢÛŴÝŽ",
)
_UNCHANGED = re.compile(r"(\{[A-Za-z_]\w*\}|</?[A-Za-z][^<>]*>|&(?:#\w+|\w+);)")
"""Matches an argument, a tag or a character reference, which are not changed."""


def pseudo_code(language: str) -> str:
    """Return the code of the pseudo-language for `language`: `en` -> `en-XA`."""
    return f"{base_language(language)}-XA"


def pseudo_text(text: str) -> str:
    """Return the text with accents and brackets, about 35 % longer. A blank text is returned unchanged."""
    if not text.strip():
        return text
    pieces = _UNCHANGED.split(text)
    plain = pieces[::2]
    missing = max(0, round(LONGER * sum(map(len, plain))) - 2)
    for number, piece in enumerate(plain):
        longer = _double_vowels(piece, missing)
        missing -= len(longer) - len(piece)
        pieces[2 * number] = longer.translate(_ACCENTED)
    return f"⟦{''.join(pieces)}{'~' * missing}⟧"


def _double_vowels(piece: str, most: int) -> str:
    """Return the piece with its first vowels doubled, at most `most` of them."""
    letters: list[str] = []
    for letter in piece:
        double = most > 0 and letter in _VOWELS
        letters.append(letter + letter.lower() if double else letter)
        most -= double
    return "".join(letters)


def pseudo_message(message: Message) -> Message:
    if isinstance(message, str):
        return pseudo_text(message)
    return {category: pseudo_text(text) for category, text in message.items()}


def pseudo_workspace(workspace: Workspace) -> Workspace:
    """Return the same workspace with the pseudo-language as its only language."""
    language = pseudo_code(workspace.languages[0])
    widgets = tuple(_pseudo_widget(widget, workspace.languages[0], language) for widget in workspace.widgets)
    return replace(workspace, languages=(language,), widgets=widgets)


def _pseudo_widget(widget: Widget, default: str, language: str) -> Widget:
    """Return the widget in the pseudo-language.

    Its texts come from the default language, else from its first language.
    """
    texts = widget.messages.get(default) or next(iter(widget.messages.values()), None)
    messages = {} if texts is None else {language: {key: pseudo_message(text) for key, text in texts.items()}}
    return replace(widget, languages=(language,), messages=MappingProxyType(messages))
