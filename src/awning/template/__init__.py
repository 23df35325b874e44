"""The template compiler: Jinja2's own syntax tree to JavaScript, escaped by HTML context.

    parse      Jinja2's lexer and parser, with columns          -> nodes
    scope      which variable a name means                      -> Scope
    context    in which HTML context text and values stand      -> Region
    expressions, statements   one file a family                 -> Js, Statement
    emit       layout and source map                            -> the module's text

`reference_environment()` is the definition of what a template means; `deviations` lists where it is not Jinja2's.
"""

from awning.template.compile import compile_template
from awning.template.deviations import DEVIATIONS, Deviation
from awning.template.intl import FILTERS as INTL_FILTERS
from awning.template.reference import reference_environment
from awning.template.result import Compiled, MessageUse
from awning.template.unit import Located

__all__ = [
    "DEVIATIONS",
    "INTL_FILTERS",
    "Compiled",
    "Deviation",
    "Located",
    "MessageUse",
    "compile_template",
    "reference_environment",
]
