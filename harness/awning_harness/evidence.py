"""What a test leaves behind: sections of its report, and files in its folder of `test-results`.

The files follow pytest-playwright's options: `--screenshot`, `--full-page-screenshot`, `--tracing`, `--video`,
`--output`. A failing test that leaves a screenshot or a trace also leaves the page's HTML and its events.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from playwright.sync_api import Error

from awning_harness.dev.address import DEFAULT_PORT
from awning_harness.dev.gallery import state_address
from awning_harness.replay.failing_visit import FailingVisit, LookAtFailure
from awning_harness.replay.player import play_again
from awning_harness.replay.records import FILE, short_path, without_secrets
from awning_harness.testing import OpenedPage, Storefront
from awning_harness.visit.frames.widget import WidgetBench
from awning_harness.visit.frames.widget_visit import WidgetVisit
from awning_harness.visit.pages.address import PageAddress
from awning_harness.visit.pages.causes import CAUSE, Cause
from awning_harness.visit.pages.event_lines import LONGEST, event_lines, shorten
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.steps.failures import PageLeft

RESPONSIVE_MS = 10_000
"""The milliseconds within which a page must respond. Otherwise, the report has neither its text nor its picture."""
SCREENSHOT = "screenshot.png"
VIDEO = "video.webm"
NOT_THE_SAME = "the page below and in the picture differs from that of the check"
LONGEST_QUERY = 300
"""The most characters of a query that a failure prints."""
WITHOUT_PAYLOAD = " (with the shop's own event parameter: that of the check is too long for an address)"
ONLY_HERE = " (there without what the check has: {})"
WITHOUT_DATA = " (with the workspace's app data, not those of the test)"
WAITING = "still waiting for"
LONG_ADDRESS = re.compile(r"(https?://[^\s)]{120})[^\s)]{40,}?((?::\d+)*)(?=[\s)]|\Z)")
"""Matches an address with at least 160 characters after `://`. Groups: its beginning; its line and column, if any."""
MOST_REPLAYS = 50
"""The most visits that one process plays again. A run with more failures has one cause for most of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceOptions:
    """Which files a test leaves in its folder. `screenshot`, `trace` and `video` are pytest-playwright's words."""

    folder: Path
    screenshot: str
    trace: str
    video: str
    is_full_page: bool
    has_report: bool
    """Whether the run writes its report, which has the replays."""

    @classmethod
    def by(cls, config: pytest.Config, folder: Path) -> "EvidenceOptions":
        return cls(
            folder=folder,
            screenshot=config.getoption("--screenshot"),
            trace=config.getoption("--tracing"),
            video=config.getoption("--video"),
            is_full_page=config.getoption("--full-page-screenshot"),
            has_report=config.getoption("--awning-report"),
        )

    def has_screenshot(self, *, failed: bool) -> bool:
        return self.screenshot == "on" or (failed and self.screenshot == "only-on-failure")

    def has_trace(self, *, failed: bool) -> bool:
        return self.trace == "on" or (failed and self.trace == "retain-on-failure")

    def has_video(self, *, failed: bool) -> bool:
        return self.video == "on" or (failed and self.video == "retain-on-failure")


Opened = Storefront | WidgetBench
"""An object that opens pages for a test: in a tab, or in frames of a tab."""
OpenedVisit = OpenedPage | WidgetVisit
Replayed = dict[tuple[str, ...], str]
"""The tests of a process whose visits were played again, by their cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest:
    """A failed test whose visit is to be played again, and the visits of the process that were played so far."""

    error: BaseException
    test: str
    is_check: bool
    replayed: Replayed


def add_evidence(
    report: pytest.TestReport, opened: Opened, options: EvidenceOptions, request: ReplayRequest | None = None
) -> None:
    """Add the page to a failed test's report, and write the files that the options ask for."""
    visit, failed = opened.visit, report.failed
    has_screenshot, has_trace = options.has_screenshot(failed=failed), options.has_trace(failed=failed)
    files: list[str] = []
    seen: LookAtFailure | None = None
    try:
        if visit is not None and (has_screenshot or has_trace or failed) and _responds(visit):
            if has_screenshot:
                visit.take_screenshot(options.folder / SCREENSHOT, is_full_page=options.is_full_page)
                files.append(SCREENSHOT)
            if failed and (has_screenshot or has_trace):
                files += _write_page(visit, options.folder)
            if failed:
                _add_sections(report, visit, opened.notes)
                seen = LookAtFailure.at(visit)
        if has_trace:
            opened.tab.end_trace(options.folder / "trace.zip")
            files.append("trace.zip")
        if options.has_video(failed=failed):
            opened.tab.video = options.folder / VIDEO  # written when the tab is closed
            files.append(VIDEO)
    except (Error, Stuck, OSError) as error:  # the report of one test must not end the run
        report.sections.append(("evidence is missing", str(error)))
    if failed and (waiting := opened.other_hosts.unanswered()):
        report.sections.append((WAITING, "\n".join(waiting)))
    if failed and opened.address is not None:
        own = request if has_screenshot else None
        report.sections.append(("to look at", "\n".join(_places(opened, options, files, own, seen))))


