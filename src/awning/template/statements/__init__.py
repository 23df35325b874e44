"""The lowering of statements, one family per file. Each function is registered at `lower_statement`."""

from awning.template.statements import assignments, control, macros, output, templates

__all__ = ["assignments", "control", "macros", "output", "templates"]
