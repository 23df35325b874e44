"""Phase 6: the outputs as snippets, stamped with the fingerprint of the build, and the build record.

snippets   HTML, weight and hash of each snippet
limits     snippets that are too heavy, or that the service cannot show
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import awning
from awning.build_record import BuildRecord, BuiltWidget
from awning.bundle import Output
from awning.diagnostics import Diagnostic
from awning.pipeline.assemble.limits import differing_heads, exceeded_budgets
from awning.pipeline.assemble.snippets import Snippet, stamped_snippets
from awning.pipeline.read import SourceFile, SourceSet
from awning.workspace import Widget

__all__ = ["AssembledSnippets", "Snippet", "assemble_snippets"]

_NO_SOURCE = (".py", ".md", "/states.toml")
"""Files of a widget that no byte of a snippet comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledSnippets:
    record: BuildRecord
    snippets: tuple[Snippet, ...]
    diagnostics: tuple[Diagnostic, ...]


def assemble_snippets(
    sources: SourceSet, outputs: Mapping[str, Output], *, esbuild_version: str, budgets: bool
) -> AssembledSnippets:
    """Every snippet of the build, empty ones too. With `budgets`, those that are exceeded are reported."""
    workspace = sources.workspace
    fingerprint, snippets = stamped_snippets(sources, outputs)
    diagnostics = differing_heads(snippets, workspace)
    diagnostics += exceeded_budgets(snippets, workspace) if budgets else []
    record = BuildRecord(
        awning=awning.__version__,
        fingerprint=fingerprint,
        title=sources.app,
        version=workspace.manifest["app_version"],
        languages=workspace.languages,
        snippets=tuple(snippet.built for snippet in snippets),
        widgets=tuple(
            _built_widget(widget, sources.by_folder[widget.name].values()) for widget in sources.widgets
        ),
        esbuild=esbuild_version,
    )
    return AssembledSnippets(record=record, snippets=snippets, diagnostics=tuple(diagnostics))


def _built_widget(widget: Widget, files: Iterable[SourceFile]) -> BuiltWidget:
    return BuiltWidget(
        name=widget.name,
        title=widget.title,
        slots=widget.slots,
        languages=widget.languages,
        sources=tuple((file.path, file.sha256) for file in files if not file.path.endswith(_NO_SOURCE)),
    )
