"""What to do about a type error, where TypeScript's message does not say it."""

import re
from collections.abc import Mapping

from awning.contract.slots import SLOTS
from awning.diagnostics import OF_PAGE, did_you_mean, module_hint
from awning.script import ScriptFile
from awning.script.records import ARGUMENTS_TYPES, RECORDS, SHOWN, arguments_type

_NEAR = 0.7
"""How similar to an unknown name the name must be that is suggested."""
_NO_ARGUMENT = re.compile(rf"Property '(\w+)' does not exist on type '({'|'.join(ARGUMENTS_TYPES)})<")
_NO_MODULE = re.compile(r"Cannot find module '(.+?)' or ")
_NOT_PASSED = re.compile(
    r"Property '(\w+)' is missing in type|.* is missing the following properties from type .*: (.+)$"
)
_FORMATTER = re.compile(r"(money|number|percent|unit|date|time|datetime|relative)\(")
_GIVEN = re.compile(r"(?:[Tt]ype|Argument of type) '(.+?)'(?= |\.|$)")
"""The types in a message in their order. The first is that of the value that is used."""
_PROMISE = re.compile(r"(?:^|[ |{:])Promise(?:Like)?<")
_FUNCTION = re.compile(r"(?:<.*>)?\(.*\) => |typeof |new ")
_VALUES = frozenset(
    {
        *("string", "number", "boolean", "true", "false"),
        *("Value", "Printable", "Amount", "Moment", "Display", "Falsy", "Keys", "Listed"),
    }
)
"""Types of values that are no functions: TypeScript's, and those of templates' variables (`types/view.ts`)."""

_OPERATIONS = ("Operator ", "This condition ", "This comparison ")
"""The beginnings of messages about operands."""
_AWAIT = "await the promise before, in an async function: a promise is not yet the value"

_NOT_RENDERED = re.compile(r"Type '(void|undefined)' is not assignable to type '(?:.*\W)?Rendered\W")
"""The reason why a render function does not fit: it may end without a value."""
_RETURN = "return the HTML in every case, as in return view({ ... }); to show nothing, return an empty string"


def hint_for(message: str, reason: str | None, excerpt: str) -> str | None:
    """Return what to do about the problem with this message; None where the message says it.

    `reason` is the last line of a message of several lines. `excerpt` is the line from the place of the problem on.
    """
    if _NOT_RENDERED.match(reason or message):
        return _RETURN
    return (
        _module_hint(message)
        or _argument_hint(message)
        or _format_hint(message, excerpt)
        or _value_hint(message)
        or reason
    )


def origin_hint(name: str, script: ScriptFile, templates: Mapping[str, str]) -> str | None:
    """Return how a script gets what this name most probably is; None if it may be anything.

    `templates` are the paths of templates by name.
    """
    facts = script.facts
    if name in templates:
        known = next((each.default for each in facts.imports if each.module == templates[name]), None)
        return f"it is imported as {known}" if known else f'import {name} from "{templates[name]}"'
    if name == "Data":
        return 'import type { Data } from "./data.schema"'
    slots = [slot for slot in SLOTS.values() if slot.function in facts.calls] or [*SLOTS.values()]
    if any(name in RECORDS[slot.function] for slot in slots):
        function = next(slot.function for slot in slots if name in RECORDS[slot.function])
        return (
            f"take it from the arguments of the render function, {function}(({{ {name} }}) => ...); "
            "a function outside of it gets it passed on"
        )
    if name in SHOWN and any("item" in RECORDS[slot.function] for slot in slots):
        return f"the product has it: item.{name}"
    if any(name in RECORDS[slot.function] for slot in SLOTS.values()):
        return (
            f"{slots[0].function} does not give it: it gives {', '.join(sorted(RECORDS[slots[0].function]))}"
        )
    own = facts.declared.union(templates, *(statement.locals for statement in facts.imports))
    return did_you_mean(name, sorted(own), cutoff=_NEAR)


def _argument_hint(message: str) -> str | None:
    """Return the hint about a name that a render function does not get."""
    match = _NO_ARGUMENT.match(message)
    if match is None:
        return None
    function = next(slot.function for slot in SLOTS.values() if arguments_type(slot) == match[2])
    arguments = RECORDS[function]
    close = did_you_mean(match[1], arguments)
    if close is None and "item" in arguments and match[1] in SHOWN:
        return f"the product has it: item.{match[1]}"
    return close or f"the render function gets {', '.join(sorted(arguments))}"


def is_never_rendered(message: str) -> bool:
    """Return whether a message says that a render function has no `return` with a value."""
    match = _NOT_RENDERED.match(message.splitlines()[-1].strip())
    return match is not None and match[1] == "void"


def _module_hint(message: str) -> str | None:
    match = _NO_MODULE.match(message)
    return module_hint(match[1]) if match else None


def _format_hint(message: str, excerpt: str) -> str | None:
    """Return the hint about a missing currency or language: of a template, or of a function such as `money`."""
    missing = _NOT_PASSED.match(message)
    advice = (
        [OF_PAGE[name] for name in re.findall(r"\w+", missing[1] or missing[2]) if name in OF_PAGE]
        if missing
        else []
    )
    if advice:
        return "; ".join(advice)
    called = _FORMATTER.match(excerpt) if message.startswith("Expected ") else None
    if called is None:
        return None
    if called[1] == "money":
        return "the second argument is the currency: money(item.price, item.currency)"
    return (
        f"the second argument is the language, which every render function gets: {called[1]}(value, language)"
    )


def _value_hint(message: str) -> str | None:
    """Return what to do with a promise or a function that is used as if it were its value; None for other problems."""
    if message.startswith(_OPERATIONS):
        return _AWAIT if "Promise<" in message else None
    types = _GIVEN.findall(message)
    if not types:
        return None
    used, *others = types
    wanted = re.findall(r"\w+", others[0]) if others else []
    if _FUNCTION.match(used):
        asks_value = not _VALUES.isdisjoint(wanted) and "=>" not in others[0]
        then = ", and await its result" if _PROMISE.search(used.rpartition("=> ")[2]) else ""
        return f"pass a value: call the function{then}" if asks_value else None
    if not _PROMISE.search(used) or "Promise" in wanted or "PromiseLike" in wanted:
        return None
    if used.endswith("[]"):
        return "await the promises before, in an async function: await Promise.all(...)"
    return _AWAIT
