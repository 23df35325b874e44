"""Facts of the service, as data.

Slots and events, placeholders, the names that a white-label service may change, limits, error codes, and the questions
that the specification leaves open. This package imports no other package of awning, so that the toolkit and the
simulated service can both import it without importing each other.
"""

from awning.contract.dialect import Dialect
from awning.contract.exits import Exit
from awning.contract.languages import LANGUAGE_CODE, is_language_code
from awning.contract.slots import SLOTS, Slot, event_names

__all__ = ["LANGUAGE_CODE", "SLOTS", "Dialect", "Exit", "Slot", "event_names", "is_language_code"]
