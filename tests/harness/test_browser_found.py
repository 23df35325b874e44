"""The search for Chromium: places, their order, and the message when there is none."""

import os
import stat
from pathlib import Path

import pytest

from awning.errors import ConfigurationError
from awning_harness import browser
from awning_harness.browser import ensure_browser, find_browser


def program(path: Path, script: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with an empty search path, no applications and no Playwright cache."""
    monkeypatch.setattr(browser, "IN_FOLDERS", {})
    (tmp_path / "bin").mkdir()
    return {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path / "home")}


def test_machine_without_a_browser_gives_none(machine):
    assert find_browser(machine) is None


@pytest.mark.parametrize("name", browser.ON_PATH)
def test_each_known_name_is_found_on_the_search_path(machine, name):
    expected = program(Path(machine["PATH"]) / name)
    browser_found = find_browser(machine)
    assert browser_found is not None
    assert (browser_found.path, browser_found.origin) == (expected, "search path")


def test_a_headless_shell_is_preferred_to_a_whole_browser(machine):
    program(Path(machine["PATH"]) / "chromium")
    shell = program(Path(machine["PATH"]) / "chromium-headless-shell")
    assert find_browser(machine).path == shell


def test_newest_playwright_download_is_used(machine):
    cache = Path(machine["HOME"]) / ".cache" / "ms-playwright"
    machine["PLAYWRIGHT_BROWSERS_PATH"] = str(cache)
    program(cache / "chromium_headless_shell-999" / "chrome-linux" / "headless_shell")
    newest = program(cache / "chromium_headless_shell-1255" / "chrome-linux" / "headless_shell")
    assert find_browser(machine).path == newest


def test_playwright_shell_is_preferred_to_a_whole_browser_on_the_search_path(machine):
    program(Path(machine["PATH"]) / "google-chrome")
    machine["PLAYWRIGHT_BROWSERS_PATH"] = machine["HOME"]
    program(Path(machine["HOME"]) / "chromium_headless_shell-1" / "chrome-linux" / "headless_shell")
    assert find_browser(machine).origin == "Playwright"


def test_browser_named_by_the_variable_comes_first(machine, tmp_path):
    program(Path(machine["PATH"]) / "chromium-headless-shell")
    named = program(tmp_path / "mine")
    browser_found = find_browser({**machine, "AWNING_BROWSER": str(named)})
    assert (browser_found.path, browser_found.origin) == (named, "AWNING_BROWSER")


def test_missing_browser_named_by_the_variable_is_an_error(machine):
    with pytest.raises(ConfigurationError, match="AWNING_BROWSER is /nowhere/chromium"):
        find_browser({**machine, "AWNING_BROWSER": "/nowhere/chromium"})


class TestInstalling:
    @pytest.fixture
    def messages(self):
        return []

    def test_nothing_is_installed_when_a_browser_exists(self, machine, messages, monkeypatch):
        monkeypatch.setattr(browser, "_succeeds", lambda command, environ: pytest.fail(f"ran {command}"))
        program(Path(machine["PATH"]) / "chromium")
        assert ensure_browser(messages.append, machine).origin == "search path"
        assert messages == []

    def test_playwrights_download_is_tried_first(self, machine, messages, monkeypatch):
        ran = []

        def succeeds(command, environ):
            ran.append(command[1:3])
            program(Path(machine["PATH"]) / "chromium-headless-shell")
            return True

        monkeypatch.setattr(browser, "_succeeds", succeeds)
        assert ensure_browser(messages.append, machine).is_headless_shell
        assert ran == [["-m", "playwright"]]
        assert "No Chromium was found" in messages[0]

    def test_debian_package_is_installed_by_root_when_the_download_fails(
        self, machine, messages, monkeypatch
    ):
        ran = []

        def succeeds(command, environ):
            ran.append(command[0])
            if command[:2] == ["apt-get", "install"]:
                program(Path(machine["PATH"]) / "chromium-headless-shell")
            return command[0] == "apt-get"

        monkeypatch.setattr(browser, "_succeeds", succeeds)
        monkeypatch.setattr(browser, "_is_debian", lambda: True)
        monkeypatch.setattr(browser, "is_root", lambda: True)
        assert ensure_browser(messages.append, machine).is_headless_shell
        assert ran[1:] == ["apt-get", "apt-get"]
        assert any("Debian" in text for text in messages)

    @pytest.mark.parametrize(("debian", "root"), [(True, False), (False, True)])
    def test_failed_installation_has_a_hint_without_debian_or_root(
        self, machine, messages, monkeypatch, debian, root
    ):
        monkeypatch.setattr(browser, "_succeeds", lambda command, environ: False)
        monkeypatch.setattr(browser, "_is_debian", lambda: debian)
        monkeypatch.setattr(browser, "is_root", lambda: root)
        with pytest.raises(ConfigurationError) as raised:
            ensure_browser(messages.append, machine)
        assert "AWNING_BROWSER" in raised.value.hint

    def test_an_install_that_succeeds_without_a_browser_is_an_error(self, machine, messages, monkeypatch):
        monkeypatch.setattr(browser, "_succeeds", lambda command, environ: True)
        monkeypatch.setattr(browser, "_is_debian", lambda: False)
        with pytest.raises(ConfigurationError):
            ensure_browser(messages.append, machine)


@pytest.mark.usefixtures("processes")
def test_browser_of_this_machine_has_a_version():
    assert "Chrom" in ensure_browser(print, dict(os.environ)).version()
