"""Plays the visit of a failed test once more, and records the page after each step.

No step has more time than a page has. A replay that hangs ends there, and its last step says so.

The page is a fresh one: it has a browser context of its own, with the same website and answers.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error

from awning.contract.slots import SLOTS
from awning.rules import rule_ids
from awning_harness.replay.failing_visit import FailingVisit, update_count
from awning_harness.replay.field_values import VALUES
from awning_harness.replay.pictures import draw_area
from awning_harness.replay.records import Replay, ReplayStep, without_secrets, write_replay
from awning_harness.replay.requests import DELIVERED, KEEP_DELIVERED, RequestLog, update_words
from awning_harness.testing import OpenedPage, PageAction, Storefront
from awning_harness.visit.frames.widget import WidgetBench
from awning_harness.visit.hosts.other_hosts import OtherHosts
from awning_harness.visit.pages import tabs
from awning_harness.visit.pages.address import NotInTheStore
from awning_harness.visit.pages.causes import plain_error
from awning_harness.visit.pages.console_errors import collect_errors
from awning_harness.visit.pages.event_lines import EventRow, event_rows, shorten
from awning_harness.visit.pages.problems import PageProblem, ProblemKind, TraceEntry, page_problems
from awning_harness.visit.pages.tabs import SCREENSHOT_MS, VIEWPORT, Stuck, Tab, open_page
from awning_harness.visit.pages.visibility import OWN_BLOCKS, ROOTS
from awning_harness.visit.pages.watchdog import NeverEnds, ends_within
from awning_harness.visit.steps.failures import PageLeft, StepFailed


@contextmanager
def open_again(
    opened: Storefront | WidgetBench, *, width: int, media: Mapping[str, Any]
) -> Iterator[Storefront]:
    """Yield a storefront with the website, app data and answers of `opened`, in a new browser context.

    `media` are the shopper's preferences.

    Raises Playwright's Error when the browser is gone.
    """
    browser = opened.tab.page.context.browser
    if browser is None:
        raise Error("the browser is gone")
    page = open_page(browser)
    tab = Tab(page=page, devtools=page.context.new_cdp_session(page))
    page.set_viewport_size({"width": width, "height": VIEWPORT["height"]})
    page.emulate_media(**media)
    tab.other_hosts = OtherHosts(
        context=page.context,
        devtools=tab.devtools,
        folder=opened.other_hosts.folder,
        beacon=opened.other_hosts.beacon,
        report=lambda text: storefront.add_error(text),  # noqa: PLW0108 - there is no storefront yet
        responses=dict(opened.other_hosts.at_opening),
        to_fetch=opened.other_hosts.to_fetch,
    )
    for script in opened.tab.first_scripts if isinstance(opened, Storefront) else ():
        tab.run_first(script)
    storefront = Storefront(
        shop=opened.shop,
        unit=opened.unit,
        installed_app=opened.installed_app,
        tab=tab,
        other_hosts=tab.other_hosts,
        globals_without_apps=opened.globals_without_apps,
    )
    try:
        with collect_errors(page, tab.other_hosts, storefront.add_error):
            yield storefront
    finally:
        with suppress(Error):  # a script never ended, so the context is closed already
            page.context.close()


LIMITS_OF_A_STEP = 2
"""How often a step may take LOAD_TIMEOUT_MS: an element may take WITHIN_MS three times, and the page responds."""
MOST_STEPS = 20
"""The most steps of a replay that are recorded one by one. The ones before are one step."""
LONGEST_HTML = 20_000
LONGEST_WORDS = 200
MOST_LINES = 60
"""The most events, messages, problems or requests of one step."""
AGAIN_MS = 2000
"""How many milliseconds the problem may take to come again after the last step."""
POLL_MS = 50

LOOK = f"""([selector, blocks]) => {{ {ROOTS} {VALUES}
  const place = document.querySelector(selector);
  const own = [...document.querySelectorAll(blocks)];
  const page = document.documentElement;
  const [width, height] = [page.clientWidth, page.scrollHeight];
  const area = {{ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }};
  for (const element of [place, ...own.flatMap(within)]) {{
    if (!element || !rendered(element)) continue;
    const box = element.getBoundingClientRect();
    const [left, top] = [box.left + scrollX, box.top + scrollY];
    const isOut = left + box.width <= 0 || top + box.height <= 0 || left >= width || top >= height;
    if (isOut || (element !== place && !(box.width && box.height))) continue;
    area.left = Math.min(area.left, Math.max(0, left));
    area.top = Math.min(area.top, Math.max(0, top));
    area.right = Math.max(area.right, Math.min(width, left + box.width));
    area.bottom = Math.max(area.bottom, Math.min(height, top + box.height));
  }}
  return {{
    text: own.flatMap((block) => [text(block), ...valuesIn(block)]).join("\\n"),
    html: own.map(htmlWithValues).join("\\n"),
    trace: globalThis.awningEmulator?.trace() ?? [],
    area: area.right >= area.left ? area : null,
    size: [width, height],
  }};
}}"""
"""JavaScript that returns the text and HTML of the blocks with the values of their fields, the trace, and the rectangle
of the slot with its blocks."""


def play_again(visit: FailingVisit, folder: Path, dev: Callable[[int], str | None]) -> Replay:
    """Play the visit on a fresh page, and write what it recorded into `folder`.

    `dev` returns the address in `awning dev` of the page after a number of steps. Raises Playwright's Error when the
    browser is gone, and OSError when the folder cannot be written.
    """
    with open_again(visit.opened, width=visit.width, media=visit.media) as storefront:
        log = RequestLog(
            context=storefront.tab.page.context,
            other_hosts=storefront.other_hosts,
            shop=storefront.installed_app.url,
        )
        log.listen()
        storefront.tab.page.add_init_script(KEEP_DELIVERED)
        recorder = Recorder(storefront=storefront, slot=visit.address.slot, folder=folder, log=log)
        steps = list(recorder.play(visit))
        is_same = recorder.has_failed_as(visit, steps)
        sent = [log.sent_at(number)[:MOST_LINES] for number in range(len(steps))]
    failing = recorder.failing_step(visit, steps) if is_same else None
    if failing is not None and visit.problem and not steps[failing].has_problem:
        # Of a leaked global, for example, which no step brings: the page has it at the end.
        steps[failing] = replace(steps[failing], problems=[without_secrets(visit.problem)])
    own = [
        replace(step, dev=dev(number), requests=requests)
        for number, (step, requests) in enumerate(zip(steps, sent, strict=True))
    ]
    replay = Replay(
        address=visit.address.path,
        steps=own,
        failing=failing,
        is_same=is_same,
        notes=visit.notes,
        situation=visit.situation,
    )
    write_replay(replay, folder)
    return replay


@dataclass(slots=True, kw_only=True)
class Recorder:
    """Takes the steps of a visit, and looks at the page after each."""

    storefront: Storefront
    slot: str
    folder: Path
    log: RequestLog
    messages: list[str] = field(default_factory=list)
    """The messages of the console since the last look."""
    problems: list[PageProblem] = field(default_factory=list)
    """All problems so far."""
    problems_of_steps: list[list[PageProblem]] = field(default_factory=list)
    """The problems that each step brought."""
    event_count: int = 0
    updates: int = 0
    """How often an update was delivered so far."""
    pictures: dict[bytes, str] = field(default_factory=dict)
    """The names of the written files by their content."""

    def play(self, visit: FailingVisit) -> Iterator[ReplayStep]:
        """Yield the steps up to the one that is not possible."""
        address = visit.address
        self.storefront.tab.page.on("console", lambda message: self._on_console(message))  # noqa: PLW0108 - Playwright marks its owner
        actions = _in_few_steps(visit.actions())
        opening = PageAction(words="the page opens", take=lambda _: None)
        for number, action in enumerate([opening, *actions]):
            self.log.step = number
            act = partial(self._take, action) if number else partial(self.storefront.open_address, address)
            step = self._do(action, act, visit if number == len(actions) else None)
            yield step
            if step.failure or self.storefront.visit is None:
                return

    def has_failed_as(self, visit: FailingVisit, steps: Sequence[ReplayStep]) -> bool | None:
        """Return whether the page failed as in the test; None if that cannot be said."""
        is_same = self._has_failed_as(visit, steps)
        return None if is_same is False and visit.opened.has_earlier_page else is_same

    def _has_failed_as(self, visit: FailingVisit, steps: Sequence[ReplayStep]) -> bool | None:
        is_lost = steps[-1].failure is not None
        if visit.lost is None:
            if is_lost:
                return False
            is_same = visit.seen is not None and self._has_problem_of(visit)
            if is_same and (visit.problem or not visit.lacks):
                return True
            is_less = visit.seen is None or self.updates < visit.seen.updates
            return None if is_same or is_less else False
        if is_lost or isinstance(visit.lost, PageLeft):
            return is_lost or self._is_left(visit)
        return False if visit.is_complete else None

    def _has_problem_of(self, visit: FailingVisit) -> bool:
        """Return whether the page has the problem of the test; of another failure, whether the block shows the same."""
        page = self.storefront.visit
        if page is None:
            return False
        if visit.problem is not None:
            return any(is_same_cause(visit.problem, problem) for problem in page.problems())
        return visit.seen is not None and page.text() == visit.seen.text

    def _is_left(self, visit: FailingVisit) -> bool:
        path = visit.address.path.partition("?")[0]
        return not urlsplit(self.storefront.tab.page.url).path.endswith(f"/{path}")

    def failing_step(self, visit: FailingVisit, steps: Sequence[ReplayStep]) -> int | None:
        """Return the index of the step at which the page fails: that with the problem, else the last."""
        last = len(steps) - 1
        if visit.problem is None or steps[-1].failure:
            return last
        with_problem = (
            number
            for number, problems in enumerate(self.problems_of_steps)
            if any(is_same_cause(visit.problem, problem) for problem in problems)
        )
        return next(with_problem, last)

    def _take(self, action: PageAction) -> None:
        if self.storefront.visit:
            action.take(self.storefront.visit)

    def _do(self, action: PageAction, act: Callable[[], object], last_of: FailingVisit | None) -> ReplayStep:
        """Take a step and look at the page. After the last one of a visit, wait for the problem of the test."""
        tab, failure = self.storefront.tab, None
        words = shorten(without_secrets(self._words(action)), LONGEST_WORDS)
        try:
            ms = LIMITS_OF_A_STEP * tabs.LOAD_TIMEOUT_MS * action.count + (AGAIN_MS if last_of else 0)
            with ends_within(tab.page.context, ms=ms):
                act()
                if last_of is not None and last_of.lost is None:
                    self._await(last_of)
        except (StepFailed, NotInTheStore, Stuck, NeverEnds) as error:
            failure = str(error)
        except Error as error:
            failure = error.message.partition("\n")[0]
        try:
            step = ReplayStep(words=words) if tab.stuck else self._look(words)
        except (Stuck, NeverEnds, Error) as error:
            failure, step = failure or str(error), ReplayStep(words=words)
        return replace(step, failure=failure and without_secrets(failure))

    def _words(self, action: PageAction) -> str:
        """Return the words of an action that is not taken yet; of an update, what it changes."""
        page = self.storefront.visit
        if not action.updates or page is None:
            return action.words
        try:
            delivered = page.tab.evaluate(DELIVERED, page.event)
        except (Stuck, Error):  # the action itself then says what is wrong
            return action.words
        words: list[str] = []
        for updated in action.updates:
            words.append(update_words(SLOTS[self.slot], delivered, updated) or "an update")
            delivered = json.dumps({"item": updated})
        return ", and at once ".join(words)

    def _await(self, visit: FailingVisit) -> None:
        end = monotonic() + AGAIN_MS / 1000
        while visit.seen is not None and not self._has_problem_of(visit) and monotonic() < end:
            self.storefront.tab.page.wait_for_timeout(POLL_MS)

    def _look(self, words: str) -> ReplayStep:
        tab, page = self.storefront.tab, self.storefront.visit
        if page:
            page.settle()
        selector = f".placeholder-{self.slot}"
        seen: dict[str, Any] = tab.evaluate(LOOK, [selector, f"{selector} {OWN_BLOCKS}"])
        problems = self._new_problems(seen["trace"])
        self.updates = update_count(seen["trace"])
        messages, self.messages = self.messages, []
        events = self._new_events(seen["trace"])
        return ReplayStep(
            words=words,
            text=shorten(without_secrets(seen["text"]), LONGEST_HTML),
            html=shorten(without_secrets(seen["html"]), LONGEST_HTML),
            events=events[:MOST_LINES],
            more_events=len(events[MOST_LINES:]),
            console=_lines(messages),
            problems=problems,
            picture=self._draw(seen),
        )

    def _new_events(self, trace: list[TraceEntry]) -> list[EventRow]:
        start = self.event_count if self.event_count <= len(trace) else 0  # another page was loaded
        self.event_count = len(trace)
        rows = event_rows(trace, self._errors())[start:]
        return [replace(row, detail=shorten(without_secrets(row.detail))) for row in rows]

    def _new_problems(self, trace: list[TraceEntry]) -> list[str]:
        earlier, self.problems = self.problems, page_problems(trace, self._errors(), ())
        new = list((Counter(self.problems) - Counter(earlier)).elements())
        self.problems_of_steps.append(new)
        console = [problem.text for problem in new if problem.kind is ProblemKind.CONSOLE]
        rest = [
            problem.text
            for problem in new
            if problem.kind is not ProblemKind.CONSOLE
            and not any(problem.headline in text for text in console)
        ]
        return _lines([*rest, *console])

    def _errors(self) -> list[str]:
        return self.storefront.visit.errors if self.storefront.visit else []

    def _draw(self, seen: dict[str, Any]) -> str:
        """Draw the slot's surroundings, and return the name of the file."""
        tab = self.storefront.tab
        with ends_within(tab.page.context, ms=SCREENSHOT_MS):
            picture = draw_area(tab.devtools, seen["area"], seen["size"])
        if picture not in self.pictures:
            self.pictures[picture] = name = f"step-{len(self.pictures)}.png"
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(picture)
        return self.pictures[picture]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type != "error":  # errors are among the problems
            self.messages.append(f"{message.type}: {message.text}")


