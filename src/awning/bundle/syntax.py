"""Finds the first syntax error of one script with esbuild. The script is not bundled."""

import re
from dataclasses import dataclass
from typing import Literal, cast

from awning.bundle.process import build
from awning.programs import Binary

Loader = Literal["js", "jsx", "ts", "tsx"]

_LINE_END = re.compile(rb"\r\n|[\n\r]|\xe2\x80[\xa8\xa9]")
"""The line ends of JavaScript in UTF-8, which include U+2028 and U+2029."""


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """A syntax error: esbuild's message, and the byte offset in the script."""

    message: str
    offset: int


def syntax_fault(esbuild: Binary, code: bytes, loader: Loader) -> SyntaxFault | None:
    """Return the first syntax error in `code`; None without one. Raises ProgramUnusable when esbuild does not run."""
    answer = build(
        esbuild,
        {
            "command": "transform",
            "flags": ["--color=false", "--log-level=silent", "--log-limit=1", f"--loader={loader}"],
            "inputFS": False,
            "input": code,
        },
    )
    errors = answer.get("errors") if isinstance(answer, dict) else None
    first = next(iter(cast("list[dict[str, object]]", errors or [])), None)
    if first is None:
        return None
    message, location = str(first["text"]), cast("dict[str, int] | None", first["location"])
    if location is None:
        return SyntaxFault(message, 0)
    starts = [0, *(match.end() for match in _LINE_END.finditer(code))]
    return SyntaxFault(message, min(starts[location["line"] - 1] + location["column"], len(code)))
