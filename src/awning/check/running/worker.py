"""The child process of `engine.py`: reads jobs as lines of JSON, runs the lives of a page, and writes verdicts.

The first line is the page of `jsrc/running`, which is loaded once. The first argument is the limit of time (`page.py`).
With the argument `--without-fork`, the child does not fork, as on Windows.
"""

import gc
import json
import os
import signal
import sys

from awning.check.running.comparing import compared
from awning.check.running.forks import Lives
from awning.check.running.page import Answer, Page
from awning.check.running.search import Search


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
