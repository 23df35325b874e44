"""Starts esbuild for one request, right after its bytes are checked.

One function checks and starts the binary, so no other code starts it, and the time in which the file could be replaced
is as short as possible.
"""

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

from awning.bundle.find import Esbuild
from awning.bundle.pin import VERSION
from awning.bundle.protocol import UINT, Garbled, Value, answer_value, request_packet
from awning.errors import EsbuildUnusable

GRACE_S = 1.0
MOST_PACKET = 2**31
"""The most bytes of a packet, more than any build returns. A larger length means that another program has answered."""


def build(esbuild: Esbuild, request: Value) -> Value:
    """Start esbuild, send one request, and return the answer. Raises EsbuildUnusable when there is no answer."""
    with _running(esbuild) as (stdin, stdout):
        try:
            with suppress(BrokenPipeError):  # the process has ended; its output is read below
                stdin.write(request_packet(0, request))
                stdin.flush()
            _packet(stdout)  # the first packet is the binary's version
            _, value = answer_value(_packet(stdout))
        except (OSError, EOFError, Garbled) as error:
            raise _Silent(str(error)) from error
        return value


class _Silent(Exception):
    """esbuild has sent no answer. Its stderr may have the reason."""


@contextmanager
def _running(esbuild: Esbuild) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    _verify(esbuild)
    with tempfile.TemporaryFile() as stderr:
        try:
            process = subprocess.Popen(
                [esbuild.path, f"--service={esbuild.version}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=_environment(),
            )
        except OSError as error:
            raise _unusable(esbuild, error.strerror or str(error)) from error
        try:
            assert process.stdin is not None  # noqa: S101 - both are pipes: this tells the type checker
            assert process.stdout is not None  # noqa: S101
            yield process.stdin, process.stdout
        except _Silent as silent:
            _wait_or_kill(process)
            stderr.seek(0)
            message = stderr.read(2000).decode(errors="replace").strip()
            raise _unusable(esbuild, message or str(silent) or f"ended with {process.returncode}") from silent
        finally:
            # End esbuild in any case. The process would also end when its stdin is closed.
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):  # closing flushes buffered data, but the process has ended
                        pipe.close()


def _verify(esbuild: Esbuild) -> None:
    """Check the hash of a pinned binary, which takes 6 ms for 11 MB.

    Raises EsbuildUnusable when the hash differs or the file cannot be read.
    """
    if esbuild.sha256 is None:
        return
    try:
        with esbuild.path.open("rb") as file:
            actual = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unusable(esbuild, error.strerror or str(error)) from error
    if actual != esbuild.sha256:
        raise EsbuildUnusable(
            f"{esbuild.path} is not the esbuild {esbuild.version} that awning was made with, so it was not run: "
            f"SHA-256 {actual}, expected {esbuild.sha256}",
            hint="install awning again (in a clone: remove .venv and run `python3 build.py`)",
        )


def _unusable(esbuild: Esbuild, reason: str) -> EsbuildUnusable:
    source = "AWNING_ESBUILD" if esbuild.origin == "AWNING_ESBUILD" else "the esbuild that came with awning"
    return EsbuildUnusable(
        f"esbuild does not run ({esbuild.path}): {reason}",
        hint=f"this is {source}; set AWNING_ESBUILD to an esbuild {VERSION} that runs on this machine",
    )


def _environment() -> dict[str, str]:
    """The environment of esbuild, without anything that could change its output.

    The process lives for one build, so its garbage collector is off up to a limit, as on esbuild's own command line
    (1000 entry points: 242 ms instead of 486).
    """
    names = ("SYSTEMROOT", "TMP", "TEMP", "TMPDIR")
    own = {name: os.environ[name] for name in names if name in os.environ}
    return own | {"GOGC": "off", "GOMEMLIMIT": "2GiB"}


def _packet(stdout: IO[bytes]) -> bytes:
    """One packet without its length."""
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
