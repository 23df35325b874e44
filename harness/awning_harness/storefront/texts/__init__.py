"""The shop's own texts, a TOML file for each language. A language without a file gets the English texts."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from awning_harness.storefront.records import with_bases

LANGUAGES = ("lv", "en", "de")
_FALLBACK = "en"


def shop_language(language: str) -> str:
    """Return the language of the shop's texts for a page: the same, its base (`de` for `de-AT`), else English."""
    return next((code for code in with_bases((language,)) if code in LANGUAGES), _FALLBACK)


def shop_texts(language: str) -> Mapping[str, str]:
    """Return the shop's texts for a page in `language`."""
    return _read(shop_language(language))


@cache
def _read(language: str) -> Mapping[str, str]:
    source = (files(__name__) / f"{language}.toml").read_text(encoding="utf-8")
    return {key: str(value) for key, value in tomllib.loads(source).items()}
