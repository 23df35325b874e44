"""Finds problems in a workspace without running its scripts. Only `--fix` changes the author's sources."""
