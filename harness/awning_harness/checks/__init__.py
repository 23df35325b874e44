"""The checks, which awning runs for every widget.

A `widget.toml` is a test file: pytest collects it, and runs each check in the states and languages that it needs.
"""
