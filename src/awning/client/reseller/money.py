"""An amount in a currency (Reseller API, Balance: `currency code followed by amount`).

The specification does not show the exact form, so several are accepted: with or without a space, and with or without
thousands grouped by commas or spaces.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Self

_FORM = re.compile(r"([A-Z]{3})\s?(-?\d{1,3}(?:[, ]\d{3}){1,5}|-?\d{1,18})(\.\d{1,4})?", re.ASCII)
"""A longer amount is none: decimal arithmetic here has 28 digits."""
_DECIMALS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
"""The currencies that have not two decimals (ISO 4217, list one, 2024)."""
_SMALLEST = {
    code: Decimal(10) ** -decimals for decimals, codes in _DECIMALS.items() for code in codes.split()
}
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency. `str` writes it with the decimals of the currency: `EUR 12.34`, `JPY 1234`."""

    currency: str
    amount: Decimal

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse an amount. Raises ValueError when `text` is not an amount."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise ValueError("not a currency code followed by an amount")
        whole = re.sub("[, ]", "", match[2])
        return cls(match[1], Decimal(whole + (match[3] or "")))

    def __str__(self) -> str:
        return f"{self.currency} {self.rounded().amount:f}"

    def rounded(self) -> "Money":
        """Return the amount rounded to the currency's smallest unit, with halves rounded away from zero.

        Adding 0 takes the sign from a negative zero.
        """
        smallest = _SMALLEST.get(self.currency, _CENT)
        return Money(self.currency, self.amount.quantize(smallest, rounding=ROUND_HALF_UP) + 0)

    def times(self, factor: Decimal) -> "Money":
        return Money(self.currency, self.amount * factor)
