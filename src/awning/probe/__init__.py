"""Settles assumptions about the Apps API against a real test instance, and puts back what it changes.

probes     the probes: one for each assumption that calls can settle
shop       the calls of a probe to one instance, and the changes that it puts back
reply      what a call brought, without a judgement
restores   what has to be put back, stored before it is changed
running    puts back what an earlier run left, then runs the probes one by one
"""
