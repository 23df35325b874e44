"""The inventory: the app's own list of instances, and its CSV table."""
