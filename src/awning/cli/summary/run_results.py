"""Collects the files that a run in CI has written: builds, findings and test results.

A file may be missing, because the step that writes it failed.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.build_record import FILE_NAME, BuildRecord, read_build_record
from awning.cli.summary.findings import Finding, read_sarif
from awning.cli.summary.sizes import SizeChange, compare_sizes
from awning.cli.summary.tests import TestResults, read_junit


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
