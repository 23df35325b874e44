"""Nested runs of Python, each in a process of its own that has begun with its imports done.

`python -m pytest` over a workspace imports pytest, Playwright and awning for more than a second, often for longer than
it tests. So a server imports them once, and forks itself for each run: `run_warm` is `subprocess.run` with the same
words, folder and variables, and `WarmProcess` is `subprocess.Popen`. What `awning test` starts is forked, too, and so
are the processes of pytest-xdist. A test of how processes start, or how they end, starts real ones.

    python warm_python.py SOCKET    the server; it ends when its standard input does
"""

import atexit
import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn, Self

AWNING = ("-c", "from awning.cli import main; main()")
"""The words after `python` that begin `awning`."""
IMPORTED = (
    "awning.cli.publish.apply",
    "awning.cli.publish.work",
    "awning.cli.verbs",
    "awning.pipeline.phases",
    "awning_harness.checks.collector",
    "awning_harness.checks.failing_page",
    "awning_harness.checks.planner",
    "awning_harness.checks.subject",
    "awning_harness.evidence",
    "awning_harness.fixtures.renderer",
    "awning_harness.replay.failing_visit",
    "awning_harness.run_report.writing",
    "awning_harness.runs.command",
    "awning_harness.shop",
    "awning_harness.testing",
    "awning_harness.visit.frames.widget",
    "awning_harness.visit.laboratory",
)
OF_EXTRAS = ("procrastinate", "psycopg")
"""Imported where they are installed."""
PLUGINS = ("awning_harness.run_report.summary", "awning_harness.runs.chosen_tests")
"""The plugins that `awning test` names with `-p`."""
FORKS = hasattr(os, "fork")
PROGRAM = """\
#!{python} -IS
import json, os, socket, sys

asked = socket.socket(socket.AF_UNIX)
asked.connect({path!r})
socket.send_fds(asked, [b"."], (0, 1, 2))
asked.sendall(json.dumps([[*{words!r}, *sys.argv[1:]], os.getcwd(), dict(os.environ)]).encode())
asked.shutdown(socket.SHUT_WR)
_pid, code = asked.makefile().read().splitlines()
sys.exit(int(code))
"""
"""A program that lets the server run `python` with some words and its own, and with its files."""


