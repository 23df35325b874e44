"""The plural categories of a language, for whole numbers (CLDR 48, plurals.xml, cardinal).

The browser chooses the category with `Intl.PluralRules`. A message may leave out the categories that `RARE` has for its
language, because no whole number below a million has these categories (only fractions, or "1 million de ...").
"""

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
    base = language.replace("_", "-").split("-")[0]
    return next((tuple(names.split()) for names, codes in _CATEGORIES if base in codes.split()), None)
