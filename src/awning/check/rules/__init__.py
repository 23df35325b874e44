"""All rules over scripts: each `ScriptRule` in a module of this package. README.md explains how to add one.

Rules over a whole workspace are elsewhere: `message-missing`, `message-unused`, `size-budget`, `template-...`.
"""

from importlib import import_module
from pkgutil import iter_modules

from awning.check.rule import ScriptRule

_MODULES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]

RULES: tuple[ScriptRule, ...] = tuple(
    {
        value.id: value
        for module in _MODULES
        for value in vars(module).values()
        if isinstance(value, ScriptRule)
    }.values()
)

__all__ = ["RULES"]
