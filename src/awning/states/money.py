"""Money in whole minor units of a currency, rounded half up, and how it is written as JSON and on pages.

Sums and percentages are integers, so the totals are exact. Only the JSON of a payload has floats.
"""

import unicodedata

from awning.workspace.store.records import CurrencyRecord

VAT_PERCENT = 21

_MINUS = "\N{MINUS SIGN}"
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT, _END = "\u2066", "\u2067", "\u2069"
_MARK = "\u200e"
_STRONG = {"R": _RIGHT_TO_LEFT, "AL": _RIGHT_TO_LEFT, "L": _LEFT_TO_RIGHT}


def percent_of(amount: int, percent: int) -> int:
    """Return `percent` of `amount`, rounded half up: 10 % of 63.80 is 6.38."""
    return (amount * percent * 2 + 100) // 200


def included_tax(amount: int, percent: int = VAT_PERCENT) -> int:
    """Return the tax inside a price that includes it, rounded half up."""
    whole = 100 + percent
    return (amount * percent * 2 + whole) // (2 * whole)


def number(amount: int, decimals: int = 2) -> int | float:
    """Return an amount as a JSON number in currency units: a whole amount as an integer (`50`), others as `19.9`."""
    scale: int = 10**decimals
    units, rest = divmod(amount, scale)
    return amount / scale if rest else units


def display(amount: int, currency: CurrencyRecord, direction: str = "ltr") -> str:
    """Return an amount as pages show it: `€4235.65` (observed), `¥3,360`, `79.60 د.إ`.

    On a right-to-left page, or with a right-to-left symbol, the amount is isolated from the text around it, so that
    neither changes the order of the other's characters.
    """
    units, rest = divmod(abs(amount), 10**currency.decimals)
    digits = f"{units:,}".replace(",", currency.thousands_separator)
    if currency.decimals:
        digits += f"{currency.decimal_separator}{rest:0{currency.decimals}}"
    sign = _MINUS if amount < 0 else ""
    before = currency.symbol if currency.position == "before" else ""
    after = f" {currency.symbol}" if currency.position == "after" else ""
    start, end = isolation(currency, direction)
    mark = _MARK if sign and start == _RIGHT_TO_LEFT else ""
    return f"{start}{mark}{sign}{before}{digits}{after}{end}"


def isolated(text: str) -> str:
    """Return `text`, which is written from left to right, isolated from the text around it."""
    return f"{_LEFT_TO_RIGHT}{text}{_END}"


def isolation(currency: CurrencyRecord, direction: str) -> tuple[str, str]:
    """Return the Unicode isolates to put before and after an amount on a page; both are empty if not needed."""
    letters = (_STRONG[kind] for c in currency.symbol if (kind := unicodedata.bidirectional(c)) in _STRONG)
    start = next(letters, _LEFT_TO_RIGHT)
    return ("", "") if direction == "ltr" and start == _LEFT_TO_RIGHT else (start, _END)
