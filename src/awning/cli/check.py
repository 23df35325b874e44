"""`awning check`: reports what is wrong in a workspace or in scripts. It writes no `dist/`."""

from collections import Counter
from pathlib import Path

import click

from awning.cli.report import counted, json_option, say
from awning.contract import Exit
from awning.diagnostics import Diagnostic, has_errors
from awning.errors import ConfigurationError
from awning.pipeline import targets

FORMS = ("text", "json", "sarif", "github", "junit")


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(FORMS), help="Output format.", show_default="text")
@json_option
@click.option("--fix", is_flag=True, help="Apply safe fixes, and check the result of each.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Report only diagnostics that are not in this file. Default: [tool.awning] baseline of pyproject.toml.",
)
@click.option(
    "--update-baseline", is_flag=True, help="Write the diagnostics to the baseline and report none."
)
@click.option("--no-types", is_flag=True, help="Do not look for type errors.")
def check(
    paths: tuple[Path, ...],
    *,
    form: str | None,
    as_json: bool,
    fix: bool,
    baseline: Path | None,
    update_baseline: bool,
    no_types: bool,
) -> int:
    """Check the current workspace, or PATHS: workspaces, widgets, shared folders, folders or files of scripts.

    An error here is also an error for `awning build` and `awning dev`. Only --fix and --update-baseline write files.

    \b
    awning check                              the whole workspace
    awning check widgets/delivery-estimate    one widget
    awning check old-snippet.html             a file outside of a workspace
    awning check --format github              annotations in the log of GitHub Actions

    Exit codes: 0 no error (also with warnings and notes), 1 errors, 2 usage or configuration.
    """
    from awning.line_process import missing_engine  # noqa: PLC0415 - not needed for --help

    if as_json and form not in {None, "json"}:
        raise ConfigurationError(
            f"--json and --format {form} exclude each other", hint="leave one of them out"
        )
    form = "json" if as_json else form or "text"
    check_targets = list(targets.check_targets(paths, types=not no_types))
    if fix:
        for target in check_targets:
            for file, count in targets.fix_scripts(target):
                say(f"{file}: {count} fixed")
    inspection = targets.merge_inspections([target.inspect() for target in check_targets], baseline)
    if update_baseline:
        file = targets.update_baseline(inspection)
        say(f"{file}: {len(inspection.others)} noted")
        diagnostics = list(inspection.fatal)
    else:
        diagnostics = list(inspection.counted())
    _print(diagnostics, form)
    if inspection.unchecked:
        say(inspection.unchecked)
    if missing := missing_engine():
        say(f"no script was run: {missing}")
    return Exit.FINDINGS if has_errors(diagnostics) else Exit.DONE


def _print(diagnostics: list[Diagnostic], form: str) -> None:
    from awning.check.formats import FORMATS  # noqa: PLC0415 - not needed for --help

    text = FORMATS[form](diagnostics)
    if text:
        click.echo(text)
    if form == "text":
        say(counted(Counter(str(diagnostic.severity) for diagnostic in diagnostics)) or "nothing found")
        if diagnostics:
            say(f"awning explain {diagnostics[0].rule}: what the rule asks for")
