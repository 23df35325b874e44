"""The lowering of expressions, one family per file. Each function is registered at `lower_expression`."""

from awning.template.expressions import access, calls, filters, operators

__all__ = ["access", "calls", "filters", "operators"]
