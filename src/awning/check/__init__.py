"""Finds what is wrong in a workspace without running it. Only `--fix` writes."""
