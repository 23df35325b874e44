"""`pytest` inside a test: how it is run, and what its output says of each test.

The runs load no plugin for property tests. The workspaces have no property tests, and loading takes longer than many of
these runs. An author's environment does not have schemathesis either. `FEWER_PLUGINS` is for the variable
PYTEST_ADDOPTS.
"""

import re
from pathlib import Path

from warm_python import run_warm

FEWER_PLUGINS = "-p no:schemathesis -p no:hypothesispytest"


SHORT_LIMITS = """\
import re

import pytest


@pytest.fixture(autouse=True)
def short_limits(request, monkeypatch):
    if re.search({endless!r}, request.node.nodeid):
        visit = "awning_harness.visit."
        monkeypatch.setattr(visit + "pages.tabs.LOAD_TIMEOUT_MS", 2000)
        monkeypatch.setattr(visit + "pages.tabs.MARGIN_MS", 500)
        monkeypatch.setattr(visit + "pages.tabs.SEARCH_MS", 1500)
        monkeypatch.setattr(visit + "steps.page_steps.WITHIN_MS", 1500)
        monkeypatch.setattr(visit + "tab.TIME_LIMIT_MS", 2500)
        monkeypatch.setattr(visit + "tab.SEARCH_MS", 1000)
        monkeypatch.setattr("awning_harness.evidence.RESPONSIVE_MS", 500)
"""


def with_short_limits(endless: str) -> str:
    """Return a `conftest.py` with short limits for the tests whose names match, which have a script that never ends.

    Modules read these limits when they wait. A limit that one copied at its import would stay long (warm_python.py).
    """
    return SHORT_LIMITS.format(endless=endless)


def with_options(options: str) -> dict[str, str]:
    """Return the environment variable for a nested run with more options, such as `-k shows`."""
    return {"PYTEST_ADDOPTS": f"{FEWER_PLUGINS} {options}"}


def run_pytest(root: Path, *words: str | Path) -> tuple[int, str]:
    """Run pytest in a workspace. Returns its exit code and its output. The next run does not know of the failures."""
    done = run_warm(["-m", "pytest", "-p", "no:cacheprovider", *words], root)
    return done.returncode, done.stdout + done.stderr


def section_of(name: str, output: str) -> str:
    """Return what the output says of a failed test in Chromium; empty if the test has not failed."""
    pattern = rf"^_+ test_{name}\[chromium\] _+$(.*?)(?=^_{{10}}|^={{10}})"
    section = re.search(pattern, output, re.MULTILINE | re.DOTALL)
    return section[1] if section else ""
