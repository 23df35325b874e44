"""Uses of a widget's key frames outside of its style sheets, where their names are not the ones of the page.

`scope` renames key frames in style sheets only. A template's `style` attribute and a script still write the name of the
author, and so the browser finds no key frames.
"""

import re
from collections.abc import Iterator

from awning.check.template_code import without_code
from awning.diagnostics import Diagnostic, Place
from awning.markup import read_markup
from awning.pipeline.style.css import rules
from awning.pipeline.style.keyframes import Keyframes, statements_in
from awning.script.file import ScriptFile
from awning.script.tree import Node, NodesByType

_STRINGS = ("string", "template_string")
_DEFINED = re.compile(r"@(?:-webkit-)?keyframes\s+[\"']?([^\s\"'{]+)")
_CAPITALIZED = re.compile(r"[A-Z][a-z]")
"""Matches the first word of a sentence. No selector begins so."""
_ASSIGNMENTS = ("assignment_expression", "augmented_assignment_expression")


def template_findings(path: str, template: str, keyframes: Keyframes) -> Iterator[Diagnostic]:
    """Yield a warning for each name of key frames in the styles of a template."""
    for offset, name in _in_markup(template, keyframes):
        before = template[:offset]
        line = before.count("\n") + 1
        place = Place(path=path, line=line, column=offset - before.rfind("\n"))
        yield _finding(name, place, template.split("\n")[line - 1])


def script_findings(script: ScriptFile, keyframes: Keyframes) -> Iterator[Diagnostic]:
    """Yield a warning for each string of a script that names key frames: in a style, in `animation`, in markup."""
    names: dict[int, str] = {}
    nodes = script.tree.nodes_by_type()
    for declared, node in _styled_strings(nodes):
        name = next(_in_style(declared + _text_of(node), keyframes), None)
        if name:
            names[node.start] = name[1]
    texts = {node: _text_of(node) for kind in _STRINGS for node in nodes.get(kind, ())}
    own = {
        name for text in texts.values() for name in _DEFINED.findall(text)
    }  # a sheet may be in several strings
    for node, text in texts.items():
        name = next((_in_style if _is_sheet(text) else _in_markup)(text, keyframes), None)
        if name and name[1] not in own:
            names.setdefault(node.start, name[1])
    for start, text in sorted(names.items()):
        place = script.place(start)
        yield _finding(text, place, script.line(place.line))


def _is_sheet(text: str) -> bool:
    """Return whether a string has rules with animations, and no words beside them, as prose with braces has."""
    if "{" not in text or "animation" not in text.lower() or "<" in text:
        return False
    return all(
        rule.at
        or (rule.block and not _CAPITALIZED.match(rule.words[0].text if rule.words else ""))
        or all(word.kind == "number" for word in rule.words)
        for rule in rules(text)
    )


def _text_of(node: Node) -> str:
    """Return the text of a string, with 0 for what it inserts, and quotes without their backslashes."""
    return re.sub(r"\\(?=[\"'])", " ", re.sub(r"\$\{[^}]*\}", "0", node.text[1:-1]))


def _finding(name: str, place: Place, excerpt: str) -> Diagnostic:
    return Diagnostic(
        rule="private-keyframes",
        message=f'"{name}" names no key frames here: those of the style sheet are private to it',
        place=place,
        hint="set the animation in style.css, for a class that is set here; a value comes in as a custom property",
        excerpt=excerpt,
    )


def _in_markup(markup: str, keyframes: Keyframes) -> Iterator[tuple[int, str]]:
    """Yield the offset and the name of each use of key frames in the styles of some markup."""
    if not keyframes.names or "style" not in markup.lower():
        return
    # A value of a template may be a number or a unit, but it is no name of key frames.
    bare = without_code(without_code(markup, "0", is_left_out=lambda code: code.opening == "{{"))
    element = ""
    for piece in read_markup(bare):
        style = piece.attributes.get("style", "")
        if piece.kind == "raw" and element == "style":
            yield from ((piece.start + offset, name) for offset, name in _in_style(piece.text, keyframes))
        elif style:
            at = bare.find(style, piece.start, piece.end)  # not there if it has character references
            for offset, name in _in_style(style, keyframes):
                yield (piece.start if at < 0 else at + offset), name
        element = piece.text if piece.kind == "start" else ""


def _in_style(css: str, keyframes: Keyframes) -> Iterator[tuple[int, str]]:
    """Yield the offset and the name of each use of key frames, without those that the style itself defines."""
    statements = list(statements_in(rules(css)))
    own = {word.value for rule in statements if rule.at == "@keyframes" for word in rule.words[1:]}
    for rule in statements:
        for part in keyframes.uses(rule):
            if part.value not in own:
                yield part.start, part.value


def _styled_strings(nodes: NodesByType) -> Iterator[tuple[str, Node]]:
    """Yield each string that a script sets or compares as an animation or as a whole style, with the CSS before it.

    These are `style.animation = "..."`, `event.animationName === "..."`, `{ animation: "..." }`,
    `setProperty("animation", "...")` and `style.cssText = "..."`.
    """
    for node in (node for kind in _ASSIGNMENTS for node in nodes.get(kind, ())):
        yield from _strings(_declared(_last_name(node.fields.get("left"))), node.fields.get("right"))
    for node in nodes.get("pair", ()):
        yield from _strings(_declared(_last_name(node.fields.get("key"))), node.fields.get("value"))
    for node in nodes.get("arguments", ()):
        if len(node.kids) > 1 and node.kids[0].type == "string":
            yield from _strings(_declared(node.kids[0].text[1:-1]), node.kids[1])
    for text in _compared(nodes):
        yield from _strings("animation-name:", text)


def _compared(nodes: NodesByType) -> Iterator[Node | None]:
    """Yield what a script compares with the name of an animation, also by `switch` and `includes`."""
    for node in nodes.get("binary_expression", ()):
        left, right = node.fields.get("left"), node.fields.get("right")
        yield from (text for name, text in ((left, right), (right, left)) if _is_name(name))
    for node in nodes.get("switch_statement", ()):
        if _is_name(node.fields.get("value")):
            cases = node.fields["body"].kids if "body" in node.fields else ()
            yield from (case.fields.get("value") for case in cases)
    for node in nodes.get("call_expression", ()):
        function, arguments = node.fields.get("function"), node.fields.get("arguments")
        if _last_name(function) == "includes" and arguments and any(map(_is_name, arguments.kids)):
            listed = function.fields.get("object") if function else None
            yield listed if listed and listed.type in ("array", "string") else None


def _is_name(node: Node | None) -> bool:
    return _last_name(node).rstrip(")").endswith("nimationName")


def _last_name(node: Node | None) -> str:
    """Return the last name of an expression: `animation` for `element.style.animation` and for `"animation"`."""
    return "" if node is None else re.split(r"[.\[]", node.text)[-1].strip("\"'`] ")


def _declared(name: str) -> str:
    """Return the beginning of the declaration that a name of a script stands for; empty if it is no animation."""
    if name in {"cssText", "style"}:
        return " "
    if name.startswith("--"):
        return f"{name}:"
    bare = re.sub(r"^-?webkit-?", "", name, flags=re.IGNORECASE)
    return {
        "animation": "animation:",
        "animationname": "animation-name:",
        "animation-name": "animation-name:",
    }.get(bare.lower(), "")


def _strings(declared: str, node: Node | None) -> Iterator[tuple[str, Node]]:
    if declared and node is not None:
        yield from ((declared, each) for each in node.walk() if each.type in _STRINGS)
