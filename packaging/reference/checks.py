"""The page that lists the checks of `awning test`, from the descriptors in `awning.contract.checks`."""

from collections.abc import Iterator

from awning.contract.checks import CHECKS
from reference.markdown import code, entries, one_line, page

INTRODUCTION = """\
The checks that [every widget gets](../checks.md), in the order in which they run, with the fault that each finds.
A failed check prints how to mend it, and so does `awning explain CHECK`."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of the page."""
    rows = ((code(name), f"{one_line(check.defect)}.") for name, check in CHECKS.items())
    yield (
        "checks.md",
        page("Checks", (INTRODUCTION, entries(rows))),
    )
