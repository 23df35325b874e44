"""The files for an author's editor, in `.awning/types`. This folder may be deleted: the next build writes it again.

This module writes the arguments of each template, the type of each widget's `data`, the runtime's TypeScript, and the
JSON Schemas of the workspace's TOML files. The declarations of `widgets/a/view.html.j2` are in
`.awning/types/widgets/a/view.html.d.j2.ts`. TypeScript finds this file by `rootDirs` and `allowArbitraryExtensions`,
which the workspace's tsconfig.json sets.

The type of `data` follows from a widget's data.schema.json: for `widgets/a/data.schema.json` it is in
`.awning/types/widgets/a/data.schema.d.ts`. A script imports this file as `./data.schema`. The file contains only types,
so it is not part of a build. A key with a default is never missing, because the runtime fills in the default. A key
without a default may be missing, even if it is `required`, because a shop may have set nothing. Items of a list, and
objects without a default, are as the shop stored them, so their required keys are never missing.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from awning.data_schema import ABSENT, DATA, Absent, SchemaPart, data_objects, default_of
from awning.data_schema.value_formats import format_of
from awning.data_schema.words import fitting
from awning.jsrc import jsrc_root
from awning.pipeline.cache.shared_files import replace_file, replace_if_different
from awning.pipeline.cache.toolchain import EDITORS, STAMP, package_stamp
from awning.template.compiled_template import CompiledTemplate
from awning.template.types.declaration import comment_text, declaration, key
from awning.workspace.model import Widget, Workspace
from awning.workspace.shapes import editor_schemas
from awning.workspace.widgets import TEMPLATE_ENDING

__all__ = ["write_editor_files"]


_ENDING = ".html.d.j2.ts"


def write_editor_files(
    workspace: Workspace,
    modules: Mapping[str, CompiledTemplate],
    types: Path,
    declared: dict[str, CompiledTemplate],
    *,
    all_templates: bool,
) -> None:
    """Bring the folder `types` up to date.

    `declared` are the templates whose types the folder is known to have, which are not written again; this function
    brings them up to date. With `all_templates`, the types of templates that are not in `modules` are deleted.
    """
    if not (types / STAMP).is_file():
        declared.clear()
    write_data_types(types, workspace.widgets)
    write_template_types(types, modules, declared, all_templates=all_templates)
    write_runtime_sources(types)


def write_runtime_sources(types: Path) -> None:
    """Write the runtime's TypeScript and the JSON Schemas, unless this version of awning has already written them.

    The workspace's tsconfig.json maps the import of "awning" to this TypeScript, so an editor resolves it as a build
    does.
    """
    stamp = types / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == package_stamp():
        return
    jsrc = jsrc_root()
    for room in EDITORS:
        for source in sorted((jsrc / room).rglob("*.ts")):
            target = types / source.relative_to(jsrc)
            replace_file(target, source.read_bytes())
    for name, schema in editor_schemas().items():
        replace_file(types / name, (json.dumps(schema, indent=2) + "\n").encode())
    replace_file(stamp, package_stamp().encode())


def write_template_types(
    types: Path,
    modules: Mapping[str, CompiledTemplate],
    declared: dict[str, CompiledTemplate],
    *,
    all_templates: bool,
) -> None:
    """Bring the declarations in the folder `types` up to date, and `declared` with them.

    A refused template keeps its last declaration. With `all_templates`, declarations of other templates are deleted.
    """
    is_complete = all_templates and declared.keys() != modules.keys()
    for path, module in modules.items():
        if module.reads is not None and declared.get(path) is not module:
            text = declaration(path, module.reads, up="../" * path.count("/"))
            replace_if_different(types / _declared_at(path), text.encode())
        declared[path] = module
    if is_complete:
        for path in declared.keys() - modules.keys():
            del declared[path]
        current = {types / _declared_at(path) for path in modules}
        for file in types.glob(f"widgets/**/*{_ENDING}"):
            if file not in current:
                file.unlink(missing_ok=True)


def _declared_at(path: str) -> str:
    """Return the path of a template's declaration, relative to `.awning/types`."""
    return path.removesuffix(TEMPLATE_ENDING) + _ENDING


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
        if widget.data_part is not None:
            folder = f"widgets/{widget.name}"
            file = types / folder / _NAME
            current.add(file)
            text = data_declaration(f"{folder}/data.schema.json", widget.data_part)
            replace_if_different(file, text.encode())
    for file in types.glob(f"widgets/*/{_NAME}"):
        if file not in current:
            file.unlink(missing_ok=True)


