"""The journal: an append-only record of the writes of all runs. Only whole old runs can be removed (`pruning`)."""
