"""Phase 7: makes snippets of the outputs, stamps them with the fingerprint of the build, and makes the build record.

It reports snippets that are too heavy, and head snippets that the service cannot show.
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
    find_build_record,
)
from awning.bundle.request import Output
from awning.diagnostics import Diagnostic, Place
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
from awning.snippet.weigh import Weight, over_budget, weigh
from awning.workspace import Widget, Workspace
from awning.workspace.offsets import KeyPath, find_toml_offsets, line_and_column

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


_MOST_NAMES = 3
"""The most widgets or files that a message names."""

_READ = ("widget.ts", "widget.js", "style.css", "body.html")
_NAMING = (".ts", ".js", ".mjs", ".css", ".j2")
"""The endings of those files in a widget's folder that can import or include other files."""


def differing_heads(snippets: Iterable[BuiltSnippet], workspace: Workspace) -> list[Diagnostic]:
    """Return a diagnostic for each language whose head snippet differs from the default head snippet.

    The result is empty if the service has calls for head snippets. A service without these calls inserts the default
    head snippet of the manifest into every page. It would never show the head snippet of a language, and report no
    error.
    """
    if workspace.profile.head_snippets:
        return []
    heads = [snippet for snippet in snippets if snippet.place == "head" and snippet.unit == WHOLE_APP]
    return [
        _differing_head(snippet.language, workspace) for snippet in heads if snippet.sha256 != heads[0].sha256
    ]


def _differing_head(language: str | None, workspace: Workspace) -> Diagnostic:
    absent = [widget for widget in workspace.widgets if widget.head and language not in widget.languages]
    path = f"widgets/{absent[0].name}/widget.toml" if absent else "pyproject.toml"
    return Diagnostic(
        rule="head-language",
        message=f'the head snippet for "{language}" differs from the default, but this service has one head snippet '
        "for all languages",
        place=Place(path=path),
        hint="add the widget's head in every language, or set head_snippets = true in the profile "
        "if the service has these calls",
    )


def exceeded_budgets(snippets: Iterable[BuiltSnippet], sources: SourceSet) -> list[Diagnostic]:
    """Return a diagnostic for each default body snippet that is heavier than the budget of its widget or of the app.

    The hint says what has grown since the build in dist/, and what weighs most. The message depends only on the
    sources, not on an earlier build, because a baseline recognises a diagnostic by its message.
    """
    workspace = sources.workspace
    budgets = {widget.name: widget.budget for widget in workspace.widgets} | {WHOLE_APP: workspace.budget}
    weights = _default_bodies(snippets)
    diagnostics: list[Diagnostic] = []
    for unit, weight in weights.items():
        if exceeded := over_budget(unit, weight, budgets[unit]):
            path = "pyproject.toml" if unit == WHOLE_APP else f"widgets/{unit}/widget.toml"
            key: KeyPath = ("tool", "awning", "budget") if unit == WHOLE_APP else ("budget",)
            text = (workspace.root / path).read_text(encoding="utf-8-sig")
            line, column = line_and_column(text, find_toml_offsets(text).get(key, 0))
            causes = (
                _growth(unit, weights, find_build_record(workspace.dist)),
                _heaviest(unit, weights, sources),
            )
            hint = "; ".join(part for part in (*causes, exceeded.hint) if part)
            place = Place(path=path, line=line, column=column)
            diagnostics.append(replace(exceeded, hint=hint, place=place))
    return diagnostics


def _default_bodies(snippets: Iterable[BuiltSnippet]) -> dict[str, Weight]:
    """Return the weight of each default body snippet, by unit."""
    return {
        snippet.unit: Weight(snippet.bytes, snippet.gzip)
        for snippet in snippets
        if snippet.place == "body" and snippet.language is None
    }


def _growth(unit: str, weights: Mapping[str, Weight], last: BuildRecord | None) -> str:
    """Return a text that says how many bytes a widget, or each widget of the app, has grown since the build `last`.

    The text is empty without such a build, or when nothing has grown.
    """
    before = _default_bodies(last.snippets) if last else {}
    if unit not in before or weights[unit].gzip <= before[unit].gzip:
        return ""
    units = [name for name in weights if name != WHOLE_APP] if unit == WHOLE_APP else [unit]
    added = {
        name: weights[name].gzip - before[name].gzip if name in before else weights[name].gzip
        for name in units
    }
    grown = sorted((name for name in added if added[name] > 0), key=lambda name: -added[name])
    if not grown:
        return ""
    if unit != WHOLE_APP:
        return f"{added[unit]} bytes more than in the build before"
    listed = (f"{name} +{added[name]}{'' if name in before else ' (new)'}" for name in grown[:_MOST_NAMES])
    return f"more than in the build before: {', '.join(listed)}"


def _heaviest(unit: str, weights: Mapping[str, Weight], sources: SourceSet) -> str:
    """Return a text with the largest files of a widget or of the app and, for the app, with its heaviest widgets.

    The widgets are left out when they have no snippets of their own in this build.
    """
    gzip = (
        {name: weight.gzip for name, weight in weights.items() if name != WHOLE_APP}
        if unit == WHOLE_APP
        else {}
    )
    widgets = [widget.name for widget in sources.widgets] if unit == WHOLE_APP else [unit]
    size = {path: count for name in widgets for path, count in _sizes(name, sources).items()}
    if unit != WHOLE_APP:
        size = {path.removeprefix(f"widgets/{unit}/"): count for path, count in size.items()}
    heaviest = [f"heaviest alone: {_largest(gzip)}"] if gzip else []
    return "; ".join((*heaviest, f"largest files: {_largest(size)} bytes before the build"))


def _sizes(widget: str, sources: SourceSet) -> dict[str, int]:
    """Return the bytes of the files that are probably in a widget's snippet, by path. Shared files are included."""
    folder = f"widgets/{widget}/"
    shared = [files for name, files in sources.by_folder.items() if name.startswith("_")]
    files = {path: file for each in (*shared, sources.by_folder[widget]) for path, file in each.items()}
    texts = [file.text for path, file in files.items() if path.endswith(_NAMING)]
    return {
        path: len(file.content)
        for path, file in files.items()
        if _is_in_snippet(path.removeprefix(folder), texts)
    }


def _is_in_snippet(path: str, texts: Iterable[str]) -> bool:
    """Return whether a widget's file is probably in its snippet: awning reads the file, or one of `texts` names it."""
    name = path.rpartition("/")[2]
    return path in _READ or path.startswith("messages/") or any(name in text for text in texts)


def _largest(sizes: Mapping[str, int]) -> str:
    names = sorted(sizes, key=lambda name: -sizes[name])[:_MOST_NAMES]
    return ", ".join(f"{name} {sizes[name]}" for name in names)
