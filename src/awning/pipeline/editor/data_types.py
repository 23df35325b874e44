"""The type of `data`, from a widget's data.schema.json, as TypeScript declarations.

For `widgets/a/data.schema.json` they are in `.awning/types/widgets/a/data.schema.d.ts`. A script imports this file as
`./data.schema`. The file contains only types, so it is not part of a build.

A key with a default is never missing, because the runtime fills in the default. A key without a default may be missing,
even if it is `required`, because a shop may have set nothing. Items of a list, and objects without a default, are as
the shop stored them, so their required keys are never missing.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from awning.data_schema import ABSENT, Absent, SchemaPart, default_of, read_schema
from awning.data_schema.words import fitting
from awning.pipeline.cache.shared_files import replace_if_different
from awning.template.types.declaration import comment_text, key
from awning.workspace import Widget

_NAME = "data.schema.d.ts"

_PLAIN = {
    "string": "string",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
}


def write_data_types(types: Path, widgets: Iterable[Widget]) -> None:
    """Write the types of `data` for each widget with a data schema, and delete all others.

    `types` is the folder of the types, `widgets` are all widgets of the workspace.
    """
    current: set[Path] = set()
    for widget in widgets:
        if widget.data_schema is not None:
            folder = f"widgets/{widget.name}"
            file = types / folder / _NAME
            current.add(file)
            text = data_declaration(f"{folder}/data.schema.json", read_schema(widget.data_schema)[0])
            replace_if_different(file, text.encode())
    for file in types.glob(f"widgets/*/{_NAME}"):
        if file not in current:
            file.unlink(missing_ok=True)


def data_declaration(path: str, part: SchemaPart) -> str:
    """Return the declaration for the schema at `path`."""
    body = _object(part, default_of(part), "", laid=True)
    return (
        f"// Made by awning from {path}: the settings of a shop.\n\n"
        f"/** This widget's part of the app data, with the defaults under it. */\n"
        f"export type Data = {body};\n"
    )


def _type(part: SchemaPart, default: Any, indent: str) -> str:
    if part.options is not None:
        values = [option.value for option in part.options]
        plain = all(isinstance(value, str | int | float) for value in values)
        names = [json.dumps(value, ensure_ascii=False) for value in values] if plain else ["unknown"]
    else:
        names = [_of_type(name, part, default, indent) for name in part.types] or ["unknown"]
    names = list(dict.fromkeys(names))
    if part.nullable and names != ["unknown"]:
        names.append("null")
    return " | ".join(names)


def _of_type(name: str, part: SchemaPart, default: Any, indent: str) -> str:
    if name == "object":
        return _object(part, default, indent, laid=isinstance(default, Mapping))
    if name != "array":
        return _PLAIN[name]
    item = _type(part.items, ABSENT, indent) if part.items is not None else "unknown"
    return f"({item})[]" if " | " in item else f"{item}[]"


def _object(part: SchemaPart, default: Any, indent: str, *, laid: bool) -> str:
    """Return the type of an object.

    With `laid`, the runtime fills in the object's defaults, so a key with a default is never missing. Without `laid`, a
    required key is never missing either.
    """
    inner = indent + "  "
    under: Mapping[str, Any] = default if isinstance(default, Mapping) else {}
    lines: list[str] = []
    for name, property_ in part.properties.items():
        value = under.get(name, ABSENT)
        there = value is not ABSENT or (not laid and name in part.required)
        lines += (f"{inner}{line}" for line in _comment(property_, value))
        lines.append(f"{inner}{key(name)}{'' if there else '?'}: {_type(property_, value, inner)};")
    if part.others is not None:
        other = "unknown" if part.properties else _type(part.others, ABSENT, inner)
        lines.append(f"{inner}[key: string]: {other};")
    return "\n".join(["{", *lines, f"{indent}}}"]) if lines else "Record<string, never>"


def _comment(part: SchemaPart, default: Any | Absent) -> Iterator[str]:
    """Yield the lines of a key's comment: the texts of the settings form, the values that fit, and the default."""
    values = fitting(part)
    sentences = [
        *_texts(part.title),
        *_texts(part.description),
        f"{values[:1].upper()}{values[1:]}.",
    ]
    if default is not ABSENT and not isinstance(default, Mapping) and not part.secret:
        sentences.append(f"Default: {json.dumps(default, ensure_ascii=False)}.")
    yield f"/** {comment_text(' '.join(sentences))} */"


def _texts(text: Any) -> Iterator[str]:
    """Yield a text as a sentence: in English, or else in its first language. Nothing if the text is empty."""
    if isinstance(text, Mapping):
        text = text.get("en") or next(iter(text.values()), "")
    if isinstance(text, str) and text.strip():
        yield text.strip() if text.strip()[-1] in ".!?:" else f"{text.strip()}."
