"""Phase 2: each template compiled to a JavaScript module, or taken from the cache (`templates`)."""

from collections.abc import Mapping
from pathlib import Path

from awning.contract import Dialect
from awning.pipeline.compile.templates import Module, TemplateCompiler
from awning.pipeline.read import SourceFile

__all__ = ["Module", "compile_templates"]


def compile_templates(
    files: Mapping[str, SourceFile],
    *,
    cache: Path,
    dialect: Dialect | None = None,
    dev: bool = False,
    keeps: bool = True,
) -> dict[str, Module]:
    """The module of every template of a widget, by path. `keeps`: newly compiled ones are written to `cache`."""
    compiler = TemplateCompiler(files=files, cache=cache, dialect=dialect or Dialect(), dev=dev, keeps=keeps)
    return compiler.compile_all()
