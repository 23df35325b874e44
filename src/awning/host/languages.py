"""Texts in the visitor's language: exactly it, its main part, the next language, else whatever there is.

Schemas bring their own texts as languages objects; the pages' own sentences are the files in `texts/`.
"""

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

TEXTS = Path(__file__).parent / "texts"
LAST = "en"
RIGHT_TO_LEFT = {"R", "AL"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text, and its language where that is known and matters: `lang` in HTML."""

    value: str
    language: str | None = None

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> bool:
        return bool(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """The pages' own sentences in one language."""

    language: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **named: str) -> str:
        return self.texts[key].format(**named)


def wanted(language: str) -> tuple[str, ...]:
    """The languages to try for a visitor: `pt-BR`, `pt`, then English."""
    exact = language.replace("_", "-")
    main = exact.partition("-")[0].lower()
    return tuple(dict.fromkeys(name for name in (language, exact, exact.lower(), main, LAST) if name))


def text_in(texts: Any, languages: Sequence[str]) -> Text | None:
    """A string, or the best of a languages object; None where there is no text."""
    if isinstance(texts, str):
        return Text(value=texts) if texts else None
    if not isinstance(texts, Mapping):
        return None
    given = {str(name): text for name, text in texts.items() if isinstance(text, str) and text}
    for language in (*languages, *given):
        if language in given:
            return Text(value=given[language], language=language.replace("_", "-"))
    return None


def sentences(language: str) -> Sentences:
    """The pages' sentences for a visitor; English for whom there are none."""
    known = all_sentences()
    return next(known[name] for name in wanted(language) if name in known)


def spoken(accepted: str) -> str:
    """The visitor's first language that there are sentences in, of an Accept-Language header, sent by rank.

    For pages of nobody's session: who sees one has come without a language that we may believe.
    """
    for part in accepted.split(","):
        language = part.partition(";")[0].strip()
        if {language.lower(), language.partition("-")[0].lower()} & set(all_sentences()):
            return language
    return LAST


def isolated(text: str) -> str:
    """A name inside a sentence: where it is written from right to left, the sentence around it keeps its order."""
    if any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in text):
        return f"\u2068{text}\u2069"
    return text


@cache
def all_sentences() -> Mapping[str, Sentences]:
    return {
        path.stem: Sentences(language=path.stem, texts=tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted(TEXTS.glob("*.toml"))
    }
