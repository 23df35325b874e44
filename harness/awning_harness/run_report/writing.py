"""Writes the report of a run: the build's own report, with the results of the tests above the sizes.

It goes to the folder of the results. It also replaces `dist/report.html` if every state of every widget was tested and
`dist/` is the same build, by its fingerprint. Nothing else in `dist/` changes, and publishing reads no report.
"""

import base64
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from awning.build_record import read_build_record
from awning.errors import AwningError
from awning.workspace import find_workspace, read_workspace
from awning_harness.run_report.failures import FailedTest
from awning_harness.run_report.results import RunResults

FILE = "report.html"
CODE = re.compile(r"`([^`]+)`")
BELOW = "</header>"
"""The end of the heading in the build's report: the results of the tests come below it."""


def write_report(
    root: Path, built: Path, folder: Path, failures: Sequence[FailedTest], part: str | None
) -> Iterator[str]:
    """Write the report of the build in `built`. Yields a line for each file that was written; none without results.

    `part` are the options that chose a part of the tests, None for a run of all tests.
    If the workspace or the build cannot be read, the only line says why there is no report.
    """
    try:
        workspace = read_workspace(find_workspace(root))
        build_page = (built / FILE).read_text(encoding="utf-8")
        results = RunResults.read(workspace, folder, failures, part)
    except (AwningError, OSError) as error:  # a file was saved while the tests ran
        yield f"report: none, because {error}"
        return
    if results is None:
        return
    page = add_results(build_page, results)
    _write(folder / FILE, page)
    yield f"report: {_short(folder / FILE)}"
    dist = workspace.root / "dist"
    if results.covers(workspace) and are_same_build(built, dist):
        _write(dist / FILE, page)
        yield f"report: {_short(dist / FILE)}, the same page: dist/ is the build that was tested"


def add_results(build_page: str, results: RunResults) -> str:
    """Return the page of a build's report with the results of the tests."""
    environment = Environment(
        loader=PackageLoader("awning_harness.run_report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["data_url"] = _data_url
    environment.filters["code"] = _with_code
    added = environment.get_template("results.html.j2").render(
        results=results, counts=results.counts(), replays=results.replays()
    )
    head, below, rest = build_page.partition(BELOW)
    return f"{head}{below}\n{added}{rest}" if below else f"{build_page}\n{added}"


def are_same_build(built: Path, dist: Path) -> bool:
    try:
        return read_build_record(built).fingerprint == read_build_record(dist).fingerprint
    except AwningError:
        return False


def _data_url(file: Path) -> Markup:
    return Markup("data:image/png;base64," + base64.b64encode(file.read_bytes()).decode())  # noqa: S704 - no markup


def _with_code(text: str) -> Markup:
    """Return a text as HTML, with what is in backticks as code."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped


def _write(file: Path, text: str) -> None:
    """Replace the file in one step, so that nobody reads half of it."""
    new = file.with_name(f".{file.name}-{os.getpid()}")
    file.parent.mkdir(parents=True, exist_ok=True)
    new.write_text(text, encoding="utf-8", newline="\n")
    new.replace(file)


def _short(file: Path) -> str:
    return os.path.relpath(file)
