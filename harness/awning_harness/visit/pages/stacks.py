"""Shows the frames of stack traces as places in the author's files.

An app's script is inline in the page. The browser counts its lines and columns from the beginning of the page. In a
page that JavaScript writes, it counts from the beginning of the script, and every script is `<anonymous>`. So the app's
script gets a name there.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from awning.diagnostics import Place, caret_under
from awning.pipeline.write.maps import BuiltScript
from awning.source_map import index_of, utf16_length

LONGEST_SOURCE_LINE = 160
"""The most characters of a source line that is shown. A longer line is not written by hand."""
AUTHOR = "widgets/"
PACKAGES = "node_modules/"

_FRAME = re.compile(r" +at (?:.* \(|async )?(?P<script>\S+):(?P<line>\d+):(?P<column>\d+)\)?")
_OF_A_TEST = re.compile(r" +at .*(?:UtilityScript|eval at evaluate \()")
"""Matches stack frames of Playwright, which calls the script that writes a page. They are left out."""
_AUTHOR_FRAME = re.compile(rf"^ +at ({AUTHOR}\S+:\d+:\d+)$", re.MULTILINE)
_LINE_END = re.compile(r"\r\n?")
"""Matches the ends of lines that the browser reads as a line feed (HTML, 13.2.3.5)."""
_NAME = re.compile(r"snippet/([\w-]+)/([\w-]+)\.js")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptOnPage:
    """The app's script on a page. It begins at `line` and `column`, from 1, in the page or in a script with a name."""

    script: BuiltScript
    line: int = 1
    column: int = 1

    @classmethod
    def within(cls, html: str, script: BuiltScript) -> Self | None:
        """Return the script in a page as it was sent; None when the page does not have it."""
        before, code, _ = _LINE_END.sub("\n", html).partition(script.code)
        if not code:
            return None
        first_line = before.rpartition("\n")[2]
        return cls(script=script, line=before.count("\n") + 1, column=utf16_length(first_line) + 1)

    def place(self, line: int, column: int) -> Place | None:
        """Return the source of a place that the browser reports; None when it is outside of the script."""
        own_column = column - self.column + 1 if line == self.line else column
        return self.script.place(line - self.line + 1, own_column)


FindScript = Callable[[str], ScriptOnPage | None]
"""Returns the app's script for the name of a script in a stack; None for the name of another script."""


def script_name(unit: str, language: str) -> str:
    """Return the name of a unit's script in pages that JavaScript writes."""
    return f"snippet/{unit}/{language}.js"


def read_script_name(name: str) -> tuple[str, str] | None:
    """Return unit and language of a script's name; None for another name."""
    match = _NAME.fullmatch(name)
    return (match[1], match[2]) if match else None


def with_script_name(html: str, script: BuiltScript, name: str) -> str:
    """Return a page in which the app's script has a name. A page that does not have the script is unchanged."""
    return html.replace(script.code, f"{script.code}\n//# sourceURL={name}\n", 1)


def with_author_places(text: str, find_script: FindScript) -> str:
    """Return an error whose stack has places in the author's files.

    The source line is below the first of them. Frames of awning's runtime are left out, and frames below the author's,
    which only show who calls the widget. A stack without the author's files keeps all its frames.
    """
    lines = [line for line in text.split("\n") if not _OF_A_TEST.match(line)]
    frames = {index: frame for index, line in enumerate(lines) if (frame := _Frame.read(line, find_script))}
    of_author = [index for index, frame in frames.items() if frame.is_author]
    output: list[str] = []
    for index, line in enumerate(lines):
        frame = frames.get(index)
        if frame is None:
            output.append(line)
        elif not of_author or frame.is_author or (index < of_author[-1] and not frame.is_runtime):
            output.append(frame.describe() or line)
        if frame and of_author[:1] == [index]:
            output += frame.source_lines()
    return "\n".join(output)


def first_author_place(text: str) -> str | None:
    """Return the first place in the author's files in an error's stack, such as `widgets/size-guide/widget.ts:12:7`.

    None when the stack has no such place.
    """
    match = _AUTHOR_FRAME.search(text)
    return match[1] if match else None


def stack_of(text: str) -> str:
    """Return the lines of an error from the first frame of its stack on. Empty without a stack."""
    lines = text.split("\n")
    first = next((n for n, line in enumerate(lines) if line.startswith("    at ")), len(lines))
    return "\n".join(lines[first:])


def headline_of(text: str) -> str:
    """Return an error without its stack."""
    stack = stack_of(text)
    return text.removesuffix(stack).rstrip("\n") if stack else text


def with_stack(text: str, stack: str | None) -> str:
    """Return an error's text and the frames of `stack`. The text before the frames of `stack` is left out."""
    return "\n".join([text, *frame_lines(stack or "")])


def frame_lines(stack: str) -> Iterable[str]:
    """Yield the frames of a stack, without the message above them."""
    return (line for line in stack.split("\n") if _FRAME.fullmatch(line))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """A frame of a stack. `place` is its source; None for a script that is not the app's."""

    place: Place | None
    script: BuiltScript | None

    @classmethod
    def read(cls, line: str, find_script: FindScript) -> Self | None:
        """Return the frame in a line; None when the line has none."""
        match = _FRAME.fullmatch(line)
        if match is None:
            return None
        on_page = find_script(match["script"])
        place = on_page.place(int(match["line"]), int(match["column"])) if on_page else None
        return cls(place=place, script=on_page.script if on_page else None)

    @property
    def is_author(self) -> bool:
        return self.place is not None and self.place.path.startswith(AUTHOR)

    @property
    def is_runtime(self) -> bool:
        return self.place is not None and not self.is_author and PACKAGES not in self.place.path

    def describe(self) -> str | None:
        """Return the frame with its place in a source; None without one."""
        if self.place is None:
            return None
        if self.is_runtime:
            return f"    at {self.place} (awning's)"
        _, package, path = self.place.path.rpartition(PACKAGES)
        return f"    at {Place(path=package + path, line=self.place.line, column=self.place.column)}"

    def source_lines(self) -> Iterator[str]:
        """Yield the source line and a caret under the column. Nothing for a line that is too long to be shown."""
        line = self.script.line_at(self.place) if self.script and self.place else None
        if line is None or self.place is None or len(line) > LONGEST_SOURCE_LINE:
            return
        indent = len(line) - len(line.lstrip())
        yield f"        {line[indent:].rstrip()}"
        at = index_of(line, self.place.column)
        yield f"        {caret_under(line[indent:], max(at - indent, 0) + 1)}"
