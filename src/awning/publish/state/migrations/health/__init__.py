"""The migration steps of the health tables, oldest first."""
