"""TypeScript's problems as diagnostics of the rule `type-error`.

In TypeScript each problem is an error. Of JavaScript, whose author has declared no types, only unknown names and
imports are reported, and render functions without a result. There, a name counts as known where a script of the page
assigns it, the script itself tests it or reads it from the window, or the widget's `[globals]` has it. An unknown name
is an error in a module, and a warning in a raw script, which may use what another script of the page defines.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from awning.diagnostics import OF_NODE, Diagnostic, Severity
from awning.script import ScriptFile
from awning.script.globals import names_given_by, names_tested_in
from awning.typescript.hints import hint_for, is_never_rendered, origin_hint
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
            if problem.code not in UNKNOWN_NAME | UNKNOWN_IMPORT:
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
