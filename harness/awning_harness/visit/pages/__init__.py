"""Opened pages of a browser: tabs that are reused, what a page shows, and what is wrong with it."""
