"""Message keys against the texts there are: used without a text (error), a text never used (warning).

Keys in templates come from the compiler. In scripts `t("key")` is looked for; any other literal that spells a key
counts as a use of it, because keys also travel in variables.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from awning.check.comments import without_comments
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.workspace import Widget

_CALL = re.compile(r"(?<![\w.$])t\(\s*([\"'`])((?:(?!\1)[^\\\n$])+)\1")

Use = tuple[str, Place | None]


def script_uses(path: str, script: str) -> Iterator[Use]:
    """Each `t("key")` of a script."""
    code = without_comments(script)
    for match in _CALL.finditer(code):
        start = match.start(2)
        line = code.count("\n", 0, start) + 1
        yield match[2], Place(path=path, line=line, column=start - (code.rfind("\n", 0, start) + 1))


def missing_messages(widget: Widget, uses: Iterable[Use], texts: Mapping[str, str]) -> list[Diagnostic]:
    """Keys that no language of the widget has. `texts` are the files, for the line that is shown."""
    known = {key for messages in widget.messages.values() for key in messages}
    return [_missing(widget, key, place, known, texts) for key, place in uses if key not in known]


def _missing(
    widget: Widget, key: str, place: Place | None, known: set[str], texts: Mapping[str, str]
) -> Diagnostic:
    lines = texts.get(place.path, "").splitlines() if place else []
    return Diagnostic(
        rule="message-missing",
        message=f'no message "{key}" in widgets/{widget.name}/messages',
        place=place,
        hint=did_you_mean(key, known) or f'add to each language: {key} = "…"',
        excerpt=lines[place.line - 1] if place and 0 < place.line <= len(lines) else None,
    )


def unused_messages(widget: Widget, uses: Iterable[Use], scripts: Iterable[str]) -> list[Diagnostic]:
    """Texts that nothing in the widget names, at the first language that has them."""
    used = {key for key, _ in uses}
    literals = {
        text
        for script in scripts
        for text in re.findall(r"[\"'`]([^\"'`\n]+)[\"'`]", without_comments(script))
    }
    found: dict[str, str] = {}
    for language, messages in widget.messages.items():
        for key in messages:
            if key not in used and key not in literals:
                found.setdefault(key, language)
    return [
        Diagnostic(
            rule="message-unused",
            message=f'nothing uses the message "{key}"',
            place=Place(path=f"widgets/{widget.name}/messages/{language}.toml"),
            hint="take it out of every language",
            severity=Severity.WARNING,
        )
        for key, language in found.items()
    ]
