"""Visits of pages in frames of kept tabs: what happens on a page, and what is observed there."""
