"""Ways in which a service fails its clients, one per file.

Each fault is a frozen dataclass: its fields are what the control call may give it, `play` is what happens to
one call. `FAULTS` names them all; `Faults` holds the ones that are switched on and draws lots for each call.
"""

from awning_harness.service.faults.exchange import Exchange
from awning_harness.service.faults.registry import FAULTS, BadFault, Faults

__all__ = ["FAULTS", "BadFault", "Exchange", "Faults"]
