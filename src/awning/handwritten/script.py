"""One hand-written script as a module: what a module does otherwise than a script on a page is written out.

A module has no `this` at its top, and what it declares is not seen by other scripts or by handlers in HTML.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from awning.contract import Dialect
from awning.script import Node, ScriptFile

LANGUAGE = "document.documentElement.lang"

_FUNCTIONS = {"function_declaration", "generator_function_declaration", "function_expression", "function"}
_OWN_THIS = {*_FUNCTIONS, "method_definition", "class_body", "generator_function"}
_HANDLER = re.compile(r"""\bon[a-z]+\s*=\s*\\?(["'])(?P<code>.*?)\\?\1""", re.DOTALL)
_OF_WINDOW = re.compile(
    r"""\b(?:window|self|globalThis|top)\s*(?:\.\s*([\w$]+)|\[\s*["']([\w$]+)["']\s*\])"""
)
_WORD = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A placeholder that was in the way: its name, and the line in the script, from 1."""

    name: str
    line: int


def plain_script(text: str) -> str:
    """Without the comment around a script that hid it from browsers of the nineties."""
    text = re.sub(r"\A\s*(?://\s*)?<!(?:--|\[CDATA\[)[^\n]*\n", "", text)
    return re.sub(r"\n\s*(?://)?\s*(?:-->|\]\]>)\s*\Z", "\n", text).strip("\n") + "\n"


def without_placeholders(text: str, dialect: Dialect) -> tuple[str, tuple[Replaced, ...]]:
    """The script without the service's placeholders, and which ones there were.

    The language is read from the page; the app data become an empty object.
    """
    pattern = re.compile(r"\{\{(" + re.escape(dialect.placeholder_prefix) + r"\w+)\}\}")
    if not pattern.search(text):
        return text, ()
    script = ScriptFile(path="snippet.js", text=text, dialect=dialect)
    literals = [node for node in script.tree.root.walk() if node.type in {"string", "template_string"}]
    found: list[Replaced] = []
    closed: set[int] = set()
    out = text.encode()
    holes = [
        (len(text[: m.start()].encode()), len(text[: m.end()].encode()), m[1]) for m in pattern.finditer(text)
    ]
    for start, end, name in reversed(holes):
        found.append(Replaced(name=name, line=out.count(b"\n", 0, start) + 1))
        literal = next((node for node in reversed(literals) if node.start < start and end < node.end), None)
        comment = next(
            (at for at, said in script.tree.comments if at <= start < at + len(said.encode())), None
        )
        value = LANGUAGE if name == f"{dialect.placeholder_prefix}language" else None
        if comment is not None:
            out = out[:start] + name.encode() + out[end:]
        elif literal is None:
            out = out[:start] + (value or "({})").encode() + out[end:]
        elif value is None:
            out = out[:start] + b"{}" + out[end:]
        elif literal.type == "template_string":
            out = out[:start] + b"${" + value.encode() + b"}" + out[end:]
        else:
            quote = script.code[literal.start : literal.start + 1]
            if literal.start not in closed:
                closed.add(literal.start)
                out = out[: literal.end] + b")" + out[literal.end :]
            out = out[:start] + quote + b" + " + value.encode() + b" + " + quote + out[end:]
            if not any(literal.start < before < start for before, _, _ in holes):
                out = out[: literal.start] + b"(" + out[literal.start :]
    return _tidied(out.decode()), tuple(reversed(found))


def _tidied(text: str) -> str:
    """`("" + x + "")` is `x`."""
    lang = re.escape(LANGUAGE)
    return re.sub(rf"""\((["'])\1 \+ {lang} \+ (["'])\2\)""", LANGUAGE, text)


def with_window_as_this(text: str) -> str:
    """The script with `globalThis` for each `this` outside of functions: there it is the window."""
    at = sorted(node.start for node in _outer(_script(text).tree.root) if node.type == "this")
    code, parts, last = text.encode(), [], 0
    for start in at:
        parts += [code[last:start], b"globalThis"]
        last = start + len("this")
    return b"".join([*parts, code[last:]]).decode()


def _outer(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(kid for kid in node.kids if kid.type not in _OWN_THIS)


def with_shared(text: str, wanted: Callable[[str], bool]) -> tuple[str, tuple[str, ...]]:
    """The script with those of its names on the window that are wanted there, and which they are."""
    functions, values = _declared(_script(text).tree.root)
    first = [name for name in functions if wanted(name)]
    last = [name for name in values if wanted(name)]
    before = f"Object.assign(globalThis, {{ {', '.join(first)} }});\n" if first else ""
    after = f"Object.assign(globalThis, {{ {', '.join(last)} }});\n" if last else ""
    return before + text + after, (*first, *last)


def _declared(root: Node) -> tuple[list[str], list[str]]:
    """Functions, and other names, that the script declares for the whole page."""
    functions: dict[str, None] = {}
    values: dict[str, None] = {}
    for node in root.kids:
        if node.type in _FUNCTIONS and "name" in node.fields:
            functions[node.fields["name"].text] = None
        elif node.type == "class_declaration":
            values[node.fields["name"].text] = None
        elif node.type in {"variable_declaration", "lexical_declaration"}:
            names = (kid.fields.get("name") for kid in node.kids if kid.type == "variable_declarator")
            values |= {name.text: None for name in names if name and name.type == "identifier"}
    return list(functions), list(values)


def used_by_handlers(texts: Iterable[str]) -> frozenset[str]:
    """The words of `onclick="..."` and its like, in markup and in the strings of scripts."""
    codes = (match["code"] for text in texts for match in _HANDLER.finditer(text))
    return frozenset(word for code in codes for word in _WORD.findall(code))


def used_of_window(texts: Iterable[str]) -> frozenset[str]:
    """`name` of `window.name` and `window["name"]`."""
    return frozenset(
        name for text in texts for match in _OF_WINDOW.finditer(text) for name in match.groups() if name
    )


def words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _script(text: str) -> ScriptFile:
    return ScriptFile(path="snippet.js", text=text)
