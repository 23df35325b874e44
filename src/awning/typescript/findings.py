"""TypeScript's problems as diagnostics of the rule `type-error`, with hints where its message does not say what to do.

In TypeScript each problem is an error. Of JavaScript, whose author has declared no types, only unknown names and
imports are reported, and render functions without a result. There, a name counts as known where a script of the page
assigns it, the script itself tests it or reads it from the window, or the widget's `[globals]` has it. An unknown name
is an error in a module, and a warning in a raw script, which may use what another script of the page defines.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from awning.contract.slots import SLOTS
from awning.diagnostics import OF_NODE, OF_PAGE, Diagnostic, Severity, did_you_mean, module_hint
from awning.script.file import ScriptFile
from awning.script.globals import names_given_by, names_tested_in
from awning.script.records import ARGUMENTS_TYPES, RECORDS, SHOWN, arguments_type
from awning.template.own_filters import FILTERS
from awning.template.types import VariableUse
from awning.typescript.project import MODULES
from awning.typescript.server import Problem

UNKNOWN_NAME = frozenset(
    {
        *(
            2304,
            2552,
            2662,
            2663,
        ),  # without advice, and with "Did you mean 'y'?", also of a member of a class
        *(2580, 2581, 2582, 2591, 2592, 2593, 2867, 2868),  # of Node.js, jQuery, test runners and Bun
        *(2583, 2584),  # of a library that is not among the settings
        18004,  # in `{ x }`
    }
)
"""`Cannot find name 'x'.`, with different advice. The first text in quotes is the name."""
OF_NODE_NAMES = frozenset({2580, 2591})
"""Unknown names of Node.js. TypeScript's advice is to install Node's types, which a page does not have."""
OF_THE_SHOP = frozenset({"$", "jQuery"})
"""Names that every page of a shop has: its own scripts load jQuery first."""
UNKNOWN_IMPORT = frozenset({2305, 2307})
"""`Module "x" has no exported member 'y'.`, and `Cannot find module 'x' or its corresponding type declarations.`"""
UNRESOLVED = UNKNOWN_NAME | UNKNOWN_IMPORT | {2724}
IMPLICIT_ANY = frozenset({7005, 7006, 7031, 7034})
"""`Parameter 'x' implicitly has an 'any' type.` and the like. An unresolved name in the script may be their cause."""
SYNTAX = range(1000, 2000)
"""TypeScript's syntax errors, which the bundler reports."""
UNTYPED_PACKAGE = 7016
"""`Could not find a declaration file for module 'x'.`: what a package without types exports may be anything."""

_NAME = re.compile(r"'([^']+)'")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedScript:
    """A script, and what decides about unknown names in it. `is_raw` is whether it works without awning's runtime.

    `known` are the names that other scripts of the page assign, and those that `[globals]` allows.
    """

    script: ScriptFile
    is_raw: bool = False
    known: AbstractSet[str] = field(default_factory=frozenset)
    templates: Mapping[str, str] = field(default_factory=dict)
    """The templates that the script can import: the path in the import by the name of the template."""

    @property
    def is_typed(self) -> bool:
        return self.script.path.endswith(("ts", "tsx"))


