"""Finds the files with scripts, and runs all rules over one file."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from awning.check.suppressions import faulty_comments
from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place
from awning.script.file import ScriptFile

SCRIPTS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
ENDINGS = (*SCRIPTS, ".html", ".htm", ".j2")
NOT_CHECKED = frozenset({"node_modules", "__pycache__", "dist"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A fix: `text` replaces the bytes of a file from `start` to `end`. The fix must remove a diagnostic of `rule`."""

    rule: str
    start: int
    end: int
    text: str
    place: Place | None = None
    """The place of the diagnostic."""

    def apply(self, text: str) -> str:
        """Return the text of a file with this fix."""
        content = text.encode()
        return (content[: self.start] + self.text.encode() + content[self.end :]).decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The diagnostics and the fixes of one file."""

    diagnostics: tuple[Diagnostic, ...] = ()
    edits: tuple[Edit, ...] = ()


def script_files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that may have scripts.

    Hidden folders, `node_modules`, `__pycache__` and `dist` are skipped.
    """
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in NOT_CHECKED and name[0] != ".")
        yield from (Path(parent, name) for name in sorted(files) if name.endswith(ENDINGS))


def check_text(path: str, text: str, dialect: Dialect) -> Checked:
    """Run all rules over one text."""
    return check_file(ScriptFile(path=path, text=text, dialect=dialect))


def check_file(file: ScriptFile) -> Checked:
    """Run all rules over one file."""
    from awning.check.rule import Inspected  # noqa: PLC0415 - a build of unchanged files checks none
    from awning.check.rules import RULES  # noqa: PLC0415

    path, text = file.path, file.text
    if not any(rule.may_be_broken(file) for rule in RULES):
        return Checked()
    inspected = Inspected(
        source=file,
        acts=[rule.acts for rule in RULES if rule.acts],
        acts_in_head=[rule.acts_in_head for rule in RULES if rule.acts_in_head],
    )
    pairs = [pair for rule in RULES for pair in rule.diagnostics(inspected)]
    edits = [
        Edit(
            rule=diagnostic.rule,
            start=finding.fix.start,
            end=finding.fix.end,
            text=finding.fix.text,
            place=diagnostic.place,
        )
        for diagnostic, finding in pairs
        if finding.fix
    ]
    secrets = {finding.secret for _, finding in pairs if finding.secret}
    diagnostics = [_without_secrets(diagnostic, secrets) for diagnostic, _ in pairs]
    read = all(item.rule != "script-syntax" for item in diagnostics)
    diagnostics += faulty_comments(path, text, diagnostics, {rule.id for rule in RULES} if read else ())
    return Checked(diagnostics=sort_by_place(diagnostics), edits=tuple(edits))


def _without_secrets(diagnostic: Diagnostic, secrets: Iterable[str]) -> Diagnostic:
    """Return the diagnostic with only the first four characters of each secret in its message and its line."""
    excerpt, message = diagnostic.excerpt, diagnostic.message
    for secret in secrets:
        blotted = f"{secret[:4]}…"
        excerpt, message = excerpt and excerpt.replace(secret, blotted), message.replace(secret, blotted)
    return replace(diagnostic, excerpt=excerpt, message=message)


def sort_by_place(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(
        sorted(
            diagnostics,
            key=lambda item: (item.place is not None, item.place, item.rule),
        )
    )
