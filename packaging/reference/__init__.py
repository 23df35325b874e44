"""Writes the pages of docs/reference from the code that they describe. Each module makes the pages of one subject."""
