"""Faults: failures that the simulated service makes on purpose.

`faults.py` has a class for each fault. `rules.py` has the active faults, and decides at random for each call whether
one acts. `exchange.py` is the call on which a fault acts.
"""
