"""The migration steps of the state tables, oldest first."""
