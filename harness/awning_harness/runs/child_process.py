"""Runs another process to its end, also when this one is interrupted.

A run of the tests has processes and browsers of its own. If it were killed, they would go on without it.
"""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from awning.cli.termination import Terminated

TERMINAL = "/dev/tty"
STDERR = 2
"""The number of standard error."""


def run_to_end(
    command: Sequence[str], *, cwd: Path, environ: Mapping[str, str], to_stderr: bool = False
) -> int:
    """Run a command, and return its exit code. With `to_stderr`, what it prints goes to standard error.

    On KeyboardInterrupt, the process is interrupted once: by this function, if the terminal does not do it. When the
    process has ended, the exception is raised again. A second KeyboardInterrupt kills the process.
    """
    stdout = STDERR if to_stderr else None
    with subprocess.Popen(command, cwd=cwd, env=environ, stdout=stdout) as process:
        try:
            return process.wait()
        except KeyboardInterrupt as interruption:
            if isinstance(interruption, Terminated) or not _is_interrupted_by_the_terminal():
                process.send_signal(signal.SIGINT)
            try:
                process.wait()
            except KeyboardInterrupt:
                process.kill()
            raise


def _is_interrupted_by_the_terminal() -> bool:
    """Return whether Ctrl-C reaches all processes of this process's group, because they are in the foreground."""
    if os.name == "nt":
        return True
    try:
        terminal = os.open(TERMINAL, os.O_RDONLY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
