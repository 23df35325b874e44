"""The result of a compilation: frozen values, so that they can be cached by content hash."""

from dataclasses import dataclass

from awning.diagnostics import Diagnostic, Place
from awning.template.sourcemap import Literal
from awning.template.types import Variable


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUse:
    """One call `t("key", name=...)` with a literal key: its place and the names of its arguments."""

    key: str
    place: Place
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledTemplate:
    """One template as an ES module. It imports the helpers of the run-time library that it uses.

    `dependencies` are the names of the templates that it includes, imports or extends, directly or through others.
    `variables` are the names that it reads from the context. Both are sorted. `reads` has the type of each variable.
    """

    code: str
    source_map: str = ""
    """The source map from the module's lines to the templates' lines, as a comment. A dev module ends with it."""
    literals: tuple[Literal, ...] = ()
    dependencies: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    reads: tuple[Variable, ...] = ()
    messages: tuple[MessageUse, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
