"""A widget with one slot, and where its `t` goes: what a build may lean on, told only where a script leaves no doubt.

The build writes such a widget out without what only others need. A wrong guess would change what it does, so
whatever is not plainly one of the forms below counts as anything.
"""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from awning.check.script.imported import SLOTS, template_of
from awning.check.script.source import Source
from awning.check.script.tree import Node, parse
from awning.contract import Dialect

_T = "t"
_NAMES_T = re.compile(r"\bt\b")
_COMMA = re.compile(rb"\s*,")
_SEEN = re.compile(rb"[^\r\n]")
_KEPT = 1024
"""Scripts: what widgets share is asked for with each of them, and in each build of a watch."""

_NAMES = frozenset(
    {
        "identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "type_identifier",
    }
)
_KEYS = frozenset({"pair", "pair_pattern", "method_definition"})


@dataclass(frozen=True, slots=True)
class SoleSlot:
    """`function` is the slot's; `module` are the offsets, in characters, of `"awning"` where it is imported."""

    function: str
    module: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Texts:
    """What scripts do with the `t` of their one render function: do they only hand it on, do they call it."""

    handed: bool
    called: bool


def sole_slot(script: str, others: Iterable[str] = (), *, typed: bool = True) -> SoleSlot | None:
    """The slot of `export default afterPrice(...)`, where neither this script nor the `others` name a slot again."""
    root = _root(script, typed=typed)
    if _is_broken(root):
        return None
    function = next(filter(None, map(_exported, root.kids)), None)
    modules = [module for node in root.kids if (module := _imported_from(node, function))]
    if len(modules) != 1 or any(map(_names_slot, others)):
        return None
    if function is None or sorted(_slots_in(root)) != [function, function]:
        return None
    start, end = (len(script.encode()[:at].decode()) for at in modules[0])
    return SoleSlot(function, (start, end))


def texts_of(scripts: Iterable[str]) -> Texts:
    """What the scripts of a widget with one slot, whose render function takes `t` by that name, do with it."""
    found = [*map(_uses_in, scripts)]
    patterns = sum(one.count("pattern") for one in found)
    doubtful = any("doubt" in one for one in found)
    handed = not doubtful and patterns == 1 and any("taken" in one for one in found)
    return Texts(handed=handed, called=doubtful or any("call" in one for one in found))


@lru_cache(maxsize=_KEPT)
def without_texts(script: str) -> str:
    """A script that only hands `t` on, with blanks where it does: for when nobody calls it. Places stay as they are."""
    root = _root(script, typed=True)
    taken = _taken_by_templates(root)
    code = bytearray(script.encode())
    for node, above in _walk(root):
        if node.text == _T and above and _hands_on(node, above, taken):
            followed = _COMMA.match(code, node.end)
            end = followed.end() if followed else node.end
            code[node.start : end] = _SEEN.sub(b" ", code[node.start : end])
    return code.decode()


def _hands_on(node: Node, above: Node, taken: Container[Node]) -> bool:
    if node.type == "shorthand_property_identifier":
        return above in taken
    return node.type == "shorthand_property_identifier_pattern" and above.type == "object_pattern"


@lru_cache(maxsize=_KEPT)
def _uses_in(script: str) -> tuple[str, ...]:
    """Each use of `t` in a script, and `taken` where its slot's render function takes it."""
    if not _NAMES_T.search(script):
        return ()
    root = _root(script, typed=True)
    if _is_broken(root):
        return ("doubt",)
    taken = _taken_by_templates(root)
    uses = (_use(node, above, taken) for node, above in _walk(root))
    return (*filter(None, uses), *(["taken"] if _takes(root) else []))


def _root(script: str, *, typed: bool) -> Node:
    return parse(Source(path="a.ts" if typed else "a.js", text=script, dialect=Dialect())).root


def _is_broken(root: Node) -> bool:
    """Whether the parser passed over something, which may name anything."""
    return any(node.type == "ERROR" for node in root.walk())


