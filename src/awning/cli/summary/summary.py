"""`awning summary`: findings, tests and sizes as Markdown, for a pull request.

It collects the files that a run in CI has written: builds, the findings of `awning check --format sarif`, and results
of tests. A file may be missing, because the step that writes it failed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from msgspec import Struct, field

from awning.build_record import FILE_NAME, WHOLE_APP, BuildRecord, read_build_record, shorten_fingerprint
from awning.cli.report import dist_option, plural, print_result
from awning.cli.summary.sizes import SizeChange, compare_sizes
from awning.cli.summary.tests import TestResults, read_junit
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.typed_values import Mismatch, decode
from awning.workspace.root import find_workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A result in a SARIF file.

    `severity` is `error`, `warning` or `note`. `line` is None for a finding about a whole file.
    """

    rule: str
    severity: str
    path: str
    line: int | None
    message: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


class _Message(Struct):
    text: str


class _Artifact(Struct):
    uri: str = ""


class _Region(Struct, rename="camel"):
    start_line: int | None = None


class _PhysicalLocation(Struct, rename="camel"):
    artifact_location: _Artifact = field(default_factory=_Artifact)
    region: _Region = field(default_factory=_Region)


class _Location(Struct, rename="camel"):
    physical_location: _PhysicalLocation = field(default_factory=_PhysicalLocation)


class _SarifResult(Struct, rename="camel"):
    rule_id: str
    message: _Message
    level: str = "warning"
    locations: tuple[_Location, ...] = ()

    def finding(self) -> Finding:
        place = next(iter(self.locations), _Location()).physical_location
        return Finding(
            rule=self.rule_id,
            severity=self.level,
            path=place.artifact_location.uri,
            line=place.region.start_line,
            message=self.message.text,
        )


class _Run(Struct):
    results: tuple[_SarifResult, ...]


class _Sarif(Struct):
    """The parts of a SARIF file that are read (SARIF 2.1.0)."""

    runs: tuple[_Run, ...]


