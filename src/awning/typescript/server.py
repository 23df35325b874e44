"""TypeScript's language server, over its pipe (LSP): asked for the problems of files, told which files have changed.

The server reads all files from disk. Only an empty script of the project is opened, because the server keeps a project
only as long as one of its files is open. Requests are sent ahead, so that the server works on several files at a time,
but only a few, so that neither side waits for the other to empty a pipe.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from awning.errors import ProgramUnusable
from awning.programs import Binary, unusable, verify
from awning.typescript.project import OPENED

MOST_AHEAD = 64
"""The maximum number of requests without an answer."""

MOST_SILENT_S = 60.0
"""The maximum number of seconds in which the server says nothing, or reads nothing, before it is ended."""

ERROR = 1
"""The severity of an error in LSP."""

MOST_HEADER = 4096
"""The maximum number of bytes of a line of a header, and of stderr that an error message quotes."""

CREATED, CHANGED, DELETED = 1, 2, 3
"""The kinds of a change of a file in LSP."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error that TypeScript reports. `line` and `column` count from 0, the column in UTF-16 units."""

    code: int
    message: str
    line: int
    column: int

    def offset(self, content: bytes) -> int:
        """Return the byte offset of the problem in the file that has this content."""
        lines = content.split(b"\n")[: self.line + 1]
        before = lines[-1].decode("utf-8", "replace").encode("utf-16-le", "surrogatepass")[: 2 * self.column]
        units = before.decode("utf-16-le", "replace").encode()
        return sum(len(line) + 1 for line in lines[:-1]) + len(units)