def is_same_cause(cause: str, problem: PageProblem) -> bool:
    """Return whether a problem of the replay is the cause of the failure.

    Of a broken rule, the rule decides: the laboratory does not know the names of leaked globals. Of an error without a
    place, its type decides: Chromium has no stack for a body that it could not read later.
    """
    text = plain_error(problem.cause)
    rule, _, rest = cause.partition(" ")
    if rule in rule_ids():
        return text.partition(" ")[0] == rule
    return text == cause or (
        rest.startswith("at ") and re.match(rf"(\S+ )?{re.escape(rule)}: ", text) is not None
    )


def _in_few_steps(actions: list[PageAction]) -> list[PageAction]:
    """Return the actions, of which all but the last ones are one action."""
    count = len(actions) - MOST_STEPS
    if count <= 0:
        return actions

    def take_first(page: OpenedPage) -> None:
        for action in actions[: count + 1]:
            action.take(page)

    first = PageAction(words=f"the first {count + 1} steps", take=take_first, count=count + 1)
    return [first, *actions[count + 1 :]]


def _lines(texts: list[str]) -> list[str]:
    lines = [shorten(without_secrets(text), LONGEST_HTML) for text in texts[:MOST_LINES]]
    return [*lines, f"and {len(texts) - MOST_LINES} more"] if len(texts) > MOST_LINES else lines
