"""The service's placeholders in bundled code: it would replace them in the middle of a script or style."""

from collections.abc import Mapping

from awning.bundle import Output
from awning.diagnostics import Diagnostic
from awning.pipeline.read import SourceSet
from awning.snippet import SourceText, joined_placeholder, spells_placeholder, written_placeholders

_ENDINGS = (".ts", ".js", ".css", ".toml", ".json", ".j2")


def find_placeholder_faults(sources: SourceSet, outputs: Mapping[str, Output]) -> list[Diagnostic]:
    """A diagnostic for each placeholder in bundled code, at its place in the sources of the widget."""
    faults: dict[Diagnostic, None] = {}
    for planned in sources.planned_snippets:
        codes = [
            outputs[name].code.decode() for name in (planned.entry, *planned.style_entries) if name in outputs
        ]
        if len(planned.widgets) == 1 and any(spells_placeholder(code, sources.dialect) for code in codes):
            widget = planned.widgets[0]
            files = sources.by_folder[widget.name].items()
            texts = [SourceText(path=path, text=file.text) for path, file in files if path.endswith(_ENDINGS)]
            written = list(written_placeholders(texts, sources.dialect))
            faults |= dict.fromkeys(
                written or [joined_placeholder(f"widgets/{widget.name}/widget.ts", sources.dialect)]
            )
    return list(faults)
