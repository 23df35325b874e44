"""The child process: reads jobs as lines of JSON and runs each page in a QuickJS context of its own.

A job is `{"scripts", "input", "hosts"}`; the result is `{"rules", "trace", "failed"}` or `{"ended": reason}`.
"""

import json
import resource
import sys
from pathlib import Path

import quickjs

MEMORY = 64 * 1024 * 1024
SECONDS = 2
STACK = 1024 * 1024
TASKS = 400
PAGE = Path(__file__).with_name("page.js").read_text(encoding="utf-8")


class Page:
    def __init__(self, emulator: str, job: dict) -> None:
        self.context = quickjs.Context()
        self.context.set_memory_limit(MEMORY)
        self.context.set_time_limit(SECONDS)
        self.context.set_max_stack_size(STACK)
        self.context.eval(f"globalThis.__input = {json.dumps(job['input'])};")
        for code in (PAGE, emulator, "__page.watch()"):
            self.call(code)

    def call(self, code: str) -> object:
        result = self.context.eval(code)
        while self._microtask():
            pass
        return result

    def _microtask(self) -> bool:
        """Run one microtask. An exception ends only the microtask, as in a browser. A limit ends the page."""
        try:
            return self.context.execute_pending_job()
        except quickjs.JSException as error:
            if any(limit in str(error) for limit in ("interrupted", "out of memory")):
                raise
            return True

    def drain(self) -> None:
        for _ in range(TASKS):
            if not self.call("__page.task()"):
                return


def live(emulator: str, job: dict) -> dict:
    """Run one life of a page: its scripts, the ready event, the events of the slots, timers, actions of a shopper."""
    page = Page(emulator, job)
    for script in job["scripts"]:
        page.call(f"__page.run({json.dumps(script)})")
    page.call("__page.ready()")
    page.drain()
    for host in job["hosts"]:
        page.call(f"__page.host({json.dumps(host)})")
        page.drain()
    page.call("__page.act()")
    page.drain()
    result = json.loads(str(page.call("__page.result()")))
    if "out of memory" in (result["failed"] or ""):
        raise MemoryError("out of memory")
    return result


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    emulator = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        try:
            answer = live(emulator, json.loads(line))
        except (quickjs.JSException, MemoryError) as error:
            answer = {"ended": (str(error) or type(error).__name__).splitlines()[0]}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
