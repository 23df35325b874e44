"""An amount in a currency (Reseller API, Balance: `currency code followed by amount`).

The specification does not show the exact form, so several are accepted: with or without a space, and with or without
thousands grouped by commas or spaces.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Self

_FORM = re.compile(r"([A-Z]{3})\s?(-?\d{1,3}(?:[, ]\d{3})+|-?\d+)(\.\d{1,4})?", re.ASCII)
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency. `str` writes it rounded to the cent: `EUR 12.34`."""

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
        return f"{self.currency} {self.rounded().amount:.2f}"

    def rounded(self) -> "Money":
        """Return the amount rounded to the cent, with halves rounded away from zero."""
        return Money(self.currency, self.amount.quantize(_CENT, rounding=ROUND_HALF_UP))

    def times(self, factor: Decimal) -> "Money":
        return Money(self.currency, self.amount * factor)
