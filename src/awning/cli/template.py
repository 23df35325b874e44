"""`awning template compile|render`: one template, without a workspace.

`compile` writes what a build would ship, as a module of its own. `render` needs no JavaScript engine: it gives the text
of the reference environment, which is the definition of what the template means, after making sure that the
compiler accepts it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from awning.contract import Exit
from awning.diagnostics import Diagnostic, Place, has_errors
from awning.errors import ConfigurationError, Faulty

ENDING = ".html.j2"


@click.group()
def template() -> None:
    """Compile or render one template."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledTemplate:
    """What became of one file. `code` is None when it was refused."""

    path: str
    code: str | None
    diagnostics: tuple[Diagnostic, ...] = ()

    def as_json(self) -> dict[str, Any]:
        found = [diagnostic.as_json() for diagnostic in self.diagnostics]
        return {"path": self.path, "ok": self.code is not None, "diagnostics": found}


@template.command("compile")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="A module; a folder for several files.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with a result for each file.")
def compile_(files: tuple[Path, ...], *, out: Path, as_json: bool) -> int:
    """Compile templates to self-contained ES modules: `export default function render(context)`.

    One FILE: OUT is the module. Several: OUT is a folder of `<name>.mjs`. Includes are found beside the file. A refused
    file does not stop the others.
    """
    targets = targets_of(files, out)
    results = [compiled(path) for path in files]
    write(
        [(result, target) for result, target in zip(results, targets, strict=True) if result.code is not None]
    )
    if as_json:
        document = {"schema_version": 1, "results": [result.as_json() for result in results]}
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        for result in results:
            for diagnostic in result.diagnostics:
                click.echo(diagnostic.render(), err=True)
    return Exit.FINDINGS if any(has_errors(result.diagnostics) for result in results) else Exit.DONE


def targets_of(files: Sequence[Path], out: Path) -> list[Path]:
    """Where each file's module goes."""
    if len(files) == 1 and not out.is_dir():
        return [out]
    if out.is_file():
        raise ConfigurationError(f"{out} is a file", hint="several templates go into a folder")
    targets = [out / f"{stem(path)}.mjs" for path in files]
    twice = sorted({target.name for target in targets if targets.count(target) > 1})
    if twice:
        raise ConfigurationError(
            f"several templates would be written to {out / twice[0]}", hint="compile them apart"
        )
    return targets


def stem(path: Path) -> str:
    return path.name.removesuffix(ENDING) if path.name.endswith(ENDING) else path.name.partition(".")[0]


def compiled(path: Path) -> CompiledTemplate:
    """Compile one file. One that cannot be read is refused like one that is wrong."""
    from awning.template import compile_template  # noqa: PLC0415 - imports Jinja2: `--help` need not

    shown = path.as_posix()
    try:
        done = compile_template(read(path), path=shown, loader=Beside(path))
    except Faulty as refused:
        return CompiledTemplate(path=shown, code=None, diagnostics=refused.diagnostics)
    return CompiledTemplate(path=shown, code=done.code, diagnostics=done.diagnostics)


def read(path: Path) -> str:
    """A file's text. One that is too large is read only as far as the compiler needs to see that."""
    from awning.template import LARGEST_TEMPLATE  # noqa: PLC0415

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


class Beside:
    """Finds templates beside a file."""

    def __init__(self, path: Path) -> None:
        self._folder = path.parent

    def __call__(self, name: str) -> str | None:
        from awning.template import LocatedText  # noqa: PLC0415

        found = self._folder / name
        return LocatedText(read(found), found.as_posix()) if found.is_file() else None


def write(parts: Sequence[tuple[CompiledTemplate, Path]]) -> None:
    """Bundle the modules with the helpers they use, all in one run, and write them."""
    if not parts:
        return
    with TemporaryDirectory(prefix="awning-") as folder:
        for (_, target), code in zip(
            parts, bundled([part.code or "" for part, _ in parts], Path(folder)), strict=True
        ):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(code)


