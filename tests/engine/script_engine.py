"""What a script does in a real engine: QuickJS in a child process, our emulator, a small page, many payloads.

An answer holds the rules that were broken in some life of the page. Real control flow only: nothing is forced, so a
rule that is broken is broken. What is not seen may only lack an input (`engine_payloads`).
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
"""What the page or the emulator sees. `early-dom` is an exception in a script of the head."""
SECONDS = 10
"""The engine's own limit is two; a regular expression does not stop for it, so the process is ended."""
LIVES = 40
"""Of one script."""


@dataclass(frozen=True, slots=True)
class EngineVerdict:
    """`lives` is how many ran; `ended` why some could not, or what the script threw first."""

    rules: frozenset[str]
    lives: int
    ended: str = ""


class Engine:
    """A child process that runs one page after the other; a new one where it had to be ended."""

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
        """Of so many lives of a page, or fewer where all of `until` are seen before."""
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
        """First each input alone, then those together that changed what happened, and some at random."""
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
