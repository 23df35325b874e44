"""Converts a hand-written script to a module.

At the top level of a module, `this` is undefined. So `globalThis` replaces it there. The declarations of a module are
not visible to other scripts or to handlers in HTML. So names that are used elsewhere are assigned to the window.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from awning.contract import Dialect
from awning.script import Node, ScriptFile
from awning.script.globals import assigned_members

LANGUAGE = "document.documentElement.lang"

_FUNCTIONS = {"function_declaration", "generator_function_declaration", "function_expression", "function"}
_OWN_THIS = {*_FUNCTIONS, "method_definition", "class_body", "generator_function"}
_ANONYMOUS = {"arrow_function", "function_expression", "function"}
_CALLED_LATER = re.compile(r"(?:^|\.)(?:subscribeEvent|addEventListener|on|one|ready)$")
"""Matches what is called with functions that run when the page is parsed, or later."""
_GETS_EVENT_NAME = re.compile(r"\.[\w$]+$|^(?:subscribeEvent|addEventListener)$")
"""Matches what is called with the name of an event or a selector for later. A string in `on("#box")` is neither."""
_JQUERY = {"$", "jQuery"}
_HANDLER = re.compile(r"""\bon[a-z]+\s*=\s*\\?(["'])(?P<code>.*?)\\?\1""", re.DOTALL)
_OF_WINDOW = re.compile(
    r"""\b(?:window|self|globalThis|top)\s*(?:\.\s*([\w$]+)|\[\s*["']([\w$]+)["']\s*\])"""
)
_WINDOW = {"window", "globalThis"}
_SHORT_WINDOW = {"self", "top"}
"""Names of the window that scripts also give to variables of their own."""
_NAMED_ELEMENTS = re.compile(
    r"(?:(?:window|self|globalThis|top)\.)?document(?:\.(?:forms|images|embeds|all))?|window|self|globalThis|top"
)
"""Matches objects that have elements as properties, by the `id` or `name` of the elements."""
_EVENTS = """
    abort afterprint animationcancel animationend animationiteration animationstart beforeprint beforetoggle
    beforeunload blur cancel change click close contextmenu copy cut dblclick devicemotion deviceorientation drag
    dragend dragenter dragleave dragover dragstart drop error focus hashchange input invalid keydown keypress keyup
    languagechange load message messageerror mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup
    mousewheel offline online orientationchange pagehide pageshow paste pause play pointercancel pointerdown
    pointermove pointerout pointerover pointerup popstate progress rejectionhandled reset resize scroll scrollend
    search select selectionchange storage submit toggle touchcancel touchend touchmove touchstart transitionend
    unhandledrejection unload wheel
"""
_OF_BROWSER = frozenset({"location", "name", "status", *(f"on{event}" for event in _EVENTS.split())})
"""The properties of the window that every page has and scripts often set."""
_WORD = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedPlaceholder:
    """A placeholder that was replaced: its name, and its line in the script (counted from 1)."""

    name: str
    line: int


def plain_script(text: str) -> str:
    """Return the script without the `<!--` or `<![CDATA[` around it, which very old browsers and XML parsers needed."""
    text = re.sub(r"\A\s*(?://\s*)?<!(?:--|\[CDATA\[)[^\n]*\n", "", text)
    return re.sub(r"\n\s*(?://)?\s*(?:-->|\]\]>)\s*\Z", "\n", text).strip("\n") + "\n"


def without_placeholders(text: str, dialect: Dialect) -> tuple[str, tuple[ReplacedPlaceholder, ...]]:
    """Return the script without the service's placeholders, and the placeholders that were replaced.

    `LANGUAGE` replaces the placeholder of the language. An empty object replaces every other placeholder; inside a
    string literal, it is the text `{}`. In a comment, only the braces are removed.
    """
    pattern = re.compile(r"\{\{(" + re.escape(dialect.placeholder_prefix) + r"\w+)\}\}")
    if not pattern.search(text):
        return text, ()
    script = ScriptFile(path="snippet.js", text=text, dialect=dialect)
    literals = [node for node in script.tree.root.walk() if node.type in {"string", "template_string"}]
    replaced: list[ReplacedPlaceholder] = []
    closed: set[int] = set()
    out = text.encode()
    placeholders = [
        (len(text[: m.start()].encode()), len(text[: m.end()].encode()), m[1]) for m in pattern.finditer(text)
    ]
    for start, end, name in reversed(placeholders):
        replaced.append(ReplacedPlaceholder(name=name, line=out.count(b"\n", 0, start) + 1))
        literal = next((node for node in reversed(literals) if node.start < start and end < node.end), None)
        comment = next(
            (at for at, words in script.tree.comments if at <= start < at + len(words.encode())), None
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
            if not any(literal.start < before < start for before, _, _ in placeholders):
                out = out[: literal.start] + b"(" + out[literal.start :]
    return _simplify(out.decode()), tuple(reversed(replaced))


def _simplify(text: str) -> str:
    """Replace `("" + x + "")` by `x`."""
    lang = re.escape(LANGUAGE)
    return re.sub(rf"""\((["'])\1 \+ {lang} \+ (["'])\2\)""", LANGUAGE, text)


def split_imports(text: str) -> tuple[list[str], str]:
    """Return the import statements of a module script, and its other code, which may then be put into a function.

    The word `export` is left out, because nothing can import a script of a page. What is exported from another module
    becomes an import, because that module runs.
    """
    statements = _parse(text).tree.root.kids
    imports = []
    code = text.encode()
    for node in statements:
        if node.type == "import_statement":
            imports.append(f"{node.text}\n")
        elif node.type == "export_statement" and "source" in node.fields:
            imports.append(f"import {node.fields['source'].text};\n")
    for node in reversed(statements):
        if node.type in {"import_statement", "export_statement"}:
            after = code[node.end :]
            code = code[: node.start] + (_exported(node) or _end_of_statement(after)).encode() + after
    return imports, code.decode().lstrip("\n")


def _exported(node: Node) -> str:
    """Return what runs of an export statement: a declaration, or the value of `export default`.

    A statement can begin with `void` behind a line without a semicolon. With `(`, it would be a call of that line.
    """
    if "declaration" in node.fields:
        return node.fields["declaration"].text
    return f"void ({node.fields['value'].text});" if "value" in node.fields else ""


def _end_of_statement(after: bytes) -> str:
    """Return a semicolon if the code `after` a removed statement would continue the statement before it."""
    return ";" if after.lstrip().startswith((b"(", b"[", b"`", b"/", b"+", b"-")) else ""


def with_window_as_this(text: str) -> str:
    """Return the script with `globalThis` in place of each `this` outside of functions and classes.

    There, `this` is the window in a plain script, but undefined in a module.
    """
    root = _parse(text).tree.root
    starts = sorted(node.start for node in _outside_functions(root) if node.type == "this")
    code, parts, last = text.encode(), [], 0
    for start in starts:
        parts += [code[last:start], b"globalThis"]
        last = start + len("this")
    return b"".join([*parts, code[last:]]).decode()


def _outside_functions(root: Node) -> Iterator[Node]:
    """Yield the nodes outside of functions and classes.

    Nodes inside of arrow functions are included, because an arrow function has no `this` of its own.
    """
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(kid for kid in node.kids if kid.type not in _OWN_THIS)


def with_window_names(text: str, used_names: Container[str]) -> tuple[str, tuple[str, ...]]:
    """Return the script with its names in `used_names` assigned to the window, and a tuple of these names.

    The script gets a statement at its start that assigns functions, because functions exist from the start. A statement
    at its end assigns variables and classes.
    """
    functions, values = _declared_names(_parse(text).tree.root)
    first = [name for name in functions if name in used_names]
    last = [name for name in values if name in used_names]
    before = f"Object.assign(globalThis, {{ {', '.join(first)} }});\n" if first else ""
    after = f"Object.assign(globalThis, {{ {', '.join(last)} }});\n" if last else ""
    return before + text + after, (*first, *last)


def _declared_names(root: Node) -> tuple[list[str], list[str]]:
    """Return the names that a plain script declares for the whole page: first functions, then variables and classes."""
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


def uses_at_load(text: str, names: Container[str], element_names: Container[str] = ()) -> bool:
    """Return whether a string in code that may run while the script is loaded has one of the words `names`.

    A property of the window, the document or its forms counts if it is in `element_names`. Functions that are
    subscribed to events run later. A named function runs when other code names it.
    """
    root = _parse(text).tree.root
    functions = dict(_named_functions(root))
    waiting = {function.start for function in functions.values()}
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in {"identifier", "shorthand_property_identifier"} and node.text in functions:
            stack.extend(functions.pop(node.text).kids)
        elif any(word in names for word in words(_strings(node))) or _element_name(node) in element_names:
            return True
        if node.start not in waiting or node.type not in _FUNCTIONS | _ANONYMOUS:
            stack.extend(_kids_that_run(node))
    return False


def _strings(node: Node) -> list[str]:
    return [node.text] if node.type in {"string", "template_string"} else []


def _element_name(node: Node) -> str | None:
    """Return `box` for `document.box`, `document.forms.box` and `window.box`; None for any other node."""
    if node.type != "member_expression" or not _NAMED_ELEMENTS.fullmatch(node.fields["object"].text):
        return None
    return node.fields["property"].text


def _named_functions(root: Node) -> Iterator[tuple[str, Node]]:
    """Yield the functions that are declared, or that variables begin with, each with its name."""
    for node in root.walk():
        if node.type in {"function_declaration", "generator_function_declaration"}:
            yield node.fields["name"].text, node
        elif node.type == "variable_declarator":
            value = node.fields.get("value")
            if value is not None and value.type in _ANONYMOUS:
                yield node.fields["name"].text, value


def _kids_that_run(node: Node) -> Sequence[Node]:
    """Return the children of a node, without functions that run later than it, and without names of declarations."""
    if node.type == "variable_declarator":
        return [node.fields["value"]] if "value" in node.fields else []
    callee = node.fields.get("function")
    if node.type != "call_expression" or callee is None or "arguments" not in node.fields:
        return node.kids
    arguments = node.fields["arguments"].kids
    later = _ANONYMOUS | {"identifier"}
    if callee.text in _JQUERY:
        return [kid for kid in arguments if kid.type not in later]
    if not _CALLED_LATER.search(callee.text):
        return node.kids
    if _GETS_EVENT_NAME.search(callee.text):
        later |= {"string", "template_string", "object"}
    return [callee, *(kid for kid in arguments if kid.type not in later)]


def names_in_handlers(texts: Iterable[str]) -> frozenset[str]:
    """Return all words in the code of event handlers such as `onclick="..."`, in markup and in scripts."""
    codes = (match["code"] for text in texts for match in _HANDLER.finditer(text))
    return frozenset(word for code in codes for word in _WORD.findall(code))


def names_on_window(texts: Iterable[str]) -> frozenset[str]:
    """Return the properties of the window that are read or written: `price` in `window.price` and `window["price"]`.

    The window is also called `self`, `globalThis` and `top`.
    """
    return frozenset(
        name for text in texts for match in _OF_WINDOW.finditer(text) for name in match.groups() if name
    )


def names_put_on_window(text: str) -> tuple[str, ...]:
    """Return the names of the globals that the script assigns as properties of the window, in its order.

    `self` and `top` are not the window in a script that declares them.
    """
    root = _parse(text).tree.root
    windows = _WINDOW | (_SHORT_WINDOW - _variables(root))
    names = (member.name for member in assigned_members(root) if member.owner in windows)
    return tuple(dict.fromkeys(name for name in names if name not in _OF_BROWSER and _is_identifier(name)))


def _variables(root: Node) -> frozenset[str]:
    """Return the names of all variables and parameters of the script, also those inside of functions."""
    patterns = [
        pattern
        for node in root.walk()
        for field in ("name", "parameters", "parameter")
        if (pattern := node.fields.get(field)) is not None
    ]
    return frozenset(
        leaf.text
        for pattern in patterns
        for leaf in pattern.walk()
        if leaf.type in {"identifier", "shorthand_property_identifier_pattern"}
    )


def _is_identifier(name: str) -> bool:
    """Return whether JavaScript accepts the name in a declaration, apart from reserved words."""
    return name.replace("$", "_").isidentifier()


def words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _parse(text: str) -> ScriptFile:
    return ScriptFile(path="snippet.js", text=text)
