"""The check of a damaged file ends, reports places that exist, and has the same result twice."""

import random
from pathlib import Path

from volumes import volume

from awning.check.files import check_text
from awning.contract import Dialect

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())


def damaged(text: str, chance: random.Random) -> str:
    """The text with a piece cut out, doubled or swapped."""
    start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    piece = text[start:end]
    return chance.choice([text[:start] + text[end:], text[:end] + piece + text[end:], piece])


def test_check_of_damaged_scripts_ends_and_reports_existing_places():
    chance = random.Random("damaged")
    for _ in range(volume("check-damaged")):
        path = chance.choice(CORPUS)
        text = damaged(path.read_text(encoding="utf-8"), chance)
        diagnostics = check_text(path.name, text, Dialect()).diagnostics
        assert diagnostics == check_text(path.name, text, Dialect()).diagnostics
        lines = text.split("\n")
        for diagnostic in diagnostics:
            assert 1 <= diagnostic.place.line <= len(lines)
            assert 1 <= diagnostic.place.column <= len(lines[diagnostic.place.line - 1]) + 1
