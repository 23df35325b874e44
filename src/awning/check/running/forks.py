"""The processes in which lives run: a fork for each life, so that no life changes the page of another.

Where a process cannot fork (Windows), each life has a page of its own, one after another.
"""

import contextlib
import json
import os
import select
import signal
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from awning.check.running.lives import Life
from awning.check.running.page import Answer, Page, calls_of, input_of_job

WALL_S = 30.0
"""The time after which a life is ended from outside. On a busy machine, a second of processor time can take many."""
MOST_AT_ONCE = 4
_LENGTH = 8
"""The bytes of a request's length, which is before the request."""

Calls = Sequence[Sequence[str]]


class _Fork:
    """A fork of this process. `running` counts the lives in it that have not answered."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.process = os.fork()
        if not self.process:
            try:  # a fork must not return into the loop of its parent
                os.setpgid(0, 0)
                work()
            finally:
                os._exit(0)
        with contextlib.suppress(OSError):
            os.setpgid(self.process, self.process)
        self.running = 0
        self.has_ended = False

    def end(self) -> None:
        """End the fork and its own forks. One without a running life ends by itself."""
        if self.has_ended:
            return
        self.has_ended = True
        if self.running:
            with contextlib.suppress(OSError):
                os.killpg(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


@dataclass(frozen=True, slots=True)
class _Running:
    """A life that runs in a fork and writes its answer to a pipe. `is_only` is whether no other life is in the fork."""

    pipe: int
    fork: _Fork
    is_only: bool

    def __post_init__(self) -> None:
        self.fork.running += 1

    def answer(self) -> Answer:
        parts: list[bytes] = []
        while select.select([self.pipe], [], [], WALL_S)[0]:
            part = os.read(self.pipe, 1 << 20)
            if not part:
                self.fork.running -= 1
                return json.loads(b"".join(parts) or b'{"ended": "it ends the engine"}')  # type: ignore[no-any-return]
            parts.append(part)
        self.fork.end()
        return {"ended": f"it runs for more than {WALL_S:g} s"}

    def end(self) -> None:
        os.close(self.pipe)
        if self.is_only:
            self.fork.end()


def _reap(options: int) -> None:
    """Wait for the forks of this process."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, options)[0]:
            pass


def _write(pipe: int, live: Callable[[], Answer]) -> None:
    """Write the answer of a life to a pipe, and close it."""
    try:
        text = json.dumps(live())
    except BaseException as error:  # noqa: BLE001
        text = json.dumps({"ended": f"it ends the engine: {error}".partition("\n")[0][:200]})
    with os.fdopen(pipe, "w", encoding="utf-8") as out, contextlib.suppress(OSError):
        out.write(text)


def _live(page: Page, job: Answer, beginning: str, calls: Calls) -> Answer:
    page.begin(job, beginning)
    return _delivered(page, calls)


def _delivered(page: Page, calls: Calls) -> Answer:
    page.deliver(calls)
    return page.answer()


class _Branch:
    """A fork in which the scripts of a job have run. It forks again for each life that begins in the same way."""

    def __init__(self, page: Page, job: Answer, beginning: str) -> None:
        self.requests, theirs = socket.socketpair()
        self.fork = _Fork(lambda: self._serve(page, job, beginning, theirs))
        theirs.close()

    def _serve(self, page: Page, job: Answer, beginning: str, requests: socket.socket) -> None:
        self.requests.close()
        page.begin(job, beginning)
        while True:
            length, pipes, _, _ = socket.recv_fds(requests, _LENGTH, 1)
            if not pipes:
                break
            calls = json.loads(requests.recv(int.from_bytes(length, "big"), socket.MSG_WAITALL))
            if not os.fork():
                _write(pipes[0], partial(_delivered, page, calls))
                os._exit(0)
            os.close(pipes[0])
            _reap(os.WNOHANG)
        _reap(0)

    def life(self, calls: Calls) -> _Running:
        reading, writing = os.pipe()
        request = json.dumps(calls).encode()
        with contextlib.suppress(OSError):
            socket.send_fds(self.requests, [len(request).to_bytes(_LENGTH, "big")], [writing])
            self.requests.sendall(request)
        os.close(writing)
        return _Running(reading, self.fork, is_only=False)

    def end(self) -> None:
        with contextlib.suppress(OSError):
            self.requests.shutdown(socket.SHUT_RDWR)  # other forks have this socket, too
        self.requests.close()
        self.fork.end()


@dataclass(slots=True)
class Lives:
    """Runs the lives of one job. `fork` is whether they run in forks."""

    page: Page
    job: Answer
    fork: bool
    branches: dict[str, _Branch | None] = field(default_factory=dict)
    """By what the page gets before its scripts run: None after one life, a branch for further ones."""

    def run(self, lives: Iterable[Life], head: str) -> Iterator[tuple[Life, Answer]]:
        """Yield lives and their answers, in the order of the lives. Some forks run at once."""
        if not self.fork:
            for life in lives:
                yield life, _live(Page(self.page.code, self.page.seconds), self.job, *self._given(life, head))
            return
        running: list[tuple[Life, _Running]] = []
        at_once = min(os.cpu_count() or 1, MOST_AT_ONCE)
        waiting = iter(lives)
        try:
            while True:
                while len(running) < at_once and (started := next(waiting, None)) is not None:
                    running.append((started, self._forked(*self._given(started, head))))
                if not running:
                    return
                life, process = running[0]
                answer = process.answer()
                del running[0]
                process.end()
                yield life, answer
        finally:
            for _, process in running:
                process.end()

    def _given(self, life: Life, head: str) -> tuple[str, Calls]:
        return input_of_job(self.job, life, head), calls_of(self.job, life)

    def _forked(self, beginning: str, calls: Calls) -> _Running:
        branch = self.branches.get(beginning)
        if beginning in self.branches and (branch is None or branch.fork.has_ended):
            branch = self.branches[beginning] = _Branch(self.page, self.job, beginning)
        if branch is not None:
            return branch.life(calls)
        self.branches[beginning] = None
        reading, writing = os.pipe()
        fork = _Fork(lambda: _write(writing, lambda: _live(self.page, self.job, beginning, calls)))
        os.close(writing)
        return _Running(reading, fork, is_only=True)

    def close(self) -> None:
        for branch in self.branches.values():
            if branch is not None:
                branch.end()
        self.branches.clear()
