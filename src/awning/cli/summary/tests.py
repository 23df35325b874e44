"""Reads the results of tests from a JUnit file, as pytest's `--junitxml` writes it."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from awning.contract.checks import COMPARISON, simplicity
from awning.diagnostics import with_line_breaks
from awning.errors import ConfigurationError

PROBLEMS = ("failure", "error")
PLAN = "awning-plan"
"""The name of the properties with what `awning test` leaves out, and why."""
"""The check that also fails because of any other defect of a state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedTest:
    """A test that failed or could not run. `message` is the first line of the reason, with the next below a heading."""

    name: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResults:
    """How many tests ran and how many were skipped, and the tests that failed.

    `plan` has the lines that say what was tested and left out, and why; empty if nothing was left out.

    Of each widget, what fails on the simplest page comes first.
    """

    __test__ = False  # keeps pytest from collecting a class whose name begins with Test

    ran: int
    skipped: int
    failed: tuple[FailedTest, ...]
    plan: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def read_junit(file: Path) -> TestResults:
    """Return the results in a JUnit file.

    Raises ConfigurationError when the file is not valid JUnit XML, OSError when it cannot be read.
    """
    try:
        root = ET.parse(file).getroot()  # noqa: S314 - the file is of this run's own tests
    except ET.ParseError as error:
        raise _not_junit(file) from error
    if root.tag not in {"testsuites", "testsuite"}:
        raise _not_junit(file)
    # pytest lists a test twice when both the test and its teardown fail.
    cases: dict[str, list[ET.Element]] = {}
    for case in root.iter("testcase"):
        cases.setdefault(f"{case.get('classname', '')}::{case.get('name', '')}", []).append(case)
    widgets = {_widget(name): place for place, name in reversed([*enumerate(cases)])}
    in_order = sorted(cases.items(), key=lambda case: (widgets[_widget(case[0])], _simplicity(case[1])))
    failed = (_failed(name, parts) for name, parts in in_order)
    skipped = sum(all(part.find("skipped") is not None for part in parts) for parts in cases.values())
    properties = (each for suite in root.iter("testsuite") for each in suite.iterfind("properties/property"))
    return TestResults(
        ran=len(cases) - skipped,
        skipped=skipped,
        failed=tuple(test for test in failed if test),
        plan=tuple(each.get("value", "") for each in properties if each.get("name") == PLAN),
    )


def _widget(name: str) -> str:
    """Return the widget's folder of a test such as `widgets.note.test_note::test_shows`."""
    return ".".join(name.partition("::")[0].split(".")[:2])


def _simplicity(parts: list[ET.Element]) -> tuple[bool, tuple[bool, int]]:
    named = (part.find("properties/property[@name='check']") for part in parts)
    check = next((element.get("value") for element in named if element is not None), None)
    return check == COMPARISON, simplicity(check)


def _failed(name: str, parts: list[ET.Element]) -> FailedTest | None:
    problems = (part.find(problem) for part in parts for problem in PROBLEMS)
    problem = next((element for element in problems if element is not None), None)
    if problem is None:
        return None
    reason = problem.get("message") or problem.text or ""
    first, *others = reason.strip().splitlines() or [""]
    message = " ".join([first, others[0].strip()]) if others and first.endswith(":") else first
    return FailedTest(name=name.removeprefix("::"), message=with_line_breaks(message))


def _not_junit(file: Path) -> ConfigurationError:
    return ConfigurationError(
        f"{file} is not a JUnit file", hint=f"write it with: awning test --junitxml={file}"
    )
