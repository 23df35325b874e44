"""How `awning test` runs pytest: shards, watching, and a browser elsewhere."""