def _places(
    opened: Opened,
    options: EvidenceOptions,
    files: Sequence[str],
    request: ReplayRequest | None,
    seen: LookAtFailure | None,
) -> Iterator[str]:
    """Yield where to look at the failure: the address of the page, the replay, the files."""
    if opened.address is None:
        return
    words, steps = _replay(opened, opened.address, request, seen, options) if request else ("", None)
    yield f"again    awning dev, then {dev_address(opened, opened.address.path, steps=steps)}"
    if words:
        yield f"replay   {words}"
    if files:
        yield f"files    {short_path(options.folder)}: {', '.join(files)}"


def _replay(
    opened: Opened,
    address: PageAddress,
    request: ReplayRequest,
    seen: LookAtFailure | None,
    options: EvidenceOptions,
) -> tuple[str, int | None]:
    """Play the visit of a failed test again, once for each cause and state. `seen` is what the page showed.

    Returns a line about it, and after how many steps the page fails; None if the page is to be opened with all steps.
    """
    cause: Cause | None = getattr(request.error, CAUSE, None)
    state = opened.opened_state[0].name if opened.opened_state else ""
    key = (opened.unit, state, cause.kind, cause.text) if cause else (request.test, str(options.folder))
    if (same := request.replayed.get(key)) is not None:
        return f"that of {same}, which fails for the same reason", None
    if len(request.replayed) >= MOST_REPLAYS:
        return f"none: {MOST_REPLAYS} other failures have one", None
    own_scripts = not request.is_check
    visit = FailingVisit(
        opened=opened, address=address, error=request.error, seen=seen, has_own_scripts=own_scripts
    )

    def dev(steps: int) -> str | None:
        most = len(opened.opened_state[0].steps) if opened.opened_state else 0
        place = dev_address(opened, address.path, steps=steps) if steps <= most else " "
        return None if " " in place else place  # after an address, a note says how that page differs

    request.replayed[key] = request.test  # also if it fails, so that it is not tried for each equal failure
    try:
        replay = play_again(visit, options.folder, dev)
    except Exception as error:  # noqa: BLE001 - whatever a page does when it is played again, the run goes on
        return f"none: {str(error).partition(chr(10))[0]}", None
    steps = replay.failing if replay.failing is not None and dev(replay.failing) else None
    files = f"{FILE}, report.html" if options.has_report else FILE
    return f"{replay.verdict} ({files})", steps


def _responds(visit: OpenedVisit) -> bool:
    """Return whether the page still responds. It does not if the test closed it, or if a script never ends."""
    try:
        visit.tab.require_responsive(within_ms=RESPONSIVE_MS)
        with suppress(PageLeft):  # the test left the page, so the last look at it stays
            visit.settle()
    except (Stuck, Error):
        return False
    return True


def _write_page(visit: OpenedVisit, folder: Path) -> list[str]:
    """Write the page's HTML as it is now, and its events, without secrets. Returns the names of the files."""
    texts = {
        "page.html": visit.content(),
        "events.txt": "".join(f"{line}\n" for line in event_lines(visit.trace(), visit.errors)),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(without_secrets(text), encoding="utf-8")
    return list(texts)


def _add_sections(report: pytest.TestReport, visit: OpenedVisit, notes: Sequence[str]) -> None:
    """Add what the page shows, its events and its console to the report of a failed test."""
    if notes:
        report.sections.append((NOT_THE_SAME, "\n".join(notes)))
    report.sections.append(("the block shows", shorten(visit.text()) or "nothing"))
    if events := visit.trace():
        report.sections.append(("its events", "\n".join(event_lines(events, visit.errors, longest=LONGEST))))
    if visit.errors:
        report.sections.append(("its console", shorten_addresses("\n".join(visit.errors))))


def dev_address(opened: Opened, path: str, *, steps: int | None = None) -> str:
    """Return the address of the page at `path` in `awning dev`: of the state if a state is open, else of the page.

    With `steps`, only the first steps of the state are taken. There, a page has the workspace's app data, and not those
    that a test has set.
    """
    origin = f"http://127.0.0.1:{DEFAULT_PORT}"
    lacks = ONLY_HERE.format("; ".join(opened.only_here)) if opened.only_here else ""
    if opened.opened_state is not None:
        state, language = opened.opened_state
        theme = None if state.theme == _own_theme(opened, state.name) else state.theme
        steps = None if steps == len(state.steps) else steps
        return origin + state_address(opened.unit, state.name, language, theme, steps=steps) + lacks
    without_data = WITHOUT_DATA if opened.has_own_data else ""
    return f"{origin}/1/{without_long_payload(path)}{without_data}{lacks}"


def _own_theme(opened: Opened, name: str) -> str | None:
    """Return the theme that a state of the tested widget has in `states.toml`."""
    widgets = opened.shop.workspace.widgets
    states = (state for widget in widgets if widget.name == opened.unit for state in widget.states)
    return next((state.theme for state in states if state.name == name), None)


def without_long_payload(address: str) -> str:
    """Return a page's address. A long event parameter is left out of it, and the text after the address says so."""
    path, _, query = address.partition("?")
    if len(query) <= LONGEST_QUERY:
        return address
    own = [(name, value) for name, value in parse_qsl(query) if name != "payload"]
    return path + (f"?{urlencode(own)}" if own else "") + WITHOUT_PAYLOAD


def shorten_addresses(text: str) -> str:
    """Return a text with the end of each long address left out, but not its line and column in a stack."""
    return LONG_ADDRESS.sub(r"\1…\2", text)
