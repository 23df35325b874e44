"""The child process in which migrations run, and where in the author's files an error was thrown."""

import atexit
import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any

from awning.diagnostics import Place
from awning.errors import AwningError, ConfigurationError
from awning.line_process import LineProcess, missing_engine
from awning.source_map import SourceMap

MODULE = "awning.data_migration.worker"
SECONDS = 60.0
"""The time after which the child is ended because it does not answer. Its own limits are much shorter."""
LONGEST = 300
"""The most characters of an error's text."""
_FRAME = re.compile(r"\(<input>:(\d+):(\d+)\)")


class MigrationFailed(AwningError):
    """The function threw, or returned nothing that can be stored. `place` is the author's line, if that is known."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.place = place


@dataclass(slots=True, kw_only=True)
class MigrationEngine:
    """Runs the functions of one build.

    `code` is `migrations.js` of the build, `source_map` its source map, if there is one. Threads may share it.
    """

    code: str = field(repr=False)
    source_map: str | None = field(default=None, repr=False)
    _map: SourceMap | None = None

    def migrate(self, widget: str, stored: Any, version: int) -> Any:
        """Return what the widget's function makes of its stored data, which have this version.

        Raises MigrationFailed, and ConfigurationError when this machine has no engine.
        """
        try:
            return self._call(widget, json.dumps(stored), version)
        except RecursionError:
            raise MigrationFailed("the data nest too deeply") from None

    def examples(self, widget: str) -> Any:
        """Return the examples that the widget's file exports; [] without any. Raises as `migrate` does."""
        return self._call(widget, None, 0)

    def _call(self, widget: str, data: str | None, version: int) -> Any:
        missing = missing_engine()
        if missing is not None:
            raise ConfigurationError(
                f"app data cannot be migrated here: {missing}", hint="publish from Linux or another machine"
            )
        call = {"code": self.code, "widget": widget, "data": data, "version": version}
        child, lock = _child()
        with lock:
            answer = child.ask(json.dumps(call))
        if answer is None:
            raise MigrationFailed("it did not answer")
        if "error" in answer:
            message = str(answer["error"]).partition("\n")[0]
            text = message if len(message) <= LONGEST else f"{message[: LONGEST - 1]}…"
            raise MigrationFailed(text, self._place(str(answer.get("stack", ""))))
        return answer["value"]

    def _place(self, stack: str) -> Place | None:
        """Return the author's place of the innermost frame that the source map has."""
        if self.source_map is None:
            return None
        if self._map is None:
            try:
                self._map = SourceMap.read(self.source_map)
            except ValueError:
                return None
        places = (self._map.place(int(line), int(column)) for line, column in _FRAME.findall(stack))
        return next((place for place in places if place is not None), None)


@lru_cache(maxsize=1)
def _child() -> tuple[LineProcess, Lock]:
    """Return the child of this process, and the lock for it. It is started for the first call, and ends with it."""
    child = LineProcess(module=MODULE, seconds=SECONDS)
    atexit.register(child.close)
    return child, Lock()
