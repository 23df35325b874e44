"""Each turn of `awning dev` (a build, a patch or an error) has one line in the terminal, which names what was saved."""

from dataclasses import replace

import pytest

from awning_harness.dev.turn_report import TurnReport

STYLE, SCRIPT = "widgets/hello/style.css", "widgets/hello/widget.ts"


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ((), "built in 10 ms"),
        ((STYLE,), f"built in 10 ms ({STYLE})"),
        ((STYLE, SCRIPT), "built in 10 ms (2 files)"),
    ],
)
def test_line_of_a_build_names_the_saved_file_or_counts_the_files(workshop, changed, line):
    printed = []
    TurnReport(printed.append).print(replace(workshop.shows("hello"), changed=changed))
    assert printed == [line]


def test_line_of_a_failed_build_names_the_saved_file(workshop):
    printed = []
    report = TurnReport(printed.append)
    report.print(workshop.shows("one"))
    report.print(replace(workshop.broken(), changed=(STYLE,), seconds=0.02))
    assert printed[-1] == f"not built, after 20 ms ({STYLE}); pages keep the last good build"


def test_line_of_a_failed_first_build_says_that_pages_have_no_widgets(workshop):
    printed = []
    TurnReport(printed.append).print(replace(workshop.broken(), changed=()))
    assert printed[-1] == "not built, after 10 ms; pages have no widgets yet"


def test_build_that_follows_a_provisional_build_names_the_files_of_both(workshop):
    printed = []
    report = TurnReport(printed.append)
    report.print(replace(workshop.shows("one"), changed=(STYLE,), is_provisional=True))
    report.print(workshop.shows("one"))
    report.print(replace(workshop.patched("two"), changed=(STYLE,), is_provisional=True))
    report.print(replace(workshop.shows("two"), changed=(STYLE,)))
    report.print(workshop.shows("two"))
    assert printed == [
        f"built in 10 ms ({STYLE})",
        f"built in 10 ms ({STYLE})",
        f"shown in 10 ms ({STYLE})",
        f"built in 10 ms ({STYLE})",
        "built in 10 ms",
    ]
