"""Raw scripts: widgets that call the service's global themselves instead of exporting a slot.

They are bundled for what they do when they run, and the runtime is not called for them. `check` and the emulator
watch the rules that the runtime would keep.
"""

import re
from collections.abc import Iterable, Mapping

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place
from awning.script import ScriptFile
from awning.workspace import Widget

GENERATED = "(generated)/entries/"

_NO_DEFAULT = re.compile(r'No matching export in "(widgets/[^"]+)" for import "default"')


def raw_widgets(
    widgets: Iterable[Widget], scripts: Mapping[str, ScriptFile], dialect: Dialect
) -> frozenset[str]:
    """Widgets without a default export, in whose scripts the service's global object is named."""
    calling = {
        path.split("/")[1] for path, script in scripts.items() if _names_global(script, dialect.global_object)
    }
    return frozenset(
        widget.name
        for widget in widgets
        if widget.name in calling
        and not scripts[f"widgets/{widget.name}/{widget.script.name}"].facts.exports_default
    )


def _names_global(script: ScriptFile, global_object: str) -> bool:
    """In code, or in a text such as the key of `window["svcPlugins"]`. A comment does not count."""
    if global_object not in script.text:
        return False
    word = re.compile(rf"(?<![\w$]){re.escape(global_object)}(?![\w$])")
    return global_object in script.facts.names or any(map(word.search, script.facts.texts))


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
