"""The child process of `engine.py`: reads jobs as lines of JSON, runs the lives of a page, and writes verdicts.

The first line is the page of `jsrc/running`, which is loaded once. The first argument is the limit of time (`page.py`).
With the argument `--without-fork`, the child does not fork, as on Windows.
"""

import gc
import json
import os
import signal
import sys
from typing import Any

from awning.check.running.forks import Lives
from awning.check.running.page import Answer, Page
from awning.check.running.search import Search

KEEPS_PAGES = "keeps_pages"
"""The field of a job whose answers have the page after each event."""

NOT_WHOLE = "the check cannot run all of what the script does"
DIFFERS = "the page would differ"
FAILS_OTHERWISE = "its exceptions would differ"


def compared(page: Page, before: dict[str, Any], after: dict[str, Any], *, fork: bool) -> Answer:
    """Return an answer with the first difference in words, as `difference`. It is empty if there is none.

    The lives are those that the search chooses for the first version. If they do not reach all of its code, or one
    ends at a limit, nothing is proved.
    """
    first = Lives(page, {**before, KEEPS_PAGES: True}, fork)
    second = Lives(page, {**after, KEEPS_PAGES: True}, fork)
    try:
        search = Search(first)
        verdict = search.verdict_of_all()
        if verdict.left or not search.is_complete:
            return {"difference": NOT_WHOLE}
        lives = [life for life, _ in search.lived]
        for (_, answer), (_, other) in zip(search.lived, second.run(lives, search.head), strict=True):
            if difference := _difference(answer, other):
                return {"difference": difference}
    finally:
        first.close()
        second.close()
    return {"difference": ""}


def _difference(before: Answer, after: Answer) -> str:
    if after.get("ended") or after.get("left"):
        return NOT_WHOLE
    if before["pages"] != after["pages"]:
        return DIFFERS
    failures = [sorted(item["message"] for item in answer["failures"]) for answer in (before, after)]
    return "" if failures[0] == failures[1] else FAILS_OTHERWISE


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    fork = hasattr(os, "fork") and "--without-fork" not in sys.argv
    page = Page(json.loads(sys.stdin.readline()), float(sys.argv[1]))
    gc.collect()
    gc.freeze()  # a collection would write to all pages of memory that the forks share
    for line in sys.stdin:
        request = json.loads(line)
        if "after" in request:
            answer = compared(page, request["before"], request["after"], fork=fork)
        else:
            answer = _verdict(Lives(page, request, fork))
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _verdict(lives: Lives) -> Answer:
    try:
        return Search(lives).verdict_of_all().as_answer()
    finally:
        lives.close()


if __name__ == "__main__":
    main()