def read_sarif(file: Path) -> tuple[Finding, ...]:
    """Return the findings in a SARIF file.

    Raises ConfigurationError when the file is not valid SARIF, OSError when it cannot be read.
    """
    try:
        document = decode(file.read_bytes(), _Sarif)
    except Mismatch as mismatch:
        raise ConfigurationError(
            f"{file} is not a SARIF file: {mismatch.of('it')}",
            hint=f"write it with: awning check --format sarif > {file}",
        ) from None
    return tuple(result.finding() for run in document.runs for result in run.results)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The results of a run in CI.

    A part is None when its file was not asked for or does not exist. `missing` has the paths of the files that were
    asked for and do not exist.
    """

    record: BuildRecord | None
    base: BuildRecord | None
    findings: tuple[Finding, ...] | None
    tests: TestResults | None
    missing: tuple[str, ...]

    @property
    def sizes(self) -> tuple[SizeChange, ...]:
        return compare_sizes(self.record, self.base) if self.record else ()

    def as_json(self) -> dict[str, Any]:
        return {
            "fingerprint": self.record.fingerprint if self.record else None,
            "base_fingerprint": self.base.fingerprint if self.base else None,
            "sizes": [{**change.as_json(), "difference": change.difference} for change in self.sizes],
            "findings": None if self.findings is None else [finding.as_json() for finding in self.findings],
            "tests": self.tests.as_json() if self.tests else None,
            "missing": list(self.missing),
        }


def summarize(
    dist: Path, *, against: Path | None = None, sarif: Path | None = None, junit: Path | None = None
) -> Summary:
    """Read the build in `dist`, the build to compare it with, and the files of findings and test results.

    A missing file is no error, because a summary is most useful when a step of the run has failed. Raises
    ConfigurationError when a file exists but is not valid, OSError when a file of findings or test results cannot be
    read.
    """
    wanted = (dist / FILE_NAME, against and against / FILE_NAME, sarif, junit)
    missing = tuple(str(file) for file in wanted if file and not file.is_file())
    return Summary(
        record=_record(dist),
        base=_record(against) if against else None,
        findings=read_sarif(sarif) if sarif and sarif.is_file() else None,
        tests=read_junit(junit) if junit and junit.is_file() else None,
        missing=missing,
    )


def _record(folder: Path) -> BuildRecord | None:
    return read_build_record(folder) if (folder / FILE_NAME).is_file() else None


MARK = "<!-- awning summary -->"
"""The first line of the Markdown. By this line, CI finds the comment of an earlier run, and replaces that comment."""

MOST_ROWS = 20
MOST_FOLDED_ROWS = 200

MOST_CHARACTERS = 300
"""Longer names and messages are cut, because a comment on GitHub has at most 65,536 characters."""
MOST_IN_PLAN = 1_000
"""Longer lines of the plan are cut: they name up to 20 files or widgets."""


def as_markdown(summary: Summary) -> str:
    """Return the summary as Markdown that ends in a newline."""
    parts = [MARK, "## Widgets", *_tests(summary), *_findings(summary), *_sizes(summary)]
    parts += [f"Missing: {_code(file)}" for file in summary.missing]
    return "\n\n".join(parts) + "\n"


def _tests(summary: Summary) -> Iterator[str]:
    if summary.tests is None:
        return
    if plan := summary.tests.plan:
        lines = [f"- {_code(line, MOST_IN_PLAN)}" for line in plan[:MOST_ROWS]]
        yield "\n".join(lines + ([f"- … and {len(plan) - MOST_ROWS} more"] if len(plan) > MOST_ROWS else []))
    yield _verdict(summary.tests)
    rows = [(_code(test.name), _code(test.message)) for test in summary.tests.failed]
    if rows:
        yield _table(("Failed test", "Reason"), rows)


def _verdict(tests: TestResults) -> str:
    skipped = f" {tests.skipped} skipped." if tests.skipped else ""
    if tests.failed:
        return f"**{len(tests.failed)} of {tests.ran} tests failed.**{skipped}"
    if not tests.ran:
        return f"**No test ran.**{skipped}"
    return f"{plural(tests.ran, 'test')} passed.{skipped}"


def _findings(summary: Summary) -> Iterator[str]:
    if summary.findings is None:
        return
    severities = Counter(finding.severity for finding in summary.findings)
    counts = [plural(severities[name], name) for name in ("error", "warning", "note") if severities[name]]
    yield f"`awning check`: {', '.join(counts) or 'nothing found'}."
    rows = [_finding_row(finding) for finding in summary.findings if finding.severity != "note"]
    if rows:
        yield _table(("Rule", "Place", "Message"), rows)


def _finding_row(finding: Finding) -> tuple[str, ...]:
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    return _code(finding.rule), _code(place), _code(finding.message)


def _sizes(summary: Summary) -> Iterator[str]:
    """Yield a table of the snippets whose size has changed, the app's last, then a folded table of the others.

    The second table is folded because an app with many languages has many snippets.
    """
    if summary.record is None:
        yield "There is no build."
        return
    sizes = summary.sizes
    changed = sorted(
        (change for change in sizes if change.text() not in {"", "="}),
        key=lambda each: each.unit == WHOLE_APP,
    )
    others = [change for change in sizes if change.text() in {"", "="}]
    stamped = [change for change in others if change.only_stamp and change.difference]
    if summary.base is None:
        yield "### Sizes, gzip bytes"
    else:
        yield "### Sizes, gzip bytes" if changed else "No snippet changes its size."
        if changed:
            yield _table(
                ("Snippet", "Base", "Now", "Change"), [_size_row(change) for change in changed], numbers=3
            )
    if stamped:
        yield f"{plural(len(stamped), 'size')} left out, which only the build's fingerprint moves."
    if others:
        rows = [(_code(change.path), f"{change.gzip:,}") for change in others]
        kind = "unchanged snippet" if summary.base else "snippet"
        listed = _table(("Snippet", "Size"), rows, numbers=1, most=MOST_FOLDED_ROWS)
        yield f"<details><summary>{plural(len(others), kind)}</summary>\n\n{listed}\n\n</details>"
    compared = f", compared with `{shorten_fingerprint(summary.base.fingerprint)}`" if summary.base else ""
    yield f"<sub>Build `{shorten_fingerprint(summary.record.fingerprint)}`{compared}</sub>"


def _size_row(change: SizeChange) -> tuple[str, ...]:
    text = change.text()
    if text.startswith(("+", "-")) and change.before:
        text = f"{change.difference:+,} ({change.difference * 100 / change.before:+.1f} %)"
    return _code(change.path), f"{change.before:,}", f"{change.gzip:,}", text


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: int = 0, most: int = MOST_ROWS
) -> str:
    """Return a table whose last `numbers` columns are aligned to the right.

    After the first `most` rows, only the number of further rows is shown.
    """
    rule = ["---"] * (len(heads) - numbers) + ["---:"] * numbers
    lines = [_row(row) for row in (heads, rule, *rows[:most])]
    left = len(rows) - len(rows[:most])
    return "\n".join(lines) + (f"\n\n… and {left} more" if left else "")


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _code(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return a text as code in a table's cell, on one line.

    Names and messages may hold any characters; in code, `@name` mentions nobody. A backtick would end the code, so it
    becomes an apostrophe; `|` would end the cell, so it is escaped.
    """
    line = " ".join(text.replace("`", "'").split())
    short = line if len(line) <= most else line[: most - 1] + "…"
    return f"`{short.replace('|', chr(92) + '|')}`" if short else ""


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
    """Summarize a run for a pull request, as Markdown: what was tested and left out, failed tests, findings, sizes.

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
