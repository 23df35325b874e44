"""Pairwise test design: rows of values in which every pair of values occurs. The same values give the same rows."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

Row = dict[str, Any]
Pair = tuple[tuple[str, int], tuple[str, int]]


def every_product(values: Mapping[str, Sequence[Any]]) -> list[Row]:
    """Return a row for each combination: the Cartesian product."""
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def every_pair(values: Mapping[str, Sequence[Any]]) -> list[Row]:
    """Return rows in which each value of a name occurs together with each value of every other name.

    The order of the names and values decides which rows are returned. A name without values gives no rows.
    """
    if len(values) < 2 or not all(values.values()):  # noqa: PLR2004
        return every_product(values)
    numbers = {name: range(len(choices)) for name, choices in values.items()}
    missing = _pairs(numbers)
    rows: list[dict[str, int]] = []
    while missing:
        (first, at), (second, there) = next(iter(missing))
        row = {first: at, second: there}
        for name in values:
            if name not in row:
                row[name] = _best(name, numbers[name], row, missing, len(rows))
        for pair in combinations(((name, row[name]) for name in values), 2):
            missing.pop(pair, None)
        rows.append(row)
    return [{name: values[name][row[name]] for name in values} for row in rows]


def _pairs(numbers: Mapping[str, range]) -> dict[Pair, None]:
    """Return all pairs, in the order of names and values. A dict keeps the order, which a set does not."""
    names = combinations(numbers, 2)
    return {
        ((first, at), (second, there)): None
        for first, second in names
        for at in numbers[first]
        for there in numbers[second]
    }


def _best(name: str, numbers: range, row: dict[str, int], missing: dict[Pair, None], turn: int) -> int:
    """Return the number of the value that adds the most missing pairs to a row. `turn` decides between equal values."""

    def gain(number: int) -> int:
        return sum(
            ((other, at), (name, number)) in missing or ((name, number), (other, at)) in missing
            for other, at in row.items()
        )

    turned = [numbers[(turn + step) % len(numbers)] for step in range(len(numbers))]
    return max(turned, key=gain)
