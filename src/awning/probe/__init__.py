"""Settles assumptions about the Apps API against a real test instance, and puts back what it changes.

probes     the probes: one for each assumption that calls can settle
shop       the calls of a probe to one instance, and the changes that it puts back
reply      what a call brought, without a judgement
restores   what has to be put back, stored before it is changed
running    puts back what an earlier run left, then runs the probes one by one
"""

from awning.probe.probes import PROBES, Probe
from awning.probe.restores import Restores
from awning.probe.running import ProbeOutcome, ProbeOutcomes, ProbeRun, ProbeState, chosen_probes, mend
from awning.probe.shop import Channel, NotDone, NotRestored, Shop

__all__ = [
    "PROBES",
    "Channel",
    "NotDone",
    "NotRestored",
    "Probe",
    "ProbeOutcome",
    "ProbeOutcomes",
    "ProbeRun",
    "ProbeState",
    "Restores",
    "Shop",
    "chosen_probes",
    "mend",
]
