"""Whether a script can be read, and where it cannot.

tree-sitter looks at every script, and quickly; but it lets some mistakes pass (`f(1,,2)`) and refuses some valid
scripts (`a?.3:1`). So where it stumbles, or where one of those mistakes may be, esbuild is asked, which has the last
word. Without an esbuild that runs, tree-sitter's word is taken.
"""

import re
from dataclasses import dataclass

from awning.bundle import Loader, find_esbuild, syntax_fault
from awning.check.script.source import Source
from awning.check.script.tree import broken_at
from awning.errors import EsbuildUnusable

_PASSED = re.compile(rb",\s*,|\bconst\s+[\w$]+\s*[;,]|\breturn\s+return\b")
"""What tree-sitter may let pass. Looking for too much costs a question to esbuild, no more."""

UNPLACED = "not valid JavaScript or TypeScript here"


@dataclass(frozen=True, slots=True)
class Unread:
    """Where a script cannot be read. `valid`: esbuild reads it, only the rules' parser does not."""

    offset: int
    message: str
    valid: bool = False


def unread(source: Source) -> Unread | None:
    """None of a script that is read as a whole."""
    broken = broken_at(source)
    if broken is None and not _PASSED.search(source.code):
        return None
    try:
        fault = syntax_fault(find_esbuild(), source.code, _loader(source))
    except EsbuildUnusable:
        return None if broken is None else Unread(broken, UNPLACED)
    if fault is not None:
        return Unread(fault.offset, f"not valid {_language(source)}: {fault.message}")
    return None if broken is None else Unread(broken, "", valid=True)


def _loader(source: Source) -> Loader:
    if source.typed:
        return "ts"
    return "tsx" if source.path.lower().endswith(".tsx") else "js" if source.is_markup else "jsx"


def _language(source: Source) -> str:
    return "TypeScript" if _loader(source) in {"ts", "tsx"} else "JavaScript"
