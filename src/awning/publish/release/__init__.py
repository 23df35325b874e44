"""Builds that are published: read from `dist/`, checked, and frozen as releases."""
