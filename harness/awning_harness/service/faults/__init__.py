"""Faults: failures that the simulated service makes on purpose.

`faults.py` has a class for each fault, and the active ones. It decides at random for each call whether
one acts. `exchange.py` is the call on which a fault acts.
"""
