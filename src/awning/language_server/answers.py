"""The protocol's values: the diagnostics of a file, the code actions for them, and the hover over one."""

from collections.abc import Iterator, Sequence

from lsprotocol import types

from awning.check.files import ENDINGS, Edit
from awning.check.fixing import apply_fixes, safe_fixes
from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Severity, printable, printable_lines
from awning.language_server.positions import Positions, overlap
from awning.rules import find_rule, page_file, without_links

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}
SOURCE = "awning"
FIX_ALL = "source.fixAll.awning"
"""The kind of the action that makes all safe fixes of a file, as editors do on save."""


def shown_diagnostic(diagnostic: Diagnostic, positions: Positions) -> types.Diagnostic:
    """Return a diagnostic as editors show it. Its code leads to the page of the rule."""
    place = diagnostic.place
    page = page_file(diagnostic.rule)
    text = printable(diagnostic.message)
    return types.Diagnostic(
        range=positions.word(place.line if place else 0, place.column if place else 0),
        message=f"{text}\n{printable_lines(diagnostic.hint)}" if diagnostic.hint else text,
        severity=SEVERITIES[diagnostic.severity],
        code=diagnostic.rule,
        code_description=types.CodeDescription(href=page.as_uri()) if page else None,
        source=SOURCE,
    )


def explanation(rule: str) -> str | None:
    """Return the page of a rule as Markdown whose links are texts; None if there is no such rule."""
    known = find_rule(rule)
    return without_links(known.page) if known else None


def fixes_of(path: str, text: str, dialect: Dialect) -> tuple[Edit, ...]:
    """Return the safe fixes of a script, each by itself; none for another file."""
    return tuple(safe_fixes(path, text, dialect)) if path.endswith(ENDINGS) else ()


def quick_fixes(
    fixes: Sequence[Edit],
    positions: Positions,
    selected: types.Range,
    displayed: Sequence[types.Diagnostic],
) -> Iterator[tuple[types.Diagnostic, Edit]]:
    """Yield the fixes of the diagnostics that the selection touches. `displayed` are those that the editor has."""
    for fix in fixes:
        if fix.place is None:
            continue
        place = positions.word(fix.place.line, fix.place.column)
        own = (each for each in displayed if each.code == fix.rule and each.range == place)
        for diagnostic in own:
            if overlap(diagnostic.range, selected) or overlap(
                positions.of_bytes(fix.start, fix.end), selected
            ):
                yield diagnostic, fix


def fixed_text(path: str, text: str, dialect: Dialect) -> str | None:
    """Return the text with all safe fixes, as `awning check --fix` writes it; None if it would not change."""
    if not path.endswith(ENDINGS):
        return None
    fixed, count = apply_fixes(path, text, dialect)
    return fixed if count else None
