"""Facts of the service, as data.

What the specification documents, and nothing computed from it: slots and events, placeholders, the names a
white-label service may change, limits, error codes. This room imports nothing of ours, so that the toolkit
and the simulated service can read one table without sharing any code.
"""

from awning.contract.dialect import Dialect
from awning.contract.exits import Exit
from awning.contract.languages import LANGUAGE_CODE, is_language_code
from awning.contract.slots import SLOTS, Slot, event_names

__all__ = ["LANGUAGE_CODE", "SLOTS", "Dialect", "Exit", "Slot", "event_names", "is_language_code"]
