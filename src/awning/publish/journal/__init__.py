"""The journal: an append-only record of every write of every run."""