def run_warm(
    words: Sequence[object], cwd: Path, environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `python WORDS` in a folder. The words begin with `-m MODULE` or `-c CODE`."""
    command = [sys.executable, *map(str, words)]
    environ = dict(os.environ if environ is None else environ)
    if not FORKS:
        return subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    sys.audit("subprocess.Popen", sys.executable, command, str(cwd), None)  # a program starts (tiers.py)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        code = ask_for_process(server(), command, cwd, environ, (out.fileno(), err.fileno()))
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8"))
    return subprocess.CompletedProcess(command, code, *texts)


class WarmProcess:
    """`python WORDS` in a folder, by default that of this process, with pipes for its output and nothing to read."""

    def __init__(
        self, words: Sequence[object], environ: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> None:
        command = [sys.executable, *map(str, words)]
        sys.audit("subprocess.Popen", sys.executable, command, None, None)
        (out, to_out), (err, to_err) = os.pipe(), os.pipe()
        self._asked = begin_process(
            server(), command, cwd or Path.cwd(), environ or os.environ, (to_out, to_err)
        )
        for number in (to_out, to_err):
            os.close(number)
        self._answer = self._asked.makefile()
        self._reading = threading.Lock()
        self.pid = int(self._answer.readline())
        self.stdout, self.stderr = (os.fdopen(number, encoding="utf-8") for number in (out, err))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while the command runs. Any thread may ask: one waits, and another kills."""
        with self._reading:
            if self.returncode is None and select.select([self._asked], [], [], 0)[0]:
                self.returncode = int(self._answer.readline())
            return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None and not select.select([self._asked], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        code = self.poll()
        assert code is not None
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for the end, and return what the command wrote. A second call returns nothing."""
        if self.stdout.closed:
            return "", ""
        with ThreadPoolExecutor(2) as readers:
            texts = [readers.submit(file.read) for file in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        out, err = (text.result() for text in texts)
        self.__exit__()
        return out, err

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Wait for the end, and close what is open."""
        self.wait()
        for file in (self.stdout, self.stderr, self._answer, self._asked):
            file.close()


@cache
def folder_with_awning() -> str:
    """Return a folder, for the PATH of a shell, whose program `awning` is forked. Signals do not reach its command."""
    if not FORKS:
        return str(Path(sys.executable).parent)
    return str(_program("awning", server(), AWNING).parent)


def _program(name: str, path: str, words: Sequence[str] = ()) -> Path:
    program = Path(path).with_name(name)
    program.write_text(PROGRAM.format(python=sys.executable, path=path, words=words))
    program.chmod(0o755)
    return program


@cache
def server() -> str:
    """Start the server of this process, and return the path of its socket."""
    path = str(Path(tempfile.mkdtemp(prefix="awning-warm-"), "socket"))
    process = subprocess.Popen(
        [sys.executable, __file__, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    atexit.register(process.wait)
    atexit.register(process.stdin.close)
    assert process.stdout.readline() == "ready\n", "the server of warm_python.py has not started"
    process.stdout.close()
    return path


def ask_for_process(
    path: str, command: Sequence[str], cwd: Path, environ: Mapping[str, str], files: Sequence[int]
) -> int:
    """Let the server run a command with these files as standard output and error. Returns the exit code."""
    with begin_process(path, command, cwd, environ, files) as asked:
        _pid, code = asked.makefile().read().splitlines()
    return int(code)


def begin_process(
    path: str, command: Sequence[str], cwd: Path, environ: Mapping[str, str], files: Sequence[int]
) -> socket.socket:
    """Let the server begin a command. Returns a socket that yields its process number and later its exit code."""
    asked = socket.socket(socket.AF_UNIX)
    asked.connect(path)
    socket.send_fds(asked, [b"."], files)
    asked.sendall(json.dumps([command[1:], str(cwd), dict(environ)]).encode())
    asked.shutdown(socket.SHUT_WR)
    return asked


class _Imports:
    """A plugin of the server's own run of pytest, which imports what pytest rewrites in the way pytest does."""

    def pytest_collection(self, session: Any) -> bool:
        session.config.pluginmanager.rewrite_hook.mark_rewrite(*PLUGINS)
        for name in IMPORTED:
            import_module(name)
        for name in filter(find_spec, OF_EXTRAS):
            import_module(name)
        return True


def serve(path: str) -> None:
    """Answer until standard input ends."""
    import pytest  # noqa: PLC0415  only the server needs it

    with tempfile.TemporaryDirectory() as empty:
        Path(empty, "pytest.ini").write_text("[pytest]\n")
        options = ["-p", "no:cacheprovider", "-c", f"{empty}/pytest.ini", empty]
        with redirect_stdout(sys.stderr):
            code = pytest.main(options, plugins=[_Imports()])
    assert code == pytest.ExitCode.NO_TESTS_COLLECTED
    _program("python", path)
    base = [each for each in sys.path if Path(each) != Path(__file__).parent]
    gc.freeze()  # the runs need not look at what is imported
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for the runs
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, *_ = select.select([listener, sys.stdin], [], [])
            if listener not in ready:
                break
            asked, _ = listener.accept()
            with asked:
                if not os.fork():
                    listener.close()
                    _answer(asked, path, base)
    shutil.rmtree(Path(path).parent)


def _answer(asked: socket.socket, path: str, base: Sequence[str]) -> NoReturn:
    """Run what is asked for in another process, and answer with its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, files, _, _ = socket.recv_fds(asked, 1, 3)
    words, cwd, environ = json.loads(asked.makefile().read())
    process = os.fork()
    if process:
        for number in files:
            os.close(number)
        with suppress(OSError):  # who asked may be gone
            asked.sendall(f"{process}\n".encode())
        _, status = os.waitpid(process, 0)
        with suppress(OSError):
            asked.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os._exit(0)
    asked.close()
    if len(files) == 2:  # nothing to read
        files.insert(0, os.open(os.devnull, os.O_RDONLY))
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    # The server's own objects are for other kinds of files, which could be sought in.
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environ)
    sys.path[:] = [cwd, *base]
    _fork_runs_of_tests(path)
    _run(words)


def _fork_runs_of_tests(path: str) -> None:
    """Let `awning test` and pytest-xdist of this process fork the server, too, instead of starting a Python."""
    command: Any = import_module("awning_harness.runs.command")

    def run_to_end(
        words: Sequence[str], *, cwd: Path, environ: Mapping[str, str], to_stderr: bool = False
    ) -> int:
        return ask_for_process(path, words, cwd, environ, (2 if to_stderr else 1, 2))

    command.run_to_end = run_to_end
    gateway_io: Any = import_module("execnet.gateway_io")
    gateway_io.popen_args = lambda _: [f"{Path(path).parent}/python", "-c", gateway_io.popen_bootstrapline]


def _run(words: Sequence[str]) -> NoReturn:
    """Do what `python WORDS` does, and end this process."""
    option, program, *arguments = words
    sys.argv = [program if option == "-m" else "-c", *arguments]
    code: object = 0
    try:
        if option == "-m":
            runpy.run_module(program, run_name="__main__", alter_sys=True)
        else:
            exec(compile(program, "<string>", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        code = end.code or 0
    except BaseException:  # noqa: BLE001  as Python itself does at its end
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    if not isinstance(code, int):
        sys.stderr.write(f"{code}\n")
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1])