def data_declaration(path: str, schema: SchemaPart) -> str:
    """Return the declaration for the schema at `path`."""
    return (
        f"// Made by awning from {path}: the settings of a shop.\n\n"
        f"/** This widget's part of the app data, with the defaults under it. */\n"
        f"{_DataTypes(schema).text()}"
    )


class _DataTypes:
    """The types of a schema's objects. Each object with known keys has a type with a name.

    TypeScript's messages use these names, so that `awning check` knows which object they are about.
    """

    def __init__(self, schema: SchemaPart) -> None:
        self._schema = schema
        self._names = {each.path: each.type_name for each in data_objects(schema)}
        self._written: dict[str, str] = {}

    def text(self) -> str:
        body = self._object(self._schema, default_of(self._schema), DATA, "", laid=True)
        inner = {name: self._written[name] for name in self._names.values() if name in self._written}
        types = {"Data": body, **inner}
        return "\n".join(f"export type {name} = {text};\n" for name, text in types.items())

    def _type(self, part: SchemaPart, default: Any, path: str, indent: str) -> str:
        if part.options is not None:
            values = [option.value for option in part.options]
            plain = all(isinstance(value, str | int | float) for value in values)
            names = [json.dumps(value, ensure_ascii=False) for value in values] if plain else ["unknown"]
        else:
            names = [self._of_type(name, part, default, path, indent) for name in part.types] or ["unknown"]
        names = list(dict.fromkeys(names))
        if part.nullable and names != ["unknown"]:
            names.append("null")
        return " | ".join(names)

    def _of_type(self, type_: str, part: SchemaPart, default: Any, path: str, indent: str) -> str:
        if type_ == "object":
            laid = isinstance(default, Mapping)
            name = self._names.get(path)
            if name is None:
                return self._object(part, default, path, indent, laid=laid)
            self._written[name] = self._object(part, default, path, "", laid=laid)
            return name
        if type_ == "string" and (row := format_of(part.schema)):
            return row.type
        if type_ != "array":
            return _PLAIN[type_]
        item = self._type(part.items, ABSENT, path, indent) if part.items is not None else "unknown"
        return f"({item})[]" if " | " in item else f"{item}[]"

    def _object(self, part: SchemaPart, default: Any, path: str, indent: str, *, laid: bool) -> str:
        """Return the type of an object.

        With `laid`, the runtime fills in the object's defaults, so a key with a default is never missing. Without
        `laid`, a required key is never missing either.
        """
        inner = indent + "  "
        under: Mapping[str, Any] = default if isinstance(default, Mapping) else {}
        lines: list[str] = []
        for name, property_ in part.properties.items():
            value = under.get(name, ABSENT)
            there = value is not ABSENT or (not laid and name in part.required)
            lines += (f"{inner}{line}" for line in _comment(property_, value))
            type_ = self._type(property_, value, f"{path}.{name}", inner)
            lines.append(f"{inner}{key(name)}{'' if there else '?'}: {type_};")
        if part.others is not None:
            other = "unknown" if part.properties else self._type(part.others, ABSENT, f"{path}.*", inner)
            lines.append(f"{inner}[key: string]: {other};")
        return "\n".join(["{", *lines, f"{indent}}}"]) if lines else "{}"


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
