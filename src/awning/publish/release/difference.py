"""Compares two builds: widgets, their sources and styles, sizes, settings.

The snippets are minified, so their difference is hard to read. Their source maps contain the author's files, so the
differences of these files are shown.
"""

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from awning.build_record import WHOLE_APP, BuiltSnippet, BuiltWidget
from awning.errors import ConfigurationError
from awning.publish.release.build_files import MAPS, SCHEMA, BuildFiles

Change = Literal["new", "gone", "changed"]

RUNTIME = "jsrc/"
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetDifference:
    """The difference of one widget.

    `files` are the source files that differ. `lines` is a unified diff of their text and of the style; empty for a
    widget that is new or gone.
    """

    name: str
    change: Change
    files: Mapping[str, Change]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeDifference:
    """The size of one app snippet before and after, in bytes and gzip bytes; None where a build has no such snippet."""

    path: str
    before: tuple[int, int] | None
    after: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildDifference:
    """The differences of two builds.

    `runtime` are the source files of awning's runtime that differ. `fields` are the changed settings by dotted name.
    `awning` are the two versions of awning.
    """

    fingerprints: tuple[str, str]
    awning: tuple[str, str]
    widgets: tuple[WidgetDifference, ...]
    runtime: tuple[str, ...]
    sizes: tuple[SizeDifference, ...]
    fields: Mapping[str, Change]

    @property
    def is_empty(self) -> bool:
        return not (self.widgets or self.runtime or self.sizes or self.fields)

    def as_json(self) -> dict[str, Any]:
        return {
            "before": self.fingerprints[0],
            "after": self.fingerprints[1],
            "widgets": [
                {"name": w.name, "change": w.change, "files": dict(w.files), "lines": list(w.lines)}
                for w in self.widgets
            ],
            "runtime": list(self.runtime),
            "sizes": [
                {"path": s.path, "before": _size_json(s.before), "after": _size_json(s.after)}
                for s in self.sizes
            ],
            "settings": dict(self.fields),
        }


def compare(before: BuildFiles, after: BuildFiles) -> BuildDifference:
    """Return the differences of two builds."""
    old, new = _sources(before), _sources(after)
    runtime = {path for path in old.keys() | new.keys() if path.startswith(RUNTIME)}
    return BuildDifference(
        fingerprints=(before.record.fingerprint, after.record.fingerprint),
        awning=(before.record.awning, after.record.awning),
        widgets=tuple(_widgets(before, after, old, new)),
        runtime=tuple(sorted(path for path in runtime if old.get(path) != new.get(path))),
        sizes=tuple(_sizes(before, after)),
        fields=dict(_changes(_fields(before), _fields(after))),
    )


def difference_lines(difference: BuildDifference) -> Iterator[str]:
    """Yield the difference as lines for people."""
    for widget in difference.widgets:
        yield f"{widget.change:<8} widget {widget.name}"
        for path, change in widget.files.items():
            yield f"  {change:<8} {path}"
        yield from (f"    {line}" for line in widget.lines)
    for path in difference.runtime:
        yield f"changed  awning's runtime: {path}"
    for name, change in difference.fields.items():
        yield f"{change:<8} setting {name}"
    for size in difference.sizes:
        yield f"size     {size.path}: {_size_text(size.before)} -> {_size_text(size.after)}"


def _widgets(
    before: BuildFiles, after: BuildFiles, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[WidgetDifference]:
    files_before = {widget.name: _hashes(widget) for widget in before.record.widgets}
    files_after = {widget.name: _hashes(widget) for widget in after.record.widgets}
    for name in sorted(files_before.keys() | files_after.keys()):
        files = dict(_changes(files_before.get(name, {}), files_after.get(name, {})))
        change: Change = (
            "new" if name not in files_before else "gone" if name not in files_after else "changed"
        )
        if change == "changed" and _published(before, name) == _published(after, name):
            continue
        lines: list[str] = []
        if change == "changed":
            lines += [line for path in files for line in _unified(path, old.get(path), new.get(path))]
            lines += _unified("style", _style(before, name), _style(after, name))
        yield WidgetDifference(name=name, change=change, files=files, lines=tuple(lines))


def _hashes(widget: BuiltWidget) -> dict[str, str]:
    return {source.path: source.sha256 for source in widget.sources}


def _unified(path: str, before: str | None, after: str | None) -> Iterator[str]:
    if before is None or after is None:
        return
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), path, path, lineterm="", n=2)
    yield from (line for line in lines if not line.startswith("--- "))


def _sources(files: BuildFiles) -> dict[str, str]:
    """Return the source files in the source maps, by path. Raises ConfigurationError when a map is damaged."""
    sources: dict[str, str] = {}
    for path, text in files.texts.items():
        if path.startswith(f"{MAPS}/"):
            try:
                content = json.loads(text)
                names, texts = content.get("sources", []), content.get("sourcesContent") or []
                sources |= {name: source for name, source in zip(names, texts, strict=False) if source}
            except (ValueError, TypeError, AttributeError, RecursionError):
                raise ConfigurationError(f"{path} is not a source map", hint="run: awning build") from None
    return sources


def _published(files: BuildFiles, name: str) -> tuple[dict[str, str], set[str]]:
    """Return the hashes of a widget's snippets by path, and the globals that it may leave."""
    snippets = {s.path: s.sha256 for s in files.record.snippets if s.unit == name}
    return snippets, {allowed for w in files.record.widgets if w.name == name for allowed in w.globals}


def _style(files: BuildFiles, unit: str) -> str:
    """Return the style of a widget, with one rule per line."""
    style = _STYLE.search(files.texts.get(f"widgets/{unit}/body.html", ""))
    return style[1].replace("}", "}\n") if style else ""


def _sizes(before: BuildFiles, after: BuildFiles) -> Iterator[SizeDifference]:
    old, new = _app_snippets(before), _app_snippets(after)
    for path in sorted(old.keys() | new.keys()):
        sizes = [None if s is None else (s.bytes, s.gzip) for s in (old.get(path), new.get(path))]
        if sizes[0] != sizes[1]:
            yield SizeDifference(path=path, before=sizes[0], after=sizes[1])


def _app_snippets(files: BuildFiles) -> dict[str, BuiltSnippet]:
    return {s.path: s for s in files.record.snippets if s.unit == WHOLE_APP}


def _fields(files: BuildFiles) -> dict[str, str]:
    """Return each setting by its dotted name, with its schema as JSON text."""
    fields: dict[str, str] = {}

    def walk(schema: Mapping[str, Any], name: str) -> None:
        properties = schema.get("properties")
        if isinstance(properties, Mapping) and properties:
            for key, part in properties.items():
                walk(part if isinstance(part, Mapping) else {}, f"{name}.{key}" if name else key)
        elif name:
            fields[name] = json.dumps(schema, sort_keys=True)

    walk(json.loads(files.texts.get(SCHEMA, "{}")), "")
    return fields


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Change]]:
    for name in sorted(before.keys() | after.keys()):
        if name not in before:
            yield name, "new"
        elif name not in after:
            yield name, "gone"
        elif before[name] != after[name]:
            yield name, "changed"


def _size_text(size: tuple[int, int] | None) -> str:
    return "none" if size is None else f"{size[0]:,} bytes ({size[1]:,} gzip)"


def _size_json(size: tuple[int, int] | None) -> dict[str, int] | None:
    return None if size is None else {"bytes": size[0], "gzip": size[1]}
