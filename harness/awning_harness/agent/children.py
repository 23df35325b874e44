"""Runs a part of awning in a process of its own: with a time limit, and without what the environment may hold secret.

An author's tests and scripts run there. When the agent goes, or the time is over, the process goes, too, with all that
it started, its family, wherever that moved.

A process may leave its session (`setsid`) and its parent (a daemon). So on Linux each process of a family has a mark in
its environment, besides parents and session. Elsewhere parents and process groups must do. One that a service manager
starts, or on Linux one that also removes the mark, is not found.
"""

import asyncio
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import anyio

from awning.diagnostics import printable_lines
from awning.errors import ConfigurationError

MARK = "AWNING_AGENT_CHILD"
"""The variable whose value is the same in all processes of a family, and in no other process."""

MOST_ROUNDS = 20
"""How often new processes of a family are looked for while it is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process of this machine. `started` tells it from another with the same number."""

    pid: int
    parent: int
    group: int
    session: int
    started: str


def find_family(pid: int, mark: str, known: Sequence[Process] = ()) -> list[Process]:
    """Return what still runs of a child, of what it started, and of `known` processes."""
    running = list(_running())
    family = {each.pid: each for each in running if each in known or _belongs(each, pid, mark)}
    while more := [each for each in running if each.pid not in family and each.parent in family]:
        family.update((each.pid, each) for each in more)
    return list(family.values())


def kill_family(pid: int, mark: str, known: Sequence[Process] = ()) -> None:
    """Kill a child and its family, until nothing is left to kill."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(pid)], capture_output=True, check=False)
        return
    for _ in range(MOST_ROUNDS):
        family = find_family(pid, mark, known)
        if not family:
            return
        for each in family:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(each.pid, signal.SIGKILL)


def _belongs(process: Process, pid: int, mark: str) -> bool:
    is_own = pid in {process.pid, process.group, process.session}
    return is_own or f"{MARK}={mark}".encode() in _environment(process.pid)


def _environment(pid: int) -> Sequence[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:  # another user's, or not Linux
        return ()


def _running() -> Iterator[Process]:
    """Yield the processes of this machine that have not ended."""
    if sys.platform != "linux":
        command = ("ps", "-A", "-o", "pid=,ppid=,pgid=,stat=,lstart=")
        listed = subprocess.run(
            command, capture_output=True, text=True, check=False, env=_plain_environment()
        )
        for line in listed.stdout.splitlines():
            pid, parent, group, state, started = line.split(None, 4)
            if not state.startswith("Z"):
                yield Process(
                    pid=int(pid), parent=int(parent), group=int(group), session=int(group), started=started
                )
        return
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            # The name of the program is in parentheses, and may have spaces and parentheses.
            fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            state, parent, group, session = fields[:4]
            if state not in "ZX":
                yield Process(
                    pid=int(folder.name),
                    parent=int(parent),
                    group=int(group),
                    session=int(session),
                    started=fields[19],
                )


def _plain_environment() -> Mapping[str, str]:
    return {**os.environ, "LC_ALL": "C"}


HANDED_ON = re.compile(
    r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|TERM|CI|NO_COLOR|SOURCE_DATE_EPOCH"
    r"|XDG_\w+_(?:HOME|DIR|DIRS)|VIRTUAL_ENV|PYTHON(?:PATH|HOME|UTF8|IOENCODING|DONTWRITEBYTECODE)"
    r"|LD_LIBRARY_PATH|DISPLAY|WAYLAND_DISPLAY|PLAYWRIGHT_BROWSERS_PATH"
    r"|AWNING_(?:BROWSER|ESBUILD|TYPESCRIPT|PROFILE)|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|USERPROFILE|COMSPEC|PATHEXT"
)
"""The variables that a child gets. Any other may be a key, and nothing that a child does needs one."""

LAST_LINES = 20
LAST_BYTES = 100_000
"""The end of a child's standard error that is read for its last lines."""

MOST_BYTES = 100_000_000
"""The longest standard output of a child that is read."""

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
    cancelled. Raises it, too, when it writes more than `MOST_BYTES`.
    """
    # -P keeps a file of the workspace, such as awning.py, from taking the place of a module.
    command = (sys.executable, "-P", "-c", code, *arguments)
    mark = secrets.token_hex()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=root,
            env={**handed_on(os.environ), MARK: mark},
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
            await _end(process, mark)
        if os.fstat(out.fileno()).st_size > MOST_BYTES:
            raise ConfigurationError(f"it wrote more than {MOST_BYTES // 1_000_000} MB", hint="choose fewer")
        text, last = _last(out, MOST_BYTES), _last(err, LAST_BYTES)
    last = printable_lines("\n".join(last.strip().splitlines()[-LAST_LINES:]))
    return Finished(code=process.returncode or 0, out=text, last=last)


def _last(stream: BinaryIO, most: int) -> str:
    """Return the last bytes of a file as text."""
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - most))
    return stream.read().decode("utf-8", "replace")


async def _end(process: asyncio.subprocess.Process, mark: str) -> None:
    """Interrupt a process that still runs, as Ctrl-C does, then kill it and all that it started."""
    # Without a shield, a request that is cancelled is cancelled again at each `await`.
    with anyio.CancelScope(shield=True):
        family = find_family(process.pid, mark)
        try:
            if process.returncode is None and sys.platform != "win32":
                with suppress(ProcessLookupError, PermissionError):
                    process.send_signal(signal.SIGINT)
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), GRACE_S)
        finally:
            kill_family(process.pid, mark, family)
        if process.returncode is None:
            await process.wait()
