"""Changes of a reseller's account: planned from what the API reads, made one after another, and logged."""
