"""What the compiler gives back: frozen values, so that they can be cached by content hash."""

from dataclasses import dataclass

from awning.diagnostics import Diagnostic, Place
from awning.template.sourcemap import Literal
from awning.template.types import Variable


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUse:
    """One `t("key", name=...)` with a literal key, where it stands, and the names it gives."""

    key: str
    place: Place
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """One template as an ES module that imports its helpers by their files (`awning/template/...`).

    `dependencies` are the names of other templates that went into it (includes, imports, parents), `variables` the
    names it reads from the context: both sorted. `reads` says of these names what they must be.
    """

    code: str
    source_map: str = ""
    """A comment that leads from the module's lines to the templates'. A dev module ends with it."""
    literals: tuple[Literal, ...] = ()
    dependencies: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    reads: tuple[Variable, ...] = ()
    messages: tuple[MessageUse, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
