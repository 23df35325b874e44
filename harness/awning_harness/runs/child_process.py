"""Runs another process to its end, also when this one is interrupted.

A run of the tests has processes and browsers of its own. If it were killed, they would go on without it.
"""

import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from awning.cli.termination import Terminated

OWN_END_S = 5.0
"""The seconds in which a process may end by itself after Ctrl-C, which it gets from the terminal, too."""


def run_to_end(command: Sequence[str], *, cwd: Path, environ: Mapping[str, str]) -> int:
    """Run a command, and return its exit code.

    On KeyboardInterrupt, the process is interrupted. When it has ended, the exception is raised again.
    """
    with subprocess.Popen(command, cwd=cwd, env=environ) as process:
        try:
            return process.wait()
        except KeyboardInterrupt as interruption:
            if not isinstance(interruption, Terminated):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=OWN_END_S)
            process.send_signal(signal.SIGINT)  # does nothing when the process has ended
            process.wait()
            raise
