"""The migration steps of the journal tables, oldest first."""
