"""One life of a page in QuickJS, and the forks of this process in which lives run."""

import contextlib
import json
import os
import select
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import _quickjs  # type: ignore[import-not-found]

from awning.check.running.lives import Life, hosts_of, input_of

MEMORY = 96 * 1024 * 1024
SECONDS = 1.0
"""The processor time of one call into the engine."""
WALL_S = 10.0
"""The time after which a life is ended from outside."""
STACK = 512 * 1024
TASKS = 400
"""The most timers and requests that run in one phase of a life."""
JOBS = 3_000
"""The most promises that are settled in one life. An endless chain of them escapes the limit of time."""
MOST_AT_ONCE = 4

Answer = dict[str, Any]


class Ended(Exception):
    """Raised when a life is at a limit. The text says which."""


class Page:
    """The page of `jsrc/running` in a context of QuickJS, before its scripts run."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.context = _quickjs.Context()
        self.context.set_max_stack_size(STACK)
        self.context.eval(code)
        self.jobs = 0
        self.microtasks()

    def microtasks(self) -> None:
        """Run the microtasks. An exception ends only its own one."""
        while self.jobs <= JOBS:
            self.jobs += 1
            try:
                if not self.context.execute_pending_job():
                    return
            except _quickjs.JSException as error:
                _end_at_limit(error)
        raise Ended("it settles promises without an end")

    def call(self, code: str) -> Any:
        try:
            result = self.context.eval(code)
        except _quickjs.JSException as error:
            _end_at_limit(error)
            raise
        self.microtasks()
        return result

    def tell(self, method: str, value: object) -> None:
        self.call(f"__page.{method}({json.dumps(value)})")

    def script(self, program: Answer) -> None:
        self.tell("script", program["early"])
        error = ""
        try:
            self.context.eval(program["code"])
        except _quickjs.JSException as thrown:
            _end_at_limit(thrown)
            error = str(thrown).partition("\n")[0]
            unread = error.startswith("SyntaxError") or "stack overflow" in error
            if unread and not self.context.eval("__page.began()"):
                raise Ended(f"the engine cannot read it ({error})") from thrown
        self.tell("ended", error)

    def drain(self) -> None:
        for _ in range(TASKS):
            if not self.call("__page.task()"):
                return


def _end_at_limit(error: Exception) -> None:
    text = str(error)
    if "interrupted" in text:
        raise Ended(f"it runs for more than {SECONDS:g} s")
    if "out of memory" in text:
        raise Ended("it needs too much memory")


def live(page: Page, job: Answer, life: Life, head: str) -> Answer:
    """Run one life: the scripts, the ready event, the events of the slots, timers, what a shopper does."""
    page.context.set_memory_limit(MEMORY)
    page.context.set_time_limit(SECONDS)
    ended = ""
    try:
        page.tell("begin", {**input_of(life), **job["page"], "head": head})
        for program in job["programs"]:
            page.script(program)
        page.call("__page.afterScripts()")
        page.call("__page.ready()")
        page.drain()
        for host in hosts_of(life, job["page"]["prefix"]):
            page.tell("host", host)
            page.drain()
            for update in host["updates"][1:]:
                page.tell("update", [host["event"], update])
                page.drain()
        page.call("__page.act()")
        page.drain()
    except Ended as error:
        ended = str(error)
    page.context.set_memory_limit(2 * MEMORY)
    page.context.set_time_limit(SECONDS)
    return {**json.loads(page.context.eval("__page.result()")), "ended": ended}


@dataclass(frozen=True, slots=True)
class _Fork:
    """A fork that runs a life and writes the answer to a pipe."""

    process: int
    pipe: int

    def answer(self) -> Answer:
        parts: list[bytes] = []
        while select.select([self.pipe], [], [], WALL_S)[0]:
            part = os.read(self.pipe, 1 << 20)
            if not part:
                return json.loads(b"".join(parts) or b'{"ended": "it ends the engine"}')  # type: ignore[no-any-return]
            parts.append(part)
        return {"ended": f"it runs for more than {WALL_S:g} s"}

    def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        os.close(self.pipe)
        os.waitpid(self.process, 0)


def _forked(page: Page, job: Answer, life: Life, head: str) -> _Fork:
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return _Fork(process, reading)
    try:  # a fork must not return into the loop of its parent
        text = json.dumps(live(page, job, life, head))
    except BaseException as error:  # noqa: BLE001
        text = json.dumps({"ended": f"it ends the engine: {error}".partition("\n")[0][:200]})
    with os.fdopen(writing, "w", encoding="utf-8") as out, contextlib.suppress(OSError):
        out.write(text)
    os._exit(0)


def run_lives(page: Page, job: Answer, lives: Iterable[Life], head: str) -> Iterator[Answer]:
    """Yield the answers of lives, in their order. Some run at once; those that nobody waits for are ended.

    Where a process cannot fork (Windows), each life has a context of its own, one after another.
    """
    if not hasattr(os, "fork"):
        for life in lives:
            yield live(Page(page.code), job, life, head)
        return
    waiting = iter(lives)
    running: list[_Fork] = []
    at_once = min(os.cpu_count() or 1, MOST_AT_ONCE)
    try:
        while True:
            while len(running) < at_once and (next_life := next(waiting, None)) is not None:
                running.append(_forked(page, job, next_life, head))
            if not running:
                return
            answer = running[0].answer()
            running.pop(0).end()
            yield answer
    finally:
        for fork in running:
            fork.end()
