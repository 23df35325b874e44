"""Each page of docs/decisions has its four parts and is in the list."""

import re
from pathlib import Path

import pytest

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"
PAGES = sorted(DECISIONS.glob("[0-9]*.md"))
PARTS = ("Question", "Choice", "Reason", "What would change it")


def test_decision_pages_exist():
    assert len(PAGES) >= 8


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_decision_page_has_its_four_parts_in_order(page):
    parts = re.findall(r"^\*\*(.+?)\.\*\* \S", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert tuple(parts) == PARTS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_decision_page_is_listed_with_its_title(page):
    title = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
    listed = (DECISIONS / "README.md").read_text(encoding="utf-8").splitlines()
    assert f"- [{page.name[:4]}]({page.name}) {title}" in listed


def test_every_decision_number_is_unique():
    numbers = [page.name[:4] for page in PAGES]
    assert len(set(numbers)) == len(numbers)
