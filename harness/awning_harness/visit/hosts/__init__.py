"""Simulated responses of other hosts, which a state or a test describes."""
