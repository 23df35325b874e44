"""The traceback of an author's test, without awning's lines."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import pytest

from awning.errors import ConfigurationError
from awning_harness.fixtures.renderer import RenderingFailed
from awning_harness.pages.store_names import NotInTheStore
from awning_harness.pages.tabs import Stuck
from awning_harness.steps.failures import StepFailed
from awning_harness.storefront.options import BadOption

TOLD = (BadOption, ConfigurationError, NotInTheStore, RenderingFailed, StepFailed, Stuck)
"""The exceptions whose message says what is wrong with a test or its widget."""

HARNESS = Path(__file__).parent


def end_in_test(excinfo: pytest.ExceptionInfo[BaseException], test: pytest.Item) -> None:
    """End the traceback of an exception in TOLD at the line of the test that called awning, without its cause.

    It stays whole with pytest's option `--full-trace`, and where no line of the test is in it.
    """
    error = excinfo.value
    if not isinstance(error, TOLD) or test.config.getoption("fulltrace"):
        return
    entries = list(_entries(error))
    lines = [place for place, entry in enumerate(entries) if _file_of(entry) == test.path]
    if not lines:
        return
    last = lines[-1]
    while last + 1 < len(entries) and HARNESS not in _file_of(entries[last + 1]).parents:
        last += 1
    entries[last].tb_next = None
    error.__cause__ = None  # such as Playwright's error, whose reason is in the message
    error.__suppress_context__ = True


def _entries(error: BaseException) -> Iterator[TracebackType]:
    entry = error.__traceback__
    while entry:
        yield entry
        entry = entry.tb_next


def _file_of(entry: TracebackType) -> Path:
    return Path(entry.tb_frame.f_code.co_filename)
