"""Finds problems in a workspace without a browser. Only `--fix` changes the author's sources."""
