"""Phase 7: makes snippets of the outputs, stamps them with the fingerprint of the build, and makes the build record.

`findings` reports snippets that are too heavy, and head snippets that the service cannot show.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import takewhile

import awning
from awning.build_record import (
    ALONE,
    MIGRATIONS_FILE,
    WHOLE_APP,
    BuildName,
    BuildRecord,
    BuiltMigrations,
    BuiltSnippet,
    BuiltSource,
    BuiltWidget,
    build_mark,
)
from awning.bundle.request import Output
from awning.diagnostics import Diagnostic
from awning.pipeline.assemble.findings import differing_heads, exceeded_budgets
from awning.pipeline.read import PlannedSnippet, SourceSet
from awning.pipeline.stage import MIGRATIONS
from awning.snippet.compose import (
    Parts,
    compose,
    compose_unstamped,
    index_of_script,
    named_html,
    style_element,
)
from awning.snippet.inline import inline_elements
from awning.snippet.weigh import Weight, weigh
from awning.workspace.model import Widget

__all__ = ["AssembledSnippets", "Snippet", "assemble_snippets"]


_NO_SOURCE = (".py", ".md", "/states.toml")
"""The endings of those files in a widget's folder that are never a part of a snippet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One file of `dist/`, and its entry in the build record.

    `verbatim` has the size in bytes of each verbatim widget's HTML and style sheet in it, by the path of the HTML.
    """

    planned: PlannedSnippet
    content: bytes
    built: BuiltSnippet
    verbatim: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledSnippets:
    record: BuildRecord
    snippets: tuple[Snippet, ...]
    diagnostics: tuple[Diagnostic, ...]


def assemble_snippets(
    sources: SourceSet,
    outputs: Mapping[str, Output],
    *,
    esbuild_version: str,
    budgets: bool,
    weighs: bool = True,
    names_widgets: bool = False,
) -> AssembledSnippets:
    """Return the build record, all snippets of the build (even empty ones) and the diagnostics.

    With `budgets`, exceeded budgets are reported. With `names_widgets`, comments around the HTML of verbatim widgets
    name them, for the inspector of `awning dev`.

    Without `weighs`, the compressed weight is 0.
    """
    workspace = sources.workspace
    parts = [
        (planned, _parts(planned, outputs, sources, names_widgets=names_widgets))
        for planned in sources.planned_snippets
    ]
    migrations = _migrations(sources, outputs)
    fingerprint, snippets = _stamped_snippets(sources, outputs, parts, migrations, weighs=weighs)
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
                    BuiltSource(path=file.path, sha256=file.sha256)
                    for file in sources.by_folder[widget.name].values()
                    if not file.path.endswith(_NO_SOURCE)
                ),
                raw=widget.name in sources.raw,
                verbatim=bool(widget.verbatim),
                globals=tuple(widget.allowed_globals),
            )
            for widget in sources.widgets
        ),
        esbuild=esbuild_version,
        beacon_sample_rate=workspace.beacon_sample_rate,
        kill_switch=any(
            planned.kill_switch for planned in sources.planned_snippets if planned.unit == WHOLE_APP
        ),
        migrations=migrations,
    )
    return AssembledSnippets(record=record, snippets=snippets, diagnostics=tuple(diagnostics))


def _migrations(sources: SourceSet, outputs: Mapping[str, Output]) -> BuiltMigrations | None:
    output = outputs.get(MIGRATIONS)
    if output is None:
        return None
    sha256 = hashlib.sha256(output.code).hexdigest()
    return BuiltMigrations(widgets=sources.migrating, sha256=sha256)


def _stamped_snippets(
    sources: SourceSet,
    outputs: Mapping[str, Output],
    parts: Iterable[tuple[PlannedSnippet, Parts]],
    migrations: BuiltMigrations | None,
    *,
    weighs: bool,
) -> tuple[str, tuple[Snippet, ...]]:
    """Return the fingerprint, which covers the migrations, too, and every snippet stamped with it."""
    digest = hashlib.sha256()
    for planned, snippet_parts in parts:
        content = compose_unstamped(snippet_parts, sources.dialect).encode()
        digest.update(f"{planned.path}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    if migrations is not None:  # a release with other migrations is another release
        digest.update(f"{MIGRATIONS_FILE}\0{migrations.sha256}\n".encode())
    fingerprint = digest.hexdigest()
    mark = build_mark(sources.workspace.languages) if sources.workspace.beacon else ""
    snippets: list[Snippet] = []
    for planned, snippet_parts in parts:
        named = snippet_parts
        if mark:
            language = planned.language if planned.unit == WHOLE_APP else ALONE
            name = BuildName(fingerprint=fingerprint, language=language)
            named = replace(named, script=named.script.replace(mark, name.text(mark)))
        html = compose(named, sources.dialect, fingerprint)
        content = html.encode()
        built = replace(
            _built(planned, content, weighs=weighs),
            script=index_of_script(named, html),
            inline=inline_elements(html, sources.dialect),
        )
        verbatim = tuple(
            (f"widgets/{widget.name}/{planned.place}.html", len(html.encode()))
            for widget, html in _verbatim_html(planned, planned.widgets, outputs, sources)
        )
        snippets.append(Snippet(planned=planned, content=content, built=built, verbatim=verbatim))
    return fingerprint, tuple(snippets)


def _parts(
    planned: PlannedSnippet, outputs: Mapping[str, Output], sources: SourceSet, *, names_widgets: bool
) -> Parts:
    """Return the parts of a snippet. The script of all compiled widgets is in the place of the first of them."""
    first = tuple(takewhile(lambda widget: widget.verbatim, planned.widgets))
    before, after = (
        tuple(
            named_html(widget.name, html) if names_widgets else html
            for widget, html in _verbatim_html(planned, widgets, outputs, sources)
        )
        for widgets in (first, planned.widgets[len(first) :])
    )
    if not planned.compiled:
        return Parts(app=sources.app, before=before)
    styles = (name for name, widget in planned.style_entries.items() if not widget.verbatim)
    return Parts(
        app=sources.app,
        style="".join(outputs[name].code.decode().strip() for name in styles),
        script=outputs[planned.entry].code.decode(),
        data=planned.reads_app_data,
        before=before,
        after=after,
    )


def _verbatim_html(
    planned: PlannedSnippet, widgets: Iterable[Widget], outputs: Mapping[str, Output], sources: SourceSet
) -> Iterator[tuple[Widget, str]]:
    """Yield the verbatim widgets among `widgets`, each with its HTML. Its style sheet is before the HTML."""
    sheets = {widget.name: outputs[name].code.decode() for name, widget in planned.style_entries.items()}
    for widget in widgets:
        if widget.verbatim:
            file = sources.files[f"widgets/{widget.name}/{widget.verbatim[planned.place].name}"]
            yield widget, style_element(sheets.get(widget.name, "")) + file.verbatim


def _built(planned: PlannedSnippet, content: bytes, *, weighs: bool) -> BuiltSnippet:
    weight = weigh(content) if weighs else Weight(len(content), 0)
    return BuiltSnippet(
        path=planned.path,
        unit=planned.unit,
        place=planned.place,
        language=planned.language,
        bytes=weight.bytes,
        gzip=weight.gzip,
        sha256=hashlib.sha256(content).hexdigest(),
    )
