"""A child process that answers one line of JSON to each line of JSON: for the authors' scripts, which need limits.

It is outside of the packages, because the check and the migrations of app data each have such a child.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Timer
from typing import IO, Any, cast

SECRETS = ("AWNING_", "PG")
"""How the names of the variables begin that the child does not get."""


@dataclass(slots=True, kw_only=True)
class LineProcess:
    """A Python module that runs as a child process. If it had to be ended, a new one is started for the next line.

    `first` is the line that a new child gets first, as a JSON value, if any. `seconds` is the time after which the
    child is ended because it does not answer. Use it in one thread at a time.
    """

    module: str
    seconds: float
    first: Any = None
    arguments: Sequence[str] = ()
    process: "subprocess.Popen[str] | None" = field(default=None, init=False)

    def ask(self, text: str) -> Any:
        """Send one line of JSON, and return the decoded answer; None when the child did not answer."""
        process = self._started()
        to_child, from_child = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
        timer = Timer(self.seconds, process.kill)
        timer.start()
        try:
            to_child.write(f"{text}\n")
            to_child.flush()
            line = from_child.readline()
        except OSError:
            line = ""
        finally:
            timer.cancel()
        if not line.endswith("\n"):
            self.close()
            return None
        return json.loads(line)

    def _started(self) -> "subprocess.Popen[str]":
        if self.process is not None and self.process.poll() is not None:
            self.close()
        if self.process is None:
            self.process = subprocess.Popen(
                # Without `-P`, Python would import modules from the folder in which awning is called.
                (sys.executable, "-P", "-m", self.module, *self.arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                env=_without_secrets(os.environ),
            )
            if self.first is not None:
                cast("IO[str]", self.process.stdin).write(json.dumps(self.first) + "\n")
        return self.process

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@lru_cache(maxsize=1)
def missing_engine() -> str | None:
    """Return why no child can run scripts on this machine; None if it can."""
    return None if importlib.util.find_spec("_quickjs") else "there is no quickjs-ng for this machine"


def _without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if not name.startswith(SECRETS)}
