"""Faults: failures that the simulated service makes on purpose.

`faults.py` has a class for each fault. `rules.py` has the active faults, and decides at random for each call whether
one acts. `exchange.py` is the call on which a fault acts.
"""

from awning_harness.service.faults.exchange import Exchange
from awning_harness.service.faults.faults import FAULTS
from awning_harness.service.faults.rules import BadFault, Faults

__all__ = ["FAULTS", "BadFault", "Exchange", "Faults"]
