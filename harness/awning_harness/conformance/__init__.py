"""The conformance tests, which awning generates for every widget.

A `widget.toml` is a test file: pytest collects it, and runs each check in the states and languages that it needs.
"""
