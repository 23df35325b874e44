"""The template compiler. It turns Jinja2's syntax tree into JavaScript that escapes each value for its HTML context.

    parse      Jinja2's lexer and parser, with columns          -> nodes
    regions    the HTML context of each text and value          -> Region
    promises   the types that the script declares               -> Promises
    lowering   nodes become JavaScript; `expressions` and `statements` have one file per family      -> Js, Statement
    emit       the JavaScript as a tree, then as lines          -> the module's text, its source map

    frame      the state of lowering, and which variable a name means -> Frame, Scope
    types      the types of the variables, as TypeScript        -> declarations

`reference_environment()` defines the meaning of a template; `deviations` lists the differences from Jinja2.

Each name is imported at its first use, so a build whose templates are all in the cache does not import Jinja2.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from awning.template.compile import compile_template
    from awning.template.compiled_template import CompiledTemplate, MessageUse
    from awning.template.deviations import DEVIATIONS, Deviation
    from awning.template.intl import FILTERS as INTL_FILTERS
    from awning.template.parse import on_large_stack
    from awning.template.reference import reference_environment
    from awning.template.template_set import LARGEST as LARGEST_TEMPLATE
    from awning.template.template_set import LocatedText

__all__ = [
    "DEVIATIONS",
    "INTL_FILTERS",
    "LARGEST_TEMPLATE",
    "CompiledTemplate",
    "Deviation",
    "LocatedText",
    "MessageUse",
    "compile_template",
    "on_large_stack",
    "reference_environment",
]

_HOMES = {
    "CompiledTemplate": "compiled_template",
    "DEVIATIONS": "deviations",
    "Deviation": "deviations",
    "LocatedText": "template_set",
    "MessageUse": "compiled_template",
    "compile_template": "compile",
    "on_large_stack": "parse",
    "reference_environment": "reference",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module  # noqa: PLC0415 - see above

    if name == "INTL_FILTERS":
        return import_module(f"{__name__}.intl").FILTERS
    if name == "LARGEST_TEMPLATE":
        return import_module(f"{__name__}.template_set").LARGEST
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
