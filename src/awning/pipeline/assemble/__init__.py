"""Phase 6: makes snippets of the outputs, stamps them with the fingerprint of the build, and makes the build record.

`limits` checks the snippets: weight, and head snippets that the service cannot show.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import awning
from awning.build_record import ALONE, BuildName, BuildRecord, BuiltSnippet, BuiltWidget, build_mark
from awning.bundle import Output
from awning.diagnostics import Diagnostic
from awning.pipeline.assemble.limits import differing_heads, exceeded_budgets
from awning.pipeline.read import APP, PlannedSnippet, SourceSet
from awning.snippet import Parts, Weight, compose, compose_unstamped, weigh

__all__ = ["AssembledSnippets", "KnownWeights", "Snippet", "assemble_snippets"]

_NO_SOURCE = (".py", ".md", "/states.toml")
"""The endings of those files in a widget's folder that are never a part of a snippet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One file of `dist/`, and its entry in the build record."""

    planned: PlannedSnippet
    content: bytes
    built: BuiltSnippet


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledSnippets:
    record: BuildRecord
    snippets: tuple[Snippet, ...]
    diagnostics: tuple[Diagnostic, ...]


KnownWeights = dict[str, tuple[bytes, BuiltSnippet]]
"""Snippets of earlier builds by path: the content, and the entry in the build record, which has the weight."""


def assemble_snippets(
    sources: SourceSet,
    outputs: Mapping[str, Output],
    *,
    esbuild_version: str,
    budgets: bool,
    weighs: bool = True,
    known: KnownWeights | None = None,
) -> AssembledSnippets:
    """Return the build record, all snippets of the build (even empty ones) and the diagnostics.

    With `budgets`, exceeded budgets are reported.

    A snippet that has the same content in `known` is not compressed again. The snippets of this build are put into
    `known`. Without `weighs`, the compressed weight is 0.
    """
    workspace = sources.workspace
    fingerprint, snippets = _stamped_snippets(sources, outputs, {} if known is None else known, weighs=weighs)
    built = tuple(snippet.built for snippet in snippets)
    diagnostics = differing_heads(built, workspace)
    diagnostics += exceeded_budgets(built, sources) if budgets else []
    record = BuildRecord(
        awning=awning.__version__,
        fingerprint=fingerprint,
        title=sources.app,
        version=workspace.manifest["app_version"],
        languages=workspace.languages,
        snippets=built,
        widgets=tuple(
            BuiltWidget(
                name=widget.name,
                title=widget.title,
                slots=widget.slots,
                languages=widget.languages,
                sources=tuple(
                    (file.path, file.sha256)
                    for file in sources.by_folder[widget.name].values()
                    if not file.path.endswith(_NO_SOURCE)
                ),
                raw=widget.name in sources.raw,
                globals=tuple(widget.allowed_globals),
            )
            for widget in sources.widgets
        ),
        esbuild=esbuild_version,
        beacon_sample_rate=workspace.beacon_sample_rate,
        kill_switch=any(planned.kill_switch for planned in sources.planned_snippets if planned.unit == APP),
    )
    return AssembledSnippets(record=record, snippets=snippets, diagnostics=tuple(diagnostics))


def _stamped_snippets(
    sources: SourceSet, outputs: Mapping[str, Output], known: KnownWeights, *, weighs: bool
) -> tuple[str, tuple[Snippet, ...]]:
    """Return the fingerprint, and every snippet stamped with it."""
    parts = [(planned, _parts(planned, outputs, sources.app)) for planned in sources.planned_snippets]
    digest = hashlib.sha256()
    for planned, snippet_parts in parts:
        content = compose_unstamped(snippet_parts, sources.dialect).encode()
        digest.update(f"{planned.path}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    fingerprint = digest.hexdigest()
    mark = build_mark(sources.workspace.languages) if sources.workspace.beacon else ""
    snippets: list[Snippet] = []
    for planned, snippet_parts in parts:
        html = compose(snippet_parts, sources.dialect, fingerprint)
        if mark:
            language = planned.language if planned.unit == APP else ALONE
            name = BuildName(fingerprint=fingerprint, language=language)
            html = html.replace(mark, name.text(mark))
        snippets.append(_snippet(planned, html.encode(), known.get(planned.path), weighs=weighs))
    known.clear()
    known.update({snippet.planned.path: (snippet.content, snippet.built) for snippet in snippets})
    return fingerprint, tuple(snippets)


def _parts(planned: PlannedSnippet, outputs: Mapping[str, Output], app: str) -> Parts:
    if not planned.widgets:
        return Parts(app=app)
    return Parts(
        app=app,
        style="".join(outputs[name].code.decode().strip() for name in planned.style_entries),
        script=outputs[planned.entry].code.decode(),
        data=planned.reads_app_data,
    )


def _snippet(
    planned: PlannedSnippet, content: bytes, known: tuple[bytes, BuiltSnippet] | None, *, weighs: bool
) -> Snippet:
    if known is not None and known[0] == content:
        return Snippet(planned=planned, content=content, built=known[1])
    weight = weigh(content) if weighs else Weight(len(content), 0)
    built = BuiltSnippet(
        path=planned.path,
        unit=planned.unit,
        place=planned.place,
        language=planned.language,
        bytes=weight.bytes,
        gzip=weight.gzip,
        sha256=hashlib.sha256(content).hexdigest(),
    )
    return Snippet(planned=planned, content=content, built=built)
