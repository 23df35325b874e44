"""A script that cannot be parsed: no page runs any of it, and what comes after the mistake is not looked at.

tree-sitter reads every script, and quickly, but it lets some mistakes pass (`f(1,,2)`) and refuses some valid scripts
(`a?.3:1`). Where it stumbles, or where one of those mistakes may be, esbuild is asked and has the last word. Without an
esbuild that runs, tree-sitter decides.
"""

import re
from collections.abc import Iterator

from awning.bundle import Loader, find_esbuild, syntax_fault
from awning.check.rule import Finding, Inspected, Rule, page_of
from awning.diagnostics import Severity
from awning.errors import EsbuildUnusable
from awning.script import ScriptFile

VALID = "valid, but the rules cannot read it from here on: they may not see what follows"
UNPLACED = "not valid JavaScript or TypeScript here"

_MISSED = re.compile(rb",\s*,|\bconst\s+[\w$]+\s*[;,]|\breturn\s+return\b")
"""Mistakes that tree-sitter may let pass. A match that is no mistake costs a question to esbuild, no more."""


def _check(file: Inspected) -> Iterator[Finding]:
    script = file.source
    if not script.code.strip():
        return
    broken_at = script.tree.broken_at
    if broken_at is None and not _MISSED.search(script.code):
        return
    try:
        fault = syntax_fault(find_esbuild(), script.code, _loader(script))
    except EsbuildUnusable:
        if broken_at is not None:
            yield Finding(offset=broken_at, message=UNPLACED)
        return
    if fault is not None:
        yield Finding(offset=fault.offset, message=f"not valid {_language(script)}: {fault.message}")
    elif broken_at is not None:
        yield Finding(offset=broken_at, message=VALID, severity=Severity.NOTE)


def _loader(script: ScriptFile) -> Loader:
    if script.typed:
        return "ts"
    return "tsx" if script.path.lower().endswith(".tsx") else "js" if script.is_markup else "jsx"


def _language(script: ScriptFile) -> str:
    return "TypeScript" if _loader(script) in {"ts", "tsx"} else "JavaScript"


RULE = Rule(
    id="script-syntax",
    title="A script cannot be read",
    severity=Severity.ERROR,
    documentation=page_of("script-syntax"),
    hint="the mistake is here or just before",
    check=_check,
)
