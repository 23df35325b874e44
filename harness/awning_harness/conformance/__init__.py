"""Conformance tests: every widget gets them, although its author writes none.

A `widget.toml` is a test file: pytest collects it, once for every state of the widget and every language.
"""