class LanguageServer:
    """A running language server for the project in `folder`, until `end`. Use it in one thread at a time."""

    def __init__(self, binary: Binary, folder: Path) -> None:
        """Verify TypeScript, if it is pinned, and start it.

        Raises ProgramUnusable when its files differ from the pinned ones, or it cannot be started.
        """
        verify(binary)
        self._binary, self._folder = binary, folder
        self._requests = 0
        self._answers: dict[int, Any] = {}
        """The answers that came before they were waited for, by the number of their request."""
        self._skipped: set[int] = set()
        """The numbers of requests whose answers nobody waits for, since their check was cancelled."""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - `end` closes it
        try:
            self._process = subprocess.Popen(
                [binary.path, "--lsp", "--stdio"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                cwd=folder,
                env=_environment(),
                process_group=0,  # of its own, so that `_kill` also ends what a script in its place has started
            )
        except OSError as error:
            self._stderr.close()
            raise unusable(binary, error.strerror or str(error)) from error
        try:
            self._answer(self._ask("initialize", _initialization(folder)))
            self._tell("initialized", {})
            opened = {**self._document(OPENED)["textDocument"], "languageId": "typescript", "version": 1}
            self._tell("textDocument/didOpen", {"textDocument": {**opened, "text": ""}})
        except BaseException:
            self.end()
            raise

    def diagnose(
        self, paths: Sequence[str], checkpoint: Callable[[], object] = lambda: None
    ) -> Mapping[str, tuple[Problem, ...]]:
        """Return the errors of each file by path. Paths are relative to the folder of the project.

        `checkpoint` is called between two answers. If it raises an exception, that is raised here, and the answers that
        still come are skipped later. Raises ProgramUnusable when the server ends or does not answer as one.
        """
        problems: dict[str, tuple[Problem, ...]] = {}
        waiting: deque[tuple[str, int]] = deque()
        try:
            for path in paths:
                checkpoint()
                waiting.append((path, self._ask("textDocument/diagnostic", self._document(path))))
                if len(waiting) == MOST_AHEAD:
                    first, number = waiting.popleft()
                    problems[first] = _errors(self._answer(number))
            while waiting:
                checkpoint()
                first, number = waiting.popleft()
                problems[first] = _errors(self._answer(number))
        finally:
            self._skipped |= {number for _, number in waiting}
        return problems

    def has_changed(self, changes: Mapping[str, int]) -> None:
        """Tell the server which files are new, changed or gone. `changes` has absolute paths, and kinds of LSP."""
        if changes:
            events = [{"uri": Path(path).as_uri(), "type": kind} for path, kind in changes.items()]
            self._tell("workspace/didChangeWatchedFiles", {"changes": events})

    def end(self) -> None:
        """Kill the server."""
        self._kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._stderr):
            if pipe is not None:
                with suppress(OSError):  # closing flushes buffered data, but the process has ended
                    pipe.close()

    def _kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
        elif self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    @contextmanager
    def _limited(self) -> Iterator[None]:
        """Kill the server when the `with` block takes longer than `MOST_SILENT_S`, which ends its pipes.

        Raises ProgramUnusable in this case.
        """
        is_over = threading.Event()

        def end() -> None:
            is_over.set()
            self._kill()

        timer = threading.Timer(MOST_SILENT_S, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        except (OSError, EOFError, ValueError):
            if not is_over.is_set():
                raise
        finally:
            timer.cancel()
        if is_over.is_set():
            self._process.wait()
            reason = f"it does not answer: nothing came in {MOST_SILENT_S:g} seconds, so it was ended"
            raise unusable(self._binary, reason)

    def _document(self, path: str) -> dict[str, Any]:
        return {"textDocument": {"uri": (self._folder / path).as_uri()}}

    def _ask(self, method: str, parameters: Any) -> int:
        self._requests += 1
        self._write({"id": self._requests, "method": method, "params": parameters})
        return self._requests

    def _tell(self, method: str, parameters: Any) -> None:
        self._write({"method": method, "params": parameters})

    def _write(self, message: Mapping[str, Any]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None  # noqa: S101 - for the type checker: stdin is a pipe
        with self._limited(), suppress(BrokenPipeError):  # the server ended; the reader reports why
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(content), content))
            self._process.stdin.flush()

    def _answer(self, number: int) -> Any:
        """Return the result of a request. The server's own requests are answered on the way.

        Raises ProgramUnusable when the server ends or does not answer as one.
        """
        while number not in self._answers:
            try:
                with self._limited():
                    message = self._read()
            except (OSError, EOFError, ValueError) as error:
                raise self._silent(str(error)) from error
            if "method" in message:
                if "id" in message:
                    self._write({"id": message["id"], "result": _reply(message)})
            elif message.get("id") in self._skipped:
                self._skipped.discard(message["id"])
            elif "error" in message:
                raise self._silent(str(message["error"].get("message")))
            else:
                self._answers[message["id"]] = message["result"]
        return self._answers.pop(number)

    def _read(self) -> dict[str, Any]:
        """Return the next message. Raises EOFError at the end of the output, ValueError when it is no message."""
        stdout: IO[bytes] | None = self._process.stdout
        assert stdout is not None  # noqa: S101 - for the type checker: stdout is a pipe
        size = 0
        while line := stdout.readline(MOST_HEADER):
            name, _, value = line.partition(b":")
            if not name.strip():
                break
            size = int(value) if name.lower() == b"content-length" else size
        content = stdout.read(size)
        if not size or len(content) != size:
            raise EOFError
        message = json.loads(content)
        if not isinstance(message, dict):
            raise ValueError("no message")  # noqa: TRY004 - of data, not of an argument
        return message

    def _silent(self, reason: str) -> ProgramUnusable:
        """Return the error for a missing answer. Its reason is the server's stderr or, if that is empty, `reason`."""
        self._kill()
        code = self._process.wait()
        self._stderr.seek(0)
        message = self._stderr.read(MOST_HEADER).decode(errors="replace").strip()
        return unusable(self._binary, message or reason or f"ended with {code}")


def _initialization(folder: Path) -> dict[str, Any]:
    """Return the parameters of `initialize`. The client says that it reports changed files, so the server asks no
    system to watch folders.
    """
    return {
        "processId": None,
        "rootUri": folder.as_uri(),
        "capabilities": {
            "textDocument": {"diagnostic": {}},
            "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
        },
    }


def _reply(message: Mapping[str, Any]) -> Any:
    """Return the result of a request of the server, such as of one for configuration: the defaults."""
    items = message.get("params", {}).get("items") if isinstance(message.get("params"), dict) else None
    return [None] * len(items) if items else None


def _errors(result: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return the errors in an answer, without hints such as those about unused names."""
    return tuple(
        Problem(
            code=int(item["code"]),
            message=str(item["message"]),
            line=item["range"]["start"]["line"],
            column=item["range"]["start"]["character"],
        )
        for item in result["items"]
        if item.get("severity") == ERROR
    )


def _environment() -> dict[str, str]:
    """Return the environment of TypeScript, without anything that could change its results."""
    names = ("SYSTEMROOT", "TMP", "TEMP", "TMPDIR")
    return {name: os.environ[name] for name in names if name in os.environ}
