"""A template's reads of attributes, as TypeScript code: `$?.shop?.city;` for `{{ shop.city }}`.

The check of types runs this code on what a script passes to the template, as `$`. So TypeScript, which knows the types
of the script, finds the attributes that do not exist.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from awning.template.types.declaration import WORD
from awning.template.types.variable import Type, Variable, VariableUse

_ITEM = None
"""A step from a list to its items."""


@dataclass(frozen=True, slots=True)
class ReadCode:
    """A piece of the code. It may be the name of an `attribute`, which belongs to the `variable` of the template."""

    text: str
    attribute: Variable | None = None
    variable: str = ""


def reading_code(reads: Sequence[Variable]) -> Iterator[ReadCode]:
    """Yield the code that reads each attribute of the variables. Variables without attributes are left out."""
    for variable in reads:
        for steps in _chains(variable.type):
            yield from _statement(variable.name, steps)


def _chains(type_: Type) -> Iterator[tuple[Variable | None, ...]]:
    """Yield the ways from a value to each attribute that has no attributes itself."""
    if type_.element is not None:
        for steps in _chains(type_.element):
            yield (_ITEM, *steps)
    for field in type_.fields if type_.use is VariableUse.FIELDS else ():
        inner = list(_chains(field.type))
        for steps in inner or [()]:
            yield (field, *steps)


def _statement(variable: str, steps: Sequence[Variable | None]) -> Iterator[ReadCode]:
    # TypeScript may report a key in brackets at the beginning of the expression.
    in_brackets = next((step for step in steps if step is not None and not WORD.fullmatch(step.name)), None)
    yield ReadCode("$", in_brackets, variable)
    yield ReadCode(f"?.[{json.dumps(variable)}]")
    for step in steps:
        if step is None:
            yield ReadCode("?.[0]")
        elif WORD.fullmatch(step.name):
            yield ReadCode("?.")
            yield ReadCode(step.name, step, variable)
        else:
            yield ReadCode("?.[")
            yield ReadCode(json.dumps(step.name), step, variable)
            yield ReadCode("]")
    yield ReadCode("; ")