def findings(checked: CheckedScript, problems: Sequence[Problem]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each problem of a script that counts."""
    own: AbstractSet[str] | None = None
    is_unresolved = any(problem.code in UNRESOLVED for problem in problems)
    for problem in problems:
        severity = Severity.ERROR
        if (
            problem.code == UNTYPED_PACKAGE
            or problem.code in SYNTAX
            or (is_unresolved and problem.code in IMPLICIT_ANY)
        ):
            continue
        if problem.code in UNKNOWN_NAME and _name_in(problem) == checked.script.dialect.global_object:
            continue
        if not checked.is_typed and not is_never_rendered(problem.message):
            # What a script in HTML imports is an address, which the browser resolves, also by an import map.
            reported = UNKNOWN_NAME if checked.script.is_markup else UNKNOWN_NAME | UNKNOWN_IMPORT
            if problem.code not in reported:
                continue
            if problem.code in UNKNOWN_NAME:
                if own is None:
                    own = names_given_by(checked.script) | names_tested_in(checked.script) | OF_THE_SHOP
                name = _name_in(problem)
                if name in own or name in checked.known or _is_placeholder(name, checked.script):
                    continue
                severity = Severity.WARNING if checked.is_raw else Severity.ERROR
        yield _diagnostic(checked, problem, severity)


def _is_placeholder(name: str, script: ScriptFile) -> bool:
    """Return whether a name is a placeholder of the service, or what replaces one in the code of a page."""
    return name.removeprefix("__").startswith(script.dialect.placeholder_prefix)


def _name_in(problem: Problem) -> str:
    match = _NAME.search(problem.message)
    return match[1] if match else ""


def _diagnostic(checked: CheckedScript, problem: Problem, severity: Severity) -> Diagnostic:
    script = checked.script
    line = script.line(problem.line + 1)
    first, *rest = [part.strip() for part in _with_module_names(problem.message).splitlines()]
    hint = hint_for(first, rest[-1] if rest else None, line[problem.column :])
    if problem.code in UNKNOWN_NAME:
        name = _name_in(problem)
        if problem.code in OF_NODE_NAMES:
            first = f"Cannot find name '{name}'."
        origin = origin_hint(name, script, checked.templates)
        if re.search(rf"""["']{re.escape(name)}["']""", line):
            first, hint = f"Cannot find module '{name}'", OF_NODE
        elif name == "require":
            hint = 'a widget\'s scripts are modules: write import x from "..."'
        elif origin and not checked.is_raw:
            hint = origin
        elif not checked.is_typed:
            hint = (
                f"declare it; if the page defines it, read window.{name}, test it with typeof {name}, "
                "or name it in [globals] of widget.toml"
            )
        else:
            hint = f"import or declare it; what the page defines: declare const {name}: ...;"
    return Diagnostic(
        rule="type-error",
        message=f"{first} (TS{problem.code})",
        place=script.place(problem.offset(script.code if script.is_markup else script.content)),
        hint=hint,
        severity=severity,
        excerpt=line,
    )


def _with_module_names(message: str) -> str:
    """Return a message with modules as an author imports them, instead of their paths in the folder of the check."""
    for name, path in MODULES.items():
        message = re.sub(rf'import\("[^"]*/{path.removesuffix(".ts")}"\)', f'import("{name}")', message)
    return re.sub(r'import\("[^"]*?/(widgets/[^"]*)"\)', r'import("\1")', message)


_NEAR = 0.7
"""How similar to an unknown name the name must be that is suggested."""
_NO_ARGUMENT = re.compile(rf"Property '(\w+)' does not exist on type '({'|'.join(ARGUMENTS_TYPES)})<")
_NO_MODULE = re.compile(r"Cannot find module '(.+?)' or ")
_NOT_PASSED = re.compile(
    r"Property '(\w+)' is missing in type|.* is missing the following properties from type .*: (.+)$"
)
_FORMATTER = re.compile(rf"({'|'.join(name for name, spec in FILTERS.items() if spec.page)})\(")
_GIVEN = re.compile(r"(?:[Tt]ype|Argument of type) '(.+?)'(?= |\.|$)")
"""The types in a message in their order. The first is that of the value that is used."""
_PROMISE = re.compile(r"(?:^|[ |{:])Promise(?:Like)?<")
_FUNCTION = re.compile(r"(?:<.*>)?\(.*\) => |typeof |new ")
_VALUES = frozenset(
    {
        *("string", "number", "boolean", "true", "false"),
        *("Value", "Printable", "Falsy", "Keys", "Listed"),
        *(use.type for use in VariableUse if use.is_formatted),
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
    if FILTERS[called[1]].page == "currency":
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