def _exported(node: Node) -> str | None:
    """The function that a default export calls."""
    if node.type != "export_statement" or node.text.split(maxsplit=2)[1:2] != ["default"]:
        return None
    value = node.fields.get("value")
    called = value.fields.get("function") if value and value.type == "call_expression" else None
    return called.text if called and called.type == "identifier" and called.text in SLOTS else None


def _imported_from(node: Node, name: str | None) -> tuple[int, int] | None:
    """Where `import { name } from "awning"` says "awning", in bytes."""
    module = node.fields.get("source")
    if node.type != "import_statement" or module is None or module.text.strip("\"'") != "awning":
        return None
    if node.text.split(maxsplit=2)[1:2] == ["type"]:
        return None
    named = (one for one in node.walk() if one.type == "import_specifier")
    plain = any(one.text == name for one in named)
    return (module.start, module.end) if plain else None


@lru_cache(maxsize=_KEPT)
def _names_slot(script: str) -> bool:
    return any(slot in script for slot in SLOTS) and bool(_slots_in(_root(script, typed=True)))


def _slots_in(root: Node) -> list[str]:
    return [node.text for node in root.walk() if node.type in _NAMES and node.text in SLOTS]


def _takes(root: Node) -> bool:
    """Whether the render function that a slot is called with takes `t` out of its argument at once."""
    for node in root.walk():
        called = node.fields.get("function")
        if node.type == "call_expression" and called and called.text in SLOTS:
            render = _first(node)
            if render and render.type == "call_expression" and render.fields["function"].text == "live":
                render = _first(render)
            parameters = render.fields.get("parameters") if render else None
            parameter = parameters.kids[0] if parameters and parameters.kids else None
            pattern = parameter.fields.get("pattern") if parameter else None
            if pattern and pattern.type == "object_pattern" and any(kid.text == _T for kid in pattern.kids):
                return True
    return False


def _first(call: Node) -> Node | None:
    arguments = call.fields.get("arguments")
    return arguments.kids[0] if arguments and arguments.kids else None


def _taken_by_templates(root: Node) -> frozenset[Node]:
    """The object literals that imported templates are called with: `t` in another may be called by whoever gets it."""
    names = {name for name, _ in filter(None, map(template_of, root.kids))}
    calls = {
        function: node
        for node in root.walk()
        if node.type == "call_expression"
        and (function := node.fields.get("function"))
        and function.type == "identifier"
        and function.text in names
    }
    for node, above in _walk(root):
        imported = above is not None and above.type == "import_clause"
        if node.type in _NAMES and node not in calls and not imported:
            names.discard(node.text)
    given = [_first(call) for function, call in calls.items() if function.text in names]
    return frozenset(node for node in given if node and node.type == "object")


def _walk(root: Node) -> Iterator[tuple[Node, Node | None]]:
    """Each node with the one it is in."""
    yield root, None
    for node in root.walk():
        yield from ((kid, node) for kid in node.kids)


def _use(node: Node, above: Node | None, taken: Container[Node]) -> str:
    """`pattern` takes it, `call` calls it, `doubt` may be another; everything else is none."""
    if node.type == "object":
        return "doubt" if _spread_last(node) else ""
    if node.type == "identifier" and node.text == "arguments":
        return "doubt"
    return _use_of_t(node, above, taken) if node.text == _T and above else ""


def _use_of_t(node: Node, above: Node, taken: Container[Node]) -> str:
    match node.type, above.type:
        case "shorthand_property_identifier", _:
            return "" if above in taken else "doubt"
        case "shorthand_property_identifier_pattern", "object_pattern":
            return "pattern"
        case "identifier", "call_expression" if above.fields.get("function") is node:
            return "call"
        case "property_identifier", kind if kind not in _KEYS:
            return ""
        case "identifier" | "property_identifier" | "shorthand_property_identifier_pattern", _:
            return "doubt"
    return ""


def _spread_last(node: Node) -> bool:
    """Whether an object takes over what may hold a `t`, and does not say its own behind it."""
    spread = [index for index, kid in enumerate(node.kids) if kid.type == "spread_element"]
    return bool(spread) and all(kid.text != _T for kid in node.kids[spread[-1] :])
