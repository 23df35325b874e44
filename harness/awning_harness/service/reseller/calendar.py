"""Dates and months as this API writes them: in one time zone, which is an assumption."""

from datetime import datetime, tzinfo
from functools import cache

from awning.contract.reseller_fields import DATETIME_FORMAT
from awning_harness.service.assumptions import Assumptions


def local(instant: datetime, assumptions: Assumptions) -> datetime:
    return instant.astimezone(_zone(assumptions["reseller-time-zone"]))


def written(instant: datetime | None, assumptions: Assumptions) -> str | None:
    """`YYYY-MM-DD HH:MM:SS`, or None."""
    return None if instant is None else local(instant, assumptions).strftime(DATETIME_FORMAT)


def month_of(instant: datetime, assumptions: Assumptions) -> str:
    """`2026-03`: sorts as it follows."""
    return local(instant, assumptions).strftime("%Y-%m")


@cache
def _zone(offset: str) -> tzinfo | None:
    return datetime.strptime(offset, "%z").tzinfo
