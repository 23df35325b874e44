"""What a template reads: its variables, their attributes, and what it does with each.

    inference   one template, with all that it includes, imports and extends -> Variables, every branch once
    shape       what is known of one value
    variable    the outcome: frozen values, to which `awning check` holds calls
    declaration the outcome as TypeScript, which the pipeline writes for editors

A variable is required when it is read anywhere without a default: `is defined` and `|default` make it optional.
Nothing here changes what is compiled; what cannot be told is `ANY`, and never an error of an author's.
"""

from awning.template.types.variable import Type, Variable, VariableUse

__all__ = ["Type", "Variable", "VariableUse"]
