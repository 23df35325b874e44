"""Migrates the app data of a shop to the version that a build's schema describes, by the widgets' own functions."""
