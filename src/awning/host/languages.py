"""Chooses texts for a visitor: in the exact language (`pt-BR`), else its main part (`pt`), else English, else any.

Data schemas hold texts by language. The sentences of the pages are in `texts/`.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from awning.contract.languages import base_language, browser_code

TEXTS = Path(__file__).parent / "texts"
FALLBACK = "en"
RIGHT_TO_LEFT = {"R", "AL"}
_WEIGHT = re.compile(r"\s*q\s*=\s*(.*)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalizedText:
    """A text and its language, for the HTML attribute `lang`. `language` is None when it is not known."""

    value: str
    language: str | None = None

    def __str__(self) -> str:
        return self.value

    def __bool__(self) -> bool:
        return bool(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """The sentences of the pages in one language."""

    language: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **named: str) -> str:
        return self.texts[key].format(**named)


def language_chain(language: str) -> tuple[str, ...]:
    """Return the languages to try for a visitor, in order, such as `pt-BR`, `pt` and English."""
    exact = browser_code(language)
    main = base_language(exact).lower()
    return tuple(dict.fromkeys(name for name in (language, exact, exact.lower(), main, FALLBACK) if name))


def text_in(texts: Any, languages: Sequence[str]) -> LocalizedText | None:
    """Return a text of a data schema: `texts` itself when it is a string, else a text of an object by language.

    From an object, the text in the first of `languages` that has one is returned, else the object's first text. Returns
    None when there is no text.
    """
    if isinstance(texts, str):
        return LocalizedText(value=texts) if texts else None
    if not isinstance(texts, Mapping):
        return None
    by_language = {
        browser_code(str(name)): text for name, text in texts.items() if isinstance(text, str) and text
    }
    exact = {name.lower(): name for name in by_language}
    for language in (*languages, *by_language):
        name = exact.get(browser_code(language).lower())
        if name is not None:
            return LocalizedText(value=by_language[name], language=name)
    return None


def sentences(language: str) -> Sentences:
    """Return the sentences in a language, else the English ones."""
    by_language = all_sentences()
    return next(by_language[name] for name in language_chain(language) if name in by_language)


def accepted_language(header: str) -> str:
    """Return the preferred language of an Accept-Language header for which there are sentences, else English.

    Of languages with the same weight, the first counts; one with the weight 0 is refused (RFC 9110, 12.4.2). It is
    for requests whose session is not known. The language of other pages comes from a verified request.
    """
    chosen, highest = FALLBACK, 0.0
    for part in header.split(","):
        language, *parameters = map(str.strip, part.split(";"))
        known = {language.lower(), base_language(language).lower()} & set(all_sentences())
        weights = [match[1] for parameter in parameters if (match := _WEIGHT.fullmatch(parameter))]
        weight = _number(weights[0]) if weights else 1.0
        if known and weight > highest:
            chosen, highest = language, weight
    return chosen


def _number(weight: str) -> float:
    """Return a weight, at most 1; 0 for a text that is none."""
    return min(1.0, float(weight)) if re.fullmatch(r"\d*\.?\d+|\d+\.", weight, re.ASCII) else 0.0


def isolated(text: str) -> str:
    """Return `text`, between Unicode isolation marks when it has right-to-left letters.

    Without the marks, these letters could reorder the sentence that contains the text.
    """
    if any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in text):
        return f"\u2068{text}\u2069"
    return text


@cache
def all_sentences() -> Mapping[str, Sentences]:
    return {
        path.stem: Sentences(language=path.stem, texts=tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted(TEXTS.glob("*.toml"))
    }
