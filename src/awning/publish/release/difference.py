"""Compares two builds: widgets, their sources and styles, sizes, settings.

The snippets are minified, so their difference is hard to read. Their source maps contain the author's files, so the
differences of these files are shown.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from awning.build_record import WHOLE_APP, BuiltSnippet, BuiltWidget, shorten_fingerprint
from awning.errors import ConfigurationError
from awning.publish.line_difference import unified_difference
from awning.publish.release.build_files import MAPS, SCHEMA, BuildFiles

Change = Literal["new", "gone", "changed"]

RUNTIME = "jsrc/"
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def compare(before: BuildFiles, after: BuildFiles) -> dict[str, Any]:
    """Return the differences of two builds, as the document of `awning release diff --json`.

    `files` of a widget are the source files that differ, and `lines` a unified diff of their text and of the style; it
    is empty for a widget that is new or gone. `runtime` are the source files of awning's runtime that differ. `sizes`
    are the sizes of app snippets that differ; None where a build has no such snippet. `settings` are the changed
    settings by dotted name.
    """
    old, new = _sources(before), _sources(after)
    runtime = {path for path in old.keys() | new.keys() if path.startswith(RUNTIME)}
    return {
        "before": before.record.fingerprint,
        "after": after.record.fingerprint,
        "widgets": list(_widgets(before, after, old, new)),
        "runtime": sorted(path for path in runtime if old.get(path) != new.get(path)),
        "sizes": list(_sizes(before, after)),
        "settings": dict(_changes(_fields(before), _fields(after))),
    }


def difference_lines(difference: Mapping[str, Any]) -> Iterator[str]:
    """Yield the result of `compare` as lines for people; none without a difference."""
    for widget in difference["widgets"]:
        yield f"{widget['change']:<8} widget {widget['name']}"
        for path, change in widget["files"].items():
            yield f"  {change:<8} {path}"
        yield from (f"    {line}" for line in widget["lines"])
    for path in difference["runtime"]:
        yield f"changed  awning's runtime: {path}"
    for name, change in difference["settings"].items():
        yield f"{change:<8} setting {name}"
    for size in difference["sizes"]:
        yield f"size     {size['path']}: {_size_text(size['before'])} -> {_size_text(size['after'])}"


def _widgets(
    before: BuildFiles, after: BuildFiles, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
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
        yield {"name": name, "change": change, "files": files, "lines": lines}


def _hashes(widget: BuiltWidget) -> dict[str, str]:
    return {source.path: source.sha256 for source in widget.sources}


def _unified(path: str, before: str | None, after: str | None) -> Iterator[str]:
    if before is None or after is None:
        return
    lines = unified_difference(before.splitlines(), after.splitlines(), (path, path), context=2)
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
    """Return a widget's snippets by path, without the fingerprint of their build, and the globals that it may leave."""
    fingerprint = shorten_fingerprint(files.record.fingerprint)
    paths = (snippet.path for snippet in files.record.snippets if snippet.unit == name)
    snippets = {path: files.texts[path].replace(fingerprint, "") for path in paths}
    return snippets, {allowed for w in files.record.widgets if w.name == name for allowed in w.globals}


def _style(files: BuildFiles, unit: str) -> str:
    """Return the style of a widget, with one rule per line."""
    style = _STYLE.search(files.texts.get(f"widgets/{unit}/body.html", ""))
    return style[1].replace("}", "}\n") if style else ""


def _sizes(before: BuildFiles, after: BuildFiles) -> Iterator[dict[str, Any]]:
    old, new = _app_snippets(before), _app_snippets(after)
    for path in sorted(old.keys() | new.keys()):
        sizes = [_size(snippets.get(path)) for snippets in (old, new)]
        if sizes[0] != sizes[1]:
            yield {"path": path, "before": sizes[0], "after": sizes[1]}


def _size(snippet: BuiltSnippet | None) -> dict[str, int] | None:
    return None if snippet is None else {"bytes": snippet.bytes, "gzip": snippet.gzip}


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


def _size_text(size: Mapping[str, int] | None) -> str:
    return "none" if size is None else f"{size['bytes']:,} bytes ({size['gzip']:,} gzip)"
