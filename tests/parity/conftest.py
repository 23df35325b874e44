"""A page that all tests of this folder share."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from awning_harness.browser import find_browser, launch_arguments

sys.path.insert(0, str(Path(__file__).parent))

from parity import JavaScript


@pytest.fixture(scope="session")
def javascript(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaScript]:
    executable = find_browser()
    assert executable is not None, "no Chromium on this machine"
    browser = playwright.chromium.launch(executable_path=executable.path, args=launch_arguments())
    page = browser.new_page()
    yield JavaScript(page, tmp_path_factory.mktemp("parity"))
    browser.close()
