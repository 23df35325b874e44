"""The migration steps of the release tables, oldest first."""
