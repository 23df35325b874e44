"""The journal: every write of every run, append-only."""
