"""Reports snippets that are too heavy, and head snippets that the service cannot show."""

from collections.abc import Iterable
from dataclasses import replace

from awning.build_record import BuiltSnippet
from awning.diagnostics import Diagnostic, Place
from awning.pipeline.read import APP
from awning.snippet import Weight, over_budget
from awning.workspace import Workspace
from awning.workspace.offsets import KeyPath, find_toml_offsets, line_and_column


def differing_heads(snippets: Iterable[BuiltSnippet], workspace: Workspace) -> list[Diagnostic]:
    """Return a diagnostic for each language whose head snippet differs from the default head snippet.

    There are none if the service has calls for head snippets. A service without them inserts the default head snippet
    of the manifest into every page. The head snippet of a language would never be shown, and there would be no error.
    """
    if workspace.profile.head_snippets:
        return []
    heads = [snippet for snippet in snippets if snippet.place == "head" and snippet.unit == APP]
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


def exceeded_budgets(snippets: Iterable[BuiltSnippet], workspace: Workspace) -> list[Diagnostic]:
    """Return a diagnostic for each default body snippet that is heavier than the budget of its widget or of the app."""
    budgets = {widget.name: widget.budget for widget in workspace.widgets} | {APP: workspace.budget}
    diagnostics: list[Diagnostic] = []
    for snippet in snippets:
        unit, weight = snippet.unit, Weight(snippet.bytes, snippet.gzip)
        is_default_body = snippet.place == "body" and snippet.language is None
        if is_default_body and (exceeded := over_budget(unit, weight, budgets[unit])):
            path = "pyproject.toml" if unit == APP else f"widgets/{unit}/widget.toml"
            key: KeyPath = ("tool", "awning", "budget") if unit == APP else ("budget",)
            text = (workspace.root / path).read_text(encoding="utf-8-sig")
            line, column = line_and_column(text, find_toml_offsets(text).get(key, 0))
            diagnostics.append(replace(exceeded, place=Place(path=path, line=line, column=column)))
    return diagnostics
