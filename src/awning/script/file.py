"""A file that has scripts: its text, the code in it, and the place of an offset.

The code of an .html file is the file with a space instead of each byte outside its scripts, except line breaks. So
offsets, lines and columns in the code are those of the file, and its scripts share their globals as they do on a page.
Identifiers of the same length replace the service's placeholders, so that the code can be parsed.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from awning.contract import Dialect
from awning.diagnostics import Place
from awning.script.script_facts import ScriptFacts, read_facts
from awning.script.tree import Tree, parse

MARKUP = (".html", ".htm")
MOST_BYTES = 1_500_000
"""The largest size in bytes of a file whose scripts the rules check."""

_SCRIPT = re.compile(
    rb"<!--.*?(?:-->|\Z)|<script\b((?:[^>\"'<]|\"[^\"]*\"|'[^']*')*+)>(.*?)(?:</script\b[^>]*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TYPE = re.compile(rb"""\btype\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)
_HEAD = re.compile(
    r"(?:^|/)(?:head\.(?:[mc]?[jt]s|[jt]sx)|(?:[^/]*\.)?head(?:[-_]?snippet)?(?:\.[\w-]+)*\.html?)\Z",
    re.IGNORECASE,
)
_HAS_HEAD = re.compile(rb"</head\s*>|<body\b", re.IGNORECASE)
_HEAD_ENDS = re.compile(
    rb"</head\s*>|<(?!(?:html|head|meta|link|script|style|title|base|noscript|template)\b)[a-z]",
    re.IGNORECASE,
)
_NAMED = re.compile(rb"""\b(?:id|class|className)["']?\s*[=:]\s*\\?["'`]?([\w-]+(?:[ \t]+[\w-]+)*)""")
_RUNS = {b"", b"module", b"text/javascript", b"application/javascript", b"text/ecmascript"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One script of a file, from the byte offset `start` to `end`.

    `early` is whether the script runs in the page's head, before there is a body. `module` is whether it is a module. A
    module runs after the other scripts, and its names are not visible to them.
    """

    start: int
    end: int
    early: bool
    module: bool = False


@dataclass(frozen=True, kw_only=True)
class ScriptFile:
    """One file that has scripts. Diagnostics show `path`.

    `head` is whether a widget.toml names the file as its head script.
    """

    path: str
    text: str
    dialect: Dialect = field(default_factory=Dialect)
    head: bool = False

    @property
    def is_markup(self) -> bool:
        return self.path.lower().endswith(MARKUP)

    @property
    def is_too_large(self) -> bool:
        """Whether the file is larger than `MOST_BYTES`. The rules skip the scripts of such a file."""
        return len(self.content) > MOST_BYTES

    @property
    def typed(self) -> bool:
        """Whether `<T>x` is a cast, as in .ts. In .tsx it is an element."""
        return self.path.lower().endswith((".ts", ".mts", ".cts"))

    @cached_property
    def content(self) -> bytes:
        return self.text.encode(errors="surrogatepass")

    @cached_property
    def code(self) -> bytes:
        if self.path.endswith(".j2") or self.is_too_large:
            return b""  # the rules skip a file that is too large, and templates, whose scripts the compiler checks
        scripts = _scripts_alone(self.content) if self.is_markup else self.content
        prefix = re.escape(self.dialect.placeholder_prefix.encode())
        return re.sub(rb"\{\{(" + prefix + rb"\w+)\}\}", rb"__\1__", scripts)

    @cached_property
    def tree(self) -> Tree:
        """The syntax tree of the code. It is parsed once, when it is first needed."""
        return parse(self.code, typed=self.typed)

    @cached_property
    def facts(self) -> ScriptFacts:
        """The facts of the whole script, even if it is too large for the rules."""
        return read_facts(parse(self.content, typed=self.typed) if self.is_too_large else self.tree)

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The scripts that a browser runs, in the order of the text."""
        if not self.is_markup:
            return (Program(start=0, end=len(self.code), early=self._head > 0),)
        return tuple(
            Program(
                start=match.start(2),
                end=match.end(2) + 1,
                early=match.start() < self._head and not module,
                module=module,
            )
            for match in _SCRIPT.finditer(self.content)
            if match[2] is not None and _runs(match[1])
            for module in [_type(match[1]) == b"module"]
        )

    @cached_property
    def _head(self) -> int:
        """The byte offset where the page's head ends: 0 without a head, the file's length if all of it is head."""
        named = self.head or _HEAD.search(self.path.replace("\\", "/")) is not None
        if not self.is_markup:
            return len(self.content) if named else 0
        markup = _SCRIPT.sub(lambda match: b" " * len(match[0]), self.content)
        ends = _HEAD_ENDS.search(markup) if named or _HAS_HEAD.search(markup) else None
        return ends.start() if ends else len(self.content) if named else 0

    @cached_property
    def names_in_head(self) -> frozenset[str]:
        """The ids and classes that are written in the page's head, in HTML or in JavaScript."""
        lists = _NAMED.findall(self.content[: self._head])
        return frozenset(name.decode() for names in lists for name in names.split())

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(rb"\n", self.content))]

    def line_of(self, offset: int) -> int:
        """Return the line of a byte offset, from 1."""
        return bisect_right(self._line_starts, offset)

    def place(self, offset: int) -> Place:
        line = self.line_of(offset)
        before = self.content[self._line_starts[line - 1] : offset]
        return Place(path=self.path, line=line, column=len(before.decode("utf-8", "replace")) + 1)

    def line(self, number: int) -> str:
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


def _scripts_alone(content: bytes) -> bytes:
    code = bytearray(re.sub(rb"[^\n]", b" ", content))
    for match in _SCRIPT.finditer(content):
        if match[2] is not None and _runs(match[1]):
            start, end = match.span(2)
            code[start:end] = match[2]
            if end < len(code):
                code[end : end + 1] = (
                    b";"  # replaces the "<" of "</script>", so that no script continues in the next one
                )
    return bytes(code)


def _type(attributes: bytes) -> bytes:
    match = _TYPE.search(attributes)
    return b"" if match is None else match[1].lower()


def _runs(attributes: bytes) -> bool:
    """Return whether a browser runs a script with these attributes. A script of another type is data."""
    return _type(attributes) in _RUNS
