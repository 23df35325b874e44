"""Finds a Chromium for tests, or installs one.

Unless AWNING_BROWSER names one, it looks for a headless shell first, because tests take half the time in it. When it
finds no Chromium, it installs Playwright's download. If that fails, and the user is root on Debian, it installs the
distribution's package.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from awning.errors import ConfigurationError

ON_PATH = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "msedge",
)

IN_FOLDERS = {
    "Darwin": (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "Windows": (
        r"Google\Chrome\Application\chrome.exe",
        r"Chromium\Application\chrome.exe",
        r"Microsoft\Edge\Application\msedge.exe",
    ),
}

PLAYWRIGHT_CACHE = {
    "Linux": ("HOME", ".cache/ms-playwright"),
    "Darwin": ("HOME", "Library/Caches/ms-playwright"),
    "Windows": ("LOCALAPPDATA", "ms-playwright"),
}

PLAYWRIGHT_BINARIES = (
    "chromium_headless_shell-*/*/headless_shell*",
    "chromium_headless_shell-*/*/chrome-headless-shell*",
    "chromium-*/*/chrome",
    "chromium-*/*/chrome.exe",
    "chromium-*/*/*.app/Contents/MacOS/*",
)

ARGUMENTS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP *.localhost 127.0.0.1",
)
"""Chromium's arguments: no background network traffic, the same colours on every machine, and no IPv6 for the shop's
own origins, because the shop listens on 127.0.0.1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """A Chromium on this machine. `origin` tells where it was found."""

    path: Path
    origin: str

    @property
    def is_headless_shell(self) -> bool:
        return "headless" in self.path.name.lower()

    def version(self) -> str:
        """Return the version that the program prints, such as `Chromium 156.0.8078.79`."""
        answer = subprocess.run(
            [str(self.path), "--version", *sandbox_arguments()],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        return answer.stdout.strip() or "unknown version"


def sandbox_arguments() -> tuple[str, ...]:
    """Return the argument that Chromium needs to start as root, as in most containers; none for other users."""
    return ("--no-sandbox",) if is_root() else ()


def launch_arguments() -> list[str]:
    return [*ARGUMENTS, *sandbox_arguments()]


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def find_browser(environ: Mapping[str, str] = os.environ, *, with_window: bool = False) -> Browser | None:
    """Return the first Chromium that is found; None when there is none.

    The order is AWNING_BROWSER, headless shells on the search path, Playwright's cache, other browsers on the search
    path, the usual folders. With `with_window`, headless shells are skipped, because they cannot open a window. But
    the browser that AWNING_BROWSER names is returned, whatever it is.

    Raises ConfigurationError when AWNING_BROWSER is not a program.
    """
    named = environ.get("AWNING_BROWSER")
    if named:
        path = shutil.which(named)
        if path is None:
            raise ConfigurationError(
                f"AWNING_BROWSER is {named}, which is not a program",
                hint="Name a Chromium or Chrome, or unset AWNING_BROWSER: awning then searches for one.",
            )
        return Browser(path=Path(path), origin="AWNING_BROWSER")
    browsers = _everywhere(environ)
    return next((b for b in browsers if not (with_window and b.is_headless_shell)), None)


def _everywhere(environ: Mapping[str, str]) -> Iterator[Browser]:
    shells = [name for name in ON_PATH if "headless" in name]
    yield from _on_path(shells, environ)
    yield from _in_playwright_cache(environ)
    yield from _on_path([name for name in ON_PATH if name not in shells], environ)
    yield from _in_folders(environ)


def _on_path(names: list[str], environ: Mapping[str, str]) -> Iterator[Browser]:
    for name in names:
        program = shutil.which(name, path=environ.get("PATH"))
        if program:
            yield Browser(path=Path(program), origin="search path")


def playwright_cache(environ: Mapping[str, str]) -> Path | None:
    """Return the folder of the browsers that Playwright downloads; None when there is no home folder."""
    named = environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if named and named != "0":
        return Path(named)
    variable, below = PLAYWRIGHT_CACHE.get(platform.system(), ("HOME", ".cache/ms-playwright"))
    home = environ.get(variable)
    return Path(home) / below if home else None


def _in_playwright_cache(environ: Mapping[str, str]) -> Iterator[Browser]:
    cache = playwright_cache(environ)
    if cache is None or not cache.is_dir():
        return
    for pattern in PLAYWRIGHT_BINARIES:
        for path in sorted(cache.glob(pattern), key=_revision, reverse=True):
            if path.is_file() and os.access(path, os.X_OK):
                yield Browser(path=path, origin="Playwright")


def _revision(path: Path) -> int:
    """Return the revision in the path of a browser: 1255 in `.../chromium_headless_shell-1255/...`."""
    for part in path.parts:
        name, _, number = part.rpartition("-")
        if name.startswith("chromium") and number.isdigit():
            return int(number)
    return 0


def _in_folders(environ: Mapping[str, str]) -> Iterator[Browser]:
    system = platform.system()
    roots = [environ.get(name, "") for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
    for below in IN_FOLDERS.get(system, ()):
        paths = [Path(root) / below for root in roots if root] if system == "Windows" else [Path(below)]
        for path in paths:
            if path.is_file():
                yield Browser(path=path, origin="applications")


def ensure_window(environ: Mapping[str, str] = os.environ) -> Browser:
    """Return a browser that can open a window.

    Raises ConfigurationError when there is no such browser, when AWNING_BROWSER is not a program or names a headless
    shell, and on Linux when there is no display.
    """
    if platform.system() == "Linux" and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        raise ConfigurationError(
            "--headed opens a window, and this session has no display",
            hint="Leave --headed out, or run under xvfb-run; awning test records it with --tracing=on.",
        )
    browser = find_browser(environ, with_window=True)
    if browser is None or browser.is_headless_shell:
        raise ConfigurationError(
            "--headed needs a full Chromium or Chrome, and only a headless shell was found"
            if browser or find_browser(environ)
            else "--headed needs a full Chromium or Chrome, and none was found",
            hint="Install Chromium or Chrome, or name one with AWNING_BROWSER=/path/to/chromium.",
        )
    return browser


def ensure_browser(say: Callable[[str], None], environ: Mapping[str, str] = os.environ) -> Browser:
    """Return the browser that `find_browser` finds, else a newly installed one. `say` gets messages about the progress.

    Raises ConfigurationError when AWNING_BROWSER is not a program, and when no browser is found or can be installed.
    """
    browser = find_browser(environ)
    if browser:
        return browser
    say("No Chromium was found on this machine. Installing Playwright's headless shell ...")
    command = [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"]
    if _succeeds(command, environ) and (browser := find_browser(environ)):
        say(f"Installed {browser.path}")
        return browser
    if _is_debian() and is_root():
        say("Playwright's download failed. Installing Debian's chromium-headless-shell ...")
        if _install_from_debian() and (browser := find_browser(environ)):
            say(f"Installed {browser.path}")
            return browser
    raise ConfigurationError(
        "There is no Chromium on this machine, and none could be installed",
        hint="Install Chromium or Chrome, or name one with AWNING_BROWSER=/path/to/chromium.",
    )


def require_ffmpeg() -> None:
    """Raise ConfigurationError unless Playwright's own ffmpeg, which records the videos, is installed."""
    command = [sys.executable, "-m", "playwright", "install", "--dry-run", "ffmpeg"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    place = re.search(r"Install location:\s+(.+)", done.stdout)
    if place is None or not any(Path(place[1].strip()).glob("ffmpeg*")):
        raise ConfigurationError(
            "--video needs Playwright's ffmpeg, which is not installed", hint="playwright install ffmpeg"
        )


def _install_from_debian() -> bool:
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell"]
    return _succeeds(["apt-get", "update", "-qq"], environ) and _succeeds(install, environ)


def _succeeds(command: list[str], environ: Mapping[str, str]) -> bool:
    """Run a command, and show its output on stderr. Returns whether the command succeeds."""
    try:
        done = subprocess.run(command, env=dict(environ), stdout=sys.stderr, check=False, timeout=900)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _is_debian() -> bool:
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    return release.get("ID") == "debian"
