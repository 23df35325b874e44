"""Reports a script with a syntax error. A browser runs none of it, and the check leaves out the code after the error.

tree-sitter parses each script quickly, but it accepts some errors (`f(1,,2)`) and refuses some valid scripts
(`a?.3:1`). If tree-sitter reports an error, or the script may contain an error that tree-sitter accepts, esbuild
decides. Without a working esbuild, tree-sitter decides.

Each script of a page is looked at by itself: a module as strict code, a classic script as the sloppy code that it is.
Both parsers accept `import`, `export` and `await` at the top level of a classic script; a browser does not.
"""

import re
from collections.abc import Iterator

from awning.bundle import Loader, SyntaxFault, find_esbuild, syntax_fault
from awning.check.rule import Finding, Inspected, ScriptRule
from awning.diagnostics import Severity
from awning.errors import ProgramUnusable
from awning.script import Node, ScriptFile
from awning.script.file import Program
from awning.script.names import FUNCTIONS
from awning.script.tree import Tree, parse

VALID = "valid, but the rules cannot read it from here on: they may not see what follows"
UNPLACED = "not valid JavaScript or TypeScript here"

_AWAIT = 'Cannot use "await" as an identifier'
_FUNCTIONS = FUNCTIONS | {"method_definition", "generator_function", "generator_function_declaration"}
_MISSED = re.compile(rb",\s*,|\bconst\s+[\w$]+\s*[;,]|\breturn\s+return\b")
"""Code that may contain an error that tree-sitter accepts. A match without an error only costs a run of esbuild."""


def _check(file: Inspected) -> Iterator[Finding]:
    for program in file.source.programs:
        if finding := _fault_of(file.source, program):
            yield finding


def _fault_of(script: ScriptFile, program: Program) -> Finding | None:
    """Return the finding about the first syntax error of one script; None without one."""
    code = script.code_of(program)
    if not code.strip():
        return None
    broken_at = script.broken_at(program)
    if broken_at is None and script.is_markup and not program.module:
        misplaced = _of_modules(parse(code, typed=False))
        if misplaced is not None:
            message = (
                f"not valid JavaScript: `{misplaced.text.split()[0]}` at the top level of a classic script"
            )
            hint = 'a browser runs none of this script: give it type="module"'
            return Finding(offset=program.start + misplaced.start, message=message, hint=hint)
    strict = program.module and script.is_markup
    if broken_at is None and not strict and not _MISSED.search(code):
        return None
    try:
        fault = _esbuild_fault(code + b"\nexport {}" if strict else code, _loader(script))
    except ProgramUnusable:
        return None if broken_at is None else Finding(offset=broken_at, message=UNPLACED)
    if fault is not None:
        language = "TypeScript" if _loader(script) in {"ts", "tsx"} else "JavaScript"
        return Finding(offset=program.start + fault.offset, message=f"not valid {language}: {fault.message}")
    return None if broken_at is None else Finding(offset=broken_at, message=VALID, severity=Severity.NOTE)


def _esbuild_fault(code: bytes, loader: Loader) -> SyntaxFault | None:
    """Return esbuild's first fault. esbuild refuses the name `await` also in classic scripts, where it is valid."""
    fault = syntax_fault(find_esbuild(), code, loader)
    if fault is not None and fault.message.startswith(_AWAIT) and not code.endswith(b"export {}"):
        return syntax_fault(find_esbuild(), re.sub(rb"\bawait\b", b"awaiT", code), loader)
    return fault


def _of_modules(tree: Tree) -> Node | None:
    """Return the first `import`, `export` or `await` that only a module may have at its top level."""
    waiting = list(reversed(tree.root.kids))
    while waiting:
        node = waiting.pop()
        if node.type in {"import_statement", "export_statement", "await_expression"}:
            return node
        if node.type not in _FUNCTIONS:
            waiting.extend(reversed(node.kids))
    return None


def _loader(script: ScriptFile) -> Loader:
    if script.typed:
        return "ts"
    return "tsx" if script.path.lower().endswith(".tsx") else "js" if script.is_markup else "jsx"


SCRIPT_SYNTAX = ScriptRule(
    id="script-syntax",
    hint="the mistake is here or just before",
    check=_check,
)
