"""Text tables: aligned, no wider than the terminal, without control characters."""

import pytest

from awning.cli.reseller.table import pairs, table
from awning.cli.reseller.websites import SHOWN

LONG = {
    "id": 123456,
    "brandname": "The Very Long Name of a Company and Daughters, Limited by Guarantee",
    "plan": "premiumplus",
    "enabled": True,
    "ai_limit": 1000000,
    "ai_spent": 999999,
    "ai_extra": 1000000,
}


def test_default_columns_fit_into_80_characters():
    lines = table(SHOWN, [LONG], room=80).splitlines()
    assert max(map(len, lines)) <= 80
    assert "The Very Long Name" in lines[1]
    assert "premiumplus" in lines[1]
    assert lines[1].endswith("1000000")


def test_only_very_long_texts_are_cut_without_a_terminal():
    assert len(table(("brandname",), [{"brandname": "x" * 59}]).splitlines()[1]) == 59
    assert len(table(("brandname",), [{"brandname": "x" * 99}]).splitlines()[1]) == 60


def test_numbers_are_never_cut():
    rows = [{"a": 10**30, "b": "text that gives way"}]
    lines = table(("a", "b"), rows, room=20).splitlines()
    assert lines[1].startswith(str(10**30))
    assert lines[1].endswith("text th…")


@pytest.mark.parametrize("name", ["店舗店舗店舗", "Cafe\u0301", "a\x1b[31m\nb", ""])
def test_columns_stay_aligned_with_any_text(name):
    cells = {"店舗店舗店舗": 12, "Cafe\u0301": 4}.get(name)
    lines = table(
        ("brandname", "id"), [{"brandname": name, "id": 1}, {"brandname": "x" * 12, "id": 2}]
    ).splitlines()
    assert "\x1b" not in lines[1]
    if cells is not None:
        assert len(lines[1]) - len(name) == 12 - cells + len("  ") + len("id")


def test_pairs_have_no_trailing_space():
    assert pairs({"brand": "", "tlds": "com,lv"}) == "brand\ntlds   com,lv"
