"""All processes that one child has started, wherever they moved: to end them with it.

A process may leave its session (`setsid`) and its parent (a daemon). So on Linux each process of a family has a mark in
its environment, besides parents and session. Elsewhere parents and process groups must do. One that a service manager
starts, or on Linux one that also removes the mark, is not found.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

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
