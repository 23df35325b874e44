"""Starts esbuild right after its bytes are checked, for one request or for many.

Only `EsbuildProcess` starts esbuild to do work, and checks a pinned binary right before. So the time in which somebody
could replace the file between check and start is as short as possible.
"""

import os
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from awning.bundle.protocol import UINT, Garbled, Value, answer_packet, packet_of, request_packet
from awning.errors import ProgramUnusable
from awning.programs import Binary, unusable, verify

GRACE_S = 1.0
POLL_S = 0.01
"""The interval in seconds at which the checkpoint of a rebuild is called."""
MOST_PACKET = 2**31
"""The maximum length of a packet in bytes, which no build reaches. A larger length means that another program has
answered.
"""


def build(esbuild: Binary, request: Value) -> Value:
    """Start esbuild, send one request, and return the answer.

    Raises ProgramUnusable when esbuild does not start or does not answer.
    """
    process = EsbuildProcess(esbuild)
    try:
        return process.ask(request)
    finally:
        process.end()


class EsbuildProcess:
    """A running esbuild that answers one request after the other, until `end`.

    A `resident` process collects garbage. A process for one request does not do so before it has used 2 GiB.
    """

    def __init__(self, esbuild: Binary, *, resident: bool = False) -> None:
        """Verify esbuild, if it is pinned, and start it.

        Raises ProgramUnusable when the hash of the binary differs, or the binary cannot be read or started.
        """
        verify(esbuild)
        self._esbuild = esbuild
        self._requests = 0
        self._unread: set[int] = set()
        """The numbers of the requests that cancel a rebuild. Their answers are skipped when they arrive."""
        self._writing = threading.Lock()
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - `end` closes it
        try:
            self._process = subprocess.Popen(
                [esbuild.path, f"--service={esbuild.version}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                env=_environment(resident=resident),
            )
        except OSError as error:
            self._stderr.close()
            raise unusable(esbuild, error.strerror or str(error)) from error
        self._is_begun = False

    def ask(self, request: Value) -> Value:
        """Send a request and return its answer. The answer to a rebuild is the result that esbuild reports at the end.

        Raises ProgramUnusable when there is no answer.
        """
        number = self._send(request)
        try:
            return self._answer(number)
        except (OSError, EOFError, Garbled) as error:
            raise self._silent(str(error)) from error

    def rebuild(self, key: int, checkpoint: Callable[[], object]) -> Value:
        """Ask for a rebuild of the context `key`, and return the answer. The rebuild can be cancelled.

        `checkpoint` is called again and again while esbuild works. An exception that it raises cancels the rebuild and
        is raised here; later requests are answered as usual. Raises ProgramUnusable as `ask` does.
        """
        number = self._send({"command": "rebuild", "key": key})
        answers: list[Value] = []
        errors: list[Exception] = []

        def wait() -> None:
            try:
                answers.append(self._answer(number))
            except (OSError, EOFError, Garbled) as error:
                errors.append(error)

        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        try:
            checkpoint()
            while waiting.is_alive():
                waiting.join(POLL_S)
                checkpoint()
        except BaseException:
            self._unread.add(self._requests)
            self._send({"command": "cancel", "key": key})
            waiting.join()
            raise
        if errors:
            raise self._silent(str(errors[0])) from errors[0]
        return answers[0]

    def _send(self, request: Value) -> int:
        """Write a request and return its number."""
        number, self._requests = self._requests, self._requests + 1
        self._write(request_packet(number, request))
        return number

    def _answer(self, number: int) -> Value:
        if not self._is_begun:
            _packet(self._stdout)  # the first packet is the binary's version
            self._is_begun = True
        result: Value = None
        while True:
            packet = packet_of(_packet(self._stdout))
            if not packet.is_answer:
                # esbuild reports the result of a context in a request of its own, and waits for the answer to it.
                result = packet.value
                self._write(answer_packet(packet.number, {"errors": [], "warnings": []}))
            elif packet.number == number:
                return packet.value if result is None else result
            elif packet.number in self._unread:
                self._unread.discard(packet.number)
            else:
                raise Garbled("an answer to another request")

    def _write(self, packet: bytes) -> None:
        assert self._process.stdin is not None  # noqa: S101 - for the type checker: stdin is a pipe
        with self._writing, suppress(BrokenPipeError):  # the process ended; the reader reports why
            self._process.stdin.write(packet)
            self._process.stdin.flush()

    @property
    def _stdout(self) -> IO[bytes]:
        assert self._process.stdout is not None  # noqa: S101 - as above
        return self._process.stdout

    def _silent(self, reason: str) -> ProgramUnusable:
        """Return the error for a missing answer. Its reason is esbuild's stderr or, if that is empty, `reason`."""
        _wait_or_kill(self._process)
        self._stderr.seek(0)
        message = self._stderr.read(2000).decode(errors="replace").strip()
        return unusable(self._esbuild, message or reason or f"ended with {self._process.returncode}")

    def end(self) -> None:
        """Kill esbuild, even if it hangs. Closing its stdin would end only a process that still reads it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._stderr):
            if pipe is not None:
                with suppress(OSError):  # closing flushes buffered data, but the process has ended
                    pipe.close()


def _environment(*, resident: bool) -> dict[str, str]:
    """Return the environment of esbuild, without anything that could change its output.

    In a process for one build the garbage collector is off up to 2 GiB, as on esbuild's own command line (1000 entry
    points: 242 ms instead of 486). A resident process collects garbage rarely, which makes a rebuild of one widget a
    quarter faster.
    """
    names = ("SYSTEMROOT", "TMP", "TEMP", "TMPDIR")
    own = {name: os.environ[name] for name in names if name in os.environ}
    return own | (
        {"GOGC": "400", "GOMEMLIMIT": "512MiB"} if resident else {"GOGC": "off", "GOMEMLIMIT": "2GiB"}
    )


def _packet(stdout: IO[bytes]) -> bytes:
    """Read one packet, and return it without its length. Raises Garbled or EOFError when there is no whole packet."""
    (length,) = UINT.unpack(_exactly(stdout, UINT.size))
    if length > MOST_PACKET:
        raise Garbled("not esbuild's packets")
    return _exactly(stdout, length)


def _exactly(stdout: IO[bytes], size: int) -> bytes:
    content = stdout.read(size)
    if len(content) != size:
        raise EOFError
    return content


def _wait_or_kill(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that has closed its stdout, and kill it if it does not end.

    The process is not killed at once, because its own exit code is more useful.
    """
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
