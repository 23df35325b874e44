"""Money in whole cents, rounded half up, and how it is written as JSON and on pages.

Sums and percentages are integers, so the totals are exact to the cent. Only the JSON of a payload has floats.
"""

VAT_PERCENT = 21


def percent_of(cents: int, percent: int) -> int:
    """Return `percent` of `cents`, rounded half up: 10 % of 63.80 is 6.38."""
    return (cents * percent * 2 + 100) // 200


def included_tax(cents: int, percent: int = VAT_PERCENT) -> int:
    """Return the tax inside a price that includes it, rounded half up."""
    whole = 100 + percent
    return (cents * percent * 2 + whole) // (2 * whole)


def number(cents: int) -> int | float:
    """Return cents as a JSON number in currency units: `50` for a whole amount, else `19.9`."""
    units, rest = divmod(cents, 100)
    return cents / 100 if rest else units


def display(cents: int) -> str:
    """Return cents as pages show them (observed): symbol first, no thousands separator, two decimals: `€4235.65`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}€{abs(cents) // 100}.{abs(cents) % 100:02}"
