"""A file that has scripts: its text, the code in it, and the place of an offset.

The code of an .html file is the file with a space instead of each byte outside its scripts, except line breaks. So
offsets, lines and columns in the code are those of the file, and its scripts share their globals as they do on a page.
A script of a page that cannot be parsed is left out, if there are others: a browser runs the others. Identifiers of the
same length replace the service's placeholders, so that the code can be parsed.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place
from awning.errors import Faulty
from awning.markup import read_markup
from awning.script.elements import inline_scripts
from awning.script.script_facts import ScriptFacts, read_facts
from awning.script.tree import MOST_LEVELS, Tree, first_too_deep, parse

MARKUP = (".html", ".htm")
MOST_BYTES = 1_500_000
"""The largest size in bytes of a file whose scripts the rules check."""

_HEAD = re.compile(
    r"(?:^|/)(?:head\.(?:[mc]?[jt]s|[jt]sx)|(?:[^/]*\.)?head(?:[-_]?snippet)?(?:\.[\w-]+)*\.html?)\Z",
    re.IGNORECASE,
)
_OF_HEAD = frozenset(
    {"html", "head", "meta", "link", "script", "style", "title", "base", "noscript", "template"}
)
"""The elements that may be in a page's head."""
_HTML_COMMENT = re.compile(rb"^([ \t]*)(?:<!(?=--)|--(?=>))", re.MULTILINE)


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

    @property
    def is_typescript(self) -> bool:
        return self.typed or self.path.lower().endswith(".tsx")

    @cached_property
    def content(self) -> bytes:
        return self.text.encode(errors="surrogatepass")

    @cached_property
    def code(self) -> bytes:
        code = bytearray(self._all_code)
        for program in self.programs if len(self.programs) > 1 else ():
            if self.broken_at(program) is not None:
                code[program.start : program.end] = _blank(code[program.start : program.end])
        return bytes(code)

    @cached_property
    def _all_code(self) -> bytes:
        if self.path.endswith(".j2") or self.is_too_large:
            return b""  # the rules skip a file that is too large, and templates, whose scripts the compiler checks
        prefix = re.escape(self.dialect.placeholder_prefix.encode())
        readable = re.sub(rb"\{\{(" + prefix + rb"\w+)\}\}", rb"__\1__", self.content)
        if not self.is_markup:
            return readable
        code = bytearray(_blank(readable))
        for program in self.programs:
            own = readable[program.start : program.end]
            # The parser knows these comments of classic scripts (ECMA-262, B.1.1) only in some places.
            code[program.start : program.end] = own if program.module else _HTML_COMMENT.sub(rb"\1//", own)
            code[program.end - 1] = ord(
                ";"
            )  # replaces the "<" of "</script>": no script continues in the next one
        return bytes(code)

    def code_of(self, program: Program) -> bytes:
        return self._all_code[program.start : program.end]

    def broken_at(self, program: Program) -> int | None:
        """Return the byte offset in the file of the first syntax error of one script, as the parser reports it."""
        if len(self.programs) == 1:
            return self.tree.broken_at
        at = parse(self.code_of(program), typed=self.typed).broken_at
        return None if at is None else program.start + at

    @cached_property
    def tree(self) -> Tree:
        """The syntax tree of the code. It is parsed once, when it is first needed."""
        return parse(self.code, typed=self.typed)

    @cached_property
    def facts(self) -> ScriptFacts:
        """The facts of the whole script, even if it is too large for the rules.

        Raises Faulty when the script is nested too deeply.
        """
        tree = parse(self.content, typed=self.typed) if self.is_too_large else self.tree
        if node := first_too_deep(tree.root):
            message = f"nested more than {MOST_LEVELS} levels deep"
            hint = "move the inner parts to functions or constants of their own"
            place = self.place(node.start)
            raise Faulty([Diagnostic(rule="source-limit", message=message, place=place, hint=hint)])
        return read_facts(tree)

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """The scripts that a browser runs, in the order of the text."""
        if not self.is_markup:
            named_module = self.path.lower().endswith((".mjs", ".mts"))
            return (Program(start=0, end=len(self.content), early=self._head > 0, module=named_module),)
        return tuple(
            Program(
                start=script.start,
                end=script.end + 1,
                early=script.tag < self._head and not script.is_module,
                module=script.is_module,
            )
            for script in inline_scripts(self._characters)
        )

    @cached_property
    def _characters(self) -> str:
        """The content as text whose indexes are those of its bytes."""
        return self.content.decode("latin-1")

    @cached_property
    def _head(self) -> int:
        """The byte offset where the page's head ends: 0 without a head, the file's length if all of it is head."""
        named = self.head or _HEAD.search(self.path.replace("\\", "/")) is not None
        if not self.is_markup:
            return len(self.content) if named else 0
        end = None
        has_head = named
        for piece in read_markup(self._characters):
            is_end = (piece.kind, piece.text) == ("end", "head")
            if end is None and (is_end or (piece.kind == "start" and piece.text not in _OF_HEAD)):
                end = piece.start
            has_head = has_head or is_end or (piece.kind, piece.text) == ("start", "body")
            if has_head and end is not None:
                return end
        return len(self.content) if named else 0

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


def _blank(code: bytes | bytearray) -> bytes:
    return re.sub(rb"[^\n]", b" ", code)
