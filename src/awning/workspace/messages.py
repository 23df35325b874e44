"""Reads `messages/<language>.toml` and compares the languages with each other.

A message is a text, or a table of texts by plural category. The languages of a widget must have the same
keys and the same arguments: what one of them lacks would show as nothing, in that language only.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from awning.contract import is_language_code
from awning.diagnostics import Severity, did_you_mean
from awning.workspace.document import Document, Findings, read_toml
from awning.workspace.model import Message
from awning.workspace.plurals import ALL, RARE, categories
from awning.workspace.shape import shown

ARGUMENT = re.compile(r"\{\s*([A-Za-z_]\w*)\s*\}")
_COUNT = "count"


def read_messages(
    folder: Path, path: str, languages: tuple[str, ...], findings: Findings
) -> Mapping[str, Mapping[str, Message]]:
    """Language -> key -> text, for the widget's languages. `path` is the widget's folder as diagnostics show it.

    Without languages, which is reported elsewhere, nothing is said of the files. A file with a wrong name stands for
    one that is missing.
    """
    here = folder / "messages"
    files = sorted(here.glob("*.toml")) if here.is_dir() else []
    if not files or not languages:
        return {}
    missing = [language for language in languages if language not in {file.stem for file in files}]
    _refuse_strangers(files, path, languages, missing, findings)
    misnamed = any(not is_language_code(file.stem) for file in files)
    documents = {
        language: read_toml(here / f"{language}.toml", f"{path}/messages/{language}.toml", findings)
        for language in languages
        if not (misnamed and language in missing)
    }
    read = {language: document for language, document in documents.items() if document is not None}
    texts = {language: _accepted(language, document) for language, document in read.items()}
    _compare(read, texts)
    return texts


def _refuse_strangers(
    files: list[Path], path: str, languages: tuple[str, ...], missing: list[str], findings: Findings
) -> None:
    for file in files:
        shown_path = f"{path}/messages/{file.name}"
        if not is_language_code(file.stem):
            close = did_you_mean(file.stem, missing or languages, cutoff=0.5)
            wanted = (
                f"rename it: {missing[0]}.toml is missing" if missing else "name it after a language: en.toml"
            )
            hint = close or wanted
            findings.report("language-code", f'"{file.stem}" is not a language code', shown_path, hint=hint)
        elif file.stem not in languages:
            findings.report(
                "message-language",
                f'"{file.stem}" is not a language of this widget ({", ".join(languages)}): the file is not used',
                shown_path,
                hint="add it to languages in [tool.awning] and, where it names any, in widget.toml",
                severity=Severity.WARNING,
            )


def _accepted(language: str, document: Document) -> dict[str, Message]:
    """The well-formed messages of one file."""
    texts: dict[str, Message] = {}
    for key, value in document.values.items():
        if isinstance(value, str):
            texts[key] = value
        elif isinstance(value, dict):
            _plural(language, document, key, value)
            texts[key] = {name: text for name, text in value.items() if isinstance(text, str)}
        else:
            message = f'"{key}" must be a text or a table of plural forms, not {shown(value)}'
            document.report("wrong-type", message, (key,))
    return texts


def _plural(language: str, document: Document, key: str, forms: Mapping[str, Any]) -> None:
    """A table must hold the plural categories of its language, each a text."""
    known = categories(language) or ALL
    for name, text in forms.items():
        if name not in known:
            hint = did_you_mean(name, known) or f"{language} has: {', '.join(known)}"
            message = f'"{name}" is not a plural category of {language}'
            document.report("message-plural", message, (key, name), hint=hint)
        elif not isinstance(text, str):
            document.report("wrong-type", f'"{key}.{name}" must be a text, not {shown(text)}', (key, name))
    missing = [name for name in known if name not in forms and (language, name) not in RARE]
    if "other" in missing:
        document.report("message-plural", f'"{key}" has no plural form "other"', (key,))
    elif missing and categories(language):
        names = " and ".join(f'"{name}"' for name in missing)
        document.report(
            "message-plural",
            f'"{key}" has no plural form {names}, which {language} uses; "other" is shown instead',
            (key,),
            severity=Severity.WARNING,
        )


def _compare(documents: Mapping[str, Document], texts: Mapping[str, Mapping[str, Message]]) -> None:
    keys = dict.fromkeys(key for document in documents.values() for key in document.values)
    for key in keys:
        owner = _owner(key, documents, texts)
        for language, document in documents.items():
            if key not in document.values:
                _missing(document, key, documents[owner])
            elif key in texts[owner] and key in texts[language]:
                _same_arguments(document, key, texts[language][key], documents[owner], texts[owner][key])


def _owner(key: str, documents: Mapping[str, Document], texts: Mapping[str, Mapping[str, Message]]) -> str:
    """The language that others are held to: the first of those with the arguments that most languages have."""
    having = [language for language, document in documents.items() if key in document.values]
    read = {language: texts[language][key] for language in having if key in texts[language]}
    left = {_COUNT} if any(not isinstance(text, str) for text in read.values()) else set()
    named = {language: arguments(text) - left for language, text in read.items()}
    same = Counter(named.values())
    return max(named, key=lambda one: same[named[one]], default=having[0])


def _missing(document: Document, key: str, owner: Document) -> None:
    close = did_you_mean(key, (name for name in document.values if name not in owner.values))
    document.report(
        "message-missing",
        f'"{key}" has no text here',
        hint=f"it is at {owner.place((key,))}" + (f"; {close}" if close else ""),
    )


def _same_arguments(document: Document, key: str, text: Message, owner: Document, first: Message) -> None:
    """`count` may be left out of a form ("one hour left") when either of the two is a plural."""
    ours, theirs = arguments(text), arguments(first)
    if not (isinstance(text, str) and isinstance(first, str)):
        ours, theirs = ours - {_COUNT}, theirs - {_COUNT}
    if ours == theirs:
        return
    names = _braced(ours ^ theirs)
    message = f'"{key}" differs from {owner.path} in its arguments: {names}'
    close = [did_you_mean(name, theirs - ours) for name in sorted(ours - theirs)]
    document.report("message-arguments", message, (key,), hint=next((c for c in close if c), None))


def arguments(text: Message) -> frozenset[str]:
    """The names between braces in a message, in all of its forms."""
    forms = [text] if isinstance(text, str) else list(text.values())
    return frozenset(name for form in forms for name in ARGUMENT.findall(form))


def _braced(names: Iterable[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))
