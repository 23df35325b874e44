"""Chooses the lives of a file's page by what earlier lives have shown."""

import random
import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from awning.check.running.forks import Lives
from awning.check.running.lives import Life
from awning.check.running.page import Answer
from awning.check.running.payloads import CHOSEN, FIELDS, MARKED_RECORDS, SOURCES, name_of
from awning.check.running.variation import lives_of_fields, lives_of_world
from awning.markup import read_markup

_MARK = re.compile(r"aw(\d+)", re.IGNORECASE)
_IN_TEXT = re.compile(r"<aw(\d+)", re.IGNORECASE)
_IN_CODE = re.compile(r'<aw(\d+)|aw(\d+) "', re.IGNORECASE)
"""They match a mark that may end the text of an element, or a text in a script or a style."""
_TEXTS = re.compile(
    r"""'(?:[^'\\\n]|\\.)*?aw(\d+)(?: |%20)(?:\\?"|\\u0022|&quot;|&#34;|%22)'|'(?:[^'\\\n]|\\.)*+'?"""
    r"""|"(?:[^"\\\n]|\\.)*+"?|`(?:[^`\\]|\\.)*+`?|//[^\n]*|/\*.*?(?:\*/|\Z)""",
    re.DOTALL | re.IGNORECASE,
)
"""Matches texts and comments of a script or a style. A text in single quotes that a mark ends has the mark's number."""
_OF_HEAD = frozenset({
    "textContent", "text", "innerHTML", "outerHTML", "content", "href", "src", "sheet", "media", "disabled", "rel",
    "type", "nonce", "dataset", "getAttribute", "hasAttribute", "setAttribute", "removeAttribute", "remove",
    "parentNode", "parentElement", "attr", "data", "prop", "html",
})  # fmt: skip
"""Members that scripts also use on elements of the head. The look-up of an id or a class may find such an element."""
_OF_ROOT = frozenset({"classList", "className", "removeClass", "toggleClass", "addClass"})
"""Members that scripts also use on the root element, after a look-up by class."""
_WRITES = frozenset({"textContent", "innerHTML", "outerHTML"})
_OF_NOTHING = re.compile(
    r"cannot (read|set) property '([^']*)' of (?:null|undefined)|not of type '(?:Node|Element)'|"
    r"Cannot convert undefined or null to object"
)


_NOTHING = re.compile(r"cannot (?:read|set) property '([^']*)' of (undefined|null)")


def judged(
    report: Mapping[str, Any], sources: Sequence[str], there: Collection[int], *, usual: bool
) -> dict[str, Any] | None:
    """Return a report of the page (marked HTML, or an exception in the head) as a broken rule; None if it breaks none.

    `sources` are what the marks stand for, `there` the places of exceptions that a page with a body has too, `usual` is
    whether the life is the usual one.
    """
    rule, at = report["rule"], max(report["at"], 0)
    if rule == "raw-html":
        number = raw_markup(report["html"])
        if number is None:
            return None
        source = sources[number] if number < len(sources) else ""
        return {"rule": rule, "at": at, "message": report["message"], "source": source}
    if rule == "early-dom":
        doubtful = not usual
        if report.get("thrown"):
            match = _OF_NOTHING.search(report["message"])
            if match is None or at in there:
                return None
            doubtful |= _may_be_in_head(report.get("by", ""), match[2] or "", writes=match[1] == "set")
        return {"rule": rule, "at": at, "message": report.get("lookup", ""), "doubtful": doubtful}
    if rule == "unhandled-error":
        return _of_nothing(report, at, usual=usual)
    return {"rule": rule, "at": at, "message": report["message"]}


def _of_nothing(report: Mapping[str, Any], at: int, *, usual: bool) -> dict[str, Any] | None:
    """Return an exception of a subscriber that comes from a field of the payload; None if it may come from this page.

    A field that may be null is null on some pages. One that no payload has is undefined on each page, unless the
    service sends more than is known: so it is doubtful, too.
    """
    path = report["field"]
    match = _NOTHING.search(report["message"])
    if match is None or not path:
        return None
    is_null = match[2] == "null"
    if path in FIELDS or path in CHOSEN:
        may_be = is_null and (path in CHOSEN or "null" in FIELDS[path].types)
    else:
        may_be = usual and not is_null
    if not may_be:
        return None
    return {
        "rule": report["rule"],
        "at": at,
        "message": match[1],
        "source": path,
        "doubtful": True,
        "is_null": is_null,
    }


def _may_be_in_head(by: str, member: str, *, writes: bool) -> bool:
    """Return whether a look-up (by an `id`, by a `class`) may find an element of the head, as its use suggests."""
    may = (by != "" and member in _OF_HEAD) or (by == "class" and member in _OF_ROOT)
    return may and not (writes and member in _WRITES)


