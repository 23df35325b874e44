"""`awning template`: compiles single templates, or renders one. They need no workspace."""

from pathlib import Path

import click

from awning.cli.report import json_option, print_result
from awning.contract import Exit
from awning.diagnostics import has_errors


@click.group()
def template() -> None:
    """Compile or render one template."""


@template.command("compile")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The module to write; for several files, a folder.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with a result for each file.")
def compile_(files: tuple[Path, ...], *, out: Path, as_json: bool) -> int:
    """Compile templates to self-contained ES modules: `export default function render(context)`.

    With one FILE, OUT is the module. With several, OUT is a folder of `<name>.mjs`. Includes are searched beside the
    file. A refused file does not stop the others.
    """
    from awning.pipeline.template_files import compile_files  # noqa: PLC0415 - imports Jinja2

    results = compile_files(files, out)
    outcomes = [
        {
            "path": result.path,
            "ok": not result.is_refused,
            "diagnostics": [diagnostic.as_json() for diagnostic in result.diagnostics],
        }
        for result in results
    ]
    print_result(as_json, (), indent=2, results=outcomes)
    for diagnostic in (d for result in results for d in result.diagnostics) if not as_json else ():
        click.echo(diagnostic.render(), err=True)
    return Exit.FINDINGS if any(has_errors(result.diagnostics) for result in results) else Exit.DONE


@template.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--context",
    "context",
    required=True,
    help="The context: a JSON object, or @FILE for a file that holds it.",
)
@json_option
def render(file: Path, *, context: str, as_json: bool) -> int:
    """Render a template with a JSON context and print the text.

    Jinja2 renders the text, with the documented deviations. Only templates that the compiler accepts are rendered.
    Templates with a filter that uses the browser's Intl (money, number, date and the like) are refused.
    """
    from awning.pipeline.template_files import (  # noqa: PLC0415 - imports Jinja2
        compile_file,
        read_context,
        render_file,
    )

    values = read_context(context)
    result = compile_file(file)
    text = None if result.is_refused else render_file(file, values)
    if as_json:
        diagnostics = [diagnostic.as_json() for diagnostic in result.diagnostics]
        print_result(as_json, (), indent=2, ok=text is not None, text=text, diagnostics=diagnostics)
    else:
        for diagnostic in result.diagnostics:
            click.echo(diagnostic.render(), err=True)
        click.echo(text or "", nl=False)
    return Exit.FINDINGS if text is None else Exit.DONE
