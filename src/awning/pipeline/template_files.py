"""Compiles and renders single template files, without a workspace (`awning template`).

A template is compiled to JavaScript as in a build, then bundled with its helpers into a self-contained module.
Rendering needs no JavaScript engine: it uses the reference environment, which defines the meaning of a template.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jinja2 import FunctionLoader

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.diagnostics import Diagnostic, Place
from awning.errors import ConfigurationError, Faulty
from awning.jsrc import jsrc_root
from awning.template.compile import compile_template
from awning.template.compiled_template import CompiledTemplate
from awning.template.own_filters import FILTERS
from awning.template.parse import LARGEST as LARGEST_TEMPLATE
from awning.template.parse import on_large_stack
from awning.template.reference import reference_environment
from awning.template.template_set import LocatedText

ENDING = ".html.j2"
DEEPEST_CONTEXT = 500
CONTEXT_HINT = """--context '{"name": "value"}', or --context @FILE"""


def compile_files(files: Sequence[Path], out: Path) -> list[CompiledTemplate]:
    """Compile each file and write its module. A refused file does not stop the others.

    For a single file, `out` is the path of the module or an existing folder; for several, it is a folder. Included
    templates are looked for in the folder of the file. Raises ConfigurationError when two modules would have the same
    path, when `out` must be a folder and is a file, or when esbuild cannot be used.
    """
    targets = _module_paths(files, out)
    results = [compile_file(path) for path in files]
    modules = zip(results, targets, strict=True)
    _write_modules([(result.code, target) for result, target in modules if not result.is_refused])
    return results


def compile_file(path: Path) -> CompiledTemplate:
    """Compile one file. A file that cannot be read is refused, like a file with an error."""
    name = path.as_posix()
    try:
        return compile_template(_read_template(path), path=name, loader=_FolderLoader(path.parent))
    except Faulty as error:
        return CompiledTemplate.refused(name, error.diagnostics)


def render_file(file: Path, context: dict[str, Any]) -> str:
    """Render a file with the reference environment, and return the text.

    Raises Faulty when the template cannot be read or compiled, or raises an error.
    """
    environment = reference_environment()
    load = _FolderLoader(file.parent)
    environment.loader = FunctionLoader(
        lambda name: _read_template(file) if name == file.name else load(name)
    )

    def render() -> str:
        return environment.get_template(file.name).render(context)

    try:
        try:
            return render()
        except RecursionError:
            return on_large_stack(render)
    except Exception as error:  # a template may raise any exception
        raise Faulty([_render_error(error, file)]) from error


def read_context(text: str) -> dict[str, Any]:
    """Parse the context of a template: a JSON object, or `@FILE` for a file that contains one.

    Raises ConfigurationError for anything else, for a file that cannot be read, and for values nested too deeply.
    """
    source = text if text.startswith("@") else "--context"
    try:
        value = json.loads(_read_context_file(Path(text[1:])) if text.startswith("@") else text)
    except ValueError as error:
        raise ConfigurationError(f"{source} is not JSON: {error}", hint=CONTEXT_HINT) from None
    except RecursionError:
        raise _too_deep(source) from None
    if _is_too_deep(value):
        raise _too_deep(source)
    if not isinstance(value, dict):
        raise ConfigurationError("--context must be a JSON object", hint=CONTEXT_HINT)
    return value


def _module_paths(files: Sequence[Path], out: Path) -> list[Path]:
    if len(files) == 1 and not out.is_dir():
        return [out]
    if out.is_file():
        raise ConfigurationError(f"{out} is a file", hint="name a folder for several templates")
    names = [path.name for path in files]
    stems = [name.removesuffix(ENDING) if name.endswith(ENDING) else name.partition(".")[0] for name in names]
    paths = [out / f"{stem}.mjs" for stem in stems]
    repeated = sorted({path.name for path in paths if paths.count(path) > 1})
    if repeated:
        raise ConfigurationError(
            f"several templates would be written to {out / repeated[0]}", hint="compile them apart"
        )
    return paths


def _read_template(path: Path) -> str:
    """Return the file's text. Of a file that is too large, return only the beginning: the compiler refuses it anyway.

    Raises Faulty when the file cannot be read or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_TEMPLATE + 1)
        return content.decode(errors="ignore" if len(content) > LARGEST_TEMPLATE else "strict")
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        message = f"the template cannot be read: {reason}"
        raise Faulty(
            [Diagnostic(rule="template-unreadable", message=message, place=Place(path=path.as_posix()))]
        ) from None


class _FolderLoader:
    """Loads the templates of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, name: str) -> str | None:
        file = self._folder / name
        return LocatedText(_read_template(file), file.as_posix()) if file.is_file() else None


def _write_modules(modules: Sequence[tuple[str, Path]]) -> None:
    """Bundle each module with the helpers that it uses, all in one run of esbuild, and write them."""
    if not modules:
        return
    with TemporaryDirectory(prefix="awning-") as folder:
        bundles = _bundle_modules([code for code, _ in modules], Path(folder).resolve())
        for (_, target), code in zip(modules, bundles, strict=True):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(code)


def _bundle_modules(modules: Sequence[str], folder: Path) -> Iterator[bytes]:
    entry_points = []
    for number, code in enumerate(modules):
        path = folder / f"{number}.js"
        path.write_text(code, encoding="utf-8")
        entry_points.append(EntryPoint(str(number), path))
    request = BundleRequest(
        entry_points=tuple(entry_points), root=folder, jsrc=jsrc_root(), source_maps=False, format="esm"
    )
    outputs = bundle(find_esbuild(), request).outputs
    for entry in entry_points:
        yield outputs[entry.name].code


def _read_context_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise ConfigurationError(
            f"--context names {path}, which cannot be read: {reason}", hint=CONTEXT_HINT
        ) from None


def _is_too_deep(value: Any) -> bool:
    """Return whether lists and objects are nested more than `DEEPEST_CONTEXT` deep."""
    level = [value]
    for _ in range(DEEPEST_CONTEXT):
        containers = [item for item in level if isinstance(item, (dict, list))]
        level = [
            child for item in containers for child in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return any(isinstance(item, (dict, list)) for item in level)


def _too_deep(source: str) -> ConfigurationError:
    message = f"{source} is nested too deeply: lists and objects may be {DEEPEST_CONTEXT} deep"
    return ConfigurationError(message, hint="pass only the values that the template reads")


def _render_error(error: Exception, file: Path) -> Diagnostic:
    line = getattr(error, "lineno", None) or 0
    name = getattr(error, "name", None) if line else None
    place = Place(path=(file.parent / (name or file.name)).as_posix(), line=line)
    for own_filter in FILTERS:
        if str(error).startswith(f"No filter named {own_filter!r}"):
            message = f"the filter {own_filter} formats with the browser's Intl, which Python does not have"
            hint = "compile the template and render it in a browser, or pass the finished text"
            return Diagnostic(rule="template-browser-filter", message=message, place=place, hint=hint)
    message = f"{type(error).__name__}: {str(error).removeprefix(f'{name}:{line}: ')}"
    if isinstance(error, RecursionError):
        message = "it is nested too deeply, or calls itself without end"
    return Diagnostic(rule="template-raises", message=message, place=place)