def raw_markup(html: str) -> int | None:
    """Return the number of the first mark that a browser would read as markup; None if there is none."""
    element = ""
    for piece in read_markup(html):
        mark = None
        if piece.kind in {"start", "end"}:
            element = piece.text
            mark = _MARK.match(element) or _in_attributes(html, piece.attributes)
        elif piece.kind == "raw":
            mark = _in_code(piece.text) if element in {"script", "style"} else _IN_TEXT.search(piece.text)
        if mark is not None:
            return int(mark[mark.lastindex or 1])
    return None


def _in_code(code: str) -> re.Match[str] | None:
    return _IN_CODE.search(code) or next((text for text in _TEXTS.finditer(code) if text[1]), None)


def _in_attributes(html: str, attributes: Mapping[str, str]) -> re.Match[str] | None:
    """Return the mark whose text ended the value of an attribute, or is the name of one."""
    for name, value in attributes.items():
        if mark := _MARK.search(name):
            return mark
        mark = _MARK.search(value)
        if mark and f"wa{mark[1]}" not in value.lower() and f"wa{mark[1]}" in html.lower():
            return mark
    return None


class Verdict:
    """The broken rules, at their places, and what was not looked at. `ended` counts the lives that ended at a limit."""

    def __init__(self, sources: list[str]) -> None:
        self.findings: dict[tuple[str, int], Answer] = {}
        self.left: dict[str, int] = {}
        self.ended = 0
        self.sources = sources
        """What each mark stands for, by its number."""
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


MOST = 40
"""The most lives with one change, and the most with more."""
LARGE = 60_000
FEW = 12
"""The same for a script of more than LARGE characters, such as a library: to read it takes most of the time."""
IDLE = 16
"""The most lives in a row that show nothing new."""
IDLE_ON_A_WAY = 8
"""The same for a script that can break no event rule, or of which all code was reached."""
IDLE_WHEN_SETTLED = 3
"""The same when all code was reached and initContentHandler was called in the same way in all lives."""
PAIRS_WHEN_SETTLED = 4
"""The most lives with more than one change then."""
MOST_ENDED = 1
"""The most lives that may end at a limit. The others would end there too."""
MOST_FIELDS = 30
"""The most fields that are added to records because a script reads them."""
_NOT_DEFINED = re.compile(r"(?:^|ReferenceError: )'?([\w$]+)'? is not defined")


