"""The page of `jsrc/running` in QuickJS, and one life of it, within limits of time and memory."""

import json
from collections.abc import Sequence
from typing import Any

import _quickjs  # type: ignore[import-not-found]

from awning.check.running.lives import Life, hosts_of, input_of

MEMORY = 96 * 1024 * 1024
STACK = 512 * 1024
TASKS = 400
"""The most timers and requests that run in one phase of a life."""
JOBS = 3_000
"""The most promises that are settled in one life. An endless chain of them escapes the limit of time."""

Answer = dict[str, Any]


class Ended(Exception):
    """Raised when a life is at a limit. The text says which."""


class Page:
    """The page of `jsrc/running` in a context of QuickJS, before its scripts run.

    `seconds` is the processor time of one call into QuickJS.
    """

    def __init__(self, code: str, seconds: float) -> None:
        self.code, self.seconds = code, seconds
        self.context = _quickjs.Context()
        self.context.set_max_stack_size(STACK)
        self.context.eval(code)
        self.jobs = 0
        self.pages: list[str] | None = None
        """The page after each event, if the job asks for it."""
        self.ended = ""
        """The limit at which the life has ended."""
        self._microtasks()

    def begin(self, job: Answer, beginning: str) -> None:
        """Run the scripts of a job and the ready event. `beginning` is what `input_of_job` returns."""
        self.context.set_memory_limit(MEMORY)
        self.context.set_time_limit(self.seconds)
        if job.get("keeps_pages"):
            self.pages = []
        try:
            self._call(f"__page.begin({beginning})")
            for program in job["programs"]:
                self._script(program)
            self._call("__page.afterScripts()")
            self._call("__page.ready()")
            self._drain()
        except Ended as error:
            self.ended = str(error)

    def deliver(self, hosts: Sequence[Sequence[str]]) -> None:
        """Fire the events of the slots (`calls_of`), then do what a shopper does."""
        try:
            for host in hosts if not self.ended else ():
                for call in host:
                    self._call(call)
                    self._drain()
                    self._keep_page()
            if not self.ended:
                self._call("__page.act()")
                self._drain()
                self._keep_page()
        except Ended as error:
            self.ended = str(error)

    def answer(self) -> Answer:
        self.context.set_memory_limit(2 * MEMORY)
        self.context.set_time_limit(self.seconds)
        answer = {**json.loads(self.context.eval("__page.result()")), "ended": self.ended}
        return answer if self.pages is None else {**answer, "pages": self.pages}

    def _keep_page(self) -> None:
        if self.pages is not None:
            self.pages.append(self.context.eval("__page.html()"))

    def _microtasks(self) -> None:
        """Run the microtasks. An exception ends only its own one."""
        while self.jobs <= JOBS:
            self.jobs += 1
            try:
                if not self.context.execute_pending_job():
                    return
            except _quickjs.JSException as error:
                self._end_at_limit(error)
        raise Ended("it settles promises without an end")

    def _call(self, code: str) -> Any:
        try:
            result = self.context.eval(code)
        except _quickjs.JSException as error:
            self._end_at_limit(error)
            raise
        self._microtasks()
        return result

    def _script(self, program: Answer) -> None:
        self._call(f"__page.script({json.dumps(program['early'])})")
        error = ""
        try:
            self.context.eval(program["code"])
        except _quickjs.JSException as thrown:
            self._end_at_limit(thrown)
            error = str(thrown).partition("\n")[0]
            unread = error.startswith("SyntaxError") or "stack overflow" in error
            if unread and not self.context.eval("__page.began()"):
                raise Ended(f"the engine cannot read it ({error})") from thrown
        self._call(f"__page.ended({json.dumps(error)})")

    def _drain(self) -> None:
        for _ in range(TASKS):
            if not self._call("__page.task()"):
                return

    def _end_at_limit(self, error: Exception) -> None:
        text = str(error)
        if "interrupted" in text:
            raise Ended(f"it runs for more than {self.seconds:g} s")
        if "out of memory" in text:
            raise Ended("it needs too much memory")


def input_of_job(job: Answer, life: Life, head: str) -> str:
    """Return what the page gets before its scripts run, as JSON. `head` is as in `jsrc/running`."""
    return json.dumps({**input_of(life), **job["page"], "head": head})


def calls_of(job: Answer, life: Life) -> list[list[str]]:
    """Return the calls of the page for each slot: the base event with its first update, then further updates."""
    calls = []
    for host in hosts_of(life, job["page"]["prefix"]):
        event = {"event": host["event"], "paths": host["paths"]}
        updates = [f"__page.update({json.dumps([event, update])})" for update in host["updates"][1:]]
        calls.append([f"__page.host({json.dumps(host)})", *updates])
    return calls
