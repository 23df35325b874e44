"""The template compiler: Jinja2's own syntax tree to JavaScript, escaped by HTML context.

    parse      Jinja2's lexer and parser, with columns          -> nodes
    scope      which variable a name means                      -> Scope
    regions    in which HTML context text and values stand      -> Region
    expressions, statements   one file a family                 -> Js, Statement
    emit       layout and source map                            -> the module's text

    types      what a template reads, as TypeScript             -> declarations

`reference_environment()` is the definition of what a template means; `deviations` lists where it is not Jinja2's.

They are imported when they are asked for: a build whose templates are all in the cache does without Jinja2.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from awning.template.compile import compile_template
    from awning.template.compiled_template import Compiled, MessageUse
    from awning.template.deviations import DEVIATIONS, Deviation
    from awning.template.intl import FILTERS as INTL_FILTERS
    from awning.template.nesting import on_large_stack
    from awning.template.reference import reference_environment
    from awning.template.unit import LARGEST as LARGEST_TEMPLATE
    from awning.template.unit import Located

__all__ = [
    "DEVIATIONS",
    "INTL_FILTERS",
    "LARGEST_TEMPLATE",
    "Compiled",
    "Deviation",
    "Located",
    "MessageUse",
    "compile_template",
    "on_large_stack",
    "reference_environment",
]

_HOMES = {
    "Compiled": "compiled_template",
    "DEVIATIONS": "deviations",
    "Deviation": "deviations",
    "Located": "unit",
    "MessageUse": "compiled_template",
    "compile_template": "compile",
    "on_large_stack": "nesting",
    "reference_environment": "reference",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module  # noqa: PLC0415 - see above

    if name == "INTL_FILTERS":
        return import_module(f"{__name__}.intl").FILTERS
    if name == "LARGEST_TEMPLATE":
        return import_module(f"{__name__}.unit").LARGEST
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
