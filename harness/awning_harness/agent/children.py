"""Runs a part of awning in a process of its own: with a time limit, and without what the environment may hold secret.

An author's tests and scripts run there. When the agent goes, or the time is over, the process goes, too, with all
processes of its session. A program that begins a session of its own (`setsid`) stays.
"""

import asyncio
import os
import re
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from awning.diagnostics import printable_lines
from awning.errors import ConfigurationError

HANDED_ON = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|TERM|CI|NO_COLOR|SOURCE_DATE_EPOCH"
    r"|XDG_\w+_(?:HOME|DIR|DIRS)|VIRTUAL_ENV|PYTHON(?:PATH|HOME|UTF8|IOENCODING|DONTWRITEBYTECODE)"
    r"|LD_LIBRARY_PATH|DISPLAY|WAYLAND_DISPLAY|PLAYWRIGHT_BROWSERS_PATH"
    r"|AWNING_(?:BROWSER|ESBUILD|TYPESCRIPT|PROFILE)|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|USERPROFILE|COMSPEC|PATHEXT"
)
"""The variables that a child gets. Any other may be a key, and nothing that a child does needs one."""

LAST_LINES = 20
GRACE_S = 10.0
"""How long a child that is interrupted may clean up, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a child ended: its exit code, its standard output, and the last lines of its standard error."""

    code: int
    out: str
    last: str


def handed_on(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a child gets."""
    return {name: value for name, value in environ.items() if HANDED_ON.fullmatch(name)}


async def run_child(code: str, arguments: Sequence[str], *, root: Path, seconds: float) -> Finished:
    """Run Python code in a process in the folder of the workspace, and wait for its end.

    Raises ConfigurationError when it takes longer than `seconds`. It is then ended, and so is it when the caller is
    cancelled.
    """
    # -P keeps a file of the workspace, such as awning.py, from taking the place of a module.
    command = (sys.executable, "-P", "-c", code, *arguments)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=root,
            env=handed_on(os.environ),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            await asyncio.wait_for(process.wait(), seconds)
        except TimeoutError:
            message = f"it took more than {seconds:g} seconds and was ended"
            raise ConfigurationError(message, hint="choose fewer, or allow more seconds") from None
        finally:
            await _end(process)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    last = printable_lines("\n".join(texts[1].strip().splitlines()[-LAST_LINES:]))
    return Finished(code=process.returncode or 0, out=texts[0], last=last)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Interrupt a process that still runs, as Ctrl-C does, then kill it and all processes of its session."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            process.send_signal(signal.SIGINT)
        with suppress(TimeoutError):
            await asyncio.shield(asyncio.wait_for(process.wait(), GRACE_S))
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.returncode is None:
        await asyncio.shield(process.wait())
