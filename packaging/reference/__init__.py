"""Writes the pages of docs/reference from the code that they describe. A module makes the pages of one subject."""
