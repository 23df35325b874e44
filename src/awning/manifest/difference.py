"""What differs between two manifests: field by field, as `awning manifest diff` shows it.

A manifest is that of the workspace, a file, a commit's, or the one that was submitted last. The secret is left out. A
built default snippet is compared by its size and hash, and only when both sides have a build.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.build_record import DEFAULT_FIELDS
from awning.contract.manifest_fields import SECRET_FIELD
from awning.errors import ConfigurationError
from awning.git import find_commit, git_output
from awning.manifest.default_snippets import submitted_fields
from awning.manifest.file import ManifestFile, read_manifest_file, require_fields
from awning.manifest.history import FILE_NAME, History, remembered_fields


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestSide:
    """One of the two manifests. `is_built` is whether its fields include the built default snippets."""

    name: str
    fields: Mapping[str, Any]
    is_built: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field that differs, by its path such as `app_vendor.tos_url`. A side that lacks it has None."""

    field: str
    old: Any
    new: Any

    @property
    def change(self) -> str:
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"

    def as_json(self) -> dict[str, Any]:
        return {"field": self.field, "change": self.change, "old": self.old, "new": self.new}


def side_of_file(manifest: ManifestFile, dist: Path) -> ManifestSide:
    """Return a manifest file as a side: a manifest.toml with the built default snippets, if there is a build.

    Raises ConfigurationError when the file could not be parsed.
    """
    try:
        fields, is_built = submitted_fields(manifest, dist), True
    except ConfigurationError:
        fields, is_built = require_fields(manifest), False
    return ManifestSide(name=str(manifest.path), fields=remembered_fields(fields), is_built=is_built)


def find_side(name: str, manifest: ManifestFile) -> ManifestSide:
    """Return the side that `name` means: a file, else the manifest in a commit of git.

    Raises ConfigurationError when it is neither, or cannot be read.
    """
    path = Path(name)
    try:
        is_file = path.is_file()
    except OSError:  # such as a name that is too long for a file
        is_file = False
    if is_file:
        other = read_manifest_file(path)
        return side_of_file(other, path.absolute().parent / "dist")
    folder = manifest.path.absolute().parent
    commit = find_commit(folder, name)
    if commit is None:
        raise ConfigurationError(
            f'"{name}" is neither a file nor a commit', hint="such as HEAD~1, or app.json"
        )
    text = git_output(folder, "cat-file", "blob", f"{commit}:./{manifest.path.name}")
    if text is None:
        raise ConfigurationError(f"{name} has no {manifest.path.name}")
    try:
        fields = tomllib.loads(text.encode(errors="surrogateescape").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise ConfigurationError(f"{manifest.path.name} of {name} is not TOML") from None
    return ManifestSide(name=f"{name}:{manifest.path.name}", fields=remembered_fields(fields), is_built=False)


def submitted_side(manifest: ManifestFile, state: Path, portal_url: str | None) -> ManifestSide:
    """Return what was submitted last with the title of `manifest`.

    Raises ConfigurationError when nothing was, or the state has only the hashes of it.
    """
    title = str(require_fields(manifest).get("app_title"))
    records = History(state / FILE_NAME).with_title(title, portal_url)
    if not records:
        raise ConfigurationError(
            f'no manifest with the title "{title}" was submitted from here',
            hint="name what to compare with: a file, or a commit such as HEAD",
        )
    last = records[-1]
    if last.fields is None:
        raise ConfigurationError(
            f"the fields that were submitted as {last.version} are not remembered",
            hint="name what to compare with: a file, or a commit such as HEAD",
        )
    return ManifestSide(
        name=f"{last.version}, submitted {last.at[:10]} to {last.portal_url}",
        fields=last.fields,
        is_built=True,
    )


def compare_manifests(old: ManifestSide, new: ManifestSide) -> tuple[FieldChange, ...]:
    """Return the fields that differ, in the order of `new`, then those that only `old` has."""
    left_out = set() if old.is_built and new.is_built else set(DEFAULT_FIELDS.values())
    before, after = dict(_leaves(old.fields, left_out)), dict(_leaves(new.fields, left_out))
    return tuple(
        FieldChange(field=name, old=before.get(name), new=after.get(name))
        for name in {**after, **before}
        if before.get(name) != after.get(name)
    )


def _leaves(fields: Mapping[str, Any], left_out: set[str], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        if name != SECRET_FIELD and (path or name not in left_out):
            if isinstance(value, Mapping) and value:
                yield from _leaves(value, left_out, f"{path}{name}.")
            else:
                yield f"{path}{name}", value
