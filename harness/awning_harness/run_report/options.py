"""pytest's option for the report of a run."""

import argparse

import pytest


def add_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--awning-report",
        action="store_true",
        help=argparse.SUPPRESS,
    )
