"""Pairwise testing: tables of cases in which every pair of values occurs."""

from itertools import combinations

import pytest

from awning_harness.checks.pairs import every_pair, every_product

TABLES = {
    "two names": {"a": (1, 2, 3), "b": (1, 2)},
    "five names": {"a": tuple(range(8)), "b": tuple(range(7)), "c": "xyz", "d": "uvw", "e": "pqr"},
    "one value each": {"a": (1,), "b": (2,), "c": (3,)},
    "one name": {"a": (1, 2)},
    "equal values": {"a": (None, None), "b": (1, 2)},
}


@pytest.mark.parametrize("name", TABLES)
def test_every_pair_of_values_occurs(name):
    values = TABLES[name]
    rows = every_pair(values)
    for first, second in combinations(values, 2):
        pairs = {(row[first], row[second]) for row in rows}
        assert pairs == {(a, b) for a in values[first] for b in values[second]}


def test_rows_are_few_and_the_same_each_time():
    values = TABLES["five names"]
    rows = every_pair(values)
    assert rows == every_pair(values)
    assert 8 * 7 <= len(rows) <= 8 * 7 + 4
    assert len(every_product(values)) == 8 * 7 * 3 * 3 * 3


def test_name_without_values_gives_no_rows():
    assert every_pair({"a": (1, 2), "b": ()}) == []
