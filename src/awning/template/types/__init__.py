"""What a template reads: its variables, their attributes, and what it does with each.

    reads       one template, with all that it includes, imports and extends -> Variables     (read.py)
    shape       what is gathered of one value while a template is walked
    walk        statements, expressions and filters, followed as Jinja2 would run them, every branch once
    variable    the outcome: frozen values, to which `awning check` holds calls
    declaration the outcome as TypeScript, which the pipeline writes for editors

A variable is required when it is read anywhere without a default: `is defined` and `|default` make it optional.
Nothing here changes what is compiled; what cannot be told is `ANY`, and never an error of an author's.
"""

from awning.template.types.variable import Type, Use, Variable

__all__ = ["Type", "Use", "Variable"]
