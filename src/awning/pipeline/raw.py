"""Raw scripts: widgets that call the service's global themselves instead of exporting a slot.

They are bundled for what they do when they run, and the runtime is not called for them. `check` and the emulator
watch the rules that the runtime would keep.
"""

import re
from collections.abc import Iterable, Mapping

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place
from awning.pipeline.files import SourceFile
from awning.script import ScriptFile
from awning.workspace import Widget

GENERATED = "(generated)/entries/"

_DEFAULT = re.compile(r"\bexport\s+default\b|\bexport\s*\{[^}]*\bdefault\b")
_NO_DEFAULT = re.compile(r'No matching export in "(widgets/[^"]+)" for import "default"')
_SCRIPTS = (".ts", ".js", ".mts", ".mjs")


def raw_widgets(
    widgets: Iterable[Widget], files: Mapping[str, SourceFile], dialect: Dialect
) -> frozenset[str]:
    """Widgets without a default export, in whose scripts the global is spoken to."""
    return frozenset(
        widget.name
        for widget in widgets
        if _speaks(widget.name, files, dialect.global_object)
        and not _exports_default(files[f"widgets/{widget.name}/{widget.script.name}"])
    )


def _speaks(name: str, files: Mapping[str, SourceFile], global_object: str) -> bool:
    """Whether a script of the widget names the global; that it does so in a comment alone is refused by nobody."""
    word = re.compile(rf"(?<![\w$]){re.escape(global_object)}(?![\w$])")
    scripts = (
        file
        for path, file in files.items()
        if path.startswith(f"widgets/{name}/") and path.endswith(_SCRIPTS)
    )
    return any(word.search(file.text) for file in scripts)


def _exports_default(file: SourceFile) -> bool:
    if not _DEFAULT.search(file.text):
        return False
    return _DEFAULT.search(_without_comments(file)) is not None


def _without_comments(file: SourceFile) -> str:
    """Parsed only where a raw script holds the two words at all."""
    code = file.text.encode()
    parts, at = [], 0
    for start, text in ScriptFile(path=file.path, text=file.text).tree.comments:
        parts.append(code[at:start])
        at = start + len(text.encode())
    return b" ".join([*parts, code[at:]]).decode()


def placed(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """A missing default export at the widget's script, once: the bundler says it of each entry that imports it."""
    return tuple(dict.fromkeys(_placed(diagnostic) for diagnostic in diagnostics))


def _placed(diagnostic: Diagnostic) -> Diagnostic:
    missing = _NO_DEFAULT.match(diagnostic.message)
    if not missing or not diagnostic.place or not diagnostic.place.path.startswith(GENERATED):
        return diagnostic
    return Diagnostic(
        rule="missing-export",
        message="the widget's script has no default export",
        place=Place(path=missing[1], line=1, column=1),
        hint="it exports what its slot shows: export default afterPrice(({ item }) => ...)",
    )
