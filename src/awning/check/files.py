"""Which files are looked at, and all rules over one file."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from awning.check.suppressions import written_badly
from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.script import ScriptFile

SCRIPTS = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")
ENDINGS = (*SCRIPTS, ".html", ".htm", ".j2")
_NEVER = {"node_modules", "__pycache__", "dist"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A fix that a rule offers: bytes of the file to replace. `rule` and `at` say what must then be gone."""

    rule: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was found in one file."""

    diagnostics: tuple[Diagnostic, ...] = ()
    edits: tuple[Edit, ...] = ()


def script_files(folder: Path) -> Iterator[Path]:
    """Every file below a folder that has scripts, without what was built or installed."""
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NEVER and name[0] != ".")
        yield from (Path(parent, name) for name in sorted(files) if name.endswith(ENDINGS))


def worth_reading(text: str, path: str, dialect: Dialect) -> bool:
    """A template is looked at for placeholders and secrets alone, and most have no such thing."""
    return not path.endswith(".j2") or dialect.placeholder_prefix in text or "script" in text


def check_text(path: str, text: str, dialect: Dialect) -> Checked:
    """All rules over one file that stands by itself."""
    return check_file(ScriptFile(path=path, text=text, dialect=dialect))


def check_file(file: ScriptFile) -> Checked:
    """All rules over one file."""
    from awning.check.rule import Inspected  # noqa: PLC0415 - the rules bring the abstract interpreter with them
    from awning.check.rules import RULES  # noqa: PLC0415

    path, text = file.path, file.text
    if not worth_reading(text, path, file.dialect):
        return Checked()
    inspected = Inspected(source=file)
    found = [pair for rule in RULES for pair in rule.diagnostics(inspected)]
    edits = [
        Edit(rule=diagnostic.rule, start=finding.fix.start, end=finding.fix.end, text=finding.fix.text)
        for diagnostic, finding in found
        if finding.fix
    ]
    secrets = {finding.secret for _, finding in found if finding.secret}
    diagnostics = [_blotted(diagnostic, secrets) for diagnostic, _ in found]
    read = all(one.rule != "script-syntax" for one in diagnostics)
    diagnostics += written_badly(path, text, diagnostics, {rule.id for rule in RULES} if read else ())
    return Checked(diagnostics=by_place(diagnostics), edits=tuple(edits))


def _blotted(found: Diagnostic, secrets: Iterable[str]) -> Diagnostic:
    """Without the secrets that stand in the message or in the line that is shown."""
    excerpt, message = found.excerpt, found.message
    for secret in secrets:
        blotted = f"{secret[:4]}…"
        excerpt, message = excerpt and excerpt.replace(secret, blotted), message.replace(secret, blotted)
    return replace(found, excerpt=excerpt, message=message)


def by_place(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda one: (one.place is not None, one.place, one.rule)))
