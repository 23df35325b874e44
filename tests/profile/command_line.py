"""`awning` in this process, as a user calls it.

code, out, err = run_awning(capfd, "build")
assert run_awning(capfd, "check", "--json").json["ok"]
"""

import asyncio
import json
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any, NamedTuple

import pytest

from awning.cli import main


class Result(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run_awning(capture: Any, *arguments: object) -> Result:
    """Run a command line. `capture` is the fixture `capfd` or `capsys`; what it has captured before is dropped."""
    capture.readouterr()
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    out, err = capture.readouterr()
    return Result(int(ended.value.code or 0), out, err)


def call_awning(*arguments: object) -> Result:
    """Run a command line where `capfd` is not: in a fixture of a module, or beside a page of Playwright's.

    Playwright's event loop is marked as running in this thread, and the command runs one of its own. What a child
    process prints is not in the result.
    """
    out, err, playwrights = StringIO(), StringIO(), asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
    finally:
        asyncio._set_running_loop(playwrights)
    return Result(int(ended.value.code or 0), out.getvalue(), err.getvalue())
