"""Each room says in a README what happens there."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = sorted(
    folder.relative_to(ROOT).as_posix()
    for top in ("src/awning", "harness/awning_harness", "jsrc")
    for folder in (ROOT / top).iterdir()
    if any(folder.glob("*.py")) or any(folder.glob("*.ts"))
)
MOST_LINES = 20


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_a_readme_of_at_most_20_lines(room: str) -> None:
    readme = ROOT / room / "README.md"
    assert readme.exists()
    assert len(readme.read_text().splitlines()) <= MOST_LINES
