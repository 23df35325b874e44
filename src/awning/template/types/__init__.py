"""The types of a template's variables, inferred from how it uses them.

    inference     walks one template, with all that it includes, imports and extends, each branch once
    expressions   the part of the walk for expressions and filters
    environment   the names and facts that are known at a node of the walk
    shape         the uses of one value
    variable      the result: frozen values; `awning check` compares calls of the template with them
    declaration   the result as TypeScript, which the pipeline writes for editors
    reading       the reads of attributes as TypeScript, which the check of types adds to scripts

A variable is required if any read has no default; `is defined` and `|default` make a read optional. Nothing here
changes the module of a production build. A dev build checks declared variables, and uses their guards for that. A type
that is not known is `VALUE`, which accepts all but promises and functions, or `ANY`.
"""

from awning.template.types.variable import Type, Variable, VariableUse

__all__ = ["Type", "Variable", "VariableUse"]
