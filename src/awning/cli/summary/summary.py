"""`awning summary`: findings, tests and sizes as Markdown, for a pull request."""

from pathlib import Path

import click

from awning.cli.report import dist_option, print_result
from awning.cli.summary.markdown import as_markdown
from awning.cli.summary.run_results import summarize
from awning.contract import Exit
from awning.workspace import find_workspace

FOLDER = click.Path(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@dist_option()
@click.option("--against", type=FOLDER, metavar="DIST", help="Another build, to compare the sizes with.")
@click.option("--sarif", type=FILE, help="The findings: what `awning check --format sarif` printed.")
@click.option("--junit", type=FILE, help="The results of tests: what `awning test --junitxml=FILE` wrote.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of Markdown.")
def summary(
    *, dist: Path | None, against: Path | None, sarif: Path | None, junit: Path | None, as_json: bool
) -> int:
    """Summarize a run for a pull request, as Markdown: failed tests, findings, sizes compared with another build.

    \b
    awning summary --against ../base/dist                         how much the snippets grew
    awning summary --junit test-results/junit.xml >> "$GITHUB_STEP_SUMMARY"

    A file that does not exist is listed as missing: a failed step did not write it. The exit code is 0 all the same,
    because the failed step has its own.
    """
    folder = dist or find_workspace(Path.cwd()) / "dist"
    collected = summarize(folder, against=against, sarif=sarif, junit=junit)
    print_result(as_json, as_markdown(collected).removesuffix("\n"), **collected.as_json())
    return Exit.DONE
