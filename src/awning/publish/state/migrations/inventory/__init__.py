"""The migration steps of the inventory tables, oldest first."""