class Search:
    """Runs the usual life of a file's page, then lives with one change, then with several.

    A change is worth a life if it is of something that a script has read.
    """

    def __init__(self, lives: Lives) -> None:
        job = lives.job
        self.lives, self.text, self.is_raw = lives, job["text"], job["raw"]
        self.head = "head" if any(program["early"] for program in job["programs"]) else ""
        self.expected = set(job["counters"])
        self.verdict = Verdict(list(SOURCES))
        self.globals: tuple[str, ...] = ()
        """Globals that the script misses. All lives but the usual one have them."""
        self.further: tuple[tuple[str, str, int], ...] = ()
        """Fields that the script reads and payloads lack, with their records and marks. Later lives have them."""
        self.waiting: deque[Life] = deque()
        self.singles: list[Life] = []
        self.reached: set[int] = set()
        self.read: set[str] = set()
        self.courses: dict[object, Life] = {}
        """The first life with each course of events and of code."""
        self.opening: list[Life] = []
        """The lives that reached new code."""
        self.inits: set[tuple[str, ...]] = set()
        """The calls of initContentHandler in each life."""
        self.idle = 0
        self.is_compared = False
        self.lived: list[tuple[Life, Answer]] = []
        """All lives, with what was changed in them, and their answers."""

    def verdict_of_all(self) -> Verdict:
        ((_, usual),) = self.lives.run([Life()], self.head)
        self.lived.append((Life(), usual))
        self._judge(usual, usual=True)
        if not usual["ended"]:
            missing = (_NOT_DEFINED.search(item["message"]) for item in usual["failures"])
            self.globals = tuple(sorted({match[1] for match in missing if match}))
            self._learn(Life(), usual)
            self._vary()
        return self.verdict

    def _judge(self, answer: Answer, *, usual: bool) -> None:
        """Add an answer to the verdict. A head script that misses something is compared with a page that has a body."""
        is_missing = any(item["missing"] for item in answer.get("failures", ()))
        if is_missing and not self.is_compared:
            self.is_compared = True
            ((_, there),) = self.lives.run([Life()], "there")
            self.verdict.there = {item["at"] for item in there.get("failures", ())}
        self.verdict.add(answer, usual=usual)

    def _vary(self) -> None:
        if self._always.changes:
            self._run(iter([Life()]))
        self.waiting.extend(lives_of_world(self.text))
        most = MOST if len(self.text) <= LARGE else FEW
        while self.waiting and len(self.singles) < most and not self._is_done:
            self._run(self._singles(most))
        if self.verdict.ended <= MOST_ENDED and (self.is_raw or not self.is_complete):
            changing = [life for life in self.courses.values() if life.changes]
            if not self.is_raw or self._is_settled:
                most = PAIRS_WHEN_SETTLED
            self.idle = 0
            self._run(combined(changing, self.opening, self.singles, most))

    @property
    def is_complete(self) -> bool:
        """Whether all code was reached, with both results of each condition."""
        return self.expected <= self.reached

    @property
    def _is_settled(self) -> bool:
        return self.is_complete and len(self.inits) == 1

    @property
    def _is_done(self) -> bool:
        if self.verdict.ended > MOST_ENDED or (self.is_complete and not self.is_raw):
            return True
        if self._is_settled:
            return self.idle >= IDLE_WHEN_SETTLED
        return self.idle >= (IDLE if self.is_raw and not self.is_complete else IDLE_ON_A_WAY)

    def _singles(self, most: int) -> Iterator[Life]:
        while self.waiting and len(self.singles) < most:
            life = self.waiting.popleft()
            self.singles.append(life)
            yield life

    def _run(self, lives: Iterator[Life]) -> None:
        started: deque[Life] = deque()

        def complete() -> Iterator[Life]:
            for life in lives:
                started.append(life)
                yield life + self._always

        for lived, answer in self.lives.run(complete(), self.head):
            self.lived.append((lived, answer))
            self._judge(answer, usual=False)
            self._learn(started.popleft(), answer)
            if self._is_done:
                return

    @property
    def _always(self) -> Life:
        changes: list[tuple[str, Any]] = [("world.globals", self.globals)] if self.globals else []
        return Life((*changes, *([("further", self.further)] if self.further else [])))

    def _learn(self, life: Life, answer: Answer) -> None:
        reached, trace = set(answer.get("counters", ())), tuple(answer.get("trace", ()))
        course = (frozenset(reached), trace)
        opened = bool(reached - self.reached)
        self.idle = 0 if opened or course not in self.courses else self.idle + 1
        self.courses.setdefault(course, life)
        self.reached |= reached
        self.inits.add(tuple(entry for entry in trace if entry.startswith("init:")))
        if opened and life.changes:
            self.opening.append(life)
        fields = [field for field in answer.get("read", ()) if field not in self.read]
        self.read.update(fields)
        self.waiting.extend(
            life + change for change in lives_of_fields(self.text, fields) if not change.fields & life.fields
        )
        if self._add_further(answer.get("absent", ())) and life.changes:
            self.waiting.appendleft(life)

    def _add_further(self, absent: Sequence[Sequence[str]]) -> bool:
        """Give fields that the script has read in vain to later lives. Return whether there are any."""
        known = {(record, name) for record, name, _ in self.further}
        new = [
            (record, name)
            for record, name in absent
            if record in MARKED_RECORDS and f"{record}.{name}" not in FIELDS and (record, name) not in known
        ]
        new = new[: MOST_FIELDS - len(self.further)]
        first = len(self.verdict.sources)
        self.further += tuple((record, name, first + at) for at, (record, name) in enumerate(new))
        self.verdict.sources += [name_of(f"{record}.{name}") for record, name in new]
        return bool(new)


def combined(
    changing: Sequence[Life], opening: Sequence[Life], singles: Sequence[Life], count: int
) -> Iterator[Life]:
    """Yield lives with two changes that each had an effect, then others with two, then lives with random changes.

    `changing` are the lives with an effect, `opening` those of them that reached new code: a further change may have an
    effect only there.
    """
    choice = random.Random(0)  # noqa: S311 - the same lives in each check
    pairs = [a + b for a, b in combinations(changing, 2) if not a.fields & b.fields]
    further = [a + b for a in opening for b in singles if b not in changing and not a.fields & b.fields]
    choice.shuffle(pairs)
    choice.shuffle(further)
    chosen = pairs[: count // 2]
    chosen += further[: (count - len(chosen)) * 2 // 3 if len(changing) > 1 else count]
    yield from chosen
    fields: dict[str, list[tuple[str, Any]]] = {}
    for field, value in (change for life in singles for change in life.changes):
        fields.setdefault(field, []).append((field, value))
    for _ in range(count - len(chosen) if len(fields) > 1 and len(changing) > 1 else 0):
        picked = [
            choice.choice(changes)
            for changes in fields.values()
            if choice.random() < choice.choice((0.3, 0.7))
        ]
        yield Life(tuple(sorted(picked, key=lambda change: change[0])))