def bundled(modules: Sequence[str], folder: Path) -> Iterator[bytes]:
    from awning.bundle import BundleRequest, EntryPoint, bundle, find_esbuild  # noqa: PLC0415
    from awning.jsrc import jsrc_root  # noqa: PLC0415

    entries = []
    for number, code in enumerate(modules):
        path = folder.resolve() / f"{number}.js"
        path.write_text(code, encoding="utf-8")
        entries.append(EntryPoint(str(number), path))
    request = BundleRequest(
        entry_points=tuple(entries), root=folder.resolve(), jsrc=jsrc_root(), source_maps=False, format="esm"
    )
    outputs = bundle(find_esbuild(), request).outputs
    for entry in entries:
        yield outputs[entry.name].code


@template.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--context", "context", required=True, help="The context: a JSON object, or @FILE with one.")
def render(file: Path, *, context: str) -> int:
    """Render a template with a JSON context and print the text.

    The text is the reference environment's: Jinja2's, with the documented deviations. Only templates that the compiler
    accepts are rendered, and none with a filter over the browser's Intl (money, number, date and the like).
    """
    given = read_context(context)
    result = compiled(file)
    for diagnostic in result.diagnostics:
        click.echo(diagnostic.render(), err=True)
    if result.code is None:
        return Exit.FINDINGS
    click.echo(rendered(file, given), nl=False)
    return Exit.DONE


CONTEXT = """--context '{"name": "value"}', or --context @FILE"""


def read_context(text: str) -> dict[str, Any]:
    given = context_file(Path(text[1:])) if text.startswith("@") else text
    shown = text if text.startswith("@") else "--context"
    try:
        value = json.loads(given)
    except ValueError as error:
        raise ConfigurationError(f"{shown} is not JSON: {error}", hint=CONTEXT) from None
    except RecursionError:
        raise too_deep(shown) from None
    if is_deep(value):
        raise too_deep(shown)
    if not isinstance(value, dict):
        raise ConfigurationError("--context must be a JSON object", hint=CONTEXT)
    return value


DEEPEST_CONTEXT = 500


def is_deep(value: Any) -> bool:
    """Whether lists and objects are nested more than `DEEPEST_CONTEXT` deep."""
    level = [value]
    for _ in range(DEEPEST_CONTEXT):
        containers = [one for one in level if isinstance(one, (dict, list))]
        level = [child for one in containers for child in (one.values() if isinstance(one, dict) else one)]
        if not level:
            return False
    return any(isinstance(one, (dict, list)) for one in level)


def too_deep(shown: str) -> ConfigurationError:
    message = f"{shown} is nested too deeply: lists and objects may be {DEEPEST_CONTEXT} deep"
    return ConfigurationError(message, hint="give the template only what it reads")


def context_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise ConfigurationError(
            f"--context names {path}, which cannot be read: {reason}", hint=CONTEXT
        ) from None


def rendered(file: Path, context: dict[str, Any]) -> str:
    """Render by the reference environment; what the template itself raises is a finding."""
    from jinja2 import FunctionLoader  # noqa: PLC0415

    from awning.template import on_large_stack, reference_environment  # noqa: PLC0415

    environment = reference_environment()
    environment.loader = FunctionLoader(lambda name: read(file) if name == file.name else Beside(file)(name))

    def render_() -> str:
        return environment.get_template(file.name).render(context)

    try:
        try:
            return render_()
        except RecursionError:
            return on_large_stack(render_)
    except Exception as error:  # a template raises whatever Python raises
        raise Faulty([raised(error, file)]) from error


def raised(error: Exception, file: Path) -> Diagnostic:
    from awning.template import INTL_FILTERS  # noqa: PLC0415

    where = file.parent / (getattr(error, "name", None) or file.name)
    place = Place(path=where.as_posix(), line=getattr(error, "lineno", None) or 0)
    for name in INTL_FILTERS:
        if str(error).startswith(f"No filter named {name!r}"):
            message = f"the filter {name} formats with the browser's Intl, which Python does not have"
            hint = "compile the template and render it in a browser, or give the text ready-made"
            return Diagnostic(rule="template-browser-filter", message=message, place=place, hint=hint)
    message = f"{type(error).__name__}: {error}"
    if isinstance(error, RecursionError):
        message = "it is nested too deeply, or calls itself without end"
    return Diagnostic(rule="template-raises", message=message, place=Place(path=file.as_posix()))
