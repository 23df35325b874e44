"""The result of a compilation: frozen values, so that they can be remembered by what they depend on."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from awning.diagnostics import Diagnostic, Place
from awning.template.types import Variable


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUse:
    """One use of a message, in a template or a script.

    `arguments` are the names of its arguments, None if they are not known. `others` are the other keys that the same
    call may use, as in `t(isNew ? "new" : "old")`.
    """

    key: str
    place: Place | None
    arguments: tuple[str, ...] | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A string of a module that holds several lines of a template.

    The string begins at `at` in the template at `path`. `marks` has (offset in the string, line, column) for each
    further line of the template. Lines and columns count from 1.
    """

    path: str
    at: tuple[int, int]
    marks: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledTemplate:
    """One template as an ES module. It imports the helpers of the run-time library that it uses.

    `literals` are its strings that hold several lines of the template. `included` are the names of the templates that
    it includes, imports or extends, directly or through others, also of missing ones.
    """

    path: str
    code: str
    source_map: str = ""
    """The source map from the module's lines to the templates' lines, as a comment. The code of a dev module ends with
    it; then this is empty.
    """
    literals: tuple[Literal, ...] = ()
    reads: tuple[Variable, ...] | None = None
    """The variables that it reads from its context, sorted by name, with their types; None if it was refused."""
    messages: tuple[MessageUse, ...] = ()
    """The calls `t("key", name=...)` with a literal key, or with a literal key for each case."""
    strings: tuple[str, ...] = ()
    """The strings of the templates, if the key of a message is computed there: a variable may hold a key."""
    included: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @classmethod
    def refused(cls, path: str, diagnostics: Iterable[Diagnostic]) -> Self:
        """Return a module that renders nothing, with the reasons why the template was refused."""
        return cls(path=path, code='export default () => "";\n', diagnostics=tuple(diagnostics))

    @property
    def is_refused(self) -> bool:
        return self.reads is None
