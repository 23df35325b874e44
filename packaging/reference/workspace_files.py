"""The page of the workspace's TOML files, from the shapes (`TableShape`) that validate them."""

import re
from collections.abc import Iterator

from awning.contract.manifest_fields import MANIFEST_FIELDS
from awning.contract.manifest_kinds import ManifestField
from awning.data_schema.keywords import KEYWORDS, Keyword
from awning.data_schema.value_formats import VALUE_FORMATS, ValueFormat
from awning.workspace.shapes import DIALECT, PROFILE, STATE, TOOL_AWNING, WIDGET
from awning.workspace.store.shapes import NESTED, STORE, TABLES
from awning.workspace.validation import TableShape, ValueKind
from reference.markdown import code, entries, one_line, page

INTRODUCTION = """\
Every key of the files that describe a workspace. `awning check` refuses any other key, with file, line and the nearest
name. For editors, a build writes the same as JSON Schemas to `.awning/types`. What the keys are for:
[a widget's folder](../widget.md), [testing](../testing.md), [profiles](../profiles.md),
[the manifest](../manifest.md), [the simulated shop](../storefront.md). A text is not empty, unless its key says so."""

SHAPES = (
    ("widget.toml", WIDGET),
    ("states.toml, each [[state]]", STATE),
    ("pyproject.toml, [tool.awning]", TOOL_AWNING),
    ("pyproject.toml, [tool.awning.profiles.NAME]", PROFILE),
    ("pyproject.toml, [tool.awning.profiles.NAME.dialect]", DIALECT),
)

PLAIN = ("true", "0.5")
"""Examples that only repeat what the value is, as numbers do."""

NO_EFFECT = "For other tools."
"""What a keyword without an effect is about. Such keywords are listed in one line."""

TEXT = ("a string that is not empty", "a text")
"""The most frequent value, as diagnostics say it and as the page says it."""

BY_LANGUAGE = re.compile(", or a table of (?:texts|them) by language")
"""What diagnostics say of a field that may differ by language. The page explains it once."""

LONG = 40
"""A value with more characters than this is described at its first key only."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of the page."""
    yield "workspace-files.md", page("Workspace files", _parts())


def _parts() -> Iterator[str]:
    yield INTRODUCTION
    described: dict[str, str] = {}
    for title, shape in SHAPES:
        yield f"## {title}"
        yield _keys(shape, described)
    yield "## manifest.toml"
    yield "*By language*: one value, or a table from language code to value."
    yield entries(
        (code(field.name), _described(field_value(field), field.about, is_required=field.mandatory))
        for field in MANIFEST_FIELDS
    )
    yield from _settings()
    yield "## storefront/*.toml"
    yield "The simulated shop's store. Any file of the folder may have any of these tables."
    yield "### [store]"
    yield _keys(STORE, described)
    for name, shape in TABLES.items():
        yield f"### [[{name}]]"
        yield _keys(shape, described)
        yield from _nested(name, (name,), described)


def _settings() -> Iterator[str]:
    yield "## data.schema.json"
    yield "The keywords of JSON Schema that awning knows, and the types that they are for. `check` warns of any other."
    yield entries((_of_types(row), _keyword(row)) for row in KEYWORDS.values() if row.about != NO_EFFECT)
    names = ", ".join(code(row.name) for row in KEYWORDS.values() if row.about == NO_EFFECT)
    yield f"Allowed, for other tools: {names}."
    yield "The formats. States, `check`, `data` and both forms check them alike."
    yield entries((code(row.name), _format(row)) for row in VALUE_FORMATS.values())


def _of_types(row: Keyword) -> str:
    return code(row.name) + (f" ({', '.join(row.of)})" if row.of else "")


def _keyword(row: Keyword) -> str:
    example = "" if row.example in PLAIN or row.example.isdigit() else f" Such as {code(row.example)}."
    return f"{one_line(row.value.words)}. {one_line(row.about)}{example}"


def _format(row: ValueFormat) -> str:
    example = f" Such as {code(row.example)}." if row.example else ""
    return f"{one_line(row.definition)}{example}"


def _nested(outer: str, path: tuple[str, ...], described: dict[str, str]) -> Iterator[str]:
    for (table_name, key), shape in NESTED.items():
        if table_name == outer:
            yield f"### [[{'.'.join((*path, key))}]]"
            yield _keys(shape, described)
            yield from _nested(key, (*path, key), described)


def _keys(shape: TableShape, described: dict[str, str]) -> str:
    """Return the keys of a shape. `described` has the key at which each long value is described, and gets new ones."""
    rows = []
    for key in shape.keys:
        value = value_in_words(key.kind)
        name = f"{code(key.name)} of {shape.what}"
        if len(value) > LONG and described.setdefault(value, name) != name:
            value = f"as {described[value]}"
        rows.append((code(key.name), _described(value, one_line(key.about), is_required=key.required)))
    return entries(rows)


def _described(value: str, about: str, *, is_required: bool) -> str:
    return " ".join(filter(None, (f"{value}.", about, "Required." if is_required else "")))


def value_in_words(kind: ValueKind) -> str:
    """Return what a value must be, as diagnostics say it. Choices are listed as code."""
    if kind.choices:
        return ", ".join(code(f'"{choice}"') for choice in kind.choices)
    if kind.element is not None:
        return f"a list, each {value_in_words(kind.element)}"
    return one_line(kind.expected).replace(*TEXT)


def field_value(field: ManifestField) -> str:
    """Return what a manifest's field must be."""
    return BY_LANGUAGE.sub(", by language", field.kind.words) or ", ".join(
        code(f'"{value}"') for value in field.allowed
    )
