"""The migration steps of the tables of runs, oldest first."""
