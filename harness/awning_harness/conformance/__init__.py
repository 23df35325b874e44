"""Conformance tests: the tests that every widget gets without writing any.

A `widget.toml` is a test file: pytest collects it, once for every state of the widget and every language.
"""
