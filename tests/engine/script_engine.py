"""Runs a script in a real engine: QuickJS in a child process, with the emulator, a small page and many payloads.

A verdict has the rules that break in some life of the page. No branch is forced, so each reported rule really breaks. A
rule that does not break may only lack an input (`engine_payloads`).
"""

import json
import random
import selectors
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine_payloads import Life, combined, first_lives, hosts_of, input_of

WORKER = Path(__file__).with_name("worker.py")
RULES = frozenset({
    "init-once", "init-early", "updated-pair", "unknown-event",
    "document-write", "no-eval", "sync-xhr", "early-dom",
})  # fmt: skip
"""The rules that the page or the emulator can report. `early-dom` is an exception in a script of the head."""
SECONDS = 60
"""The time limit of a life in seconds, after which the child process is ended. The engine has a limit of its own, two
seconds of processor time, but a regular expression ignores that limit."""
LIVES = 40
"""The most lives of one script, unless a call names another number."""


@dataclass(frozen=True, slots=True)
class EngineVerdict:
    """The broken rules, the number of lives, and why a life ended early: a limit or the first exception."""

    rules: frozenset[str]
    lives: int
    ended: str = ""


class Engine:
    """A child process that runs one page after the other. If it had to be ended, a new one is started."""

    def __init__(self, emulator: str) -> None:
        self.emulator = emulator
        self.process: subprocess.Popen[str] | None = None

    def verdict(
        self,
        scripts: list[str],
        *,
        head: bool = False,
        lives: int = LIVES,
        seed: int = 0,
        until: frozenset[str] | None = None,
    ) -> EngineVerdict:
        """Return the verdict after at most `lives` lives. It ends earlier when all rules of `until` are broken."""
        rules: set[str] = set()
        ended = ""
        count = 0
        for answer in self._lives(scripts, head=head, most=lives, seed=seed):
            count += 1
            ended = ended or answer.get("ended", "")
            rules |= set(answer.get("rules", ())) & RULES
            if until is not None and until <= rules:
                break
        return EngineVerdict(frozenset(rules), count, ended)

    def _lives(self, scripts: list[str], *, head: bool, most: int, seed: int) -> Iterator[dict]:
        """Yield the result of each life: each input alone, then pairs of inputs with an effect, then random ones."""
        text = "\n".join(scripts)
        usual: tuple[str, ...] | None = None
        changing: list[Life] = []
        singles = first_lives(text)
        random.Random(seed).shuffle(singles)
        for life in [Life(), *singles[: most // 2]]:
            answer = self._ask(scripts, life, head=head)
            yield answer
            trace = tuple(answer.get("trace", ()))
            usual = trace if usual is None else usual
            if trace != usual:
                changing.append(life)
        left = most - 1 - min(len(singles), most // 2)
        for life in combined(changing, singles, random.Random(seed), left):
            yield self._ask(scripts, life, head=head)

    def _ask(self, scripts: list[str], life: Life, *, head: bool) -> dict:
        job = {"scripts": scripts, "input": input_of(life, head=head), "hosts": hosts_of(life)}
        process = self._started()
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            line = process.stdout.readline() if selector.select(SECONDS) else ""
        if line:
            return json.loads(line)
        self.close()
        return {"ended": "the engine did not answer"}

    def _started(self) -> subprocess.Popen[str]:
        if self.process is None:
            command = [sys.executable, str(WORKER)]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            assert self.process.stdin
            self.process.stdin.write(json.dumps(self.emulator) + "\n")
        return self.process

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None
