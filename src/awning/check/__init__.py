"""What can be found wrong in a workspace without running it. One file per rule; only `--fix` writes."""
