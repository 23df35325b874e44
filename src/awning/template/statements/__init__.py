"""The lowering of statements, one family per file. Each function is registered at `lower_statement`."""

from awning.template.statements import control, macros, output, templates

__all__ = ["control", "macros", "output", "templates"]
