"""The child process of `engine.py`: reads jobs as lines of JSON, runs the lives of a page, and writes verdicts.

The first line is the page of `jsrc/running`, which is loaded once.
"""

import gc
import json
import re
import signal
import sys
from typing import Any

from awning.check.running.judging import judged
from awning.check.running.lives import Life, combined, first_lives, further_fields, sources_of
from awning.check.running.page import Answer, Page, run_lives

LIVES = 40
"""The most lives with one change, and the most with more."""
LARGE = 60_000
FEW = 12
"""The same for a script of more than LARGE characters, such as a library: to read it takes most of the time."""
MOST_IDLE = 8
"""The most lives in a row that reach nothing new, of a script that can break no event rule."""
MOST_ENDED = 1
"""The most lives that may end at a limit. The others would end there too."""
_NOT_DEFINED = re.compile(r"(?:^|ReferenceError: )'?([\w$]+)'? is not defined")


class Verdict:
    """What the lives of one file have shown."""

    def __init__(self, job: Answer) -> None:
        self.findings: dict[tuple[str, int], Answer] = {}
        self.left: dict[str, int] = {}
        self.ended = 0
        self.sources = sources_of(further_fields(job["text"]))
        self.there: set[int] = set()
        """The places of exceptions that do not come from a look-up before there is a body."""

    def add(self, answer: Answer, *, usual: bool) -> None:
        early = [
            {"rule": "early-dom", "thrown": True, **item}
            for item in answer.get("failures", ())
            if item["missing"]
        ]
        for raw in [*answer.get("findings", ()), *early]:
            finding = judged(raw, self.sources, self.there, usual=usual)
            key = (raw["rule"], raw["at"])
            if finding and (key not in self.findings or self.findings[key].get("doubtful")):
                self.findings[key] = finding
        if touched := answer.get("left"):
            self.left.setdefault(f"what it does after it uses {touched}", max(answer["at"], 0))
        ended = answer.get("ended")
        if any("out of memory" in item["message"] for item in answer.get("failures", ())):
            ended = "it needs too much memory"
        self.ended += bool(ended)
        if ended:
            self.left.setdefault(f"what it does, because {ended}", max(answer.get("at", 0), 0))

    def as_answer(self) -> Answer:
        return {"findings": list(self.findings.values()), "left": self.left}


def verdict(page: Page, job: Answer) -> Verdict:
    """Run the usual life of a file's page, then others: each with one change, then with several."""
    head = "head" if any(program["early"] for program in job["programs"]) else ""
    result = Verdict(job)
    if head:
        (there,) = run_lives(page, job, [Life()], "there")
        result.there = {item["at"] for item in there.get("failures", ())}
    (usual,) = run_lives(page, job, [Life()], head)
    result.add(usual, usual=True)
    if not usual["ended"]:
        _vary(page, job, result, usual, head)
    return result


def _vary(page: Page, job: Answer, result: Verdict, usual: Answer, head: str) -> None:
    always = _always(job["text"], usual)
    most = LIVES if len(job["text"]) <= LARGE else FEW
    singles = first_lives(job["text"])[:most]
    first = [Life()] if always.changes else []
    seen, idle = set(usual["counters"]), 0
    changing: list[Life] = []
    opening: list[Life] = []
    is_raw, expected = job["raw"], set(job["counters"])
    lives = [*first, *singles]
    for life, answer in zip(
        lives, run_lives(page, job, [life + always for life in lives], head), strict=False
    ):
        result.add(answer, usual=False)
        reached = set(answer.get("counters", ()))
        if not life.changes:
            usual = answer
        elif answer.get("trace") != usual.get("trace") or reached - seen:
            changing.append(life)
            opening += [life] if reached - seen else []
        idle = 0 if reached - seen else idle + 1
        seen |= reached
        if result.ended > MOST_ENDED or (not is_raw and (expected <= seen or idle > MOST_IDLE)):
            return
    most = min(most if is_raw else MOST_IDLE, 6 * len(changing) + 6 * len(opening))
    more = (life + always for life in combined(changing, opening, singles, most))
    for answer in run_lives(page, job, more, head):
        result.add(answer, usual=False)
        if result.ended > MOST_ENDED:
            return


def _always(text: str, usual: Answer) -> Life:
    """Return the changes of all lives but the usual one: further fields, and globals that the script misses."""
    fields = tuple(further_fields(text))
    missing = {match[1] for item in usual["failures"] if (match := _NOT_DEFINED.search(item["message"]))}
    changes: list[tuple[str, Any]] = [("further", fields)] if fields else []
    return Life((*changes, *([("world.globals", sorted(missing))] if missing else [])))


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    page = Page(json.loads(sys.stdin.readline()))
    gc.collect()
    gc.freeze()  # a collection would write to all pages of memory that the forks share
    for line in sys.stdin:
        sys.stdout.write(json.dumps(verdict(page, json.loads(line)).as_answer()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
