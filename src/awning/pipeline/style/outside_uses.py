"""Uses of a widget's key frames outside of its style sheets, where their names are not the ones of the page.

`scope` renames key frames in style sheets only. A template's `style` attribute and a script still write the name of the
author, and so the browser finds no key frames.
"""

import re
from collections.abc import Iterator

from awning.check.template_code import without_code
from awning.diagnostics import Diagnostic, Place
from awning.pipeline.style.css import rules
from awning.pipeline.style.keyframes import Keyframes, statements_in
from awning.script import ScriptFile
from awning.script.tree import Node, NodesByType

_STYLES = re.compile(
    r"""(?<![-\w])style\s*=\s*(?:"([^"]*)"|'([^']*)')|<style\b[^>]*>(.*?)</style""", re.IGNORECASE | re.DOTALL
)
"""Matches a style attribute (groups 1 and 2) and the content of a style element (group 3)."""
_STRINGS = ("string", "template_string")


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
        text = re.sub(r"\$\{[^}]*\}", "0", node.text[1:-1])
        name = next(_in_style(declared + text, keyframes), None)
        if name:
            names[node.start] = name[1]
    for node in (node for kind in _STRINGS for node in nodes.get(kind, ())):
        name = next(_in_markup(node.text[1:-1], keyframes), None)
        if name:
            names.setdefault(node.start, name[1])
    for start, text in sorted(names.items()):
        place = script.place(start)
        yield _finding(text, place, script.line(place.line))


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
    if "style" not in markup or not any(name in markup for name in keyframes.names):
        return
    # A value of a template may be a number or a unit, but it is no name of key frames.
    bare = without_code(markup, "0")
    for match in _STYLES.finditer(bare):
        group = next(number for number in (1, 2, 3) if match[number] is not None)
        for offset, name in _in_style(match[group], keyframes):
            yield match.start(group) + offset, name


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
    for node in nodes.get("assignment_expression", ()):
        yield from _strings(_declared(_last_name(node.fields.get("left"))), node.fields.get("right"))
    for node in nodes.get("binary_expression", ()):
        left, right = node.fields.get("left"), node.fields.get("right")
        for member, text in ((left, right), (right, left)):
            if _last_name(member).endswith("nimationName"):
                yield from _strings("animation-name:", text)
    for node in nodes.get("pair", ()):
        yield from _strings(_declared(_last_name(node.fields.get("key"))), node.fields.get("value"))
    for node in nodes.get("arguments", ()):
        if len(node.kids) > 1 and node.kids[0].type == "string":
            yield from _strings(_declared(node.kids[0].text[1:-1]), node.kids[1])


def _last_name(node: Node | None) -> str:
    """Return the last name of an expression: `animation` for `element.style.animation` and for `"animation"`."""
    return "" if node is None else re.split(r"[.\[]", node.text)[-1].strip("\"'`] ")


def _declared(name: str) -> str:
    """Return the beginning of the declaration that a name of a script stands for; empty if it is no animation."""
    if name == "cssText":
        return " "
    bare = re.sub(r"^-?webkit-?", "", name, flags=re.IGNORECASE)
    return {
        "animation": "animation:",
        "animationname": "animation-name:",
        "animation-name": "animation-name:",
    }.get(bare.lower(), "")


def _strings(declared: str, node: Node | None) -> Iterator[tuple[str, Node]]:
    if declared and node is not None:
        yield from ((declared, each) for each in node.walk() if each.type in _STRINGS)
