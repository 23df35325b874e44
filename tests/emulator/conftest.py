"""The emulator, bundled once, in small pages."""

from collections.abc import Iterator

import pytest
from frames import SmallPages, open_small_pages
from playwright.sync_api import Browser

from awning.bundle.emulator import emulator_script
from awning.bundle.run import find_esbuild


@pytest.fixture(scope="session")
def emulator_code() -> str:
    return emulator_script(find_esbuild()).decode()


@pytest.fixture(scope="session")
def small_pages(browser: Browser, emulator_code: str) -> Iterator[SmallPages]:
    yield from open_small_pages(browser, emulator_code)
