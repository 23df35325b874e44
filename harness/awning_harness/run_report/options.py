"""pytest's option for the report of a run."""

import pytest


def add_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--awning-report",
        action="store_true",
        help="write report.html with pictures of every state to the folder of --output, as awning test does",
    )
