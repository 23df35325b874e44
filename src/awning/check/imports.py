"""What a widget's script takes from "awning": that it exists there, and that what is used of it is taken.

The bundler says neither: an import that nothing uses is dropped unread, and a name that nobody declares is taken for
one of the page's. A name misspelt in the import alone would build, and fail in the shop.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from awning.check.comments import without_comments
from awning.check.script.message_calls import is_called
from awning.diagnostics import Diagnostic, Place, did_you_mean

_IMPORT = re.compile(r"\bimport\s*(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*([\"'])awning\2")
_NAME = re.compile(r"(?<![\w$])(?:type\s+)?([\w$]+)(?:\s+as\s+[\w$]+)?\s*(?:,|$)")
_TEXT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_CALL = r"(?<![\w$.])(?<!\bfunction )(?<!\bnew )%s\s*(?:<[^()=;]*>)?\((?![^()]*\)\s*\{)"
_DECLARED = r"\b(?:function|const|let|var|class|import)\b[^;=]*?(?<![\w$.])%s(?![\w$])|[({,]\s*%s\s*[,})=:]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What "awning" has: `values` that a script calls, and names of types."""

    values: frozenset[str]
    types: frozenset[str]


def import_findings(path: str, script: str, exported: Exported) -> Iterator[Diagnostic]:
    """Names that are taken and not there, and names that are used and not taken."""
    code = without_comments(script)
    imports = list(_IMPORT.finditer(code))
    known = exported.values | exported.types
    for found in imports:
        for name in _NAME.finditer(found[1]):
            if name[1] not in known:
                at = found.start(1) + name.start(1)
                yield _not_there(name[1], _place(path, code, at), _line(script, code, at), known)
    yield from _not_taken(path, script, _TEXT.sub(lambda text: " " * len(text[0]), code), exported.values)


def _not_taken(path: str, script: str, code: str, values: Iterable[str]) -> Iterator[Diagnostic]:
    for name in sorted(values):
        used = re.search(_CALL % name, code) if name in code else None
        if used and not re.search(_DECLARED % (name, name), code) and is_called(name, script, path):
            yield Diagnostic(
                rule="missing-import",
                message=f"{name} is used and not imported",
                place=_place(path, code, used.start()),
                hint=f'import {{ {name} }} from "awning"',
                excerpt=_line(script, code, used.start()),
            )


def _not_there(name: str, place: Place, line: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        rule="missing-export",
        message=f'"awning" exports no "{name}"',
        place=place,
        hint=did_you_mean(name, sorted(known)) or "see docs/first-widget.md for what there is",
        excerpt=line,
    )


def _place(path: str, code: str, at: int) -> Place:
    line = code.count("\n", 0, at) + 1
    return Place(path=path, line=line, column=at - (code.rfind("\n", 0, at) + 1) + 1)


def _line(script: str, code: str, at: int) -> str:
    return script.split("\n")[code.count("\n", 0, at)]
