"""The page of the module `awning`, which widgets import: its exports with their types and comments."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from reference.markdown import page

INTRODUCTION = """\
What `import { ... } from "awning"` offers. An export that no widget uses adds no byte to a snippet. How the parts work
together: [the render function](../widget.md#the-render-function), [forms and buttons](../forms.md),
[formatting](../formatting.md), [messages](../messages.md)."""
WIDTH = 80
"""The most characters of a signature on one line. A longer one has a line for each parameter."""

INTERNAL = "@internal"
"""Marks the comment of a type that signatures name and no author writes. The page leaves it out."""

PAYLOADS = """\
The types of payloads come with `import type { ... } from "awning"`, too: [what the events bring](../payloads.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """An exported declaration of a TypeScript file. `is_type` is whether it declares an interface or a type."""

    comment: str
    text: str
    is_type: bool


def pages(runtime: Path) -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of the page. `runtime` is the folder of the module."""
    yield "runtime.md", page("The module awning", _parts(runtime))


def _parts(runtime: Path) -> Iterator[str]:
    yield INTRODUCTION
    declarations = {
        name: declared
        for name, file in exported(runtime / "index.ts")
        if not file.startswith("..")
        and INTERNAL not in (declared := _declaration(runtime / file, name)).comment
    }
    functions = {name: declared for name, declared in declarations.items() if not declared.is_type}
    types = {name: declared for name, declared in declarations.items() if declared.is_type}
    for title, listed in (("## Functions", functions), ("## Types", types)):
        yield title
        for name, declared in listed.items():
            yield f"### {name}"
            yield declared.comment
            yield f"```ts\n{declared.text}\n```"
    yield "## Payloads"
    yield PAYLOADS


def exported(index: Path) -> Iterator[tuple[str, str]]:
    """Yield each name that a module exports from another module beside it, with that module's path.

    `*` stands for all names of a module elsewhere.
    """
    text = index.read_text(encoding="utf-8")
    for names, star, path in re.findall(
        r'^export (?:type )?(?:\{([^}]*)\}|(\*)) from "([^"]+)"', text, re.MULTILINE
    ):
        for name in filter(None, (name.strip().removeprefix("type ") for name in names.split(","))):
            yield name, path
        if star and path.startswith(".."):
            yield "*", path
        elif star:
            for name in re.findall(
                r"^export (?:const|interface|type) (\w+)",
                (index.parent / path).read_text("utf-8"),
                re.MULTILINE,
            ):
                yield name, path


def _declaration(file: Path, name: str) -> Declaration:
    """Return the declaration of a name. Raises LookupError when the file does not export it."""
    source = file.read_bytes()
    tree = Parser(Language(tree_sitter_typescript.language_typescript())).parse(source)
    for node in tree.root_node.children:
        declared = node.child_by_field_name("declaration") if node.type == "export_statement" else None
        if declared is not None and _name(declared) == name:
            return Declaration(
                comment=_comment(node) or (_comment_of_file(tree.root_node) if file.stem == name else ""),
                text=_signature(declared),
                is_type=declared.type in {"interface_declaration", "type_alias_declaration"},
            )
    raise LookupError(f"{file} exports no {name}")


def _name(declared: Node) -> str:
    named = declared if declared.type != "lexical_declaration" else declared.named_children[0]
    name = named.child_by_field_name("name")
    return _text(name) if name is not None else ""


def _comment(node: Node) -> str:
    """Return the text of the `/** */` comment right before a declaration; empty without one."""
    before = node.prev_sibling
    if before is None or before.type != "comment" or before.end_point.row != node.start_point.row - 1:
        return ""
    return _prose(_text(before))


def _comment_of_file(root: Node) -> str:
    first = root.children[0]
    return _prose(_text(first)) if first.type == "comment" else ""


def _prose(comment: str) -> str:
    if not comment.startswith("/**"):
        return ""
    lines = (line.strip().removeprefix("*").strip() for line in comment[3:-2].splitlines())
    return "\n".join(lines).strip()


def _signature(declared: Node) -> str:
    """Return the declaration as an author needs it: without the body of a function."""
    if declared.type != "lexical_declaration":
        return _text(declared)
    declarator = declared.named_children[0]
    name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
    if name is None or value is None or value.type != "arrow_function":
        return _text(declared)
    fields = ("type_parameters", "parameters", "return_type")
    types, parameters, result = (value.child_by_field_name(name) for name in fields)
    before, after = f"function {_text(name)}{_text(types)}", f"{_text(result)};"
    line = f"{before}{_text(parameters)}{after}"
    if len(line) <= WIDTH or parameters is None:
        return line
    return "\n".join(
        (f"{before}(", *(f"  {_text(part)}," for part in parameters.named_children), f"){after}")
    )


def _text(node: Node | None) -> str:
    return ((node and node.text) or b"").decode()
