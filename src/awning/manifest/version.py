"""Raises `app_version` in a manifest.toml. Everything else in the file stays as its author wrote it.

The specification's format is x.x.x (Apps Integration API, App manifest). The new version is greater than the one in the
file and than the one that was submitted last, because the portal takes only a greater one.
"""

import re
import tomllib
from pathlib import Path
from typing import Literal, get_args

from awning.contract.manifest_rules import parse_version
from awning.errors import ConfigurationError
from awning.manifest.file import ManifestFile, require_fields
from awning.manifest.history import FILE_NAME, History

FIELD = "app_version"
NUMBERS = 3
LARGEST = 10**18
"""From this number on, a version is no number that somebody counts up."""
_ASSIGNMENT = re.compile(
    rf"""(?P<key>^\ufeff?[ \t]*(?:{FIELD}|"{FIELD}"|'{FIELD}')[ \t]*=[ \t]*)(?:"[^"\r\n]*"|'[^'\r\n]*')""",
    re.MULTILINE,
)
VersionPart = Literal["major", "minor", "patch"]
PARTS: tuple[VersionPart, ...] = get_args(VersionPart)


def next_version(version: str, last: str | None, part: VersionPart) -> str:
    """Return the next version after both versions. `part` is raised, and what follows it is 0.

    Raises ConfigurationError when `version` is not x.x.x.
    """
    now = parse_version(version)
    if now is None or len(now) != NUMBERS or max(now) >= LARGEST:
        raise ConfigurationError(
            f'{FIELD} is "{version}", not x.x.x', hint="such as 1.0.0: set it by hand once"
        )
    before = parse_version(last)
    is_usable = before is not None and len(before) == NUMBERS and max(before) < LARGEST
    numbers = [int(number) for number in (max(now, before) if before is not None and is_usable else now)]
    at = PARTS.index(part)
    return ".".join(map(str, (*numbers[:at], numbers[at] + 1, *(0 for _ in numbers[at + 1 :]))))


def last_submitted(manifest: ManifestFile, state: Path, portal_url: str | None) -> str | None:
    """Return the version that was submitted last with the title of the manifest; None without one."""
    title = require_fields(manifest).get("app_title")
    records = History(state / FILE_NAME).with_title(str(title), portal_url)
    return records[-1].version if records else None


def raised(text: str, version: str) -> str:
    """Return the text of a manifest.toml with another version.

    A line that looks like the field may be within a string or a table. So a replacement counts only if nothing else
    changes by it. Raises ConfigurationError when there is none.
    """
    wanted = {**_parsed(text), FIELD: version}
    for match in _ASSIGNMENT.finditer(text):
        changed = f'{text[: match.end("key")]}"{version}"{text[match.end() :]}'
        try:
            if _parsed(changed) == wanted:
                return changed
        except ValueError:
            continue
    raise ConfigurationError(f"the place of {FIELD} is not found", hint="raise it by hand")


def _parsed(text: str) -> dict[str, object]:
    return tomllib.loads(text.removeprefix("\ufeff"))
