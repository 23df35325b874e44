"""Why a test failed, without what differs from one test to the next: its state, language and theme.

One defect of a widget fails many checks. The run's summary groups the failures that have the same cause
(`run_report/groups.py`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

import pytest

from awning_harness.visit.pages.stacks import first_author_place

NEVER_ENDS = "the page does not respond: a script on it never ends"
"""The headline of a failure because of an endless loop."""

PAGE_LEFT = "the page was left"
"""The beginning of a failure because a page has gone to another one."""

CAUSE = "awning_cause"
"""The attribute of a failure's exception that holds its cause."""

LEAKED = "global-leaked"
"""The rule of the emulator about leaked globals.

A cause that begins with it ends in their names, if they are known, each perhaps with a place in the author's files.
"""

HOST = re.compile(r"https?://[^\s/]+")
SOURCES = re.compile(r"(?<=-src )[^\"]*?'nonce-[\w-]{8,}'")
"""Matches the allowed sources in a message about a page's policy. Each page has another nonce."""
UNCAUGHT = re.compile(r"\A(?:Uncaught (?:\(in promise\) )?|unhandled rejection: )(?=\w*Error\b)")
"""Matches the prefix of an error: the browser's in the event `error`, or the laboratory's for a rejection.

It is removed, because Playwright reports the same exception without a prefix.
"""
ERROR_TYPE = re.compile(r"\b\w*(?:Error|Exception)\b")
CHANGING = re.compile(
    r"""
    https?://[^\s/]+        # the storefront has another port in each process
    | '(?:[^'\\]|\\.)*' | "[^"]*"
    | \d+(?:\.\d+)?
    """,
    re.VERBOSE,
)
"""Matches the parts of a message that differ between tests with the same cause: hosts, quoted texts, numbers."""


class CauseKind(StrEnum):
    """The kinds of causes. PROBLEM and BLOCK can make every other check of a page fail."""

    PROBLEM = "problem"
    """An exception, an error of the console, a broken rule, a leaked global."""
    BLOCK = "block"
    """The page or its block is missing, or the block is there twice."""
    LAYOUT = "layout"
    """Something is too wide or cut off. Several checks may see it."""
    VALUE = "value"
    """The block shows a raw value or the name of a text, on a page as it is. Several checks may see it."""
    OTHER = "other"
    """Anything else that a check looks at. Two checks do not share such a cause."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The cause of a failure. `text` is equal for tests that fail for the same reason."""

    kind: CauseKind
    text: str


NOT_EMPTY = Cause(CauseKind.BLOCK, "not empty")
"""The page of a state that must be empty shows something. All checks that see it fail with this cause."""


def problem_cause(problems: Iterable[str]) -> Cause:
    """Return the cause of a test that fails because its page has problems: the first of them."""
    return Cause(CauseKind.PROBLEM, plain_error(next(iter(problems), "")))


def lost_page_cause(message: str) -> Cause:
    """Return the cause of a test whose page cannot occur, does not load, no longer responds, or goes to another one."""
    if NEVER_ENDS in message:
        return problem_cause([message])
    if PAGE_LEFT in message:  # the address has the page's language
        return problem_cause([PAGE_LEFT])
    return Cause(CauseKind.BLOCK, plain_message(message))


def layout_cause(selector: str | None) -> Cause:
    """Return the cause of a test that fails because an element is too wide.

    `selector` is None when no element leaves its place, such as when only the page scrolls.
    """
    return Cause(CauseKind.LAYOUT, f"too wide: {selector}")


def plain_error(text: str) -> str:
    """Return an error without its stack trace and without the parts that differ between pages and ways of reporting.

    If the error has a place in the author's files, only its type and the place remain, because its message may contain
    a text in the page's language or a name of the minified script, and both differ between languages.
    """
    first, *_ = text.strip().split("\n", 1)
    place = first_author_place(text)
    if NEVER_ENDS in first:  # a loop is paused at any of its lines, so the file has to do
        return f"{NEVER_ENDS} {(place or '').partition(':')[0]}".rstrip()
    if place is None:
        return SOURCES.sub("…", HOST.sub("…", UNCAUGHT.sub("", first)))
    error = ERROR_TYPE.search(first)
    return f"{error[0] if error else 'error'} at {place}"


def plain_message(text: str) -> str:
    """Return a message without hosts, quoted texts and numbers."""
    return " ".join(CHANGING.sub("…", text).split())


def fail_because(message: str, cause: Cause) -> NoReturn:
    """Raise pytest's failure with a message and without a traceback. The cause is for the run's summary."""
    failure = pytest.fail.Exception(message, pytrace=False)
    setattr(failure, CAUSE, cause)
    raise failure from None
