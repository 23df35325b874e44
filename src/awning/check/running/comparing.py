"""Compares what two versions of a file's scripts do, in the child process: in the same lives, after each event.

The lives are those that the search chooses for the first version. If they do not reach all of its code, or one ends at
a limit, nothing is proved.
"""

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
    """Return an answer with the first difference in words, as `difference`. It is empty if there is none."""
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
