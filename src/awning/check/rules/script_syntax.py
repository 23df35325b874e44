"""Reports a script with a syntax error. A browser runs none of it, and the check leaves out the code after the error.

tree-sitter parses each script quickly, but it accepts some errors (`f(1,,2)`) and refuses some valid scripts
(`a?.3:1`). If tree-sitter reports an error, or the script may contain an error that tree-sitter accepts, esbuild
decides. Without a working esbuild, tree-sitter decides.
"""

import re
from collections.abc import Iterator

from awning.bundle import Loader, find_esbuild, syntax_fault
from awning.check.rule import Finding, Inspected, Rule, page_of
from awning.diagnostics import Severity
from awning.errors import ProgramUnusable
from awning.script import ScriptFile

VALID = "valid, but the rules cannot read it from here on: they may not see what follows"
UNPLACED = "not valid JavaScript or TypeScript here"

_MISSED = re.compile(rb",\s*,|\bconst\s+[\w$]+\s*[;,]|\breturn\s+return\b")
"""Code that may contain an error that tree-sitter accepts. A match without an error only costs a run of esbuild."""


def _check(file: Inspected) -> Iterator[Finding]:
    script = file.source
    if not script.code.strip():
        return
    broken_at = script.tree.broken_at
    if broken_at is None and not _MISSED.search(script.code):
        return
    try:
        fault = syntax_fault(find_esbuild(), script.code, _loader(script))
    except ProgramUnusable:
        if broken_at is not None:
            yield Finding(offset=broken_at, message=UNPLACED)
        return
    if fault is not None:
        language = "TypeScript" if _loader(script) in {"ts", "tsx"} else "JavaScript"
        yield Finding(offset=fault.offset, message=f"not valid {language}: {fault.message}")
    elif broken_at is not None:
        yield Finding(offset=broken_at, message=VALID, severity=Severity.NOTE)


def _loader(script: ScriptFile) -> Loader:
    if script.typed:
        return "ts"
    return "tsx" if script.path.lower().endswith(".tsx") else "js" if script.is_markup else "jsx"


RULE = Rule(
    id="script-syntax",
    title="A script cannot be read",
    severity=Severity.ERROR,
    documentation=page_of("script-syntax"),
    hint="the mistake is here or just before",
    check=_check,
)
