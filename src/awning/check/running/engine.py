"""The child process in which scripts run. It is started for the first script, and kept until this process ends."""

import atexit
import json
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any

from awning.bundle.emulator import emulator_defines
from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.errors import AwningError
from awning.jsrc import jsrc_root
from awning.line_process import LineProcess

SECONDS = 120.0
"""The time after which the child is ended because it does not answer. The limit of one life is shorter (`forks.py`)."""

CALL_SECONDS = 1.0
"""The processor time of one call into QuickJS."""

MOST_KNOWN = 200

WITHOUT_FORK = "--without-fork"
MODULE = "awning.check.running.worker"


class NoEngine(Exception):
    """Raised when no script can be run on this machine. The text says why."""


@lru_cache(maxsize=1)
def page_script() -> str:
    """Return the page of `jsrc/running`, with the emulator, the runtime and jQuery, as one script.

    Raises NoEngine.
    """
    jsrc = jsrc_root()
    request = BundleRequest(
        entry_points=(EntryPoint(name="page", path=jsrc / "running" / "index.ts"),),
        root=jsrc,
        jsrc=jsrc,
        defines={
            "AWNING_GLOBAL": "globalThis.svcPlugins",
            "AWNING_EVENT_PREFIX": "globalThis.__prefix",
            "AWNING_IGNORE_GLOBALS": "true",
            **emulator_defines(),
        },
        minify=False,
        source_maps=False,
        target=("es2022",),
    )
    try:
        return bundle(find_esbuild(), request).outputs["page"].code.decode()
    except AwningError as error:
        raise NoEngine(str(error)) from error


@dataclass(slots=True)
class Engine:
    """A child process that judges one script after the other. If it had to be ended, a new one is started.

    With `fork`, the child forks for each life of a page, if it can (`forks.py`). `seconds` is the processor time of one
    call into QuickJS.
    """

    fork: bool = True
    seconds: float = CALL_SECONDS
    lock: Lock = field(default_factory=Lock)
    known: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The verdicts about the last jobs. Widgets often have the same script."""
    child: LineProcess | None = None

    def verdict(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return the verdict about a job (`jobs.job_of`). Raises NoEngine."""
        text = json.dumps(job)
        with self.lock:
            answer = self.known.get(text) or self._ask(text)
            if answer is None:
                return {"findings": [], "left": {"what it does: the engine did not answer": 0}}
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[text] = answer
        return answer

    def difference(self, before: dict[str, Any], after: dict[str, Any]) -> str:
        """Return what differs between the pages of two jobs, in words; empty if they are the same. Raises NoEngine."""
        with self.lock:
            answer = self._ask(json.dumps({"before": before, "after": after}))
        return "the engine did not answer" if answer is None else str(answer["difference"])

    def _ask(self, job: str) -> dict[str, Any] | None:
        if self.child is None:
            arguments = (str(self.seconds), *([] if self.fork else [WITHOUT_FORK]))
            self.child = LineProcess(module=MODULE, first=page_script(), seconds=SECONDS, arguments=arguments)
        answer: dict[str, Any] | None = self.child.ask(job)
        return answer

    def close(self) -> None:
        if self.child is not None:
            self.child.close()


@lru_cache(maxsize=1)
def engine() -> Engine:
    """Return the engine of this process. Its child is ended with this process."""
    started = Engine()
    atexit.register(started.close)
    return started
