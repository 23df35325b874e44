"""`awning` in this process, as a user calls it.

code, out, err = run_awning(capfd, "build")
assert run_awning(capfd, "check", "--json").json["ok"]
"""

import json
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
