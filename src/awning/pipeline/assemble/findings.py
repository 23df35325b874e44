"""What is wrong with a build's snippets: those that are too heavy, and head snippets that the service cannot show."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from awning.build_record import WHOLE_APP, BuildRecord, BuiltSnippet, find_build_record
from awning.diagnostics import Diagnostic, Place
from awning.pipeline.read import SourceSet
from awning.snippet.weigh import Weight, over_budget
from awning.workspace.model import Workspace
from awning.workspace.offsets import KeyPath, find_toml_offsets, line_and_column

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
