"""Message keys against the texts there are: used without a text, or without an argument that the text names (errors),
a text never used (warning).

Keys in templates come from the compiler. In scripts `t("key")` is looked for; any other literal that spells a key
counts as a use of it, because keys also travel in variables.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from awning.check.comments import without_comments
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.workspace import Widget, arguments
from awning.workspace.locate import line_and_column, offsets

_CALL = re.compile(r"(?<![\w.$])t\(\s*([\"'`])((?:(?!\1)[^\\\n$])+)\1")


class Use(NamedTuple):
    """A message that is named somewhere. `arguments` are what it is given, None where that is not known."""

    key: str
    place: Place | None
    arguments: tuple[str, ...] | None = None


def script_uses(path: str, script: str) -> Iterator[Use]:
    """Each `t("key")` of a script."""
    code = without_comments(script)
    for match in _CALL.finditer(code):
        start = match.start(2)
        line = code.count("\n", 0, start) + 1
        column = start - (code.rfind("\n", 0, start) + 1)
        yield Use(match[2], Place(path=path, line=line, column=column))


def missing_messages(widget: Widget, uses: Iterable[Use], texts: Mapping[str, str]) -> list[Diagnostic]:
    """Keys that no language of the widget has. `texts` are the files, for the line that is shown."""
    known = {key for messages in widget.messages.values() for key in messages}
    return [_missing(widget, use.key, use.place, known, texts) for use in uses if use.key not in known]


def _missing(
    widget: Widget, key: str, place: Place | None, known: set[str], texts: Mapping[str, str]
) -> Diagnostic:
    return Diagnostic(
        rule="message-missing",
        message=f'no message "{key}" in widgets/{widget.name}/messages',
        place=place,
        hint=did_you_mean(key, known) or f'add to each language: {key} = "…"',
        excerpt=_line(place, texts),
    )


def _line(place: Place | None, texts: Mapping[str, str]) -> str | None:
    lines = texts.get(place.path, "").splitlines() if place else []
    return lines[place.line - 1] if place and 0 < place.line <= len(lines) else None


def missing_arguments(widget: Widget, uses: Iterable[Use], texts: Mapping[str, str]) -> list[Diagnostic]:
    """Names between braces in a text that the template does not give: shoppers would see the braces."""
    found: list[Diagnostic] = []
    for use in uses:
        wanted: dict[str, list[str]] = {}
        for language, messages in widget.messages.items():
            for name in sorted(arguments(messages.get(use.key, ""))):
                wanted.setdefault(name, []).append(language)
        given = use.arguments
        if given is not None:
            lost = [name for name in wanted if name not in given]
            found += [_not_given(widget, use, name, wanted[name], texts) for name in lost]
    return found


def _not_given(
    widget: Widget, use: Use, name: str, languages: list[str], texts: Mapping[str, str]
) -> Diagnostic:
    written = ", ".join(_written(widget, use.key, language, texts) for language in languages)
    spare = [one for one in use.arguments or () if one != "count"]
    close = did_you_mean(name, spare)
    return Diagnostic(
        rule="message-arguments",
        message=f'the message "{use.key}" has {{{name}}}, which is not given here; it is written in {written}',
        place=use.place,
        hint=f"{close} One of the two is misspelt." if close else f't("{use.key}", {name}=...)',
        excerpt=_line(use.place, texts),
    )


def _written(widget: Widget, key: str, language: str, texts: Mapping[str, str]) -> str:
    path = f"widgets/{widget.name}/messages/{language}.toml"
    text = texts.get(path, "")
    return str(Place(path=path, line=line_and_column(text, offsets(text).get((key,), 0))[0]))


def unused_messages(widget: Widget, uses: Iterable[Use], scripts: Iterable[str]) -> list[Diagnostic]:
    """Texts that nothing in the widget names, at the first language that has them."""
    used = {use.key for use in uses}
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
