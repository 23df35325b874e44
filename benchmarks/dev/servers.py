"""A dev server as a process: its start, its address, and the memory of it and its child processes."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

VITE = "8.3.8"


@dataclass(frozen=True, slots=True)
class Running:
    """A server that has printed its address. `started` is the time of its start in seconds since the epoch."""

    process: int
    url: str
    started: float

    def memory_mb(self) -> float:
        """Return the resident memory of the process and of all its descendants in MB, from Linux's /proc."""
        return sum(_resident_mb(process) for process in _family(self.process))


@contextmanager
def awning_dev(root: Path) -> Iterator[Running]:
    command = [str(Path(sys.executable).with_name("awning")), "dev", "--port", "0"]
    with _running(command, root, re.compile(r"All pages\s+(http\S+/)")) as running:
        yield running


@contextmanager
def vite(root: Path, binary: Path) -> Iterator[Running]:
    command = ["node", str(binary), "--port", "0", "--host", "127.0.0.1", "--clearScreen", "false"]
    with _running(command, root, re.compile(r"Local:\s+(http\S+/)")) as running:
        yield running


def install_vite(folder: Path) -> Path | None:
    """Install Vite with npm, which verifies it. Returns its program; None without Node.js or the registry."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        return None
    command = [npm, "install", "--no-fund", "--no-audit", "--prefix", str(folder), f"vite@{VITE}"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    return folder / "node_modules/vite/bin/vite.js"


@contextmanager
def _running(command: list[str], root: Path, address: re.Pattern[str]) -> Iterator[Running]:
    started = time.time()
    environ = {**os.environ, "NO_COLOR": "1"}
    process = subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ
    )
    try:
        yield Running(process.pid, _address(process, address), started)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: "subprocess.Popen[str]", address: re.Pattern[str]) -> str:
    """Return the address that the server prints. Raises RuntimeError when the server ends before that.

    The server's further output is read, so that the server never blocks.
    """
    assert process.stdout is not None
    printed = ""
    for line in process.stdout:
        printed += line
        match = address.search(line)
        if match:
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return match[1]
    raise RuntimeError(f"the server ended before it said its address: {printed}")


def _family(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task")
    children = [
        int(child)
        for task in (tasks.iterdir() if tasks.is_dir() else ())
        for child in (task / "children").read_text().split()
    ]
    return [process, *(member for child in children for member in _family(child))]


def _resident_mb(process: int) -> float:
    match = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(match[1]) / 1024 if match else 0.0
