"""The workspace's tsconfig.json, which decides how strict the check of types is, in editors as in `awning check`.

Editors also find awning's types through it. If it is malformed, they often show no message, and the types are missing.
"""

import json
import re
from pathlib import Path

from awning.diagnostics import Diagnostic, Place
from awning.workspace.document import excerpt_of
from awning.workspace.offsets import line_and_column
from awning.workspace.sources import TSCONFIG

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])")


def base_config(root: Path) -> Path:
    """Return the tsconfig.json that a check of types begins with: the workspace's, or that of a new workspace."""
    own = root / TSCONFIG
    if own.is_file() and tsconfig_fault(root) is None:
        return own
    return Path(__file__).parent / "scaffold" / "workspace" / TSCONFIG


def tsconfig_fault(root: Path) -> Diagnostic | None:
    """Return a warning if tsconfig.json is no JSON; None if it is, or if there is no readable file.

    As in TypeScript, comments and a comma after the last entry are allowed.
    """
    file = root / TSCONFIG
    try:
        text = file.read_text(encoding="utf-8-sig") if file.is_file() else None
    except (OSError, ValueError):  # no UTF-8: TypeScript also reads other encodings
        text = None
    if not text:
        return None
    try:
        json.loads(_LAST_COMMA.sub(_blank, _COMMENT.sub(_blank, text)))
    except json.JSONDecodeError as error:
        line, column = line_and_column(text, min(error.pos, len(text.rstrip())))
        return Diagnostic(
            rule="tsconfig-syntax",
            message=f"{error.msg}: neither editors nor the check of types can read this file",
            place=Place(path=TSCONFIG, line=line, column=column),
            hint="put keys and texts in double quotes, a comma between entries, and close each bracket",
            excerpt=excerpt_of(text, line),
        )
    except (ValueError, RecursionError):  # a number with too many digits, or too deep nesting
        return None
    return None


def _blank(match: re.Match[str]) -> str:
    """Return a string literal unchanged, and spaces for any other match, so that all offsets stay the same."""
    return match[0] if match[0][0] == '"' else re.sub(r"[^\n]", " ", match[0])
