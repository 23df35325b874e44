"""Faults: failures that the service makes on purpose.

`faults.py` has every fault, a class each. `rules.py` holds those that are switched on and draws lots for each call.
`exchange.py` is the call on which a fault acts.
"""

from awning_harness.service.faults.exchange import Exchange
from awning_harness.service.faults.faults import FAULTS
from awning_harness.service.faults.rules import BadFault, Faults

__all__ = ["FAULTS", "BadFault", "Exchange", "Faults"]
