"""Tag and attribute names as browsers compare them: only A to Z are folded, never other letters."""

from string import ascii_lowercase, ascii_uppercase

_FOLDED = str.maketrans(ascii_uppercase, ascii_lowercase)


def words(text: str) -> frozenset[str]:
    """A table's names, written with spaces between them."""
    return frozenset(text.split())


def fold(name: str) -> str:
    return name.translate(_FOLDED)
