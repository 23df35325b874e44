"""Runs the scripts of a file on the emulator, in an embedded engine. `behaviour_of` is the one entry point."""

from awning.check.running.behaviour import Behaviour, Observation, behaviour_of
from awning.check.running.engine import engine, missing_engine

__all__ = ["Behaviour", "Observation", "behaviour_of", "engine", "missing_engine"]
