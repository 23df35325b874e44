"""Runs the scripts of a file on the emulator, in an embedded engine. `behaviour.behaviour_of` is the one entry point.

Nothing is imported here: the child process (`worker.py`) stays small, because each life is a fork of it.
"""
